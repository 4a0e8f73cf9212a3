import { describe, expect, it, vi } from 'vitest'
import { type Answer, actor, startHouse } from '../../../test/support/app.ts'
import { Authenticator } from '../../../test/support/peers/authenticator.ts'
import {
  browser,
  cookieOf,
  newPerson,
  type Person,
  page,
  race,
  tokenIn,
  withHeaders,
} from '../../../test/support/people.ts'
import { createOrganization } from '../organizations.ts'

vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous, engine } = house

let host = 0
/** Failures are counted per address. */
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1`, ...page })
const path = '/api/v1/me/passkeys'
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'

async function register(
  person: Person,
  device = new Authenticator(),
  name = 'My phone',
): Promise<{ device: Authenticator; id: string }> {
  const { options } = (await person.post(`${path}/options`)).body.data
  const { id } = await person.create(path, { name, response: device.create(options) })
  return { device, id }
}

const loginOptions = async () => (await elsewhere().post('/api/v1/login/passkey/options')).body.data.options
const send = (response: object) => elsewhere().post('/api/v1/login/passkey', { response })
const logIn = async (device: Authenticator, wrong: Parameters<Authenticator['get']>[1] = {}): Promise<Answer> =>
  send(device.get(await loginOptions(), wrong))
const audit = async (id: string) =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&limit=100`)).body.data.map(
    (entry: { action: string }) => entry.action,
  )

/** As if they had only ever used passkeys. */
const withoutPassword = (person: Person) =>
  engine.transaction((s) => s.run('update users set password_hash = null where id = $1', [person.id]))

