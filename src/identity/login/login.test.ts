import { beforeAll, describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { cookieOf, newPerson, type Person, page, race, tokenIn, withHeaders } from '../../../test/support/people.ts'
import { createOrganization } from '../organizations.ts'
import { LoginAttempts } from './attempts.ts'
import { subnetOf } from './subnet.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous } = house
const admin = house.loggedIn(owner.token)

let host = 0
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1` })
const logIn = (email: string, password: string, from = elsewhere()) => from.post('/api/v1/login', { email, password })
const audit = async (id: string) => (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data

/** As a wrong password would, without the work of looking at it. */
const guess = (email: string, address: string) =>
  new LoginAttempts(house.engine, clock).attempt(
    email,
    { address },
    async () => undefined,
    () => 'wrong',
  )

let ada: Person
beforeAll(async () => {
  ada = await newPerson(house, 'Auditor')
})

describe('logging in', () => {
  it('sets a cookie that no script reads, no other site sends and no plain connection carries', async () => {
    const answer = await logIn(ada.email, ada.password)
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-gatehouse_device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body.data).toEqual({
      organization: { id: expect.any(String), name: 'Test', time_zone: 'Europe/Zurich' },
      user: { id: ada.id, email: ada.email, name: 'Ada Lovelace' },
      session: {
        id: expect.any(String),
        expires_at: new Date(Date.parse(clock.now()) + 12 * 3_600_000).toISOString(),
        awaited_factor: null,
      },
    })
    expect((await owner.get(`/api/v1/users/${ada.id}`)).body.data.last_login_at).toBe(clock.now())
  })

  it('on one’s own machine, where there is no TLS, the cookie is plain', async () => {
    const local = await startHouse({ env: { BASE_URL: 'http://localhost:8080' } })
    const person = await newPerson(local)
    const { email, password } = person
    const answer = await local.anonymous.post('/api/v1/login', { email, password })
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^gatehouse_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    )
    expect((await withHeaders(local.anonymous, { cookie: cookieOf(answer) }).get('/api/v1/me')).status).toBe(200)
    const secure = person.cookie.replace('gatehouse', '__Host-gatehouse')
    expect((await withHeaders(local.anonymous, { cookie: secure }).get('/api/v1/me')).status).toBe(401)
  })

  it('tells nothing of why it fails: no such address, a wrong password, no password yet, suspended', async () => {
    const invited = await admin.create('/api/v1/users', { email: 'invited@example.org', name: 'x' })
    const suspended = await newPerson(house)
    await owner.post(`/api/v1/users/${suspended.id}/suspend`)
    const texts = new Set<string>()
    for (const [email, password] of [
      ['nobody@example.org', 'x'],
      [ada.email, 'wrong'],
      [invited.email, ''],
      [suspended.email, suspended.password],
    ] as const) {
      const answer = await logIn(email, password)
      expect(answer.status).toBe(401)
      texts.add(answer.text.replace(/req_\d+/, ''))
    }
    expect([...texts]).toHaveLength(1)
  })

  it('costs as much for an address that nobody has', async () => {
    const time = async (email: string) => {
      const begun = performance.now()
      await logIn(email, 'wrong')
      return performance.now() - begun
    }
    const person = await newPerson(house)
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 3; i++) {
      times.known.push(await time(person.email))
      times.unknown.push(await time(`nobody-${i}@example.org`))
    }
    // Other work on the machine only ever adds: the quickest of each shows the cost. A look-up alone would be a
    // hundredth.
    expect(Math.min(...times.unknown)).toBeGreaterThan(Math.min(...times.known) / 4)
  })

  it('is on the record, failed or not, without the password; of an unknown address nothing is', async () => {
    const person = await newPerson(house)
    await logIn(person.email, 'a wrong password')
    await logIn(person.email, person.password)
    const entries = await audit(person.id)
    const actions = entries.map(
      ({ action, actor_kind }: { action: string; actor_kind: string }) => `${action} by ${actor_kind}`,
    )
    expect(actions).toEqual(expect.arrayContaining(['user.login_failed by system', 'user.logged_in by user']))
    expect(JSON.stringify(entries)).not.toMatch(/wrong password|password for all/)
    const before = (await owner.get('/api/v1/audit-log')).body.meta.pagination.total
    await logIn('nobody@example.org', 'x')
    expect((await owner.get('/api/v1/audit-log')).body.meta.pagination.total).toBe(before)
  })

  it('is refused from a page of another site, and with anything but JSON', async () => {
    const body = { email: ada.email, password: ada.password }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      const answer = await elsewhere().post('/api/v1/login', body, headers as Record<string, string>)
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'cross_site_request'])
    }
    expect((await elsewhere().post('/api/v1/login', body, page)).status).toBe(200)
    expect((await elsewhere().post('/api/v1/login', body, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('with a body that does not fit is 400', async () => {
    for (const body of [
      {},
      { email: ada.email },
      { email: ada.email, password: 5 },
      { email: ada.email, password: 'x', role: 'Owner' },
    ])
      expect((await elsewhere().post('/api/v1/login', body)).status).toBe(400)
  })
})

describe('after failures', () => {
  it('of an account each attempt from the fifth on makes the next one wait, longer each time; there is no lock', async () => {
    const person = await newPerson(house)
    for (let i = 0; i < 4; i++) await guess(person.email, `192.1.${i}.1`)
    expect((await logIn(person.email, 'wrong')).status).toBe(401)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const refused = await logIn(person.email, person.password)
      expect([refused.status, refused.body.error.reason]).toEqual([429, 'failed_logins'])
      waits.push(Number(refused.headers['retry-after']))
      clock.forward(waits.at(-1)! * 1000)
      await guess(person.email, `192.0.${i}.1`)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    clock.forward(60_000)
    expect((await logIn(person.email, person.password)).status).toBe(200)
    // A login wipes the slate.
    expect((await logIn(person.email, 'wrong')).status).toBe(401)
    expect((await logIn(person.email, person.password)).status).toBe(200)
  })

  it('from a network each attempt has to wait, whatever the account; others do not notice', async () => {
    const network = (host: number) => withHeaders(anonymous, { 'x-forwarded-for': `198.51.100.${host}` })
    for (let i = 0; i < 5; i++) expect((await logIn(`guess-${i}@example.org`, 'x', network(i))).status).toBe(401)
    expect((await logIn(ada.email, ada.password, network(77))).status).toBe(429)
    expect((await logIn(ada.email, ada.password)).status).toBe(200)
    clock.forward(1000)
    expect((await logIn(ada.email, ada.password, network(77))).status).toBe(200)
  })

  it('and with 64 attempts at once no more than five are looked at, and one right among them has no better odds', async () => {
    const person = await newPerson(house)
    const counts = await race(64, () => logIn(person.email, 'wrong'))
    expect(counts).toEqual({ 401: 5, 429: expect.any(Number) })
  })

  it('is counted in the database: another process counts on', async () => {
    const neighbour = await house.neighbour()
    const person = await newPerson(house)
    for (let i = 0; i < 5; i++) await guess(person.email, `192.2.${i}.1`)
    const there = await neighbour.inject({
      method: 'POST',
      url: '/api/v1/login',
      headers: { 'x-forwarded-for': '203.0.113.9' },
      payload: { email: person.email, password: person.password },
    })
    expect(there.statusCode).toBe(429)
  })

  it('networks are a /24 and a /64', () => {
    expect(['198.51.100.7', '::ffff:198.51.100.200', '2001:db8::1'].map(subnetOf)).toEqual([
      '198.51.100.0/24',
      '198.51.100.0/24',
      '2001:db8:0:0::/64',
    ])
  })
})

describe('an address known to two organizations', () => {
  it('logs in where the password fits, and has to name one where it fits both', async () => {
    await createOrganization(house.engine, clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    const [email, password] = ['two@example.org', 'correct horse battery staple']
    for (const [client, own] of [
      [owner, password],
      [other, `${password} 2`],
    ] as const) {
      const { link } = await house.loggedIn(client.token).create('/api/v1/users', { email, name: 'Two' })
      expect(
        (await elsewhere().post('/api/v1/invitations/accept', { token: tokenIn(link), password: own })).status,
      ).toBe(200)
    }
    expect((await logIn(email, password)).body.data.organization.name).toBe('Test')
    const there = await logIn(email, `${password} 2`)
    expect(there.body.data.organization.name).toBe('Other')
    const client = withHeaders(anonymous, { cookie: cookieOf(there), ...page })
    await client.post('/api/v1/me/password', { current_password: `${password} 2`, new_password: password })
    const both = await logIn(email, password)
    expect([both.status, both.body.error.reason]).toEqual([409, 'login.organization_needed'])
    const named = await elsewhere().post('/api/v1/login', { email, password, organization: 'Other' })
    expect(named.body.data.organization.name).toBe('Other')
  })
})
