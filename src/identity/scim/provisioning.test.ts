import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { scimClient } from '../../../test/support/scim.ts'

const house = await startHouse()
const { owner, app } = house
const provider = scimClient(house, (await memberWith(house, ['scim:write'])).token)
const { send, patch } = provider
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const individual = async (id: string) => (await owner.get(`/api/v1/individuals/${id}`)).body.data
const make = async (userName: string, more: object = {}) =>
  (await send('POST', '/Users', { userName, displayName: userName, ...more })).body
const filtered = async (kind: string, filter: string) =>
  (await send('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)).body.Resources.map(
    ({ id }: { id: string }) => id,
  )

describe('somebody who is here already', () => {
  it.each([
    ['externalId', { external_id: 'hr-1' }, { userName: 'one', externalId: 'hr-1' }],
    ['userName', { external_id: 'hr-2' }, { userName: 'hr-2' }],
    [
      'e-mail',
      { email: 'Three@example.org' },
      { userName: 'three', emails: [{ value: 'three@Example.org', primary: true }] },
    ],
    ['an address as userName', { email: 'four@example.org' }, { userName: 'FOUR@example.org' }],
  ])('is taken over by %s, and keeps what the provider does not speak of', async (_by, here, sent) => {
    const person = await owner.create('/api/v1/individuals', {
      display_name: 'Here',
      phone: '+41 1',
      company: 'Ours',
      ...here,
    })
    const made = await send('POST', '/Users', { ...sent, displayName: 'There' })
    expect(made).toMatchObject({ status: 201, body: { id: person.id } })
    expect(await individual(person.id)).toMatchObject({ display_name: 'There', phone: '+41 1', company: 'Ours' })
    await send('PUT', `/Users/${person.id}`, { ...sent, displayName: 'Elsewhere' })
    expect(await individual(person.id)).toMatchObject({ display_name: 'Elsewhere', phone: '+41 1' })
  })

  it('is not woken by it, not called back when they have left, and not guessed among two', async () => {
    const asleep = await owner.create('/api/v1/individuals', { display_name: 'Asleep', email: 'asleep@example.org' })
    await owner.post(`/api/v1/individuals/${asleep.id}/suspend`)
    expect((await make('asleep@example.org', { active: true })).id).toBe(asleep.id)
    expect((await individual(asleep.id)).status).toBe('suspended')
    const left = await owner.create('/api/v1/individuals', { display_name: 'Left', email: 'left@example.org' })
    await owner.post(`/api/v1/individuals/${left.id}/offboard`)
    expect((await make('left@example.org')).id).not.toBe(left.id)
    for (const display_name of ['Twin', 'Other twin'])
      await owner.create('/api/v1/individuals', { display_name, email: 'twin@example.org' })
    expect(await send('POST', '/Users', { userName: 'twin@example.org' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
  })
})

describe('a manager', () => {
  it('is set as Entra and Okta name them, taken away, and passed over when unknown', async () => {
    const [boss, clerk] = [await make('boss', { externalId: 'okta-boss' }), await make('clerk')]
    const path = `${ENTERPRISE}:manager`
    const managerOf = async () => (await individual(clerk.id)).manager_id
    await patch(`/Users/${clerk.id}`, { op: 'Add', path, value: boss.id })
    expect(await managerOf()).toBe(boss.id)
    expect((await send('GET', `/Users/${clerk.id}`)).body[ENTERPRISE].manager).toMatchObject({ value: boss.id })
    await patch(`/Users/${clerk.id}`, { op: 'Remove', path })
    expect(await managerOf()).toBeNull()
    await patch(`/Users/${clerk.id}`, { op: 'Add', path, value: [{ $ref: 'http://x', value: boss.id }] })
    expect(await managerOf()).toBe(boss.id)
    await send('PUT', `/Users/${clerk.id}`, { userName: 'clerk', [ENTERPRISE]: { manager: { value: 'nobody' } } })
    expect(await managerOf()).toBe(boss.id)
    const aide = await make('aide', { [ENTERPRISE]: { manager: { value: 'okta-boss', displayName: 'Boss' } } })
    expect((await individual(aide.id)).manager_id).toBe(boss.id)
    expect((await patch(`/Users/${boss.id}`, { op: 'Add', path, value: clerk.id })).status).toBe(400)
  })
})

describe('a PATCH', () => {
  it('in each of the forms that providers send', async () => {
    const { id } = await make('forms', { name: { givenName: 'Ada', familyName: 'Byron' }, displayName: 'Ada Byron' })
    const steps: [object[], object][] = [
      [
        [{ op: 'Replace', path: 'name.familyName', value: 'Lovelace' }],
        { family_name: 'Lovelace', display_name: 'Ada Lovelace' },
      ],
      [
        [{ op: 'replace', value: { displayName: 'Countess', 'name.givenName': 'Augusta' } }],
        { display_name: 'Countess' },
      ],
      [[{ op: 'Add', path: `${ENTERPRISE}:department`, value: 'Engines' }], { department: 'Engines' }],
      [[{ op: 'Add', value: { [`${ENTERPRISE}:employeeNumber`]: 'P-1' } }], { personnel_number: 'P-1' }],
      [[{ op: 'Remove', path: `${ENTERPRISE}:department` }], { department: null }],
      [[{ op: 'Add', path: 'emails[type eq "work"].value', value: 'a@example.org' }], { email: 'a@example.org' }],
      [[{ op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+41 2' }], { phone: '+41 2' }],
      [[{ op: 'Remove', path: 'phoneNumbers[type eq "fax"].value' }], { phone: '+41 2' }],
      [[{ op: 'replace', path: 'active', value: 'FALSE' }], { status: 'suspended' }],
      [[{ op: 'replace', value: { active: 'True' } }], { status: 'active' }],
      [[{ op: 'replace', path: 'Active', value: 'False' }], { status: 'suspended' }],
      [[{ op: 'replace', value: { ACTIVE: true, 'Name.GivenName': 'Ada' } }], { status: 'active', given_name: 'Ada' }],
      [
        [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'By URN' }],
        { display_name: 'By URN' },
      ],
      [
        [{ op: 'replace', path: 'emails[primary eq "True"].value', value: 'b@example.org' }],
        { email: 'b@example.org' },
      ],
      [
        [{ op: 'replace', value: { displayName: 'Both', 'emails[type eq "work"].value': 'd@example.org' } }],
        { display_name: 'Both', email: 'd@example.org' },
      ],
      [[{ op: 'remove', path: 'emails' }], { email: null }],
      [
        [{ op: 'add', path: 'emails[type eq "work" and primary eq true].value', value: 'c@example.org' }],
        { email: 'c@example.org' },
      ],
    ]
    for (const [operations, after] of steps) {
      const answer = await patch(`/Users/${id}`, ...operations)
      expect(answer.status, JSON.stringify([operations, answer.body])).toBe(200)
      expect(await individual(id), JSON.stringify(operations)).toMatchObject(after)
    }
  })

  it('is not kept from what it says of somebody by what is none of ours: roles, addresses, extensions of others', async () => {
    const { id } = await make('beside', { active: true })
    const others = 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User'
    const steps = [
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'admin' },
      { op: 'Replace', path: 'addresses[type eq "work" or type eq "home"].locality', value: 'Bern' },
      { op: 'Add', path: `${others}:tag`, value: 'x' },
      { op: 'Add', value: { [`${others}:tag`]: 'x', [others]: { tag: 'x' } } },
    ]
    expect(await patch(`/Users/${id}`, ...steps, { op: 'Replace', path: 'active', value: 'False' })).toMatchObject({
      status: 200,
    })
    expect((await individual(id)).status).toBe('suspended')
    expect(await patch(`/Users/${id}`, { op: 'replace', path: 'nonsense', value: 'x' })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidPath' },
    })
  })

  it('takes the provider’s own id of somebody away where it says so', async () => {
    const { id } = await make('unkeyed', { externalId: 'key-1' })
    expect((await patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })).body).not.toHaveProperty('externalId')
    const { body: group } = await send('POST', '/Groups', { displayName: 'Unkeyed', externalId: 'key-2' })
    await patch(`/Groups/${group.id}`, { op: 'remove', path: 'externalId' })
    expect((await send('GET', `/Groups/${group.id}`)).body).not.toHaveProperty('externalId')
  })

  it('that changes nothing leaves no trace, and one that fails halfway keeps nothing', async () => {
    const { id } = await make('trace')
    const { version } = await individual(id)
    await patch(
      `/Users/${id}`,
      { op: 'replace', path: 'displayName', value: 'trace' },
      { op: 'replace', path: 'active', value: true },
    )
    expect((await individual(id)).version).toBe(version)
    const long = { op: 'replace', path: 'name.givenName', value: 'x'.repeat(300) }
    expect((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }, long)).status).toBe(400)
    expect(await individual(id)).toMatchObject({ version, status: 'active' })
  })
})