describe('a passkey', () => {
  it('is registered, and logs in without a name, as both factors', async () => {
    const person = await newPerson(house, 'Auditor')
    const begun = await person.post(`${path}/options`)
    expect(begun.body.data.options).toMatchObject({
      rp: { id: 'gatehouse.test' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const device = new Authenticator()
    const made = await person.post(path, { name: 'My phone', response: device.create(begun.body.data.options) })
    expect(made.status, made.text).toBe(201)
    expect(made.headers.location).toBe(`${path}/${made.body.data.id}`)
    expect(made.body.data).toMatchObject({ name: 'My phone', last_used_at: null, is_synced: false, version: 1 })
    await person.post('/api/v1/me/totp')
    const answer = await logIn(device)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data.user).toEqual({ id: person.id, email: person.email, name: 'Ada Lovelace' })
    expect((await browser(house, cookieOf(answer)).get('/api/v1/me')).body.data.user).toMatchObject({
      has_password: true,
      passkeys: 1,
    })
    expect((await person.get(path)).body.data).toMatchObject([{ name: 'My phone', last_used_at: clock.now() }])
    const entries = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&action=eq.user.logged_in`)).body
      .data
    expect(entries[0].after).toMatchObject({ factor: 'passkey' })
  })

  it('is listed, renamed and deleted by its owner alone', async () => {
    const [person, other] = [await newPerson(house), await newPerson(house)]
    const { id, device } = await register(person)
    expect((await other.get(path)).body.data).toEqual([])
    for (const answer of [
      await other.patch(`${path}/${id}`, { name: 'x' }),
      await other.delete(`${path}/${id}`),
      await person.delete(`${path}/${unknown}`),
    ])
      expect(answer.status).toBe(404)
    expect((await person.patch(`${path}/${id}`, { name: 'Blue' }, { 'if-match': '"7"' })).status).toBe(412)
    expect((await person.patch(`${path}/${id}`, { name: 'Blue' })).body.data).toMatchObject({
      name: 'Blue',
      version: 2,
    })
    expect((await person.patch(`${path}/${id}`, { last_used_at: null })).status).toBe(400)
    expect((await person.delete(`${path}/${id}`)).body.data).toMatchObject({ id, name: 'Blue' })
    expect((await logIn(device)).status).toBe(401)
    expect(await audit(id)).toEqual(expect.arrayContaining(['passkey.created', 'passkey.updated', 'passkey.deleted']))
  })

  it('that is registered in another organization is told so as one that is one’s own is', async () => {
    const { device } = await register(await newPerson(house))
    await createOrganization(engine, clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    const email = 'other@example.org'
    const invited = await house.loggedIn(other.token).create('/api/v1/users', { email, name: 'Eve' })
    const accepted = await elsewhere().post('/api/v1/invitations/accept', {
      token: tokenIn(invited.link),
      password: 'a long enough password',
    })
    const eve = browser(house, cookieOf(accepted))
    const { options } = (await eve.post(`${path}/options`)).body.data
    const refused = await eve.post(path, { name: 'Hers', response: device.create(options) })
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'passkey.exists'])
    expect((await eve.get(path)).body.data).toEqual([])
  })

  it('needs a recent login, a session, and a key that is not registered yet', async () => {
    const person = await newPerson(house)
    const { device } = await register(person)
    const { options } = (await person.post(`${path}/options`)).body.data
    expect(options.excludeCredentials).toMatchObject([{ id: device.id }])
    expect((await person.post(path, { name: 'Twice', response: device.create(options) })).body.error.reason).toBe(
      'passkey.exists',
    )
    clock.forward(11 * 60_000)
    for (const answer of [
      await person.post(`${path}/options`),
      await person.post(path, { name: 'x', response: device.create(options) }),
      await person.delete(`${path}/${unknown}`),
      await person.patch(`${path}/${unknown}`, { name: 'x' }),
    ])
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'recent_login_required'])
    expect((await owner.post(`${path}/options`)).body.error.reason).toBe('session_required')
    expect((await owner.get(path)).body.data).toEqual([])
  })

  it('is refused when it answers for another origin, another service, another challenge, without its user, or too late', async () => {
    const person = await newPerson(house)
    const fresh = async () => (await person.post(`${path}/options`)).body.data.options
    const add = (response: object) => person.post(path, { name: 'x', response })
    const other = await newPerson(house)
    const foreign = (await other.post(`${path}/options`)).body.data.options
    const late = await fresh()
    for (const response of [
      new Authenticator().create(await fresh(), { origin: 'https://evil.example' }),
      new Authenticator().create(await fresh(), { rpId: 'evil.example' }),
      new Authenticator().create(await fresh(), { challenge: 'AAAA' }),
      new Authenticator().create(await fresh(), { isUserVerified: false }),
      new Authenticator().create(foreign),
      new Authenticator().create(await loginOptions()),
      { id: 'x', rawId: 'x', type: 'public-key', response: {} },
    ]) {
      const answer = await add(response)
      expect([answer.status, answer.body.error.reason]).toEqual([400, 'passkey.refused'])
    }
    const used = await fresh()
    expect((await add(new Authenticator().create(used))).status).toBe(201)
    expect((await add(new Authenticator().create(used))).status).toBe(400)
    clock.forward(5 * 60_000)
    expect((await add(new Authenticator().create(late))).status).toBe(400)
    for (const body of [{}, { name: 'x' }, { name: '', response: {} }, { name: 'x', response: { id: 'x' } }])
      expect((await person.post(path, body)).status).toBe(400)
  })
})

describe('a login with a passkey', () => {
  it('is refused for another origin, another service, another challenge, without its user, and by a key that nobody has', async () => {
    const person = await newPerson(house)
    const { device } = await register(person)
    for (const wrong of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { isUserVerified: false },
      { userHandle: 'AAAA' },
    ]) {
      const answer = await logIn(device, wrong)
      expect([answer.status, answer.body.error.reason], JSON.stringify(wrong)).toEqual([401, 'login_failed'])
    }
    expect((await logIn(new Authenticator())).body.error.reason).toBe('login_failed')
    expect((await audit(person.id)).filter((action: string) => action === 'user.login_failed')).toHaveLength(5)
    expect((await logIn(device)).status).toBe(200)
  })

  it('by somebody else’s device that claims the same id is refused', async () => {
    const { device } = await register(await newPerson(house))
    const thief = Object.assign(new Authenticator(), { id: device.id })
    expect((await logIn(thief)).status).toBe(401)
  })

  it('works once for each challenge, within 5 minutes, also when the clock is set back', async () => {
    const { device } = await register(await newPerson(house))
    const response = device.get(await loginOptions())
    expect((await send(response)).status).toBe(200)
    expect((await send(response)).status).toBe(401)
    const late = await loginOptions()
    clock.forward(5 * 60_000)
    expect((await send(device.get(late))).status).toBe(401)
    const begun = await loginOptions()
    clock.forward(6 * 60_000)
    await loginOptions()
    clock.forward(-6 * 60_000)
    expect((await send(device.get(begun))).status).toBe(401)
    clock.forward(6 * 60_000)
  })

  it('with one challenge by 64 at once lets one in', async () => {
    const { device } = await register(await newPerson(house))
    const options = await loginOptions()
    const responses = Array.from({ length: 64 }, () => device.get(options))
    const counts = await race(64, (i) => send(responses[i] as object))
    expect(counts).toEqual({ 200: 1, 401: expect.any(Number) })
  })

  it('is refused when the counter goes back: there are two of the key', async () => {
    const person = await newPerson(house)
    const { device } = await register(person)
    expect((await logIn(device, { counter: 10 })).status).toBe(200)
    for (const counter of [10, 9, 0]) expect((await logIn(device, { counter })).status).toBe(401)
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&action=eq.user.login_failed`)).body
    expect(data.map(({ after }: { after: { reason: string } }) => after.reason)).toEqual(
      Array(3).fill('counter_went_back'),
    )
    expect((await logIn(device, { counter: 4_294_967_295 })).status).toBe(200)
  })

  it('of a key that does not count works again and again', async () => {
    const { device } = await register(await newPerson(house))
    for (let i = 0; i < 2; i++) expect((await logIn(device, { counter: 0 })).status).toBe(200)
  })

  it('is refused while the user is suspended', async () => {
    const person = await newPerson(house)
    const { device } = await register(person)
    await owner.post(`/api/v1/users/${person.id}/suspend`)
    const answer = await logIn(device)
    expect([answer.status, answer.body.error.reason]).toEqual([401, 'login_failed'])
    await owner.post(`/api/v1/users/${person.id}/reactivate`)
    expect((await logIn(device)).status).toBe(200)
  })

  it('is refused from a page of another site, and with a body that does not fit', async () => {
    const { device } = await register(await newPerson(house))
    const response = device.get(await loginOptions())
    for (const url of ['/api/v1/login/passkey', '/api/v1/login/passkey/options']) {
      const body = url.endsWith('options') ? {} : { response }
      expect((await elsewhere().post(url, body, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
      expect((await elsewhere().post(url, { more: 1 })).status).toBe(400)
    }
    expect((await elsewhere().post('/api/v1/login/passkey', { response: 'x' })).status).toBe(400)
  })
})

describe('the last way in', () => {
  it('is not deleted; with another beside it, it is', async () => {
    const person = await newPerson(house)
    const first = await register(person)
    await withoutPassword(person)
    const refused = await person.delete(`${path}/${first.id}`)
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'user.last_way_in'])
    expect((await logIn(first.device)).status).toBe(200)
    const second = await register(person)
    expect((await person.delete(`${path}/${first.id}`)).status).toBe(200)
    expect((await person.delete(`${path}/${second.id}`)).status).toBe(409)
    const set = await person.post('/api/v1/me/password', { new_password: 'correct horse battery staple' })
    expect(set.status, set.text).toBe(200)
    expect((await person.delete(`${path}/${second.id}`)).status).toBe(200)
  })

  it('is not taken away by an administrator either; lost passkeys beside a password are', async () => {
    const admin = await newPerson(house, 'Owner')
    const person = await newPerson(house)
    const { device } = await register(person)
    const url = `/api/v1/users/${person.id}/remove-second-factor`
    expect((await admin.post(url)).body.error.reason).toBe('mfa.not_enrolled')
    expect((await admin.post(url, { passkeys: 'yes' })).status).toBe(400)
    expect((await admin.post(url, { passkeys: true })).status).toBe(200)
    expect((await logIn(device)).status).toBe(401)
    const alone = await newPerson(house)
    const only = await register(alone)
    await withoutPassword(alone)
    const refused = await admin.post(`/api/v1/users/${alone.id}/remove-second-factor`, { passkeys: true })
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'user.last_way_in'])
    expect((await logIn(only.device)).status).toBe(200)
  })

  it('that is a passkey makes whoever was suspended active again, not invited', async () => {
    const person = await newPerson(house)
    await register(person)
    await withoutPassword(person)
    await owner.post(`/api/v1/users/${person.id}/suspend`)
    expect((await owner.post(`/api/v1/users/${person.id}/reactivate`)).body.data.status).toBe('active')
  })
})

