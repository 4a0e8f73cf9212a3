import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { newPerson, type Person, race, withHeaders } from '../../../test/support/people.ts'
import { change } from '../../db/change.ts'
import { redeemCode } from '../second-factor.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const house = await startHouse({ env: { TRUST_PROXY: 'on' } })
const { owner, clock, anonymous } = house

let host = 0
const elsewhere = () => withHeaders(anonymous, { 'x-forwarded-for': `2001:db8:0:${(++host).toString(16)}::1` })
const logIn = ({ email, password }: Person, code?: string) =>
  elsewhere().post('/api/v1/login', code === undefined ? { email, password } : { email, password, code })
const codeAt = (secret: string, ms = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(clock.now()) + ms })
const STEP = 30_000

/** Somebody with an authenticator app. */
async function withApp(): Promise<{ person: Person; secret: string; codes: string[] }> {
  const person = await newPerson(house)
  const { secret } = (await person.post('/api/v1/me/totp')).body.data
  const { recovery_codes: codes } = (await person.post('/api/v1/me/totp/confirm', { code: codeAt(secret) })).body.data
  // The step that confirmed it is used.
  clock.forward(STEP)
  return { person, secret, codes }
}

describe('a second factor', () => {
  it('counts once it is confirmed with a code, and then logging in takes one', async () => {
    const person = await newPerson(house)
    const begun = await person.post('/api/v1/me/totp')
    expect(begun.status, begun.text).toBe(200)
    const { secret, uri } = begun.body.data
    expect(uri).toMatch(/^otpauth:\/\/totp\/Gatehouse:/)
    expect(uri).toContain(secret)
    expect((await logIn(person)).status).toBe(200)
    const wrong = await person.post('/api/v1/me/totp/confirm', { code: codeAt(secret, 10 * STEP) })
    expect([wrong.status, wrong.body.error.reason]).toEqual([400, 'mfa.wrong_code'])
    const confirmed = await person.post('/api/v1/me/totp/confirm', { code: codeAt(secret) })
    expect(confirmed.body.data.recovery_codes).toHaveLength(10)
    expect((await owner.get(`/api/v1/users/${person.id}`)).body.data.mfa).toBe(true)
    expect((await person.get('/api/v1/me')).body.data.user).toMatchObject({ mfa: true, recovery_codes_left: 10 })
    expect((await logIn(person)).body.error.reason).toBe('mfa_required')
    // The step that confirmed it is used up.
    expect((await logIn(person, codeAt(secret))).body.error.reason).toBe('login_failed')
    clock.forward(STEP)
    expect((await logIn(person, codeAt(secret))).status).toBe(200)
    expect((await person.post('/api/v1/me/totp')).body.error.reason).toBe('mfa.enrolled')
  })

  it('with a wrong code is a failed login, on the record; a wrong password is not told by asking for the code', async () => {
    const { person, secret } = await withApp()
    expect((await logIn(person, '000000')).body.error.reason).toBe('login_failed')
    const guess = await elsewhere().post('/api/v1/login', {
      email: person.email,
      password: 'wrong',
      code: codeAt(secret),
    })
    expect(guess.body.error.reason).toBe('login_failed')
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&action=eq.user.login_failed`)).body
    expect(data).toHaveLength(2)
  })

  it('takes a code of the step before and after, and each step once', async () => {
    const { person, secret } = await withApp()
    expect((await logIn(person, codeAt(secret, 2 * STEP))).status).toBe(401)
    expect((await logIn(person, codeAt(secret, STEP))).status).toBe(200)
    expect((await logIn(person, codeAt(secret, STEP))).status).toBe(401)
    // One before the last that was used is used too: codes only ever move on.
    expect((await logIn(person, codeAt(secret))).status).toBe(401)
  })

  it('used by 64 at once lets one in', async () => {
    const { person, secret } = await withApp()
    const code = codeAt(secret)
    const counts = await race(64, () => logIn(person, code))
    expect(counts[200]).toBe(1)
    const next = codeAt(secret, STEP)
    const redeemed = await redeemByMany(person.id, next)
    expect(redeemed.filter((kind) => kind === 'totp')).toHaveLength(1)
  })

  it('is disabled, with its recovery codes', async () => {
    const { person, codes } = await withApp()
    expect((await person.post('/api/v1/me/totp/disable')).body.data).toEqual({ mfa: false })
    expect((await logIn(person)).status).toBe(200)
    expect((await person.get('/api/v1/me')).body.data.user).toMatchObject({ mfa: false, recovery_codes_left: 0 })
    expect(await redeem(person.id, codes[0]!)).toBeUndefined()
    expect((await person.post('/api/v1/me/totp/disable')).body.error.reason).toBe('mfa.not_enrolled')
    expect((await person.post('/api/v1/me/recovery-codes')).body.error.reason).toBe('mfa.not_enrolled')
    expect((await person.post('/api/v1/me/totp/confirm', { code: '123456' })).body.error.reason).toBe('mfa.not_begun')
  })

  it('every change of it is on the record, and no secret or code is', async () => {
    const { person, secret, codes } = await withApp()
    await person.post('/api/v1/me/recovery-codes')
    await person.post('/api/v1/me/totp/disable')
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&limit=100`)).body
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining([
        'user.mfa_begun',
        'user.mfa_enabled',
        'user.recovery_codes_renewed',
        'user.mfa_disabled',
      ]),
    )
    for (const hidden of [secret, ...codes]) expect(JSON.stringify(data)).not.toContain(hidden)
  })

  it('has its secret in the database sealed for this user, with a key that is not there', async () => {
    const { person, secret } = await withApp()
    const other = await withApp()
    const stored = async (id: string) =>
      (await house.engine.reader.all<{ totp_secret: string }>('select totp_secret from users where id = $1', [id]))[0]!
        .totp_secret
    const sealed = await stored(person.id)
    expect(sealed).toMatch(/^sealed\./)
    expect(sealed).not.toContain(secret)
    // Put in another's place it opens nothing.
    await house.engine.transaction((s) =>
      s.run('update users set totp_secret = $1 where id = $2', [sealed, other.person.id]),
    )
    expect((await logIn(other.person, codeAt(secret))).status).toBe(401)
    expect((await logIn(other.person, other.codes[0])).status).toBe(200)
    // One that was stored before secrets were sealed goes on working.
    await house.engine.transaction((s) => s.run('update users set totp_secret = $1 where id = $2', [secret, person.id]))
    expect((await logIn(person, codeAt(secret))).status).toBe(200)
  })

  it('that is lost is removed by an administrator who has logged in, with all sessions, on the record', async () => {
    const { person, codes } = await withApp()
    const admin = await newPerson(house, 'Owner')
    const url = `/api/v1/users/${person.id}/remove-second-factor`
    expect((await owner.post(url)).body.error.reason).toBe('tokens_cannot_make_tokens')
    expect((await (await newPerson(house, 'Auditor')).post(url)).status).toBe(403)
    const done = await admin.post(url)
    expect([done.status, done.body.data.mfa], done.text).toEqual([200, false])
    expect((await person.get('/api/v1/me')).status).toBe(401)
    expect((await logIn(person)).status).toBe(200)
    expect(await redeem(person.id, codes[0]!)).toBeUndefined()
    expect((await admin.post(url)).body.error.reason).toBe('mfa.not_enrolled')
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${person.id}&action=eq.user.mfa_removed`)).body
    expect(data).toMatchObject([{ actor_id: admin.id, after: { passkeys: 0 } }])
    clock.forward(11 * 60_000)
    expect((await admin.post(url)).body.error.reason).toBe('recent_login_required')
  })

  it('of somebody who may do more is not removed', async () => {
    const { person } = await withApp()
    const { data } = (await owner.get('/api/v1/roles?name=eq.Owner')).body
    await house.loggedIn(owner.token).create('/api/v1/role-assignments', { role_id: data[0].id, user_id: person.id })
    const admin = await newPerson(house, 'Administrator')
    expect((await admin.post(`/api/v1/users/${person.id}/remove-second-factor`)).body.error.reason).toBe(
      'insufficient_permissions',
    )
    expect((await owner.get(`/api/v1/users/${person.id}`)).body.data.mfa).toBe(true)
  })

  it('survives a new password by link', async () => {
    const { person, secret } = await withApp()
    const { link } = (await house.loggedIn(owner.token).post(`/api/v1/users/${person.id}/reset-link`)).body.data
    const password = 'correct horse battery staple'
    await elsewhere().post('/api/v1/password-reset', { token: link.split('#')[1], password })
    expect((await logIn({ ...person, password })).body.error.reason).toBe('mfa_required')
    expect((await logIn({ ...person, password }, codeAt(secret))).status).toBe(200)
  })
})

const redeem = (id: string, code: string) =>
  change(house.engine, 1, clock.now(), actor, async (tx) => {
    const kind = await redeemCode(tx, id, code)
    tx.record({ action: 'user.logged_in', resource: 'users', resourceId: id, before: null, after: null })
    return kind
  })

/** 64 at once. One that waits too long for a connection has redeemed nothing. */
async function redeemByMany(id: string, code: string): Promise<Array<string | undefined>> {
  const results = await Promise.allSettled(Array.from({ length: 64 }, () => redeem(id, code)))
  const failed = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code)
  expect(failed.filter((reason) => reason !== 'SERVICE_UNAVAILABLE')).toEqual([])
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
}

describe('a recovery code', () => {
  it('lets in once without the app, however it is typed', async () => {
    const { person, codes } = await withApp()
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ')
    expect((await logIn(person, typed)).status).toBe(200)
    expect((await logIn(person, codes[0])).status).toBe(401)
    expect((await person.get('/api/v1/me')).body.data.user.recovery_codes_left).toBe(9)
  })

  it('used by 64 at once lets one in', async () => {
    const { person, codes } = await withApp()
    const counts = await race(64, () => logIn(person, codes[0]))
    expect(counts[200]).toBe(1)
    const redeemed = await redeemByMany(person.id, codes[1]!)
    expect(redeemed.filter((kind) => kind === 'recovery_code')).toHaveLength(1)
  })

  it('is replaced by new ones, shown once', async () => {
    const { person, codes } = await withApp()
    const renewed = await person.post('/api/v1/me/recovery-codes', undefined, { 'idempotency-key': 'again' })
    const again = await person.post('/api/v1/me/recovery-codes', undefined, { 'idempotency-key': 'again' })
    expect(renewed.body.data.recovery_codes).toHaveLength(10)
    expect(again.body.data).toEqual({ mfa: true })
    expect(await redeem(person.id, codes[0]!)).toBeUndefined()
    expect(await redeem(person.id, renewed.body.data.recovery_codes[9])).toBe('recovery_code')
  })

  it('of one user is of no use to another', async () => {
    const [one, two] = [await withApp(), await withApp()]
    expect((await logIn(two.person, one.codes[0])).status).toBe(401)
  })
})
