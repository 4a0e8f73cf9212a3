import { describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { Authenticator } from '../../../test/support/peers/authenticator.ts'
import {
  cookieOf,
  newPerson,
  page,
  race,
  roleId,
  setStatus,
  tokenIn,
  withHeaders,
} from '../../../test/support/people.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous } = house
const admin = house.loggedIn(owner.token)

let host = 0
/** Failures are counted per address. */
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1` })
let count = 0
const address = () => `somebody-${++count}@example.org`
const password = 'correct horse battery staple'
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'
const logIn = (email: string, given = password) => elsewhere().post('/api/v1/login', { email, password: given })

describe('an invitation', () => {
  it('makes a user without a password, and a link that is shown once', async () => {
    const email = address()
    const made = await admin.post('/api/v1/users', { email, name: 'Ada' }, { 'idempotency-key': email })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`/api/v1/users/${made.body.data.id}`)
    const { link, ...rest } = made.body.data
    expect(link).toMatch(/^http:\/\/gatehouse\.test\/invitation#[\w-]{43}$/)
    expect(rest).toMatchObject({ email, name: 'Ada', status: 'invited', mfa: false, last_login_at: null })
    expect(rest.link_expires_at).toBe(new Date(Date.parse(clock.now()) + 7 * 86_400_000).toISOString())
    const again = await admin.post('/api/v1/users', { email, name: 'Ada' }, { 'idempotency-key': email })
    expect(again.body.data).toEqual(rest)
    expect((await owner.get(`/api/v1/users/${rest.id}`)).text).not.toContain(tokenIn(link))
    expect((await logIn(email)).status).toBe(401)
  })

  it('is accepted with a password of one’s own, which logs in; the link then works no more', async () => {
    const email = address()
    const { id, link } = await admin.create('/api/v1/users', { email, name: 'Ada' })
    const accept = () =>
      elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password, name: 'Ada Lovelace' })
    const accepted = await accept()
    expect(accepted.status, accepted.text).toBe(200)
    expect(accepted.body.data.user).toEqual({ id, email, name: 'Ada Lovelace' })
    const me = await withHeaders(anonymous, { cookie: cookieOf(accepted) }).get('/api/v1/me')
    expect(me.body.data).toMatchObject({
      kind: 'user',
      id,
      name: 'Ada Lovelace',
      token: null,
      user: { email, mfa: false },
      roles: [],
    })
    expect((await accept()).body.error.reason).toBe('invalid_link')
    expect((await logIn(email.toUpperCase())).status).toBe(200)
  })

  it('ends after 7 days, and when a fresh one is made', async () => {
    const { id, link } = await admin.create('/api/v1/users', { email: address(), name: 'Late' })
    const accept = (url: string) => elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(url), password })
    clock.forward(7 * 86_400_000)
    expect((await accept(link)).status).toBe(401)
    const fresh = await admin.post(`/api/v1/users/${id}/invite`)
    expect(fresh.status, fresh.text).toBe(200)
    const newer = await admin.post(`/api/v1/users/${id}/invite`)
    expect((await accept(fresh.body.data.link)).status).toBe(401)
    expect((await accept(newer.body.data.link)).status).toBe(200)
    expect((await admin.post(`/api/v1/users/${id}/invite`)).body.error.reason).toBe('user.not_invited')
  })

  it('accepted by 64 at once makes one login', async () => {
    const { link } = await admin.create('/api/v1/users', { email: address(), name: 'Many' })
    const counts = await race(64, (i) =>
      elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password: `${password} ${i}` }),
    )
    expect(counts).toEqual({ 200: 1, 401: expect.any(Number) })
  })

  it('wants a password of 12 characters, and a token', async () => {
    const { link } = await admin.create('/api/v1/users', { email: address(), name: 'Short' })
    const token = tokenIn(link)
    for (const body of [{ token, password: 'short' }, { password }, { token, password, role: 'Owner' }]) {
      expect((await elsewhere().post('/api/v1/invitations/accept', body)).status).toBe(400)
    }
    for (const wrong of ['', 'x', token.toLowerCase(), `${token.slice(0, -1)}_`])
      expect((await elsewhere().post('/api/v1/invitations/accept', { token: wrong, password })).body.error.reason).toBe(
        'invalid_link',
      )
  })
})

describe('an e-mail address', () => {
  it('is unique within the organization, whatever its case', async () => {
    const email = address()
    const { id } = await admin.create('/api/v1/users', { email, name: 'One' })
    const second = await admin.post('/api/v1/users', { email: email.toUpperCase(), name: 'Two' })
    expect([second.status, second.body.error.reason]).toEqual([409, 'not_unique'])
    const other = await admin.create('/api/v1/users', { email: address(), name: 'Two' })
    expect((await owner.patch(`/api/v1/users/${other.id}`, { email: email.toUpperCase() })).status).toBe(409)
    const changed = await owner.patch(`/api/v1/users/${id}`, { email: email.toUpperCase(), name: 'Same' })
    expect([changed.status, changed.body.data.email]).toEqual([200, email.toUpperCase()])
  })

  it('of somebody who has accepted is not changed by a token: whoever has it can ask for a new password', async () => {
    const person = await newPerson(house)
    const answer = await owner.patch(`/api/v1/users/${person.id}`, { email: address() })
    expect([answer.status, answer.body.error.reason]).toEqual([403, 'tokens_cannot_make_tokens'])
    expect((await owner.patch(`/api/v1/users/${person.id}`, { name: 'Ada' })).status).toBe(200)
    expect((await admin.patch(`/api/v1/users/${person.id}`, { email: address() })).status).toBe(200)
    const invited = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    expect((await owner.patch(`/api/v1/users/${invited.id}`, { email: address() })).status).toBe(200)
  })

  it('that is none is 400', async () => {
    for (const email of ['', 'x', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b\n', null, 5, `${'a'.repeat(250)}@b.ch`])
      expect((await admin.post('/api/v1/users', { email, name: 'x' })).status, String(email)).toBe(400)
  })
})

describe('a user', () => {
  it('is suspended: logged out everywhere at once, and cannot log in until reactivated', async () => {
    const person = await newPerson(house, 'Auditor')
    expect((await person.get('/api/v1/locations')).status).toBe(200)
    const suspended = await owner.post(`/api/v1/users/${person.id}/suspend`)
    expect([suspended.status, suspended.body.data.status]).toEqual([200, 'suspended'])
    expect((await person.get('/api/v1/locations')).status).toBe(401)
    expect((await logIn(person.email, person.password)).body.error.reason).toBe('login_failed')
    expect((await owner.post(`/api/v1/users/${person.id}/suspend`)).body.error.reason).toBe('user.suspended')
    expect((await admin.post(`/api/v1/users/${person.id}/reactivate`)).body.data.status).toBe('active')
    expect((await logIn(person.email, person.password)).status).toBe(200)
    expect((await person.get('/api/v1/locations')).status).toBe(401)
    expect((await admin.post(`/api/v1/users/${person.id}/reactivate`)).body.error.reason).toBe('user.not_suspended')
  })

  it('who was suspended before accepting is invited again, and the first link is dead', async () => {
    const { id, link } = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    await owner.post(`/api/v1/users/${id}/suspend`)
    expect((await admin.post(`/api/v1/users/${id}/reactivate`)).body.data.status).toBe('invited')
    expect((await elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password })).status).toBe(401)
  })

  it('is deleted with sessions and roles', async () => {
    const person = await newPerson(house, 'Auditor')
    const roles = async () => (await owner.get(`/api/v1/role-assignments?user_id=eq.${person.id}`)).body.data
    expect(await roles()).toMatchObject([{ role_name: 'Auditor', user_name: 'Ada Lovelace', service_user_id: null }])
    expect((await owner.delete(`/api/v1/users/${person.id}`)).status).toBe(200)
    expect((await person.get('/api/v1/me')).status).toBe(401)
    expect(await roles()).toEqual([])
    expect((await owner.get(`/api/v1/users/${person.id}`)).status).toBe(404)
  })

  it('can be found by name and address, and is 404 when unknown', async () => {
    const person = await newPerson(house)
    expect((await owner.get(`/api/v1/users?search=${person.email.toUpperCase()}`)).body.data).toMatchObject([
      { id: person.id },
    ])
    for (const step of ['suspend', 'reactivate', 'invite', 'reset-link'])
      expect((await admin.post(`/api/v1/users/${unknown}/${step}`)).status).toBe(404)
    expect((await owner.get(`/api/v1/users/${unknown}`)).status).toBe(404)
  })

  it('is shown to administrators with how they log in: a second factor, and how many passkeys', async () => {
    const person = await newPerson(house)
    const shown = async () => (await owner.get(`/api/v1/users/${person.id}`)).body.data
    expect(await shown()).toMatchObject({ mfa: false, passkeys: 0 })
    const { options } = (await person.post('/api/v1/me/passkeys/options')).body.data
    expect(
      (await person.post('/api/v1/me/passkeys', { name: 'Phone', response: new Authenticator().create(options) }))
        .status,
    ).toBe(201)
    expect(await shown()).toMatchObject({ passkeys: 1 })
    expect((await owner.get('/api/v1/users?passkeys=gt.0')).body.data).toMatchObject([{ id: person.id }])
  })

  it('is not made by somebody whose role is limited to a place', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'North' })
    const limited = await house.member('Owner', { location_id: location.id })
    expect((await limited.post('/api/v1/users', { email: address(), name: 'x' })).status).toBe(403)
    expect((await limited.get('/api/v1/users')).body.data).toEqual([])
  })

  it('is read by an Auditor, and changed by an Administrator and an Owner only', async () => {
    const auditor = await house.member('Auditor')
    expect((await auditor.get('/api/v1/users')).status).toBe(200)
    expect((await auditor.post('/api/v1/users', { email: address(), name: 'x' })).status).toBe(403)
    expect(
      (await (await house.member('Administrator')).post('/api/v1/users', { email: address(), name: 'x' })).status,
    ).toBe(201)
    expect((await (await house.member('Facility manager')).get('/api/v1/users')).status).toBe(403)
  })
})

describe('a role', () => {
  it('is held by a user or by a service user: one of them', async () => {
    const role_id = await roleId(house, 'Auditor')
    const user = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    const service = await owner.create('/api/v1/service-users', { name: 'x' })
    for (const holder of [{}, { user_id: user.id, service_user_id: service.id }]) {
      const answer = await owner.post('/api/v1/role-assignments', { role_id, ...holder })
      expect([answer.status, answer.body.error.reason]).toEqual([400, 'role_assignment.one_holder'])
    }
    await admin.create('/api/v1/role-assignments', { role_id, user_id: user.id })
    const twice = await admin.post('/api/v1/role-assignments', { role_id, user_id: user.id })
    expect(twice.body.error.reason).toBe('role_assignment.exists')
  })

  it('gives a user what it holds, there and nowhere else, at once', async () => {
    const north = await owner.create('/api/v1/locations', { name: 'North' })
    const south = await owner.create('/api/v1/locations', { name: 'South' })
    const person = await newPerson(house, 'Auditor', { location_id: north.id })
    expect((await person.get(`/api/v1/locations/${north.id}`)).status).toBe(200)
    expect((await person.get(`/api/v1/locations/${south.id}`)).status).toBe(404)
    await admin.create('/api/v1/role-assignments', {
      role_id: await roleId(house, 'Auditor'),
      user_id: person.id,
      location_id: south.id,
    })
    expect((await person.get(`/api/v1/locations/${south.id}`)).status).toBe(200)
    expect((await person.patch(`/api/v1/locations/${south.id}`, { name: 'x' })).status).toBe(403)
  })

  it('is not given by a user who does not hold it', async () => {
    const role = await owner.create('/api/v1/roles', {
      name: 'Giver',
      permissions: ['role-assignments:write', 'roles:read'],
    })
    const person = await newPerson(house)
    await admin.create('/api/v1/role-assignments', { role_id: role.id, user_id: person.id })
    const given = await person.post('/api/v1/role-assignments', {
      role_id: await roleId(house, 'Owner'),
      user_id: person.id,
    })
    expect([given.status, given.body.error.reason]).toEqual([403, 'insufficient_permissions'])
  })
})

describe('the last active Owner', () => {
  it('stays, user or service user', async () => {
    const alone = await startHouse()
    const person = await newPerson(alone, 'Owner')
    const { id } = (await alone.owner.get('/api/v1/me')).body.data
    expect((await person.delete(`/api/v1/service-users/${id}`)).status).toBe(200)
    const [assignment] = (await person.get(`/api/v1/role-assignments?user_id=eq.${person.id}`)).body.data
    const invited = await person.create('/api/v1/users', { email: address(), name: 'Not yet' })
    await person.create('/api/v1/role-assignments', { role_id: assignment.role_id, user_id: invited.id })
    for (const answer of [
      await person.delete(`/api/v1/users/${person.id}`),
      await person.post(`/api/v1/users/${person.id}/suspend`),
      await person.delete(`/api/v1/role-assignments/${assignment.id}`),
    ])
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'role_assignment.last_owner'])
    await alone.anonymous.post('/api/v1/invitations/accept', { token: tokenIn(invited.link), password })
    expect((await person.delete(`/api/v1/role-assignments/${assignment.id}`)).status).toBe(200)
  })
})

describe('while the organization is suspended', () => {
  it('an invitation and a link to a new password are refused in so many words, and work when it does again', async () => {
    const person = await newPerson(house)
    const { link } = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data
    const invited = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    const both = async () => [
      await elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(invited.link), password }),
      await elsewhere().post('/api/v1/password-reset', { token: tokenIn(link), password }),
    ]
    await setStatus(house, 'suspended')
    for (const answer of await both())
      expect([answer.status, answer.body.error.reason]).toEqual([401, 'organization_suspended'])
    await setStatus(house, 'active')
    for (const answer of await both()) expect(answer.status).toBe(200)
  })
})

describe('a link to a new password', () => {
  const reset = (link: string, next: string) =>
    elsewhere().post('/api/v1/password-reset', { token: tokenIn(link), password: next })

  it('sets it once, ends all sessions and logs nobody in', async () => {
    const person = await newPerson(house, 'Auditor')
    const made = await admin.post(`/api/v1/users/${person.id}/reset-link`)
    expect([made.status, made.body.data.link_expires_at]).toEqual([
      200,
      new Date(Date.parse(clock.now()) + 3_600_000).toISOString(),
    ])
    const done = await reset(made.body.data.link, password)
    expect([done.status, done.headers['set-cookie']]).toEqual([200, undefined])
    expect((await person.get('/api/v1/me')).status).toBe(401)
    expect((await logIn(person.email, person.password)).status).toBe(401)
    expect((await logIn(person.email)).status).toBe(200)
    expect((await reset(made.body.data.link, password)).body.error.reason).toBe('invalid_link')
  })

  it('ends after an hour', async () => {
    const person = await newPerson(house)
    const { link } = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data
    clock.forward(3_600_000)
    expect((await reset(link, password)).status).toBe(401)
  })

  it('that has expired stays so though the clock is set back, as does an invitation', async () => {
    const person = await newPerson(house)
    const { link } = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data
    const invited = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    const accept = () => elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(invited.link), password })
    const week = 7 * 86_400_000
    clock.forward(week)
    expect([(await reset(link, password)).status, (await accept()).status]).toEqual([401, 401])
    clock.forward(-week)
    expect([(await reset(link, password)).status, (await accept()).status]).toEqual([401, 401])
    clock.forward(week)
  })

  it('used by 64 at once works once', async () => {
    const person = await newPerson(house)
    const { link } = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data
    expect(await race(64, (i) => reset(link, `${password} ${i}`))).toEqual({ 200: 1, 401: expect.any(Number) })
  })

  it('is no invitation, and an invitation is no such link', async () => {
    const person = await newPerson(house)
    const { link } = (await admin.post(`/api/v1/users/${person.id}/reset-link`)).body.data
    expect((await elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password })).status).toBe(401)
    const invited = await admin.create('/api/v1/users', { email: address(), name: 'x' })
    expect((await reset(invited.link, password)).status).toBe(401)
    expect((await admin.post(`/api/v1/users/${invited.id}/reset-link`)).body.error.reason).toBe('user.invited')
  })

  it('is not made by a token, nor for somebody who may do more', async () => {
    const boss = await newPerson(house, 'Owner')
    expect((await owner.post(`/api/v1/users/${boss.id}/reset-link`)).body.error.reason).toBe(
      'tokens_cannot_make_tokens',
    )
    const clerk = await newPerson(house, 'Administrator')
    for (const answer of [
      await clerk.post(`/api/v1/users/${boss.id}/reset-link`),
      await clerk.patch(`/api/v1/users/${boss.id}`, { email: address() }),
    ])
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'insufficient_permissions'])
    expect((await clerk.post(`/api/v1/users/${clerk.id}/reset-link`)).status).toBe(200)
    expect((await boss.post(`/api/v1/users/${clerk.id}/reset-link`, undefined, page)).status).toBe(200)
  })
})