describe('confirming that it is you', () => {
  it('works with a passkey of one’s own, and with nobody else’s', async () => {
    const [person, other] = [await newPerson(house), await newPerson(house)]
    const { device } = await register(person)
    const theirs = await register(other)
    clock.forward(11 * 60_000)
    expect((await person.post(`${path}/options`)).body.error.reason).toBe('recent_login_required')
    const confirm = async (by: Authenticator) =>
      person.post('/api/v1/me/confirm-passkey', { response: by.get(await loginOptions()) })
    const wrong = await confirm(theirs.device)
    expect([wrong.status, wrong.body.error.reason]).toEqual([403, 'wrong_passkey'])
    expect((await person.post(`${path}/options`)).status).toBe(403)
    expect((await confirm(device)).status).toBe(200)
    expect((await person.post(`${path}/options`)).status).toBe(200)
    expect(await audit(person.id)).toEqual(expect.arrayContaining(['user.passkey_refused', 'user.passkey_confirmed']))
  })

  it('by guessing is refused before it fills the record', async () => {
    const person = await newPerson(house)
    const from = person.from({ ...page, 'x-forwarded-for': '2001:db8:ffff::1' })
    const response = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
    const guesses: number[] = []
    for (let i = 0; i < 35; i++) guesses.push((await from.post('/api/v1/me/confirm-passkey', { response })).status)
    expect(guesses).toEqual([...Array(30).fill(403), ...Array(5).fill(429)])
    expect((await audit(person.id)).filter((action: string) => action === 'user.passkey_refused')).toHaveLength(30)
  })
})

it('a service that is reached by an address of digits has no passkeys, and says so', async () => {
  const local = await startHouse({ env: { BASE_URL: 'http://127.0.0.1:8080' } })
  const answer = await local.anonymous.post('/api/v1/login/passkey/options')
  expect([answer.status, answer.body.error.reason]).toEqual([409, 'passkey.no_host_name'])
})
