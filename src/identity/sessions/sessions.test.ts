import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import {
  browser,
  cookieOf,
  newPerson,
  type Person,
  page,
  roleId,
  tokenIn,
  withHeaders,
} from '../../../test/support/people.ts'
import { createOrganization } from '../organizations.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous } = house
const MINUTE = 60_000

let host = 0
const elsewhere = () =>
  withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1`, 'user-agent': 'A browser' })
const logInAgain = async ({ email, password }: Person) =>
  browser(house, cookieOf(await elsewhere().post('/api/v1/login', { email, password })))

describe('a session', () => {
  it('ends after 30 minutes without a request, and not before', async () => {
    const person = await newPerson(house, 'Auditor')
    for (let i = 0; i < 3; i++) {
      clock.forward(29 * MINUTE)
      expect((await person.get('/api/v1/me')).status).toBe(200)
    }
    clock.forward(30 * MINUTE)
    const answer = await person.get('/api/v1/me')
    expect([answer.status, answer.body.error.reason]).toEqual([401, 'invalid_credential'])
  })

  it('ends after 12 hours, however busy', async () => {
    const person = await newPerson(house)
    for (let i = 0; i < 12 * 3 - 1; i++) {
      clock.forward(20 * MINUTE)
      expect((await person.get('/api/v1/me')).status).toBe(200)
    }
    clock.forward(20 * MINUTE)
    expect((await person.get('/api/v1/me')).status).toBe(401)
  })

  it('used in one process is seen in another, noted off the request path', async () => {
    const person = await newPerson(house)
    const neighbour = await house.neighbour()
    const there = () => neighbour.inject({ url: '/api/v1/me', headers: { cookie: person.cookie } })
    expect((await there()).statusCode).toBe(200)
    clock.forward(20 * MINUTE)
    expect((await person.get('/api/v1/me')).status).toBe(200)
    await expect.poll(async () => (await person.get('/api/v1/sessions')).body.data[0].last_seen_at).toBe(clock.now())
    clock.forward(20 * MINUTE)
    expect((await there()).statusCode).toBe(200)
  })

  it('ended in one process is over in every other within a second', async () => {
    const person = await newPerson(house)
    const neighbour = await house.neighbour()
    const there = async () =>
      (await neighbour.inject({ url: '/api/v1/me', headers: { cookie: person.cookie } })).statusCode
    expect(await there()).toBe(200)
    expect((await person.post('/api/v1/logout')).status).toBe(200)
    await expect.poll(there, { timeout: 1000, interval: 20 }).toBe(401)
  })

  it('that is unknown or no session at all is 401', async () => {
    for (const value of ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}=`, '%00'])
      expect((await browser(house, `__Host-gatehouse_session=${value}`).get('/api/v1/me')).status).toBe(401)
  })

  it('does not count beside an Authorization header: who sends one means it', async () => {
    const person = await newPerson(house)
    const both = await withHeaders(anonymous, { cookie: person.cookie, authorization: `Token ${owner.token}` }).get(
      '/api/v1/me',
    )
    expect(both.body.data.kind).toBe('service_user')
    expect(
      (await withHeaders(anonymous, { cookie: person.cookie, authorization: 'Token x' }).get('/api/v1/me')).status,
    ).toBe(401)
  })

  it('is among other cookies', async () => {
    const person = await newPerson(house)
    const cookie = `a=1; x__Host-gatehouse_session=2;  ${person.cookie}; b="3"`
    expect((await browser(house, cookie).get('/api/v1/me')).status).toBe(200)
  })
})

