import { describe, expect, it, vi } from 'vitest'
import { actor, type Client, startHouse } from '../../test/support/app.ts'
import { newPerson, roleId, tokenIn } from '../../test/support/people.ts'
import type { Permission } from '../core/permissions.ts'
import { Rights } from '../core/rights.ts'
import { change } from '../db/change.ts'
import { changeOrganization, organizationOf } from './organization/queries.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse()
const { owner, engine, clock } = house
const admin = house.loggedIn(owner.token)

let count = 0
const email = () => `giving-${++count}@example.org`
const reasonOf = async (answer: Promise<{ status: number; body: { error?: { reason: string } } }>) => {
  const { status, body } = await answer
  return [status, body.error?.reason]
}
const TOO_MUCH = [403, 'insufficient_permissions']
const BY_TOKEN = [403, 'tokens_cannot_give_identity']

const role = async (...permissions: Permission[]): Promise<string> =>
  (await admin.create('/api/v1/roles', { name: `Role ${++count}`, permissions })).id
const serviceUser = async (role_id: string): Promise<string> => {
  const { id } = await admin.create('/api/v1/service-users', { name: `Service user ${++count}` })
  await admin.create('/api/v1/role-assignments', { role_id, service_user_id: id })
  return id
}
/** A token with these permissions and no more. */
async function tokenWith(...permissions: Permission[]): Promise<Client> {
  const id = await serviceUser(await role(...permissions))
  const { value } = await admin.create(`/api/v1/service-users/${id}/tokens`, { name: 'x', expires_at: '2027-12-31' })
  return house.client(value)
}

