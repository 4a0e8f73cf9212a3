import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import { memberWith } from '../../../test/support/role.ts'
import { readConfig } from '../../config.ts'

const path = '/api/v1/external-identities'
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const stranger = await generateKeyPair('ES256')
let idp: Server
let issuer = ''
let asked = 0
let house: TestHouse
let admin: ReturnType<TestHouse['loggedIn']>

beforeAll(async () => {
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  idp = createServer((request, response) => {
    asked += 1
    response.setHeader('content-type', 'application/json')
    if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks` }))
    else response.end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(idp, 'listening')
  issuer = `http://127.0.0.1:${(idp.address() as AddressInfo).port}`
  const trusted = [
    { issuer, audience: 'gatehouse' },
    { issuer: 'http://127.0.0.2:9', audience: 'gatehouse', jwks_uri: 'http://10.0.0.1/jwks' },
  ]
  const env = { TRUSTED_ISSUERS: JSON.stringify(trusted), OUTGOING_ALLOW: '127.0.0.1', TRUST_PROXY: 'on' }
  house = await startHouse({ env, securityEventsMs: 0 })
  admin = house.loggedIn(house.owner.token)
})
afterAll(() => void idp.close())

const seconds = () => Math.floor(Date.parse(house.clock.now()) / 1000)

const tokenOf = (
  claims: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
  key: CryptoKey = privateKey,
): Promise<string> =>
  new SignJWT({ iss: issuer, aud: 'gatehouse', sub: 'ada', iat: seconds(), exp: seconds() + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one', ...header })
    .sign(key)

let host = 0
const me = (token: string) =>
  house.anonymous.get('/api/v1/me', {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': `203.0.113.${++host % 250}`,
  })

describe('a JWT of a trusted issuer', () => {
  it('has the rights of whom its subject stands for, narrowed as the identity says', async () => {
    const person = await newPerson(house, 'Auditor')
    const identity = await admin.create(path, {
      issuer,
      subject: 'ada',
      user_id: person.id,
      permissions: ['spaces:read', 'users:write'],
    })
    const token = await tokenOf()
    const { data } = (await me(token)).body
    expect(data).toMatchObject({ kind: 'user', id: person.id })
    expect(data.permissions.map(({ permission }: { permission: string }) => permission)).toEqual(['spaces:read'])
    const before = asked
    expect((await me(await tokenOf({ jti: 'another' }))).status).toBe(200)
    expect(asked).toBe(before)
    await house.owner.post(`/api/v1/users/${person.id}/suspend`)
    expect((await me(token)).status).toBe(401)
    await admin.post(`/api/v1/users/${person.id}/reactivate`)
    expect((await me(token)).status).toBe(200)
    await house.owner.delete(`${path}/${identity.id}`)
    expect((await me(token)).status).toBe(401)
  })

  it('stands for a service user too, and ends when it expires, though the clock is set back', async () => {
    const { id } = (await (await house.member('Auditor')).get('/api/v1/me')).body.data
    await admin.create(path, { issuer, subject: 'job', service_user_id: id })
    const token = await tokenOf({ sub: 'job' })
    expect((await me(token)).body.data).toMatchObject({ kind: 'service_user', id })
    house.clock.forward(301_000)
    const right = house.clock.now()
    expect((await me(token)).status).toBe(401)
    house.clock.forward(-301_000)
    expect((await me(token)).status).toBe(401)
    house.clock.set(right)
  })

  it('used from a new address, and refused while its user is suspended, is on the record; an unknown subject is nobody’s', async () => {
    const person = await newPerson(house, 'Auditor')
    const { id } = await admin.create(path, { issuer, subject: 'seen', user_id: person.id })
    const token = await tokenOf({ sub: 'seen' })
    const use = (address: string) =>
      house.anonymous.get('/api/v1/me', { authorization: `Bearer ${token}`, 'x-forwarded-for': address })
    for (const address of ['192.0.2.1', '192.0.2.1', '198.51.100.1']) expect((await use(address)).status).toBe(200)
    await house.owner.post(`/api/v1/users/${person.id}/suspend`)
    expect((await me(await tokenOf({ sub: 'never seen' }))).status).toBe(401)
    for (const _ of [1, 2]) expect((await use('192.0.2.2')).status).toBe(401)
    const entries = async () =>
      (await house.owner.get(`/api/v1/audit-log?resource_id=eq.${id}&order=sequence`)).body.data
    await expect.poll(async () => (await entries()).length, { timeout: 5000 }).toBe(4)
    const common = { resource: 'external-identities', req_id: expect.stringMatching(/^req_\d+$/) }
    expect((await entries()).slice(1)).toMatchObject([
      {
        ...common,
        action: 'external_identity.used_from_new_address',
        actor_id: person.id,
        after: { user_id: person.id, network: '192.0.2.1' },
      },
      { ...common, action: 'external_identity.used_from_new_address', address: '198.51.100.1' },
      {
        ...common,
        action: 'external_identity.refused',
        actor_id: null,
        address: '192.0.2.2',
        after: { reason: 'not_active' },
      },
    ])
  })

  it.each<[string, () => Promise<string>]>([
    ['an unknown subject', () => tokenOf({ sub: 'nobody' })],
    ['another audience', () => tokenOf({ aud: 'other' })],
    ['another issuer', () => tokenOf({ iss: `${issuer}/` })],
    ['an issuer that nobody trusts', () => tokenOf({ iss: 'https://evil.example' })],
    ['another type', () => tokenOf({}, { typ: 'JWT' })],
    ['a key of somebody else', () => tokenOf({}, {}, stranger.privateKey)],
    ['a kid that the issuer does not have', () => tokenOf({}, { kid: 'two' })],
    ['a jwk in its header', () => tokenOf({}, { jwk: { kty: 'EC' } })],
    ['no subject', () => tokenOf({ sub: undefined })],
    ['no expiry', () => tokenOf({ exp: undefined })],
    ['expired', () => tokenOf({ exp: seconds() - 1 })],
    ['from the future', () => tokenOf({ iat: seconds() + 60 })],
    ['a subject with NUL', () => tokenOf({ sub: 'job\0' })],
    ['our own issuer’s name', () => tokenOf({ iss: 'http://gatehouse.test/oauth', aud: 'http://gatehouse.test/api' })],
  ])('is refused with %s', async (_name, make) => {
    expect((await me(await make())).status).toBe(401)
  })

  it('is 503, not refused, where the issuer cannot be asked: its address is not one that may be called', async () => {
    const answer = await me(await tokenOf({ iss: 'http://127.0.0.2:9' }))
    expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      'issuer_unreachable',
    ])
  })
})

describe('external identities', () => {
  it('are created, read, changed and deleted', async () => {
    const { id: user_id } = await newPerson(house, 'Auditor')
    const made = await admin.create(path, { issuer, subject: 'grace', user_id })
    expect(made).toMatchObject({ issuer, subject: 'grace', user_id, service_user_id: null, permissions: null })
    expect((await house.owner.get(`${path}?subject=eq.grace`)).body.data).toEqual([made])
    expect((await admin.patch(`${path}/${made.id}`, { permissions: ['spaces:read'] })).body.data.permissions).toEqual([
      'spaces:read',
    ])
    expect((await admin.patch(`${path}/${made.id}`, { subject: 'other' })).status).toBe(400)
    expect((await admin.post(path, { issuer, subject: 'grace', user_id })).status).toBe(409)
    expect((await house.owner.delete(`${path}/${made.id}`)).status).toBe(200)
  })

  it('go with the user they stand for', async () => {
    const { id: user_id } = await newPerson(house)
    const made = await admin.create(path, { issuer, subject: 'leaver', user_id })
    expect((await house.owner.delete(`/api/v1/users/${user_id}`)).status).toBe(200)
    expect((await house.owner.get(`${path}/${made.id}`)).status).toBe(404)
  })

  it('are refused with an issuer that is not trusted, with nobody or two to stand for, by a token, or for more than one has', async () => {
    const { id: user_id } = await newPerson(house, 'Owner')
    const { id: service_user_id } = (await house.owner.get('/api/v1/me')).body.data
    expect((await admin.post(path, { issuer: 'https://evil.example', subject: 'x', user_id })).body.error.reason).toBe(
      'issuer.not_trusted',
    )
    expect((await admin.post(path, { issuer, subject: 'x' })).body.error.reason).toBe('one_of')
    expect((await admin.post(path, { issuer, subject: 'x', user_id, service_user_id })).body.error.reason).toBe(
      'one_of',
    )
    expect((await house.owner.post(path, { issuer, subject: 'x', user_id })).body.error.reason).toBe(
      'tokens_cannot_make_tokens',
    )
    const limited = house.loggedIn((await memberWith(house, ['external-identities:write', 'spaces:read'])).token)
    expect((await limited.post(path, { issuer, subject: 'x', user_id })).status).toBe(403)
    expect((await limited.post(path, { issuer, subject: 'x', user_id, permissions: ['spaces:read'] })).status).toBe(201)
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await limited.get(path)).status).toBe(403)
  })
})