describe('a change with a session', () => {
  it('must come from a page of the same origin', async () => {
    const person = await newPerson(house, 'Owner')
    const make = async (headers: Record<string, string>) => {
      const answer = await person.from(headers).post('/api/v1/locations', { name: 'x' })
      return answer.status === 403 ? answer.body.error.reason : answer.status
    }
    expect(await make(page)).toBe(201)
    expect(await make({ origin: 'http://gatehouse.test' })).toBe(201)
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://gatehouse.test' },
      { origin: 'http://gatehouse.test.evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://gatehouse.test' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '' },
    ])
      expect(await make(headers as Record<string, string>), JSON.stringify(headers)).toBe('cross_site_request')
    expect((await person.from({ 'sec-fetch-site': 'cross-site' }).get('/api/v1/me')).status).toBe(200)
  })

  it('is JSON', async () => {
    const person = await newPerson(house, 'Owner')
    const answer = await person.post('/api/v1/locations', { name: 'x' }, { 'content-type': 'text/plain' })
    expect(answer.status).toBe(415)
  })

  it('is recorded with who made it', async () => {
    const person = await newPerson(house, 'Owner')
    const { id } = await person.create('/api/v1/locations', { name: 'Mine' })
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}`)).body.data
    expect(entry).toMatchObject({
      actor_kind: 'user',
      actor_id: person.id,
      actor_name: 'Ada Lovelace',
      action: 'location.created',
    })
  })
})

describe('the list of sessions', () => {
  it('has mine, says which is this one, and ends any of them', async () => {
    const person = await newPerson(house)
    const second = await logInAgain(person)
    const { body } = await second.get('/api/v1/sessions')
    expect(body.data).toHaveLength(2)
    expect(body.data.map((row: { is_current: boolean }) => row.is_current)).toEqual([false, true])
    expect(body.data[1]).toMatchObject({ user_agent: 'A browser', address: expect.stringContaining('2001:db8') })
    expect((await second.get('/api/v1/sessions?select=id,is_current&limit=1')).body.data).toEqual([
      { id: body.data[0].id, is_current: false },
    ])
    expect((await second.get('/api/v1/sessions?hash=eq.x')).status).toBe(400)
    expect((await second.delete(`/api/v1/sessions/${body.data[0].id}`)).status).toBe(200)
    expect((await person.get('/api/v1/me')).status).toBe(401)
    expect((await second.get('/api/v1/sessions')).body.data).toHaveLength(1)
    expect((await second.delete(`/api/v1/sessions/${body.data[0].id}`)).status).toBe(404)
  })

  it('has nobody else’s, of the same or another organization, and ends none of them', async () => {
    await createOrganization(house.engine, clock.now(), actor, 'Other')
    const stranger = await house.member('Owner', {}, 'Other')
    const { link } = await house.loggedIn(stranger.token).create('/api/v1/users', { email: 'x@example.org', name: 'x' })
    const accepted = await elsewhere().post('/api/v1/invitations/accept', {
      token: tokenIn(link),
      password: 'correct horse battery',
    })
    const foreign = browser(house, cookieOf(accepted))
    const [mine, other] = [await newPerson(house, 'Owner'), await newPerson(house, 'Owner')]
    const unknown = (await mine.delete(`/api/v1/sessions/${randomUUID()}`)).text.replace(/req_\d+/, '')
    for (const victim of [other, foreign]) {
      const [session] = (await victim.get('/api/v1/sessions')).body.data
      expect((await mine.get('/api/v1/sessions')).text).not.toContain(session.id)
      const answer = await mine.delete(`/api/v1/sessions/${session.id}`)
      expect([answer.status, answer.text.replace(/req_\d+/, '')]).toEqual([404, unknown])
      expect((await victim.get('/api/v1/me')).status).toBe(200)
    }
  })

  it('is ended but for this one', async () => {
    const person = await newPerson(house)
    const others = [await logInAgain(person), await logInAgain(person)]
    expect((await person.post('/api/v1/sessions/end-others')).body.data).toEqual({ ended: 2 })
    expect((await person.get('/api/v1/me')).status).toBe(200)
    for (const other of others) expect((await other.get('/api/v1/me')).status).toBe(401)
  })

  it('of a service user is empty, and it has no session to end', async () => {
    expect((await owner.get('/api/v1/sessions')).body.data).toEqual([])
    for (const path of ['logout', 'sessions/end-others', 'me/totp', 'me/totp/disable', 'me/recovery-codes'])
      expect((await owner.post(`/api/v1/${path}`)).body.error.reason, path).toBe('session_required')
  })

  it('is left by logging out, which takes the cookie away', async () => {
    const person = await newPerson(house)
    const answer = await person.post('/api/v1/logout')
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-gatehouse_session=; Path=\/; Max-Age=0; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await person.get('/api/v1/me')).status).toBe(401)
    const actions = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&limit=100`)).body.data
    expect(actions.map((entry: { action: string }) => entry.action)).toContain('user.logged_out')
  })
})

