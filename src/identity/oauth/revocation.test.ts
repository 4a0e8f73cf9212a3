import type { FastifyInstance } from 'fastify'
import * as client from 'openid-client'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, discover, newApplication, obtain, startListening } from '../../../test/support/peers/oauth.ts'
import { newPerson, type Person, roleId, tokenIn } from '../../../test/support/people.ts'

const house = await startListening()
const { url, owner } = house
const admin = house.loggedIn(owner.token)
const neighbour = await house.neighbour()
const DAY = 24 * 3_600_000

const statusAt = async (app: FastifyInstance, token: string) =>
  (await app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${token}` } })).statusCode

/** Good in both processes, and after what happens in neither: at once here, within a second there. */
async function expectEnd(token: string, happens: () => Promise<unknown>): Promise<void> {
  expect([(await call(url, token)).status, await statusAt(neighbour, token)]).toEqual([200, 200])
  await happens()
  expect((await call(url, token)).status).toBe(401)
  await expect.poll(() => statusAt(neighbour, token), { timeout: 1000, interval: 20 }).toBe(401)
}

const lastRevocation = async () =>
  (await owner.get('/api/v1/audit-log?action=eq.oauth_grant.revoked&order=sequence.desc&limit=1')).body.data[0]

/** An authenticator app as the second factor. */
async function enrol(person: Person): Promise<void> {
  const { secret } = (await person.post('/api/v1/me/totp')).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await person.post('/api/v1/me/totp/confirm', { code })).status).toBe(200)
}

describe('an access token ends at once, in every process, when', () => {
  it('its user revokes the grant', async () => {
    const { tokens, person, config } = await obtain(house, await newApplication(house))
    await expectEnd(tokens.access_token, async () => {
      const [grant] = (await person.get('/api/v1/me/grants')).body.data
      expect((await person.delete(`/api/v1/me/grants/${grant.id}`)).body.data).toEqual(grant)
    })
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
  })

  it('its application is suspended, and is good again when that is over', async () => {
    const application = await newApplication(house)
    const { tokens, config } = await obtain(house, application)
    const path = `/api/v1/oauth-applications/${application.client_id}`
    await expectEnd(tokens.access_token, () => owner.patch(path, { status: 'suspended' }))
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ status: 401 })
    await house.loggedIn(owner.token).patch(path, { status: 'active' })
    expect((await call(url, tokens.access_token)).status).toBe(200)
  })

  it('its application is deleted', async () => {
    const application = await newApplication(house)
    const { tokens, person } = await obtain(house, application)
    await expectEnd(tokens.access_token, () => owner.delete(`/api/v1/oauth-applications/${application.client_id}`))
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
  })

  it('its user is suspended', async () => {
    const { tokens, person, config } = await obtain(house, await newApplication(house))
    await expectEnd(tokens.access_token, () => owner.post(`/api/v1/users/${person.id}/suspend`))
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('its user is deleted', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    await expectEnd(tokens.access_token, () => owner.delete(`/api/v1/users/${person.id}`))
    expect(await lastRevocation()).toMatchObject({ before: { user_id: person.id }, after: { reason: 'user_deleted' } })
  })

  it('its user changes the password, or sets a new one by link; other people’s grants stay', async () => {
    const application = await newApplication(house)
    const other = await obtain(house, application)
    const { tokens, person, config } = await obtain(house, application)
    await expectEnd(tokens.access_token, async () => {
      const body = { current_password: person.password, new_password: 'another password altogether' }
      expect((await person.post('/api/v1/me/password', body)).status).toBe(200)
    })
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect(await lastRevocation()).toMatchObject({
      actor_id: person.id,
      before: { user_id: person.id },
      after: { reason: 'new_password' },
    })

    const again = await obtain(house, application, {}, person)
    await expectEnd(again.tokens.access_token, async () => {
      const { link } = (await house.loggedIn(owner.token).post(`/api/v1/users/${person.id}/reset-link`)).body.data
      const body = { token: tokenIn(link), password: 'a third password, by link' }
      expect((await house.anonymous.post('/api/v1/password-reset', body)).status).toBe(200)
    })
    await expect(client.refreshTokenGrant(config, again.tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await call(url, other.tokens.access_token)).status).toBe(200)
  })

  it('an administrator removes its user’s lost second factor', async () => {
    const { tokens, person } = await obtain(house, await newApplication(house))
    await enrol(person)
    await expectEnd(tokens.access_token, async () => {
      const removed = await house.loggedIn(owner.token).post(`/api/v1/users/${person.id}/remove-second-factor`)
      expect(removed.status, removed.text).toBe(200)
    })
    expect(await lastRevocation()).toMatchObject({
      before: { user_id: person.id },
      after: { reason: 'factor_removed' },
    })
  })

  it('its service user is suspended, or is not the application’s any more', async () => {
    const member = await house.member('Auditor')
    const { id } = (await member.get('/api/v1/me')).body.data
    const application = await newApplication(house, { service_user_id: id })
    const config = await discover(url, application)
    const obtained = async () => (await client.clientCredentialsGrant(config)).access_token
    await expectEnd(await obtained(), () => owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' }))
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'active' })
    await expectEnd(await obtained(), () =>
      owner.patch(`/api/v1/oauth-applications/${application.client_id}`, { service_user_id: null }),
    )
  })
})

describe('what an access token may do', () => {
  it('follows the roles of its user at once', async () => {
    const person = await newPerson(house)
    const role_id = await roleId(house, 'Auditor')
    const assignment = await admin.create('/api/v1/role-assignments', { role_id, user_id: person.id })
    const { tokens } = await obtain(house, await newApplication(house), {}, person)
    expect((await call(url, tokens.access_token, '/api/v1/spaces')).status).toBe(200)
    await owner.delete(`/api/v1/role-assignments/${assignment.id}`)
    expect((await call(url, tokens.access_token, '/api/v1/spaces')).status).toBe(403)
  })

  it('follows what its application may ask for at once', async () => {
    const application = await newApplication(house)
    const { tokens } = await obtain(house, application)
    expect((await call(url, tokens.access_token, '/api/v1/spaces')).status).toBe(200)
    await owner.patch(`/api/v1/oauth-applications/${application.client_id}`, { permissions: ['locations:read'] })
    expect((await call(url, tokens.access_token, '/api/v1/spaces')).status).toBe(403)
  })

  it('is limited to places as its user is', async () => {
    const [north, south] = [
      await owner.create('/api/v1/locations', { name: 'North' }),
      await owner.create('/api/v1/locations', { name: 'South' }),
    ]
    const person = await newPerson(house, 'Auditor', { location_id: north.id })
    const { tokens } = await obtain(house, await newApplication(house), {}, person)
    expect((await call(url, tokens.access_token, `/api/v1/locations/${north.id}`)).status).toBe(200)
    expect((await call(url, tokens.access_token, `/api/v1/locations/${south.id}`)).status).toBe(404)
  })
})

describe('a refresh token', () => {
  it('that comes a second time ends the grant, on the record', async () => {
    const { config, tokens, person } = await obtain(house, await newApplication(house))
    const first = tokens.refresh_token ?? ''
    const next = await client.refreshTokenGrant(config, first)
    expect((await call(url, next.access_token)).status).toBe(200)
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect((await call(url, next.access_token)).status).toBe(401)
    await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await person.get('/api/v1/me/grants')).body.data).toEqual([])
    expect(await lastRevocation()).toMatchObject({
      actor_kind: 'system',
      actor_name: 'OAuth',
      after: { reason: 'refresh_token_reused' },
      address: '127.0.0.1',
    })
  })
})

describe('/api/v1/me/grants', () => {
  it('shows what I have let applications do, and to nobody else', async () => {
    const application = await newApplication(house)
    const { person } = await obtain(house, application)
    const other = await newPerson(house, 'Owner')
    const { data, meta } = (await person.get('/api/v1/me/grants')).body
    expect(meta.pagination.total).toBe(1)
    expect(data).toEqual([
      {
        id: expect.any(String),
        created_at: expect.any(String),
        application_id: application.client_id,
        application_name: 'Badge printer',
        permissions: ['spaces:read', 'locations:read'],
        expires_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ])
    expect((await other.get('/api/v1/me/grants')).body.data).toEqual([])
    expect((await other.delete(`/api/v1/me/grants/${data[0].id}`)).status).toBe(404)
    expect((await person.delete('/api/v1/me/grants/x')).status).toBe(404)
    expect((await house.anonymous.get('/api/v1/me/grants')).status).toBe(401)
    expect((await person.from({}).delete(`/api/v1/me/grants/${data[0].id}`)).status).toBe(403)
    expect((await person.get('/api/v1/me/grants?permissions=eq.x')).status).toBe(400)
  })
})

// Last: what it does to the clock is seen by every service of this process.
describe('a refresh token in the long run', () => {
  it('ends 90 days after the consent, however often it is rotated, and an access token that was just used with it', async () => {
    const alone = await startListening()
    const { config, tokens } = await obtain(alone, await newApplication(alone))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    let { refresh_token = '', access_token } = tokens
    for (let day = 20; day <= 80; day += 20) {
      vi.setSystemTime(Date.now() + 20 * DAY)
      expect((await call(alone.url, access_token)).status).toBe(401)
      const next = await client.refreshTokenGrant(config, refresh_token)
      refresh_token = next.refresh_token ?? ''
      access_token = next.access_token
      expect((await call(alone.url, access_token)).status, `day ${day}`).toBe(200)
    }
    vi.setSystemTime(Date.now() + 10 * DAY - 5 * 60_000)
    ;({ refresh_token = '', access_token } = await client.refreshTokenGrant(config, refresh_token))
    expect((await call(alone.url, access_token)).status).toBe(200)
    vi.setSystemTime(Date.now() + 5 * 60_000)
    expect((await call(alone.url, access_token)).status).toBe(401)
    await expect(client.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })
})
