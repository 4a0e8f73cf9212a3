import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Answer, Client } from '../../test/support/app.ts'
import { startHouse } from '../../test/support/app.ts'
import { Authenticator } from '../../test/support/peers/authenticator.ts'
import {
  browser,
  cookieOf,
  newPerson,
  type Person,
  page,
  race,
  roleId,
  withHeaders,
} from '../../test/support/people.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous, app } = house
const admin = house.loggedIn(owner.token)

let host = 0
/** Failures are counted per address. */
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1`, ...page })
const codeAt = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(clock.now()) })
const reasonOf = ({ status, body }: Answer) => [status, body.error?.reason]
const SET_UP = [403, 'second_factor_set_up_required']
const CONFIRM = [403, 'second_factor_required']
const SOMETHING = '/api/v1/locations'
const awaited = async (client: Client) => (await client.get('/api/v1/me')).body.data.session.awaited_factor

const guarded = async (): Promise<string> => {
  const name = `Guarded ${randomUUID()}`
  await owner.create('/api/v1/roles', {
    name,
    permissions: ['locations:read', 'locations:write'],
    requires_second_factor: true,
  })
  return name
}
/** Somebody who is logged in by password, and has a role that demands more. */
const somebody = async (): Promise<Person> => newPerson(house, await guarded())

async function withApp(person: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await person.post('/api/v1/me/totp')).body.data
  const { recovery_codes: codes } = (await person.post('/api/v1/me/totp/confirm', { code: codeAt(secret) })).body.data
  // The step that confirmed it is used.
  clock.forward(30_000)
  return { secret, codes }
}

async function withPasskey(person: Person): Promise<Authenticator> {
  const device = new Authenticator()
  const { options } = (await person.post('/api/v1/me/passkeys/options')).body.data
  await person.create('/api/v1/me/passkeys', { name: 'My phone', response: device.create(options) })
  return device
}

const byPassword = async ({ email, password }: Person, code?: string): Promise<Answer> =>
  elsewhere().post('/api/v1/login', code === undefined ? { email, password } : { email, password, code })
const sessionOf = (answer: Answer): Client =>
  withHeaders(browser(house, cookieOf(answer)), { 'x-forwarded-for': `2001:db8:1:${++host}::1` })
const passkeyAnswer = async (device: Authenticator) =>
  device.get((await elsewhere().post('/api/v1/login/passkey/options')).body.data.options)
const audit = async (id: string) =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data.map(
    (entry: { action: string }) => entry.action,
  )
const demandOfAll = (value: boolean, by: Client = admin) =>
  by.patch('/api/v1/organization', { require_second_factor: value })

afterEach(async () => {
  expect((await demandOfAll(false)).status).toBe(200)
})

describe('of whom a second factor is demanded, and who has none,', () => {
  it('nothing is open but setting one up, on any route', async () => {
    const person = await somebody()
    const open: string[] = []
    const routes = app.routeTable.filter(({ permission }) => permission !== undefined)
    expect(routes.length).toBeGreaterThan(300)
    for (const { method, url } of routes) {
      if (url === '/api/v1/logout') continue
      const path = url.replaceAll(/:\w+/g, randomUUID())
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { cookie: person.cookie, ...page, 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'HEAD' ? {} : { payload: '{}' }),
      })
      const isRefused = answer.statusCode === 403 && (method === 'HEAD' || answer.json().error.reason === SET_UP[1])
      if (!isRefused) open.push(`${method} ${url}`)
    }
    expect(open.sort()).toEqual([
      'GET /api/v1/me',
      'HEAD /api/v1/me',
      'POST /api/v1/me/confirm-password',
      'POST /api/v1/me/passkeys',
      'POST /api/v1/me/passkeys/options',
      'POST /api/v1/me/totp',
      'POST /api/v1/me/totp/confirm',
    ])
    expect((await person.get('/api/v1/me')).body.data).toMatchObject({
      permissions: [],
      roles: [{ name: expect.stringMatching(/^Guarded/) }],
      session: { awaited_factor: 'set_up' },
      user: { mfa: false, second_factor_required: true },
    })
    expect((await person.post('/api/v1/logout')).status).toBe(200)
  })

  it('an authenticator app opens the session, and is on the record', async () => {
    const person = await somebody()
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    const { secret } = (await person.post('/api/v1/me/totp')).body.data
    // Begun is not done.
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    expect((await person.post('/api/v1/me/totp/confirm', { code: '000000' })).status).toBe(400)
    expect(await awaited(person)).toBe('set_up')
    expect((await person.post('/api/v1/me/totp/confirm', { code: codeAt(secret) })).status).toBe(200)
    expect([await awaited(person), (await person.get(SOMETHING)).status]).toEqual([null, 200])
    expect((await person.get('/api/v1/sessions')).body.data).toMatchObject([{ factor: 'totp' }])
    expect(await audit(person.id)).toContain('user.mfa_enabled')
  })

  it('a passkey does so too', async () => {
    const person = await somebody()
    await withPasskey(person)
    expect([await awaited(person), (await person.get(SOMETHING)).status]).toEqual([null, 200])
    expect((await person.get('/api/v1/sessions')).body.data).toMatchObject([{ factor: 'passkey' }])
  })

  it('a login says so, and what is set up wants it to be recent', async () => {
    const person = await somebody()
    const answer = await byPassword(person)
    expect(answer.body.data.session.awaited_factor).toBe('set_up')
    const session = sessionOf(answer)
    clock.forward(11 * 60_000)
    expect((await session.post('/api/v1/me/totp')).body.error.reason).toBe('recent_login_required')
    expect((await session.post('/api/v1/me/confirm-password', { password: person.password })).status).toBe(200)
    expect((await session.post('/api/v1/me/totp')).status).toBe(200)
  })

  it('the same holds after an invitation', async () => {
    const email = `${randomUUID()}@example.org`
    const { id, link } = await admin.create('/api/v1/users', { email, name: 'New' })
    await admin.create('/api/v1/role-assignments', { role_id: await roleId(house, await guarded()), user_id: id })
    const [, token] = link.split('#')
    const accepted = await elsewhere().post('/api/v1/invitations/accept', {
      token,
      password: 'correct horse battery staple',
    })
    expect(accepted.body.data.session.awaited_factor).toBe('set_up')
    expect(reasonOf(await sessionOf(accepted).get(SOMETHING))).toEqual(SET_UP)
  })

  it('the last factor that goes leaves the session as it was without', async () => {
    const person = await somebody()
    await withApp(person)
    expect((await person.post('/api/v1/me/totp/disable')).status).toBe(200)
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    await withPasskey(person)
    const [key] = (await person.get('/api/v1/me/passkeys')).body.data
    await withApp(person)
    expect((await person.delete(`/api/v1/me/passkeys/${key.id}`)).status).toBe(200)
    expect((await person.get(SOMETHING)).status).toBe(200)
  })
})

describe('who has a second factor that is demanded, and has not given it,', () => {
  it('gives a passkey, and can neither do anything nor add a factor by the password alone', async () => {
    const person = await somebody()
    const device = await withPasskey(person)
    const answer = await byPassword(person)
    expect(answer.body.data.session.awaited_factor).toBe('confirm')
    const session = sessionOf(answer)
    for (const refused of [
      await session.get(SOMETHING),
      await session.post('/api/v1/me/totp'),
      await session.post('/api/v1/me/passkeys/options'),
      await session.post('/api/v1/me/passkeys', {
        name: 'x',
        response: { id: 'x', rawId: 'x', type: 'x', response: {} },
      }),
      await session.get('/api/v1/me/passkeys'),
      await session.post('/api/v1/me/password', {
        current_password: person.password,
        new_password: 'correct horse battery staple',
      }),
    ])
      expect(reasonOf(refused)).toEqual(CONFIRM)
    const strange = await session.post('/api/v1/me/confirm-passkey', {
      response: await passkeyAnswer(new Authenticator()),
    })
    expect([strange.status, await awaited(session)]).toEqual([403, 'confirm'])
    expect((await session.post('/api/v1/me/confirm-passkey', { response: await passkeyAnswer(device) })).status).toBe(
      200,
    )
    expect([await awaited(session), (await session.get(SOMETHING)).status]).toEqual([null, 200])
  })

  it('is let in at once by the passkey, by a code, and by a recovery code', async () => {
    const person = await somebody()
    const device = await withPasskey(person)
    const { secret, codes } = await withApp(person)
    const logins = [
      await elsewhere().post('/api/v1/login/passkey', { response: await passkeyAnswer(device) }),
      await byPassword(person, codeAt(secret)),
      await byPassword(person, codes[0]),
    ]
    for (const answer of logins) expect(answer.body.data.session.awaited_factor).toBe(null)
    for (const answer of logins) expect((await sessionOf(answer).get(SOMETHING)).status).toBe(200)
    expect((await byPassword(person)).body.error.reason).toBe('mfa_required')
  })

  it('in a session that was there before, gives a code of the app or a recovery code, each once', async () => {
    const person = await somebody()
    const [one, two] = [sessionOf(await byPassword(person)), sessionOf(await byPassword(person))]
    const { secret, codes } = await withApp(person)
    expect(reasonOf(await one.get(SOMETHING))).toEqual(CONFIRM)
    expect(reasonOf(await one.post('/api/v1/me/confirm-code', { code: '000000' }))).toEqual([403, 'wrong_code'])
    const code = codeAt(secret)
    expect((await one.post('/api/v1/me/confirm-code', { code })).status).toBe(200)
    expect((await one.get(SOMETHING)).status).toBe(200)
    expect(reasonOf(await two.post('/api/v1/me/confirm-code', { code }))).toEqual([403, 'wrong_code'])
    expect(reasonOf(await two.get(SOMETHING))).toEqual(CONFIRM)
    expect((await two.post('/api/v1/me/confirm-code', { code: codes[0] })).status).toBe(200)
    expect(
      (await two.get('/api/v1/sessions')).body.data.map(({ factor }: { factor: string }) => factor).sort(),
    ).toEqual(['recovery_code', 'totp', 'totp'])
    const actions = await audit(person.id)
    expect(actions.filter((action: string) => /code_(confirmed|refused)$/.test(action))).toHaveLength(4)
    // The code does not stand for the password.
    clock.forward(11 * 60_000)
    expect((await one.post('/api/v1/me/recovery-codes')).body.error.reason).toBe('recent_login_required')
  })

  it('cannot guess codes without end, and of one code used by many at once one counts', async () => {
    const person = await somebody()
    const answer = await byPassword(person)
    const { secret } = await withApp(person)
    const sessions = await Promise.all(Array.from({ length: 8 }, () => sessionOf(answer)))
    const code = codeAt(secret)
    const counts = await race(8, (index) => (sessions[index] as Client).post('/api/v1/me/confirm-code', { code }))
    expect(counts[200]).toBe(1)
    const fresh = await somebody()
    const session = sessionOf(await byPassword(fresh))
    await withApp(fresh)
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess++)
      statuses.push((await session.post('/api/v1/me/confirm-code', { code: '000000' })).status)
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
  })
})

describe('the demand', () => {
  it('of the organization holds at once for whoever is logged in, in every process, and ends with it', async () => {
    const person = await newPerson(house, 'Auditor')
    const other = await house.neighbour()
    const there = async () => (await other.inject({ url: SOMETHING, headers: { cookie: person.cookie } })).statusCode
    expect([(await person.get(SOMETHING)).status, await there()]).toEqual([200, 200])
    expect((await demandOfAll(true)).body.data.require_second_factor).toBe(true)
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    expect(await there()).toBe(403)
    expect((await owner.get('/api/v1/organization')).body.data.require_second_factor).toBe(true)
    await demandOfAll(false)
    expect([(await person.get(SOMETHING)).status, await there()]).toEqual([200, 200])
    const entry = (await owner.get('/api/v1/audit-log?action=eq.organization.updated&limit=100')).body.data.at(-1)
    expect([entry.before.require_second_factor, entry.after.require_second_factor]).toEqual([true, false])
  })

  it('of a role holds with the role, built-in ones too, wherever it is limited to', async () => {
    const person = await newPerson(house, 'Operator')
    const location = await owner.create(SOMETHING, { name: 'There' })
    const role_id = await roleId(house, await guarded())
    expect((await person.get(SOMETHING)).status).toBe(200)
    const { id } = await admin.create('/api/v1/role-assignments', {
      role_id,
      user_id: person.id,
      location_id: location.id,
    })
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    await admin.delete(`/api/v1/role-assignments/${id}`)
    expect((await person.get(SOMETHING)).status).toBe(200)
    const operator = `/api/v1/roles/${await roleId(house, 'Operator')}`
    expect((await owner.patch(operator, { requires_second_factor: true })).body.data).toMatchObject({
      requires_second_factor: true,
    })
    expect(reasonOf(await person.get(SOMETHING))).toEqual(SET_UP)
    for (const body of [{ requires_second_factor: true, name: 'x' }, { permissions: [] }])
      expect((await owner.patch(operator, body)).body.error.reason).toBe('role.built_in')
    expect((await admin.patch(operator, { requires_second_factor: false })).status).toBe(200)
    expect((await person.get(SOMETHING)).status).toBe(200)
  })

  it('does not concern tokens and service users', async () => {
    await demandOfAll(true)
    const member = await house.member(await guarded())
    expect((await member.get(SOMETHING)).status).toBe(200)
    expect((await owner.get('/api/v1/me')).body.data).toMatchObject({ session: null, user: null })
  })

  it('is made after a recent login, and taken back only by somebody logged in who holds as much', async () => {
    const [chief, assistant] = [await newPerson(house, 'Owner'), await newPerson(house, 'Administrator')]
    for (const person of [chief, assistant]) await withApp(person)
    clock.forward(11 * 60_000)
    expect((await demandOfAll(true, chief)).body.error.reason).toBe('recent_login_required')
    expect((await chief.patch('/api/v1/organization', { language: 'de' })).status).toBe(200)
    for (const person of [chief, assistant])
      await person.post('/api/v1/me/confirm-password', { password: person.password })
    expect((await demandOfAll(true, assistant)).status).toBe(200)
    expect((await demandOfAll(false, assistant)).body.error.reason).toBe('insufficient_permissions')
    expect((await demandOfAll(false, owner)).body.error.reason).toBe('tokens_cannot_make_tokens')
    expect((await demandOfAll(true, owner)).status).toBe(200)
    expect((await demandOfAll(false, chief)).status).toBe(200)

    const name = await guarded()
    const path = `/api/v1/roles/${await roleId(house, name)}`
    const keeper = `Keeper ${randomUUID()}`
    await owner.create('/api/v1/roles', { name: keeper, permissions: ['roles:read', 'roles:write', 'locations:read'] })
    const lesser = await newPerson(house, keeper)
    expect((await lesser.patch(path, { requires_second_factor: false })).body.error.reason).toBe(
      'insufficient_permissions',
    )
    expect((await owner.patch(path, { requires_second_factor: false })).body.error.reason).toBe(
      'tokens_cannot_make_tokens',
    )
    expect((await chief.patch(path, { requires_second_factor: false })).body.data.requires_second_factor).toBe(false)
  })
})
