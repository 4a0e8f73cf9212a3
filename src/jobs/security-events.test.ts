import type { FastifyBaseLogger } from 'fastify'
import { describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../test/support/app.ts'
import { type Application, newApplication } from '../../test/support/peers/oauth.ts'
import { newTokenValue } from '../core/secrets/token.ts'
import { SecurityEvents } from './security-events.ts'

const house = await startHouse({ env: { TRUST_PROXY: 'on' }, securityEventsMs: 0 })
const { owner, clock } = house
const from = (address: string) => ({ 'x-forwarded-for': address })

interface Entry {
  action: string
  occurred_at: string
  actor_kind: string
  actor_id: string | null
  address: string
  req_id: string
  before: unknown
  after: Record<string, unknown>
}

const entriesOf = async (tokenId: string): Promise<Entry[]> =>
  (await owner.get(`/api/v1/audit-log?resource_id=eq.${tokenId}&limit=100`)).body.data
const eventsOf = async (tokenId: string, action: string): Promise<Entry[]> =>
  (await entriesOf(tokenId)).filter((entry) => entry.action === action)
const until = (tokenId: string, action: string, count: number) =>
  expect.poll(async () => (await eventsOf(tokenId, action)).length, { timeout: 5000 }).toBe(count)

/** Events are recorded in their order: once one that comes later is there, nothing is on its way any more. */
async function settled(): Promise<void> {
  const other = await house.member('Auditor')
  const { token } = (await other.get('/api/v1/me', from('192.0.2.250'))).body.data
  await until(token.id, NEW_ADDRESS, 1)
}

const NEW_ADDRESS = 'token.used_from_new_address'
const REFUSED = 'token.refused'

async function member(address: string): Promise<{ client: Client; id: string; tokenId: string; reqId: string }> {
  const client = await house.member('Auditor')
  const answer = await client.get('/api/v1/me', from(address))
  const { id, token } = answer.body.data
  return { client, id, tokenId: token.id, reqId: String(answer.headers['x-request-id']) }
}

describe('a token that is used', () => {
  it('for the first time, and from an address where it never was, is on the record with the request that used it', async () => {
    const { client, id, tokenId, reqId } = await member('192.0.2.1')
    await until(tokenId, NEW_ADDRESS, 1)
    expect((await eventsOf(tokenId, NEW_ADDRESS))[0]).toMatchObject({
      ...{ resource: 'tokens', actor_kind: 'service_user', actor_id: id, address: '192.0.2.1', req_id: reqId },
      ...{ occurred_at: clock.now(), before: null, after: { service_user_id: id, network: '192.0.2.1' } },
    })
    await client.get('/api/v1/me', from('198.51.100.7'))
    await until(tokenId, NEW_ADDRESS, 2)
  })

  it('again from where it was before is not, whichever process it comes to', async () => {
    const { client, tokenId } = await member('192.0.2.2')
    await client.get('/api/v1/me', from('2001:db8::1'))
    await client.get('/api/v1/me', from('192.0.2.2'))
    // Another address of the same network of IPv6: one household.
    await client.get('/api/v1/me', from('2001:db8::2'))
    await until(tokenId, NEW_ADDRESS, 2)
    const neighbour = house.client(client.token, await house.neighbour())
    await neighbour.get('/api/v1/me', from('192.0.2.2'))
    await settled()
    expect(await eventsOf(tokenId, NEW_ADDRESS)).toHaveLength(2)
  })
})

describe('a token that is refused', () => {
  it('because it was revoked is on the record, at most once a minute, also with several processes', async () => {
    const { client, id, tokenId } = await member('192.0.2.3')
    await owner.post(`/api/v1/service-users/${id}/tokens/${tokenId}/revoke`)
    const refusal = await client.get('/api/v1/me', from('203.0.113.1'))
    expect(refusal.status).toBe(401)
    await until(tokenId, REFUSED, 1)
    expect((await eventsOf(tokenId, REFUSED))[0]).toMatchObject({
      ...{ actor_kind: 'system', actor_id: null, actor_name: 'Authentication', address: '203.0.113.1' },
      ...{ req_id: refusal.headers['x-request-id'], before: null, after: { service_user_id: id, reason: 'revoked' } },
    })
    const neighbour = house.client(client.token, await house.neighbour())
    clock.forward(59_999)
    for (let i = 0; i < 5; i++)
      for (const one of [client, neighbour]) await one.get('/api/v1/me', from(`203.0.113.${i + 2}`))
    await settled()
    expect(await eventsOf(tokenId, REFUSED)).toHaveLength(1)
    clock.forward(1)
    await client.get('/api/v1/me', from('203.0.113.1'))
    await until(tokenId, REFUSED, 2)
  })

  it('because it came from an address that is not on its list, because its service user is suspended, because it expired', async () => {
    const { id } = await member('192.0.2.4')
    const make = async (more: object) =>
      house
        .loggedIn(owner.token)
        .create(`/api/v1/service-users/${id}/tokens`, { name: 'T', expires_at: '2027-12-31', ...more })
    const local = await make({ addresses: ['192.0.2.0/24'] })
    await house.client(local.value).get('/api/v1/me', from('203.0.113.20'))
    await until(local.id, REFUSED, 1)
    expect((await eventsOf(local.id, REFUSED))[0]?.after.reason).toBe('address_not_allowed')

    const suspended = await make({})
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' })
    await house.client(suspended.value).get('/api/v1/me', from('203.0.113.21'))
    await until(suspended.id, REFUSED, 1)
    expect((await eventsOf(suspended.id, REFUSED))[0]?.after.reason).toBe('service_user_suspended')
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'active' })

    const short = await make({ expires_at: new Date(Date.parse(clock.now()) + 3_600_000).toISOString() })
    // Known and in use: it ends all the same.
    expect((await house.client(short.value).get('/api/v1/me', from('192.0.2.4'))).status).toBe(200)
    clock.forward(3_600_000)
    await house.client(short.value).get('/api/v1/me', from('203.0.113.22'))
    await until(short.id, REFUSED, 1)
    expect((await eventsOf(short.id, REFUSED))[0]?.after.reason).toBe('expired')
  })

  it('where it asked the same before is on the record with the request that was refused', async () => {
    const { client, id, tokenId } = await member('192.0.2.5')
    const ask = (on = client) => on.get('/api/v1/locations?limit=1', from('192.0.2.5'))
    expect([await ask(), await ask()].map(({ status }) => status)).toEqual([200, 200])
    await owner.post(`/api/v1/service-users/${id}/tokens/${tokenId}/revoke`)
    const revoked = await ask()
    await until(tokenId, REFUSED, 1)
    expect((await eventsOf(tokenId, REFUSED))[0]?.req_id).toBe(revoked.headers['x-request-id'])

    const expires_at = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
    const short = await house
      .loggedIn(owner.token)
      .create(`/api/v1/service-users/${id}/tokens`, { name: 'Short', expires_at })
    const other = house.client(short.value)
    expect([await ask(other), await ask(other)].map(({ status }) => status)).toEqual([200, 200])
    clock.forward(3_600_000)
    const expired = await ask(other)
    await until(short.id, REFUSED, 1)
    expect((await eventsOf(short.id, REFUSED))[0]?.req_id).toBe(expired.headers['x-request-id'])
  })

  it('and that nobody here ever made leaves no trace', async () => {
    const total = async () => (await owner.get('/api/v1/audit-log?action=eq.token.refused')).body.meta.pagination.total
    await settled()
    const before = await total()
    await house.client(newTokenValue()).get('/api/v1/me', from('203.0.113.30'))
    await settled()
    expect(await total()).toBe(before)
  })
})

