import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../support/app.ts'
import { newPerson } from '../support/people.ts'
import { memberWith } from '../support/role.ts'
import { countRows } from '../support/rows.ts'

/** What is shown once is shown to whoever makes it, by whatever door, and kept nowhere. */
const house = await startHouse()
const { engine, owner } = house
const session = house.loggedIn(owner.token)

interface Case {
  path: string
  body: (key: string) => object
  secret: string
}
let cases: Case[]
let service: string

beforeAll(async () => {
  service = (await owner.create('/api/v1/service-users', { name: 'Sync' })).id
  const location = (await owner.create('/api/v1/locations', { name: 'Site' })).id
  const person = async (kind: string) => (await owner.create('/api/v1/individuals', { display_name: kind, kind })).id
  const [visitor_id, host_id] = [await person('visitor'), await person('employee')]
  const window = { valid_from: '2027-06-16T08:00:00.000Z', valid_until: '2027-06-16T17:00:00.000Z' }
  const places = [{ location_id: location }]
  cases = [
    { path: 'users', body: (key) => ({ email: `${key}@example.org`, name: 'Ada' }), secret: 'link' },
    { path: `service-users/${service}/tokens`, body: () => ({ name: 'T', expires_at: '2027-12-31' }), secret: 'value' },
    { path: 'webhooks', body: () => ({ url: 'https://example.com/', types: ['*'] }), secret: 'secret' },
    { path: 'oauth-applications', body: (key) => ({ name: key }), secret: 'client_secret' },
    { path: 'visits', body: () => ({ visitor_id, host_id, ...window, credential_type: 'pin', places }), secret: 'pin' },
  ]
})

const names = ['users', 'tokens', 'webhooks', 'oauth-applications', 'visits'].map(
  (name, index) => [name, index] as const,
)
const caseAt = (index: number): Case => cases[index] as Case
const batch = (
  client: Client,
  { path }: Case,
  operations: object[],
  headers: Record<string, string> = {},
  query = '',
) => client.post(`/api/v1/${path}/batch${query}`, { operations }, headers)

describe.each(names)('of %s what is shown once', (name, index) => {
  it('is in the answer that creates by a key of one’s own, and in no other', async () => {
    const { path, body, secret } = caseAt(index)
    const url = `/api/v1/${path}/by-external-id/once`
    const tried = await session.request('PUT', `${url}?dry_run=true`, body('once'))
    expect([tried.status, tried.body.data[secret]]).toEqual([201, undefined])
    const made = await session.request('PUT', url, body('once'))
    expect([made.status, typeof made.body.data[secret], made.headers['cache-control']], made.text).toEqual([
      201,
      'string',
      'no-store',
    ])
    expect(made.body.msg).toMatch(/shown this once$/)
    const before = await countRows(engine)
    const again = await session.request('PUT', url, body('once'))
    expect([again.status, again.body.data[secret], again.body.data.version], again.text).toEqual([200, undefined, 1])
    expect(await countRows(engine)).toEqual(before)
    const log = await owner.get(`/api/v1/audit-log?resource_id=eq.${made.body.data.id}`)
    expect(log.text).not.toContain(made.body.data[secret])
  })

  it('is in the answer to the batch that creates, each in its place, and not in a replay', async () => {
    const one = caseAt(index)
    const create = (key: string) => ({ op: 'create', external_id: key, body: one.body(key) })
    const operations = [create('first'), { op: 'create', body: { nothing: 1 } }, { ...create('second'), op: 'upsert' }]
    const tried = await batch(session, one, operations, {}, '?dry_run=true')
    expect(tried.body.data.results[0].data[one.secret]).toBeUndefined()
    const headers = { 'idempotency-key': `batch-${name}` }
    const { body } = await batch(session, one, operations, headers)
    expect(body.data.results.map(({ status }: { status: number }) => status)).toEqual([201, 400, 201])
    const [first, , second] = body.data.results.map(({ data }: { data?: Record<string, string> }) => data?.[one.secret])
    expect([typeof first, typeof second]).toEqual(['string', 'string'])
    expect(first).not.toBe(second)
    const replay = await batch(session, one, operations, headers)
    expect(replay.body.data.results[0].data.id).toBe(body.data.results[0].data.id)
    for (const value of [first, second]) expect(replay.text).not.toContain(value)
    const stored = await engine.reader.all<{ body: string }>(
      `select body from idempotency_keys where key like 'batch-${name}%'`,
      [],
    )
    expect(stored).toHaveLength(1)
    for (const value of [first, second]) expect(stored[0]?.body).not.toContain(value)
    const atomic = await session.post(`/api/v1/${one.path}/batch`, { atomic: true, operations: [create('third')] })
    expect(typeof atomic.body.data.results[0].data[one.secret]).toBe('string')
  })
})

