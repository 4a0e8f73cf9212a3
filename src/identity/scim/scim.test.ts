import { beforeAll, describe, expect, it } from 'vitest'
import { actor, type Client, startHouse } from '../../../test/support/app.ts'
import { scimClient } from '../../../test/support/scim.ts'
import { createOrganization } from '../organizations.ts'

const house = await startHouse()
const { owner } = house
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
let provider: Client
beforeAll(async () => {
  provider = await house.member('Integration')
})

const scim = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  token = provider.token,
) => scimClient(house, token).send(method, path, body)
const patch = (path: string, ...operations: object[]) => scimClient(house, provider.token).patch(path, ...operations)
const individual = async (id: string) => (await owner.get(`/api/v1/individuals/${id}`)).body.data

it('a list that is replaced without a path is replaced, and one added as primary is the one that counts (RFC 7644, 3.5.2)', async () => {
  const { body } = await scim('POST', '/Users', {
    userName: 'lists',
    emails: [{ value: 'old@example.org', type: 'work', primary: true }],
  })
  await patch(`/Users/${body.id}`, {
    op: 'replace',
    value: { title: 'x', emails: [{ value: 'new@example.org', primary: true }] },
  })
  expect((await individual(body.id)).email).toBe('new@example.org')
  await patch(`/Users/${body.id}`, { op: 'add', path: 'emails', value: [{ value: 'home@example.org', type: 'home' }] })
  expect((await individual(body.id)).email).toBe('new@example.org')
  await patch(`/Users/${body.id}`, { op: 'add', value: { emails: [{ value: 'newest@example.org', primary: true }] } })
  expect((await individual(body.id)).email).toBe('newest@example.org')
})

describe('Entra', () => {
  /** From learn.microsoft.com, "Develop and plan provisioning for a SCIM endpoint". */
  const user = (name: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    externalId: `0a21f0f2-8d2a-4f8e-bf98-7363c4aed4${name}`,
    userName: `Test_User_${name}@testuser.com`,
    active: true,
    emails: [{ primary: true, type: 'work', value: `Test_User_${name}@testuser.com` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    [ENTERPRISE]: { department: 'IT', employeeNumber: '701984' },
  })

  it('provisions, matches, changes, suspends, brings back and removes somebody', async () => {
    expect((await scim('GET', '/Users?filter=userName+eq+%22Test_User_ef%40testuser.com%22')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const made = await scim('POST', '/Users', user('ef'))
    expect(made.status).toBe(201)
    expect(made.headers['content-type']).toContain('application/scim+json')
    const { id } = made.body
    expect(made.headers.location).toBe(`http://gatehouse.test/scim/v2/Users/${id}`)
    expect(await individual(id)).toMatchObject({
      given_name: 'givenName',
      email: 'Test_User_ef@testuser.com',
      department: 'IT',
      personnel_number: '701984',
      status: 'active',
    })
    expect(await scim('POST', '/Users', user('ef'))).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', status: '409' },
    })
    const found = await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "test_user_EF@testuser.com"')}`)
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, userName: 'Test_User_ef@testuser.com' }] })

    await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    )
    expect(await individual(id)).toMatchObject({
      email: 'updatedEmail@microsoft.com',
      family_name: 'updatedFamilyName',
    })
    await patch(`/Users/${id}`, { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+41 44 632 11 11' })
    expect((await individual(id)).phone).toBe('+41 44 632 11 11')
    await patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: '5b50642d@contoso.com' })
    expect((await scim('GET', `/Users/${id}`)).body.userName).toBe('5b50642d@contoso.com')

    // Who was suspended here stays so, though the provider repeats that they are active.
    await owner.post(`/api/v1/individuals/${id}/suspend`)
    await scim('PUT', `/Users/${id}`, { ...user('ef'), userName: '5b50642d@contoso.com' })
    expect((await individual(id)).status).toBe('suspended')
    // Nor does it wake whom it did not suspend.
    for (const value of ['False', 'True']) await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value })
    expect((await individual(id)).status).toBe('suspended')
    await owner.post(`/api/v1/individuals/${id}/reactivate`)

    const off = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect((await individual(id)).status).toBe('suspended')
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
    expect((await individual(id)).status).toBe('active')
    // What it suspended once was ended here, and is suspended here: that is another suspension.
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
    for (const action of ['reactivate', 'suspend']) await owner.post(`/api/v1/individuals/${id}/${action}`)
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })
    expect((await individual(id)).status).toBe('suspended')
    await owner.post(`/api/v1/individuals/${id}/reactivate`)
    // Who has left while it had them suspended does not come back by it.
    const leaver = (await scim('POST', '/Users', user('leaver'))).body.id
    await patch(`/Users/${leaver}`, { op: 'Replace', path: 'active', value: 'False' })
    expect((await owner.post(`/api/v1/individuals/${leaver}/offboard`)).status).toBe(200)
    await patch(`/Users/${leaver}`, { op: 'Replace', path: 'active', value: 'True' })
    expect((await individual(leaver)).status).toBe('offboarded')
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await individual(id)).status).toBe('offboarded')
    expect(await scim('GET', `/Users/${id}`)).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
    })
  })

  it('keeps groups, which nobody else changes', async () => {
    const [one, two] = [
      (await scim('POST', '/Users', user('g1'))).body.id,
      (await scim('POST', '/Users', user('g2'))).body.id,
    ]
    const made = await scim('POST', '/Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    const members = async () =>
      (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort()
    await patch(
      `/Groups/${id}`,
      { op: 'Add', path: 'members', value: [{ $ref: null, value: one }] },
      { op: 'Add', path: 'members', value: [{ value: two }] },
    )
    expect(await members()).toEqual([one, two].sort())
    await patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] })
    expect(await members()).toEqual([two])
    await patch(`/Groups/${id}`, {
      op: 'Replace',
      path: 'displayName',
      value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName',
    })
    expect(
      (
        await scim(
          'GET',
          `/Groups?excludedAttributes=members&filter=displayName+eq+%221879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName%22`,
        )
      ).body.Resources,
    ).toMatchObject([{ id }])
    expect((await scim('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members')

    const path = `/api/v1/access-groups/${id}`
    const refused = { status: 409, body: { error: { code: 'CONFLICT', reason: 'access_group.provisioned' } } }
    expect(await owner.patch(path, { description: 'mine' })).toMatchObject(refused)
    expect(await owner.delete(path)).toMatchObject(refused)
    expect(await owner.post(`${path}/members`, { individual_id: one })).toMatchObject(refused)
    expect(await owner.request('PUT', `${path}/members`, { members: [] })).toMatchObject(refused)
    const [member] = (await owner.get(`${path}/members`)).body.data
    expect(await owner.delete(`${path}/members/${member.id}`)).toMatchObject(refused)
    expect((await scim('DELETE', `/Users/${two}`)).status).toBe(204)
    expect(await members()).toEqual([])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await owner.get(path)).status).toBe(404)
  })
})