describe('what is done to rights is on the record, before and after', () => {
  it('a role made and changed, given and taken; a service user suspended; a token rotated and revoked', async () => {
    const role = await owner.create('/api/v1/roles', { name: 'Night watch', permissions: ['spaces:read'] })
    await owner.patch(`/api/v1/roles/${role.id}`, { permissions: ['spaces:read', 'keys:read'] })
    const user = await owner.create('/api/v1/service-users', { name: 'Watcher' })
    const given = await owner.create('/api/v1/role-assignments', { role_id: role.id, service_user_id: user.id })
    await owner.delete(`/api/v1/role-assignments/${given.id}`)
    await owner.patch(`/api/v1/service-users/${user.id}`, { status: 'suspended' })
    const [, changed] = await entriesOf(role.id)
    expect(changed).toMatchObject({ action: 'role.updated', before: { permissions: ['spaces:read'] } })
    expect(changed?.after.permissions).toEqual(['spaces:read', 'keys:read'])
    expect((await entriesOf(given.id)).map(({ action }) => action)).toEqual([
      'role_assignment.created',
      'role_assignment.deleted',
    ])
    const [, suspended] = await entriesOf(user.id)
    expect(suspended).toMatchObject({
      action: 'service_user.updated',
      before: { status: 'active' },
      after: { status: 'suspended' },
    })
    for (const entry of [changed, suspended]) {
      expect(entry).toMatchObject({
        actor_kind: 'service_user',
        address: '127.0.0.1',
        req_id: expect.stringMatching(/^req_\d+$/),
      })
    }
  })
})

describe('an OAuth application', () => {
  const askWith = async (application: Application, address: string, client_secret = application.client_secret ?? '') =>
    house.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
      payload: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: application.client_id,
        client_secret,
      }).toString(),
    })

  it('that uses its secret from where it never was, or has a wrong one, is on the record', async () => {
    const { id: service_user_id } = (await (await house.member('Auditor')).get('/api/v1/me')).body.data
    const application = await newApplication(house, { service_user_id })
    const id = application.client_id
    for (const address of ['192.0.2.30', '192.0.2.30', '198.51.100.30'])
      expect((await askWith(application, address)).statusCode, address).toBe(200)
    await until(id, 'oauth_application.used_from_new_address', 2)
    for (const _ of [1, 2]) expect((await askWith(application, '192.0.2.31', 'wrong')).statusCode).toBe(401)
    await until(id, 'oauth_application.refused', 1)
    await settled()
    expect(await eventsOf(id, 'oauth_application.used_from_new_address')).toHaveLength(2)
    const [refused, ...more] = await eventsOf(id, 'oauth_application.refused')
    expect(more).toEqual([])
    expect(refused).toMatchObject({
      ...{ resource: 'oauth-applications', actor_kind: 'system', actor_id: null, address: '192.0.2.31' },
      ...{ req_id: expect.stringMatching(/^req_\d+$/), after: { reason: 'wrong_secret' } },
    })
  })
})

describe('while the database is away', () => {
  it('as many events as have room are kept, and it is said how many were lost', async () => {
    const said: Record<string, unknown>[] = []
    const logger = { warn: (line: Record<string, unknown>) => said.push(line) } as unknown as FastifyBaseLogger
    const away = { ...house.engine, transaction: () => Promise.reject(new Error('away')) }
    const events = new SecurityEvents(away, logger, 60_000)
    for (let number = 0; number < 10_002; number++)
      events.applicationRefused({
        org: 1,
        applicationId: `application-${number}`,
        address: '192.0.2.1',
        reqId: null,
        at: clock.now(),
      })
    await events.close()
    expect(said).toMatchObject([{ waiting: 10_000, lost: 2 }])
  })
})