describe('a token', () => {
  it('makes nothing by upsert or batch that it cannot make by itself, and sees no link', async () => {
    for (const index of [1, 2, 3]) {
      const one = caseAt(index)
      const single = await owner.post(`/api/v1/${one.path}`, one.body('token'))
      const put = await owner.request('PUT', `/api/v1/${one.path}/by-external-id/token`, one.body('token'))
      expect([single.status, put.status, put.body.error.reason]).toEqual([403, 403, single.body.error.reason])
      const many = await batch(owner, one, [{ op: 'upsert', external_id: 'token', body: one.body('token') }])
      expect(many.body.data?.results[0].status ?? many.status).toBe(403)
    }
    const users = caseAt(0)
    const put = await owner.request('PUT', '/api/v1/users/by-external-id/by-token', users.body('by-token'))
    expect([put.status, put.body.data.mailed, put.body.data.link]).toEqual([201, false, undefined])
    const many = await batch(owner, users, [{ op: 'create', body: users.body('by-batch') }])
    expect([many.body.data.created, many.text.includes('#')]).toEqual([1, false])
  })

  it('changes no address of a user by upsert or batch, as by PATCH', async () => {
    const { id } = await newPerson(house)
    expect((await session.patch(`/api/v1/users/${id}`, { external_id: 'boss' })).status).toBe(200)
    const body = { email: 'mine@example.org' }
    const patched = await owner.patch(`/api/v1/users/${id}`, body)
    const put = await owner.request('PUT', '/api/v1/users/by-external-id/boss', body)
    const many = await batch(owner, caseAt(0), [{ op: 'upsert', external_id: 'boss', body }])
    expect([patched.status, put.status, many.body.data.results[0].status]).toEqual([403, 403, 403])
  })

  it('ends what it may end, in a batch too', async () => {
    const [path, made] = [`/api/v1/service-users/${service}/tokens`, { name: 'Ends', expires_at: '2027-12-31' }]
    const { id } = await session.create(path, made)
    const ended = await owner.post(`${path}/batch`, { operations: [{ op: 'delete', id }] })
    expect(ended.body.data.deleted).toBe(1)
  })
})

it('nobody gives a role that holds more than they have, by key or batch', async () => {
  const roles = (await owner.get('/api/v1/roles?limit=100')).body.data as Array<{ id: string; name: string }>
  const named = (wanted: string) => roles.find(({ name }) => name === wanted)?.id
  const clerk = house.loggedIn(
    (await memberWith(house, ['role-assignments:write', 'roles:read', 'service-users:read'])).token,
  )
  const body = { role_id: named('Owner'), service_user_id: service }
  const url = '/api/v1/role-assignments/by-external-id/more'
  const put = await clerk.request('PUT', url, body)
  expect([put.status, put.body.error.reason]).toEqual([403, 'insufficient_permissions'])
  const many = await clerk.post('/api/v1/role-assignments/batch', {
    operations: [{ op: 'upsert', external_id: 'more', body }],
  })
  expect(many.body.data.results[0].status).toBe(403)
  expect((await session.request('PUT', url, body)).status).toBe(201)
  const fixed = await session.request('PUT', url, { ...body, role_id: named('Auditor') })
  expect([fixed.status, fixed.body.error.reason]).toEqual([400, 'body.fixed'])
})