describe('waking is giving', () => {
  it('a service user is woken by those who hold all that it does, by no others', async () => {
    const id = await serviceUser(await roleId(house, 'Owner'))
    const item = `/api/v1/service-users/${id}`
    const narrow = await tokenWith('service-users:write', 'service-users:read')
    expect((await narrow.patch(item, { status: 'suspended' })).status).toBe(200)
    expect(await reasonOf(narrow.patch(item, { status: 'active' }))).toEqual(TOO_MUCH)
    expect(await reasonOf(house.loggedIn(narrow.token).patch(item, { status: 'active', name: 'Quietly' }))).toEqual(
      TOO_MUCH,
    )
    expect((await narrow.patch(item, { name: 'Only words' })).status).toBe(200)
    expect((await owner.get(item)).body.data).toMatchObject({ status: 'suspended', name: 'Only words' })
    expect((await owner.patch(item, { status: 'active' })).body.data.status).toBe('active')
  })

  it('no other door wakes it: not its key, not a batch by key or id, atomic or not, and not a trial', async () => {
    const id = await serviceUser(await roleId(house, 'Owner'))
    const external_id = `sleeper-${++count}`
    await owner.patch(`/api/v1/service-users/${id}`, { external_id, status: 'suspended' })
    const narrow = await tokenWith('service-users:write', 'service-users:read')
    const byKey = `/api/v1/service-users/by-external-id/${external_id}`
    const body = { status: 'active' }
    expect(await reasonOf(narrow.request('PUT', byKey, body))).toEqual(TOO_MUCH)
    expect(await reasonOf(narrow.request('PUT', `${byKey}?dry_run=true`, body))).toEqual(TOO_MUCH)
    for (const operation of [
      { op: 'upsert', external_id, body },
      { op: 'update', external_id, body },
      { op: 'update', id, body },
    ]) {
      const operations = [{ op: 'upsert', external_id, body: { name: 'Only words' } }, operation]
      const { results } = (await narrow.post('/api/v1/service-users/batch', { operations })).body.data
      expect(results[1]).toMatchObject({ status: 403, error: { reason: 'insufficient_permissions' } })
      expect(await reasonOf(narrow.post('/api/v1/service-users/batch', { atomic: true, operations }))).toEqual(TOO_MUCH)
    }
    expect((await owner.get(byKey)).body.data).toMatchObject({ status: 'suspended', name: 'Only words' })
    expect((await owner.request('PUT', byKey, body)).body.data.status).toBe('active')
  })

  it('a user is woken by no batch and no key at all: their status is not written', async () => {
    const person = await newPerson(house, 'Owner')
    const external_id = `sleeper-${++count}`
    await admin.patch(`/api/v1/users/${person.id}`, { external_id })
    await admin.post(`/api/v1/users/${person.id}/suspend`)
    const narrow = await tokenWith('users:write', 'users:read')
    expect(
      (await narrow.request('PUT', `/api/v1/users/by-external-id/${external_id}`, { status: 'active' })).status,
    ).toBe(400)
    const operations = [{ op: 'update', id: person.id, body: { status: 'active' } }]
    expect((await narrow.post('/api/v1/users/batch', { operations })).body.data.results[0].status).toBe(400)
    expect((await admin.get(`/api/v1/users/${person.id}`)).body.data.status).toBe('suspended')
  })

  it('a user is woken by those who hold all that they do; by token none who decides over others', async () => {
    const person = await newPerson(house, 'Owner')
    const item = `/api/v1/users/${person.id}`
    const narrow = await tokenWith('users:write', 'users:read')
    expect((await narrow.post(`${item}/suspend`)).status).toBe(200)
    expect(await reasonOf(house.loggedIn(narrow.token).post(`${item}/reactivate`))).toEqual(TOO_MUCH)
    expect(await reasonOf(narrow.post(`${item}/reactivate`))).toEqual(BY_TOKEN)
    expect(await reasonOf(owner.post(`${item}/reactivate`))).toEqual(BY_TOKEN)
    expect((await admin.post(`${item}/reactivate`)).body.data.status).toBe('active')
    const plain = await newPerson(house, 'Operator')
    await owner.post(`/api/v1/users/${plain.id}/suspend`)
    expect(await reasonOf(narrow.post(`/api/v1/users/${plain.id}/reactivate`))).toEqual(TOO_MUCH)
    expect((await owner.post(`/api/v1/users/${plain.id}/reactivate`)).status).toBe(200)
  })

  it('an application is woken by those who have logged in and hold all that it may ask for', async () => {
    const { id } = await admin.create('/api/v1/oauth-applications', {
      name: 'x',
      permissions: ['keys:read', 'roles:write'],
    })
    const item = `/api/v1/oauth-applications/${id}`
    expect((await owner.patch(item, { status: 'suspended' })).status).toBe(200)
    expect(await reasonOf(owner.patch(item, { status: 'active' }))).toEqual([403, 'tokens_cannot_make_tokens'])
    const narrow = house.loggedIn(
      (await tokenWith('oauth-applications:write', 'oauth-applications:read', 'keys:read')).token,
    )
    expect(await reasonOf(narrow.patch(item, { status: 'active' }))).toEqual(TOO_MUCH)
    // What is taken away in the same breath need not be held.
    expect((await narrow.patch(item, { status: 'active', permissions: ['keys:read'] })).status).toBe(200)
  })

  it('an organization is woken by the command line, and would be by those alone who may do everything', async () => {
    const set = (status: 'active' | 'suspended', by: typeof actor) =>
      change(engine, 1, clock.now(), by, async (tx) =>
        changeOrganization(tx, await organizationOf(tx, 'all'), { status }),
      )
    const rights = new Rights([{ permissions: ['organization:write'], places: undefined }])
    await set('suspended', actor)
    await expect(set('active', { ...actor, kind: 'user', rights })).rejects.toThrow(
      'Nobody can give more than they have',
    )
    expect((await set('active', actor)).status).toBe('active')
  })
})

