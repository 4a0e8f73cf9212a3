import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { actor } from '../../../test/support/app.ts'
import { discover, newApplication, startListening } from '../../../test/support/peers/oauth.ts'
import { newPerson } from '../../../test/support/people.ts'
import { memberWith } from '../../../test/support/role.ts'
import { createOrganization } from '../organizations.ts'

const house = await startListening()
const { owner, url } = house
const admin = house.loggedIn(owner.token)
const path = '/api/v1/oauth-applications'
const unknown = `${path}/01997d2a-4c00-7000-8000-00000000ffff`

const serviceUser = async (role: string) => (await (await house.member(role)).get('/api/v1/me')).body.data.id

describe('OAuth applications', () => {
  it('are created, read, found, changed and deleted, each on the record', async () => {
    const made = await admin.post(path, {
      name: 'Kiosk',
      redirect_uris: ['https://kiosk.example/cb'],
      permissions: ['spaces:read'],
    })
    expect(made.status).toBe(201)
    const { client_secret, ...item } = made.body.data
    expect(client_secret).toMatch(/^acs_sec_[0-9A-Za-z]{49}$/)
    expect(item).toMatchObject({
      kind: 'confidential',
      status: 'active',
      service_user_id: null,
      secret_last_four: client_secret.slice(-4),
    })
    expect(made.headers['cache-control']).toBe('no-store')
    const address = `${path}/${item.id}`
    expect(made.headers.location).toBe(address)
    expect((await owner.get(address)).body.data).toEqual(item)
    expect((await owner.get(`${path}?search=kiosk`)).body.data).toEqual([item])
    expect((await owner.patch(address, { name: 'Kiosk 2' })).body.data).toMatchObject({ name: 'Kiosk 2', version: 2 })
    expect((await owner.patch(address, { name: 'x' }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(address)).status).toBe(200)
    expect((await owner.get(address)).status).toBe(404)
    const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${item.id}&order=sequence`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'oauth_application.created',
      'oauth_application.updated',
      'oauth_application.deleted',
    ])
    expect(JSON.stringify(data)).not.toContain(client_secret)
  })

  it('show their secret once: a repetition leaves it out, and only digests are stored', async () => {
    const headers = { 'idempotency-key': 'once' }
    const body = { name: 'Once' }
    const first = await admin.post(path, body, headers)
    const second = await admin.post(path, body, headers)
    expect(second.body.data).toEqual({ ...first.body.data, client_secret: undefined })
    const rows = await house.engine.reader.all('select * from oauth_applications', [])
    expect(JSON.stringify(rows)).not.toContain(first.body.data.client_secret)
  })

  it.each([
    [{}, 'name'],
    [{ name: 'x', kind: 'secret' }, 'kind'],
    [{ name: 'x', permissions: ['fly'] }, 'permissions.0'],
    [{ name: 'x', secret_last_four: 'abcd' }, 'secret_last_four'],
    [{ name: 'x', redirect_uris: ['http://kiosk.example/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', redirect_uris: ['https://kiosk.example/cb#here'] }, 'redirect_uris[0]'],
    [{ name: 'x', redirect_uris: ['https://kiosk.example/cb#'] }, 'redirect_uris[0]'],
    [{ name: 'x', redirect_uris: ['https://user:pw@kiosk.example/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', redirect_uris: ['kiosk.example/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', redirect_uris: ['com.example.kiosk:/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', kind: 'public', redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris[0]'],
    [{ name: 'x', kind: 'public', redirect_uris: ['kiosk:/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', kind: 'public', redirect_uris: ['https://localhost/cb'] }, 'redirect_uris[0]'],
    [{ name: 'x', service_user_id: '01997d2a-4c00-7000-8000-00000000ffff' }, 'service_user_id'],
  ])('with a wrong body are 400: %o', async (body, at) => {
    const answer = await admin.post(path, body)
    expect([answer.status, answer.body.error.code, answer.body.error.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      at,
    ])
  })

  it('that are public have no secret and no service user', async () => {
    const made = await admin.create(path, {
      name: 'Phone',
      kind: 'public',
      redirect_uris: ['com.example.phone:/cb', 'http://127.0.0.1/cb'],
    })
    expect(made).toMatchObject({ secret_last_four: null, secret_created_at: null })
    expect(made.client_secret).toBeUndefined()
    expect((await admin.post(`${path}/${made.id}/rotate-secret`)).body.error.reason).toBe('oauth_application.public')
    const service_user_id = await serviceUser('Auditor')
    expect((await admin.patch(`${path}/${made.id}`, { service_user_id })).body.error.reason).toBe('public_application')
    expect((await admin.patch(`${path}/${made.id}`, { kind: 'confidential' })).status).toBe(400)
  })

  it('are 401 without a credential, 403 without the permission, 404 when unknown or of another organization', async () => {
    const operator = await house.member('Operator')
    await createOrganization(house.engine, house.clock.now(), actor, 'Another')
    const stranger = house.loggedIn((await house.member('Owner', {}, 'Another')).token)
    const { client_id } = await newApplication(house)
    for (const [method, address, body] of [
      ['GET', path],
      ['POST', path, { name: 'x' }],
      ['GET', `${path}/${client_id}`],
      ['PATCH', `${path}/${client_id}`, { name: 'x' }],
      ['DELETE', `${path}/${client_id}`],
      ['POST', `${path}/${client_id}/rotate-secret`],
    ] as const) {
      expect((await house.anonymous.request(method, address, body)).status).toBe(401)
      expect((await operator.request(method, address, body)).status).toBe(403)
      if (address === path) continue
      expect((await admin.request(method, address.replace(`${path}/${client_id}`, unknown), body)).status).toBe(404)
      expect((await stranger.request(method, address, body)).status).toBe(404)
    }
  })

  it('are made, given more, and their secrets rotated, by people who have logged in lately, not by tokens', async () => {
    const { client_id } = await newApplication(house)
    for (const answer of [
      await owner.post(path, { name: 'x' }),
      await owner.post(`${path}/${client_id}/rotate-secret`),
    ])
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'tokens_cannot_make_tokens'])
    for (const body of [
      { permissions: ['spaces:read', 'users:write'] },
      { redirect_uris: ['https://other.example/cb'] },
      { service_user_id: await serviceUser('Auditor') },
    ]) {
      const answer = await owner.patch(`${path}/${client_id}`, body)
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'tokens_cannot_make_tokens'])
    }
    for (const body of [{ name: 'y' }, { permissions: [] }, { status: 'suspended' }, { service_user_id: null }])
      expect((await owner.patch(`${path}/${client_id}`, body)).status).toBe(200)
    expect((await owner.patch(`${path}/${client_id}`, { status: 'active' })).status).toBe(403)
    const person = await newPerson(house, 'Owner')
    expect((await person.post(path, { name: 'By a person' })).status).toBe(201)
    const long = new Date(Date.now() - 3_600_000).toISOString()
    await house.engine.transaction((session) =>
      session.run('update sessions set confirmed_at = $1 where user_id = $2', [long, person.id]),
    )
    // What is known of a session is known until something changes of what it rests on.
    await newPerson(house, 'Auditor')
    expect((await person.post(path, { name: 'x' })).body.error.reason).toBe('recent_login_required')
  })
})

describe('nobody gives an application more than they have', () => {
  const permissions = ['oauth-applications:read', 'oauth-applications:write', 'spaces:read'] as const

  it('in its permissions, its addresses, its secret or its service user', async () => {
    const limited = house.loggedIn((await memberWith(house, [...permissions])).token)
    expect((await limited.post(path, { name: 'Fits', permissions: ['spaces:read'] })).status).toBe(201)
    const more = await limited.post(path, { name: 'More', permissions: ['users:write'] })
    expect([more.status, more.body.error.reason]).toEqual([403, 'insufficient_permissions'])
    const large = `${path}/${(await newApplication(house, { permissions: ['users:write'], service_user_id: await serviceUser('Owner') })).client_id}`
    expect((await limited.patch(large, { redirect_uris: ['https://mine.example/cb'] })).status).toBe(403)
    expect((await limited.post(`${large}/rotate-secret`)).status).toBe(403)
    expect((await limited.patch(large, { status: 'suspended', description: 'Stopped' })).status).toBe(200)
    expect((await limited.patch(large, { status: 'active' })).status).toBe(403)
    // What its service user has counts within the application's permissions.
    const service_user_id = await serviceUser('Owner')
    expect((await limited.post(path, { name: 'Fits', permissions: ['spaces:read'], service_user_id })).status).toBe(201)
  })

  it('and a role limited to places makes none', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'North' })
    const local = house.loggedIn((await house.member('Owner', { location_id: location.id })).token)
    expect((await local.post(path, { name: 'x' })).status).toBe(403)
    expect((await local.get(path)).body.data).toEqual([])
  })
})

describe('a rotated secret', () => {
  const works = async (application: { client_id: string; client_secret: string | undefined }) => {
    const config = await discover(url, application)
    return client.clientCredentialsGrant(config).then(
      () => true,
      () => false,
    )
  }

  it('is shown once; the one before works until its grace ends', async () => {
    const first = await newApplication(house, { service_user_id: await serviceUser('Auditor') })
    // The first token takes its time: the provider is loaded for it.
    expect(await works(first)).toBe(true)
    const rotated = await admin.post(`${path}/${first.client_id}/rotate-secret`, { grace_seconds: 2 })
    expect(rotated.status).toBe(200)
    const { client_secret } = rotated.body.data
    expect(rotated.body.data.previous_secret_expires_at).toBeDefined()
    expect([await works(first), await works({ ...first, client_secret })]).toEqual([true, true])
    await expect.poll(() => works(first), { timeout: 5000 }).toBe(false)
    expect(await works({ ...first, client_secret })).toBe(true)
    const [entry] = (await owner.get(`/api/v1/audit-log?resource_id=eq.${first.client_id}&order=sequence.desc&limit=1`))
      .body.data
    expect(entry.action).toBe('oauth_application.secret_rotated')
    expect((await owner.get(`${path}/${first.client_id}`)).text).not.toContain(client_secret)
  })

  it('ends the one before at once where the grace is 0', async () => {
    const first = await newApplication(house, { service_user_id: await serviceUser('Auditor') })
    const { client_secret } = (await admin.post(`${path}/${first.client_id}/rotate-secret`, { grace_seconds: 0 })).body
      .data
    expect([await works(first), await works({ ...first, client_secret })]).toEqual([false, true])
    expect((await admin.post(`${path}/${first.client_id}/rotate-secret`, { grace_seconds: -1 })).status).toBe(400)
  })
})

it('a service user that an application acts as cannot be deleted', async () => {
  const service_user_id = await serviceUser('Auditor')
  await newApplication(house, { service_user_id })
  const answer = await owner.delete(`/api/v1/service-users/${service_user_id}`)
  expect([answer.status, answer.body.error.code]).toEqual([409, 'RESOURCE_IN_USE'])
})