describe('TRUSTED_ISSUERS', () => {
  it('has defaults for type and algorithms', () => {
    const [one] = readConfig({
      TRUSTED_ISSUERS: '[{"issuer":"https://idp.example","audience":"gatehouse"}]',
    }).trustedIssuers
    expect(one).toEqual({
      issuer: 'https://idp.example',
      audience: 'gatehouse',
      typ: 'at+jwt',
      algorithms: ['ES256', 'RS256'],
      jwksUri: undefined,
    })
  })

  it.each([
    'https://idp.example',
    '{}',
    '[1]',
    '[{"issuer":"idp","audience":"a"}]',
    '[{"issuer":"https://idp.example"}]',
    '[{"issuer":"https://idp.example","audience":"a","algorithms":["HS256"]}]',
    '[{"issuer":"https://idp.example","audience":"a","algorithms":["none"]}]',
    '[{"issuer":"https://idp.example","audience":"a","jwks":"x"}]',
    '[{"issuer":"https://idp.example","audience":"a","jwks_uri":"file:///x"}]',
    '[{"issuer":"https://idp.example","audience":"a"},{"issuer":"https://idp.example","audience":"b"}]',
  ])('refuses %s with a sentence', (value) => {
    expect(() => readConfig({ TRUSTED_ISSUERS: value })).toThrow(/^TRUSTED_ISSUERS: .*\.$/)
  })
})