describe('what decides who may do what', () => {
  it('wants the password within the last 10 minutes; giving it again renews that, and a wrong one does not', async () => {
    const person = await newPerson(house, 'Owner')
    const service = await owner.create('/api/v1/service-users', { name: 'x' })
    const role_id = await roleId(house, 'Auditor')
    const inAYear = new Date(Date.parse(clock.now()) + 30 * 86_400_000).toISOString()
    const attempts: Array<[string, object | undefined]> = [
      [`/api/v1/service-users/${service.id}/tokens`, { name: 'x', expires_at: inAYear }],
      ['/api/v1/roles', { name: 'Made late' }],
      ['/api/v1/role-assignments', { role_id, service_user_id: service.id }],
      ['/api/v1/users', { email: 'late@example.org', name: 'x' }],
      ['/api/v1/me/totp', undefined],
    ]
    clock.forward(10 * MINUTE)
    for (const [path, body] of attempts) {
      const answer = await person.post(path, body)
      expect([path, answer.status, answer.body.error?.reason]).toEqual([path, 403, 'recent_login_required'])
    }
    expect((await person.get('/api/v1/roles')).status).toBe(200)
    expect((await person.post('/api/v1/locations', { name: 'x' })).status).toBe(201)
    const wrong = await person.post('/api/v1/me/confirm-password', { password: 'wrong' })
    expect([wrong.status, wrong.body.error.reason]).toEqual([403, 'wrong_password'])
    expect((await person.post('/api/v1/roles', { name: 'x' })).status).toBe(403)
    expect((await person.post('/api/v1/me/confirm-password', { password: person.password })).status).toBe(200)
    for (const [path, body] of attempts) expect((await person.post(path, body)).status, path).toBeOneOf([200, 201])
  })

  it('a user makes a token, within what they hold themselves', async () => {
    const person = await newPerson(house, 'Administrator')
    const expires_at = new Date(Date.parse(clock.now()) + 86_400_000).toISOString()
    const service = await owner.create('/api/v1/service-users', { name: 'x' })
    await owner.create('/api/v1/role-assignments', {
      role_id: await roleId(house, 'Auditor'),
      service_user_id: service.id,
    })
    const { value } = await person.create(`/api/v1/service-users/${service.id}/tokens`, { name: 'x', expires_at })
    expect((await house.client(value).get('/api/v1/spaces')).status).toBe(200)
    await owner.create('/api/v1/role-assignments', {
      role_id: await roleId(house, 'Owner'),
      service_user_id: service.id,
    })
    const more = await person.post(`/api/v1/service-users/${service.id}/tokens`, { name: 'x', expires_at })
    expect([more.status, more.body.error.reason]).toEqual([403, 'insufficient_permissions'])
  })
})

describe('a password', () => {
  it('is changed with the current one, and logs out everywhere else', async () => {
    const person = await newPerson(house)
    const other = await logInAgain(person)
    const next = 'another horse, another battery'
    const wrong = await person.post('/api/v1/me/password', { current_password: 'wrong', new_password: next })
    expect(wrong.body.error.reason).toBe('wrong_password')
    expect((await other.get('/api/v1/me')).status).toBe(200)
    const short = await person.post('/api/v1/me/password', { current_password: person.password, new_password: 'short' })
    expect(short.status).toBe(400)
    expect(
      (await person.post('/api/v1/me/password', { current_password: person.password, new_password: next })).status,
    ).toBe(200)
    expect((await person.get('/api/v1/me')).status).toBe(200)
    expect((await other.get('/api/v1/me')).status).toBe(401)
    const { email } = person
    expect((await elsewhere().post('/api/v1/login', { email, password: person.password })).status).toBe(401)
    expect((await elsewhere().post('/api/v1/login', { email, password: next })).status).toBe(200)
  })

  it('is not guessed in a session left open: it waits like a login', async () => {
    const person = await newPerson(house)
    const apart = person.from({ ...page, 'x-forwarded-for': '203.0.113.9' })
    for (let i = 0; i < 5; i++)
      expect((await apart.post('/api/v1/me/confirm-password', { password: 'wrong' })).status).toBe(403)
    expect((await apart.post('/api/v1/me/confirm-password', { password: person.password })).status).toBe(429)
  })
})