describe('Okta', () => {
  /** From developer.okta.com, "SCIM 2.0". */
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'test.user@okta.local',
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }

  it('pages, creates, replaces, deactivates by a value without a path, and fills groups', async () => {
    const empty = await scim(
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "test.user@okta.local"')}&startIndex=1&count=100`,
    )
    expect(empty.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
    })
    const { status, body } = await scim('POST', '/Users', user)
    expect(status).toBe(201)
    expect(JSON.stringify(body)).not.toContain('1mz050nq')
    const replaced = await scim('PUT', `/Users/${body.id}`, {
      ...user,
      id: body.id,
      name: { givenName: 'Another', familyName: 'User' },
      displayName: 'Another User',
    })
    expect(replaced).toMatchObject({ status: 200, body: { displayName: 'Another User' } })
    expect((await patch(`/Users/${body.id}`, { op: 'replace', value: { active: false } })).body.active).toBe(false)
    expect((await individual(body.id)).status).toBe('suspended')
    expect((await patch(`/Users/${body.id}`, { op: 'replace', value: { active: true } })).body.active).toBe(true)

    const group = await scim('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Test SCIMv2',
      members: [],
    })
    expect(group.status).toBe(201)
    const path = `/Groups/${group.body.id}`
    await patch(path, { op: 'replace', value: { id: group.body.id, displayName: 'Test SCIMv2 renamed' } })
    await patch(path, { op: 'add', path: 'members', value: [{ value: body.id, display: 'test.user@okta.local' }] })
    expect((await scim('GET', path)).body).toMatchObject({
      displayName: 'Test SCIMv2 renamed',
      members: [{ value: body.id }],
    })
    await patch(path, { op: 'remove', path: `members[value eq "${body.id}"]` })
    expect((await scim('GET', path)).body.members).toEqual([])
    await scim('PUT', path, {
      schemas: [],
      id: group.body.id,
      displayName: 'Test SCIMv2',
      members: [{ value: body.id }],
    })
    expect((await scim('GET', path)).body.members).toHaveLength(1)
    const all = await scim('GET', '/Users?startIndex=1&count=1')
    expect(all.body).toMatchObject({ itemsPerPage: 1, startIndex: 1 })
  })
})