describe('a group', () => {
  it('takes hundreds in and out by one request, whatever the form, and answers without listing them', async () => {
    const ids: string[] = []
    for (let n = 0; n < 30; n++) ids.push((await make(`many-${n}`)).id)
    const { body: group } = await send('POST', '/Groups', { displayName: 'Many', externalId: 'g-1' })
    const path = `/Groups/${group.id}`
    const members = async () => (await send('GET', path)).body.members.map(({ value }: { value: string }) => value)
    const added = await patch(path, ...ids.map((value) => ({ op: 'Add', path: 'members', value: [{ value }] })))
    expect(added).toMatchObject({ status: 204, body: undefined })
    expect(await members()).toEqual(ids.toSorted())
    await patch(path, { op: 'Remove', path: 'members', value: ids.slice(2).map((value) => ({ value })) })
    expect(await members()).toEqual(ids.slice(0, 2).toSorted())
    await patch(path, { op: 'replace', value: { id: group.id, displayName: 'Few', members: [{ value: ids[5] }] } })
    expect((await send('GET', path)).body).toMatchObject({
      displayName: 'Few',
      externalId: 'g-1',
      members: [{ value: ids[5] }],
    })
    await patch(path, { op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: ids[6] }] })
    expect(await members()).toEqual([ids[6]])
    expect((await patch(path, { op: 'Remove', path: 'members', value: [{ value: ids[9] }] })).status).toBe(204)
    expect(await filtered('Groups', 'externalId eq "g-1"')).toEqual([group.id])
  })

  it('lets nobody in by an operation that it does not know, and nobody stay by a path that it does not understand', async () => {
    const ids = [(await make('stays')).id, (await make('goes')).id, (await make('went')).id]
    const { body: group } = await send('POST', '/Groups', {
      displayName: 'Exact',
      members: ids.map((value) => ({ value })),
    })
    const path = `/Groups/${group.id}`
    const members = async () => (await send('GET', path)).body.members.map(({ value }: { value: string }) => value)
    const named = (n: number) => `value eq "${ids[n]}"`
    const out = await patch(path, { op: 'remove', path: `Members[${named(1)} or ${named(2)}]` })
    expect([out.status, await members()]).toEqual([204, [ids[0]]])
    for (const operation of [
      { op: 'nonsense', path: 'members', value: [{ value: ids[1] }] },
      { path: 'members', value: [{ value: ids[1] }] },
      { op: 'remove', path: 'members[display eq "stays"]' },
      { op: 'remove', path: `members[${named(0)} and display eq "stays"]` },
      { op: 'remove', path: `members[not (${named(1)})]` },
      { op: 'remove', path: 'members.value' },
      { op: 'replace', path: `members[${named(0)}]`, value: { value: ids[1] } },
    ]) {
      expect(await patch(path, operation), JSON.stringify(operation)).toMatchObject({
        status: 400,
        body: { status: '400' },
      })
      expect(await members(), JSON.stringify(operation)).toEqual([ids[0]])
    }
  })

  it('is changed by no other door: single, by key, in a batch', async () => {
    const { body: group } = await send('POST', '/Groups', { displayName: 'Closed' })
    const reason = 'access_group.provisioned'
    const rename = { op: 'update', id: group.id, body: { name: 'Open' } }
    const batch = await owner.post('/api/v1/access-groups/batch', {
      operations: [rename, { op: 'delete', id: group.id }],
    })
    const results = batch.body.data.results
    expect(results.map(({ error }: { error: { reason: string } }) => error.reason)).toEqual([reason, reason])
    const somebody = await make('outsider')
    const joined = await owner.post(`/api/v1/access-groups/${group.id}/members/add`, {
      members: [{ individual_id: somebody.id }],
    })
    expect(joined.body.error.reason).toBe(reason)
    expect(joined.body.msg).toContain('identity provider')
  })

  it('of the same name as one that was made here is refused, and that one stays as it was', async () => {
    const own = await owner.create('/api/v1/access-groups', { name: 'Server room' })
    expect(await send('POST', '/Groups', { displayName: 'Server room' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    expect((await send('GET', `/Groups/${own.id}`)).status).toBe(404)
    expect((await owner.patch(`/api/v1/access-groups/${own.id}`, { description: 'mine' })).status).toBe(200)
  })
})

describe('looking', () => {
  it('by the filters of the providers, and page by page each once', async () => {
    const [a, b] = [await make('page-a', { externalId: '00u-X y' }), await make('page-b', { active: false })]
    expect(await filtered('Users', 'userName eq "PAGE-A"')).toEqual([a.id])
    expect(await filtered('Users', 'externalId eq "00u-X y"')).toEqual([a.id])
    expect(await filtered('Users', 'userName eq "page-a" or userName eq "page-b"')).toEqual([a.id, b.id].toSorted())
    for (const no of ['false', 'False', '"False"'])
      expect(await filtered('Users', `userName eq "page-b" and active eq ${no}`)).toEqual([b.id])
    for (const yes of ['true', 'True', '"True"'])
      expect(await filtered('Users', `userName eq "page-b" and active eq ${yes}`)).toEqual([])
    expect(await filtered('Users', 'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "page-a"')).toEqual([a.id])
    expect(
      await filtered('Users', 'userName eq "page-a" and (userName eq "page-b" or externalId eq "00u-X y")'),
    ).toEqual([a.id])
    for (const filter of [
      'title co "x"',
      'active eq "maybe"',
      'active eq 1',
      'userName eq',
      'userName eq 5',
      'userName eq null',
      'emails[type eq "work"].display eq "x"',
      'userName eq "page-a" or',
      'userName eq "page-a" and not ',
      ' ',
    ])
      expect(await send('GET', `/Users?filter=${encodeURIComponent(filter)}`), filter).toMatchObject({
        status: 400,
        body: { scimType: 'invalidFilter' },
      })
    const { totalResults } = (await send('GET', '/Users?count=0')).body
    const seen: string[] = []
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 7) {
      const { body } = await send('GET', `/Users?startIndex=${startIndex}&count=7`)
      expect(body).toMatchObject({ totalResults, startIndex, itemsPerPage: body.Resources.length })
      seen.push(...body.Resources.map(({ id }: { id: string }) => id))
    }
    expect([seen.length, new Set(seen).size]).toEqual([totalResults, totalResults])
  })

  it('by the references and addresses that Entra asks by, and tells the attributes that it asks for alone', async () => {
    const boss = await make('ref-boss', { emails: [{ value: 'Ref.Boss@example.org', type: 'work' }] })
    const clerk = await make('ref-clerk', {
      displayName: 'Clerk',
      [ENTERPRISE]: { manager: { value: boss.id }, department: 'Desk' },
    })
    for (const filter of [
      'emails[type eq "work"].value eq "ref.boss@example.org"',
      'emails[value eq "ref.boss@example.org" and primary eq true]',
    ])
      expect(await filtered('Users', filter), filter).toEqual([boss.id])
    expect(await filtered('Users', 'emails[type eq "home"].value eq "ref.boss@example.org"')).toEqual([])
    for (const manager of ['manager', `${ENTERPRISE}:manager`, `${ENTERPRISE}:manager.value`])
      expect(await filtered('Users', `id eq "${clerk.id}" and ${manager} eq "${boss.id}"`), manager).toEqual([clerk.id])
    expect(await filtered('Users', `id eq "${clerk.id}" and manager eq "${clerk.id}"`)).toEqual([])
    const { body: group } = await send('POST', '/Groups', { displayName: 'Referred', members: [{ value: clerk.id }] })
    for (const members of [`members eq "${clerk.id}"`, `members[value eq "${clerk.id}"]`])
      expect(await filtered('Groups', `id eq "${group.id}" and ${members}`), members).toEqual([group.id])
    expect(await filtered('Groups', `id eq "${group.id}" and members eq "${boss.id}"`)).toEqual([])
    const asked = async (path: string) => {
      const { schemas: _, ...told } = (await send('GET', path)).body
      return told
    }
    expect(await asked(`/Users/${clerk.id}?attributes=id`)).toEqual({ id: clerk.id })
    expect(await asked(`/Users/${clerk.id}?attributes=DisplayName,name.familyName,${ENTERPRISE}:department`)).toEqual({
      id: clerk.id,
      displayName: 'Clerk',
      name: { familyName: '' },
      [ENTERPRISE]: { department: 'Desk' },
    })
    expect(await asked(`/Groups/${group.id}?attributes=members.value`)).toEqual({
      id: group.id,
      members: [{ value: clerk.id }],
    })
    expect(await asked(`/Groups/${group.id}?excludedAttributes=members,meta`)).toEqual({
      id: group.id,
      displayName: 'Referred',
    })
    const whole = await asked(`/Users/${clerk.id}`)
    expect(Object.keys(await asked(`/Users/${clerk.id}?excludedAttributes=name,id`))).toEqual(
      Object.keys(whole).filter((name) => name !== 'name'),
    )
  })

  it('with ETags: 304 while nothing has changed, 412 for a change of what has', async () => {
    const { id } = await make('tagged')
    const path = `/Users/${id}`
    const { etag } = (await send('GET', path)).headers as { etag: string }
    expect((await send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304)
    const rename = { schemas: [], Operations: [{ op: 'replace', path: 'userName', value: 'tagged-2' }] }
    expect((await send('PATCH', path, rename, { 'if-match': etag })).status).toBe(200)
    expect((await send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(200)
    expect(await send('DELETE', path, undefined, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { status: '412' },
    })
    expect((await individual(id)).status).toBe('active')
  })

  it('at Schemas and ResourceTypes one by one', async () => {
    expect((await send('GET', `/Schemas/${ENTERPRISE}`)).body.id).toBe(ENTERPRISE)
    expect((await send('GET', '/ResourceTypes/User')).body.schema).toBe('urn:ietf:params:scim:schemas:core:2.0:User')
  })
})

describe('what does not fit', () => {
  it.each([
    ['a line break in a name', { userName: 'a\nb' }],
    ['a name that is too long', { userName: 'x'.repeat(400) }],
    ['an address that is none', { userName: 'x', emails: [{ value: 'none' }] }],
    ['a list', []],
  ])('%s is 400', async (_name, body) => {
    expect(await send('POST', '/Users', body)).toMatchObject({
      status: 400,
      body: { status: '400', detail: expect.any(String) },
    })
  })

  it.each(['\\', '\n', '\\\n'])(
    'a filter or a path of an open quote and %j over and over is 400, and nobody waits for it',
    async (piece) => {
      const endless = `userName eq "${`a${piece}`.repeat(30)}`
      const { id } = await make(`endless-${piece.length}-${piece.charCodeAt(0)}`)
      expect((await send('GET', `/Users?filter=${encodeURIComponent(endless)}`)).status).toBe(400)
      const path = `emails[${endless}].value`
      expect((await patch(`/Users/${id}`, { op: 'replace', path, value: 'x' })).status).toBe(400)
      expect((await patch(`/Users/${id}`, { op: 'replace', value: { [path]: 'x' } })).status).toBe(400)
    },
  )

  it('is refused in the words of the RFC before and after the body is read', async () => {
    const call = (headers: Record<string, string>, payload: string) =>
      app.inject({ method: 'POST', url: '/scim/v2/Users', headers, payload })
    const stranger = await call({ 'content-type': 'application/scim+json' }, '{')
    expect([stranger.statusCode, stranger.json().status, stranger.headers['www-authenticate']]).toEqual([
      401,
      '401',
      'Bearer realm="Gatehouse"',
    ])
    expect(await send('GET', `/Users?filter=${encodeURIComponent('userName eq "a\0"')}`)).toMatchObject({ status: 400 })
    const session = await house.loggedIn(owner.token).get('/scim/v2/Users')
    expect(session.status).toBe(403)
  })

  it('takes a personal access token as a bearer, and so does no other address', async () => {
    const { token } = await house.member('Integration')
    // Failures are counted by address, and this is about another rule.
    let calls = 0
    const call = (url: string, scheme: string) => {
      calls += 1
      const remoteAddress = `198.51.${Math.floor(calls / 200)}.${calls % 200}`
      return app.inject({ method: 'GET', url, remoteAddress, headers: { authorization: `${scheme} ${token}` } })
    }
    for (const scheme of ['Bearer', 'bearer', 'Token'])
      expect((await call('/scim/v2/Users', scheme)).statusCode).toBe(200)
    const asked = app.routeTable.filter(({ method, permission }) => method === 'GET' && permission !== undefined)
    expect(asked.length).toBeGreaterThan(100)
    for (const { url } of asked) {
      const refused = await call(url.replaceAll(/:\w+/g, '018f4e3c-0000-7000-8000-000000000000'), 'Bearer')
      expect([url, refused.statusCode, refused.json().error.reason]).toEqual([url, 401, 'wrong_scheme'])
    }
  })
})