describe('by token', () => {
  it('a user is given no role that decides over others; a service user is, and so is a user by somebody who has logged in', async () => {
    const { id: user_id } = await admin.create('/api/v1/users', { email: email(), name: 'x' })
    for (const name of ['Owner', 'Administrator', 'Auditor'])
      expect(
        await reasonOf(owner.post('/api/v1/role-assignments', { role_id: await roleId(house, name), user_id })),
        name,
      ).toEqual(BY_TOKEN)
    const operator = await roleId(house, 'Operator')
    expect((await owner.post('/api/v1/role-assignments', { role_id: operator, user_id })).status).toBe(201)
    const auditor = await roleId(house, 'Auditor')
    const { id: service_user_id } = await owner.create('/api/v1/service-users', { name: 'x' })
    expect((await owner.post('/api/v1/role-assignments', { role_id: auditor, service_user_id })).status).toBe(201)
    expect((await admin.post('/api/v1/role-assignments', { role_id: auditor, user_id })).status).toBe(201)
  })

  it('a role that a user has gains nothing that decides over others', async () => {
    const own = await role('keys:read')
    const add = (by: Client, permissions: Permission[]) => by.patch(`/api/v1/roles/${own}`, { permissions })
    expect((await add(owner, ['keys:read', 'users:read'])).status).toBe(200)
    expect((await add(owner, ['keys:read'])).status).toBe(200)
    const { id: user_id } = await admin.create('/api/v1/users', { email: email(), name: 'x' })
    await admin.create('/api/v1/role-assignments', { role_id: own, user_id })
    expect(await reasonOf(add(owner, ['keys:read', 'users:read']))).toEqual(BY_TOKEN)
    expect((await add(owner, ['keys:read', 'keys:write'])).status).toBe(200)
    expect((await add(admin, ['keys:read', 'users:read'])).status).toBe(200)
  })

  it('an invitation makes a user and no link', async () => {
    const made = await owner.post('/api/v1/users', { email: email(), name: 'x' })
    expect([made.status, made.body.data.mailed]).toEqual([201, false])
    expect(made.text).not.toMatch(/"link|#/)
    const rows = await engine.reader.all('select kind from user_links where user_id = $1', [made.body.data.id])
    expect(rows).toEqual([])
    const later = await admin.post(`/api/v1/users/${made.body.data.id}/invite`)
    expect(later.body.data.link).toMatch(/#[\w-]{43}$/)
  })
})

describe('a link that somebody has seen', () => {
  const password = 'correct horse battery staple'
  const look = (link: string) =>
    house.anonymous.post('/api/v1/login/link', { kind: 'invitation', token: tokenIn(link) })
  const accept = (link: string) =>
    house.anonymous.post('/api/v1/invitations/accept', { token: tokenIn(link), password })
  const inviter = async () => house.loggedIn((await tokenWith('users:write', 'users:read', 'keys:read')).token)

  it('dies when the invited user is given a role that the viewer could not give', async () => {
    const { id: user_id, link } = await (await inviter()).create('/api/v1/users', { email: email(), name: 'x' })
    await admin.create('/api/v1/role-assignments', { role_id: await role('keys:read'), user_id })
    expect((await look(link)).status).toBe(200)
    await admin.create('/api/v1/role-assignments', { role_id: await roleId(house, 'Owner'), user_id })
    expect(await reasonOf(look(link))).toEqual([401, 'invalid_link'])
    expect(await reasonOf(accept(link))).toEqual([401, 'invalid_link'])
    const fresh = (await admin.post(`/api/v1/users/${user_id}/invite`)).body.data.link
    expect((await accept(fresh)).status).toBe(200)
  })

  it('dies when a role that the invited user has gains what the viewer does not hold', async () => {
    const { id: user_id, link } = await (await inviter()).create('/api/v1/users', { email: email(), name: 'x' })
    const role_id = await role('keys:read')
    await admin.create('/api/v1/role-assignments', { role_id, user_id })
    await admin.patch(`/api/v1/roles/${role_id}`, { permissions: ['keys:read', 'tokens:write'] })
    expect(await reasonOf(accept(link))).toEqual([401, 'invalid_link'])
  })

  it('to a new password dies too', async () => {
    const person = await newPerson(house)
    const made = await (await inviter()).post(`/api/v1/users/${person.id}/reset-link`)
    await admin.create('/api/v1/role-assignments', { role_id: await roleId(house, 'Owner'), user_id: person.id })
    const reset = await house.anonymous.post('/api/v1/password-reset', {
      token: tokenIn(made.body.data.link),
      password,
    })
    expect(await reasonOf(Promise.resolve(reset))).toEqual([401, 'invalid_link'])
  })
})