describe('whoever may not', () => {
  it('is refused in the words of the RFC, and another organization’s people are not there', async () => {
    expect(await scim('GET', '/Users', undefined, 'acs_pat_no')).toMatchObject({ status: 401, body: { status: '401' } })
    expect(await scim('GET', '/Users', undefined, (await house.member('Auditor')).token)).toMatchObject({ status: 403 })
    const place = await owner.create('/api/v1/locations', { name: 'Zürich' })
    const limited = await house.member('Integration', { location_id: place.id })
    expect(await scim('GET', '/Users', undefined, limited.token)).toMatchObject({ status: 403 })
    await createOrganization(house.engine, house.clock.now(), actor, 'Other', 'Europe/Zurich')
    const other = await house.member('Integration', {}, 'Other')
    const { body } = await scim('POST', '/Users', { userName: 'eve', name: { givenName: 'E', familyName: 'V' } })
    expect((await scim('GET', `/Users/${body.id}`, undefined, other.token)).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, other.token)).body.totalResults).toBe(0)
    // The same name is free there.
    expect(
      (await scim('POST', '/Users', { userName: 'eve', name: { givenName: 'E', familyName: 'V' } }, other.token))
        .status,
    ).toBe(201)
  })

  it('people who did not come by SCIM are not seen by it, nor put into its groups', async () => {
    const person = await owner.create('/api/v1/individuals', { display_name: 'Somebody else' })
    expect((await scim('GET', `/Users/${person.id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${person.id}`)).status).toBe(404)
    const group = await scim('POST', '/Groups', { displayName: 'Odd', members: [{ value: person.id }] })
    expect(group).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await owner.get('/api/v1/access-groups?name=eq.Odd')).body.meta.pagination.total).toBe(0)
  })
})

it.each([
  ['POST', '/Users', { name: { givenName: 'x' } }, 400],
  ['POST', '/Users', { userName: 5 }, 400],
  ['POST', '/Groups', {}, 400],
  ['GET', '/Users?filter=userName+sw+%22a%22', undefined, 400],
  ['GET', '/Users?filter=nonsense', undefined, 400],
  ['GET', '/Users?count=abc', undefined, 400],
  ['GET', '', undefined, 404],
  ['GET', '/', undefined, 404],
  ['POST', '', {}, 404],
  ['GET', '/Users/%zz', undefined, 400],
  ['GET', '/Users?filter=((userName+eq+%22a%22)', undefined, 400],
  ['GET', '/Nothing', undefined, 404],
  ['GET', '/Users/1', undefined, 404],
  ['PATCH', '/Users/01997d2a-4c00-7000-8000-000000000001', { Operations: [] }, 404],
  ['DELETE', '/Users', undefined, 405],
] as const)('%s %s %j is %i, and no fault of ours', async (method, path, body, status) => {
  const answer = await scim(method, path, body)
  expect(answer).toMatchObject({ status, body: { status: String(status), detail: expect.any(String) } })
})

it.each([
  ['/Users', 'GET, POST'],
  ['/Groups/01997d2a-4c00-7000-8000-000000000001', 'GET, PUT, PATCH, DELETE'],
])('what is not offered at %s is said with what is', async (path, allow) => {
  const answer = await scim(path === '/Users' ? 'DELETE' : 'POST', path)
  expect([answer.status, answer.headers.allow]).toEqual([405, allow])
})

it.each([
  '((userName eq "Paren"))',
  '(((userName eq "paren")))',
  '((userName eq "paren")) and (active eq true)',
  '( (userName eq "a(") ) or ((userName eq "paren"))',
])('a filter says the same in more parentheses than it needs: %s', async (filter) => {
  await scim('POST', '/Users', { userName: 'Paren' })
  const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
  expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['Paren'])
})

it('says what it can do', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true },
  })
  expect((await scim('GET', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
    'User',
    'Group',
  ])
  expect((await scim('GET', '/Schemas')).body.totalResults).toBe(3)
})

it('everything is on the record', async () => {
  const { body } = await owner.get(
    '/api/v1/audit-log?action=in.(individual.created,individual.offboarded,access_group.created)&limit=100',
  )
  expect(
    body.data.filter(({ actor_name }: { actor_name: string }) => actor_name?.startsWith('Integration')).length,
  ).toBeGreaterThan(3)
})
