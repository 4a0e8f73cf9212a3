import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { change } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'

const house = await startHouse()
const { owner, clock } = house
/** Somebody who has logged in: a token cannot make tokens. */
const admin = house.loggedIn(owner.token)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ahead = (ms: number) => new Date(Date.parse(clock.now()) + ms).toISOString()
const tomorrow = () => ahead(DAY)
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'

let path = ''
let serviceUserId = ''
const roleId = async (name: string) =>
  (await owner.get(`/api/v1/roles?name=eq.${encodeURIComponent(name)}`)).body.data[0].id as string
const newServiceUser = async (role?: string, place: object = {}) => {
  const { id } = await owner.create('/api/v1/service-users', { name: 'Somebody' })
  if (role)
    await owner.create('/api/v1/role-assignments', { role_id: await roleId(role), service_user_id: id, ...place })
  return id as string
}
const tokensOf = (id: string) => `/api/v1/service-users/${id}/tokens`

beforeAll(async () => {
  serviceUserId = await newServiceUser('Auditor')
  path = tokensOf(serviceUserId)
})

describe('Personal access token (PAT) for a service user', () => {
  it('The token value is displayed once only, at creation; the token is then used in the Authorization header', async () => {
    const made = await admin.post(path, { name: 'Nightly job', expires_at: tomorrow() })
    expect(made.status).toBe(201)
    const { value, ...record } = made.body.data
    expect(value).toMatch(/^acs_pat_[0-9A-Za-z]{49}$/)
    expect(made.headers['cache-control']).toBe('no-store')
    expect(made.headers.location).toBe(`${path}/${record.id}`)
    expect(record).toMatchObject({
      service_user_id: serviceUserId,
      name: 'Nightly job',
      expires_at: tomorrow(),
      prefix: 'acs_pat_',
      last_four: value.slice(-4),
      status: 'active',
      permissions: null,
      addresses: null,
      revoked_at: null,
    })
    expect((await house.client(value).get('/api/v1/spaces')).status).toBe(200)
    for (const answer of [await owner.get(`${path}/${record.id}`), await owner.get(path)]) {
      expect(answer.text).toContain(record.id)
      expect(answer.text).not.toContain(value)
    }
  })

  it('is made once for an Idempotency-Key, and the repetition leaves the value out', async () => {
    const body = { name: 'Once', expires_at: tomorrow() }
    const first = await admin.post(path, body, { 'idempotency-key': 'one' })
    const again = await admin.post(path, body, { 'idempotency-key': 'one' })
    const { value, ...record } = first.body.data
    expect(value).toBeTypeOf('string')
    expect(again.status).toBe(201)
    expect(again.body.data).toEqual(record)
    expect((await owner.get(`${path}?name=eq.Once`)).body.data).toHaveLength(1)
    for (const table of ['tokens', 'idempotency_keys', 'audit_log']) {
      const rows = await house.engine.reader.all(`select * from ${table}`, [])
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(value)
    }
  })

  it('ends at a date’s end in UTC when a date is given', async () => {
    expect((await admin.create(path, { name: 'Date', expires_at: '2027-12-31' })).expires_at).toBe(
      '2027-12-31T23:59:59.999Z',
    )
    expect((await admin.create(path, { name: 'Zone', expires_at: '2027-12-31T23:00:00+02:00' })).expires_at).toBe(
      '2027-12-31T21:00:00.000Z',
    )
  })

  it('lives at least an hour and at most 366 days', async () => {
    const status = async (expires_at: unknown) => (await admin.post(path, { name: 'Range', expires_at })).status
    expect(await status(ahead(HOUR))).toBe(201)
    expect(await status(ahead(HOUR - 1))).toBe(400)
    expect(await status(ahead(366 * DAY))).toBe(201)
    expect(await status(ahead(366 * DAY + 1))).toBe(400)
    expect(await status(ahead(-DAY))).toBe(400)
  })

  it('The creator supplies an expiry date: RFC 3339 or a date of the calendar, and nothing else will do', async () => {
    for (const body of [
      { name: 'No end' },
      ...['', 'tomorrow', '2027', '31.12.2027', '2027-02-30', '2027-12-31T10:00:00', 1_800_000_000].map(
        (expires_at) => ({
          name: 'x',
          expires_at,
        }),
      ),
      { name: 'x', expires_at: null },
    ]) {
      const answer = await admin.post(path, body)
      expect([answer.status, answer.body.error.code, JSON.stringify(body)]).toEqual([
        400,
        'VALIDATION_ERROR',
        JSON.stringify(body),
      ])
    }
  })

  it('lives no longer than its organization allows', async () => {
    const strict = await startHouse()
    await change(
      strict.engine,
      1,
      strict.clock.now(),
      { kind: 'command_line', id: null, name: 't', address: null, reqId: null },
      async (tx) => {
        await tx.run(sql`update organizations as o set max_token_days = 30 where o.key = :org`)
        tx.record({
          action: 'organization.updated',
          resource: 'organizations',
          resourceId: null,
          before: null,
          after: null,
        })
      },
    )
    const { id } = await strict.owner.create('/api/v1/service-users', { name: 'x' })
    const make = (expires_at: string) =>
      strict.loggedIn(strict.owner.token).post(tokensOf(id), { name: 'x', expires_at })
    expect((await make(ahead(30 * DAY))).status).toBe(201)
    const refused = await make(ahead(31 * DAY))
    expect(refused.status).toBe(400)
    expect(refused.body.msg).toContain('at most 30 days')
  })

  it('with a wrong body is 400', async () => {
    const wrong = [
      { permissions: ['spaces:fly'] },
      { permissions: 'spaces:read' },
      { addresses: ['not an address'] },
      { addresses: ['192.0.2.0/33'] },
      { addresses: [] },
      { location_id: unknown },
      { prefix: 'mine_' },
      { value: 'acs_pat_mine' },
      { hash: 'x' },
      { service_user_id: serviceUserId },
      { revoked_at: null },
    ]
    for (const more of wrong) {
      const answer = await admin.post(path, { name: 'x', expires_at: tomorrow(), ...more })
      expect([answer.status, JSON.stringify(more)]).toEqual([400, JSON.stringify(more)])
    }
    expect((await admin.post(path)).status).toBe(400)
  })

  it('is 401 without a credential, 403 without the permission, 404 when unknown or another service user’s', async () => {
    const { id } = await admin.create(path, { name: 'Mine', expires_at: tomorrow() })
    const other = tokensOf(await newServiceUser())
    const auditor = await house.member('Auditor')
    const facility = await house.member('Facility manager')
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await facility.get(path)).status).toBe(403)
    expect((await auditor.get(path)).status).toBe(200)
    expect((await auditor.post(`${path}/${id}/revoke`)).status).toBe(403)
    expect((await auditor.delete(`${path}/${id}`)).status).toBe(403)
    for (const at of [`${other}/${id}`, `${path}/${unknown}`, `${tokensOf(unknown)}/${id}`]) {
      expect((await owner.get(at)).status).toBe(404)
      expect((await owner.delete(at)).status).toBe(404)
      expect((await owner.post(`${at}/revoke`)).status).toBe(404)
      expect((await admin.post(`${at}/rotate`, { expires_at: tomorrow() })).status).toBe(404)
    }
    expect((await admin.post(tokensOf(unknown), { name: 'x', expires_at: tomorrow() })).status).toBe(404)
    expect((await owner.get(tokensOf(unknown))).status).toBe(404)
    expect((await owner.patch(`${path}/${id}`, { name: 'Other' })).status).toBe(405)
  })
})

describe('a token cannot make tokens', () => {
  it('neither create nor rotate, whatever its role and its body', async () => {
    const { id } = await admin.create(path, { name: 'Existing', expires_at: tomorrow() })
    for (const answer of [
      await owner.post(path, { name: 'x', expires_at: tomorrow() }),
      await owner.post(path, { nonsense: true }),
      await owner.post(`${path}/${id}/rotate`, { expires_at: tomorrow() }),
    ]) {
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
        403,
        'UNAUTHORIZED',
        'tokens_cannot_make_tokens',
      ])
      expect(answer.body.msg).toContain('command line')
    }
  })

  it('but it may revoke and delete them', async () => {
    const one = await admin.create(path, { name: 'One', expires_at: tomorrow() })
    const two = await admin.create(path, { name: 'Two', expires_at: tomorrow() })
    expect((await owner.post(`${path}/${one.id}/revoke`)).status).toBe(200)
    expect((await owner.delete(`${path}/${two.id}`)).status).toBe(200)
  })
})

describe('revoking', () => {
  it('ends the token with the next request and keeps its record', async () => {
    const { id, value } = await admin.create(path, { name: 'Short', expires_at: tomorrow() })
    const client = house.client(value)
    expect((await client.get('/api/v1/me')).status).toBe(200)
    const revoked = await owner.post(`${path}/${id}/revoke`)
    expect(revoked.body.data).toMatchObject({ id, status: 'revoked', revoked_at: clock.now(), version: 2 })
    expect((await client.get('/api/v1/me')).status).toBe(401)
    expect((await owner.get(`${path}/${id}`)).body.data.status).toBe('revoked')
    expect((await owner.get(`${path}?status=eq.revoked&select=id`)).body.data).toContainEqual({ id })
  })

  it('twice is 409; by an outdated If-Match 412', async () => {
    const { id } = await admin.create(path, { name: 'Twice', expires_at: tomorrow() })
    expect((await owner.post(`${path}/${id}/revoke`, undefined, { 'if-match': '"7"' })).status).toBe(412)
    expect((await owner.post(`${path}/${id}/revoke`, {}, { 'if-match': '"1"' })).status).toBe(200)
    const again = await owner.post(`${path}/${id}/revoke`)
    expect([again.status, again.body.error.code, again.body.error.reason]).toEqual([
      409,
      'INVALID_STATE',
      'token.ended',
    ])
  })

  it('takes no body', async () => {
    const { id } = await admin.create(path, { name: 'Bodyless', expires_at: tomorrow() })
    expect((await owner.post(`${path}/${id}/revoke`, { reason: 'x' })).status).toBe(400)
  })

  it('by deleting ends the token too, and takes it off the list; the audit log keeps it', async () => {
    const { id, value } = await admin.create(path, { name: 'Gone', expires_at: tomorrow() })
    expect((await owner.delete(`${path}/${id}`)).body.data.id).toBe(id)
    expect((await house.client(value).get('/api/v1/me')).status).toBe(401)
    expect((await owner.get(`${path}/${id}`)).status).toBe(404)
    const entries = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&select=action`)).body.data
    expect(entries).toEqual([{ action: 'token.created' }, { action: 'token.deleted' }])
  })
})

describe('rotating', () => {
  it('makes a new token with the same limits; the old one works until the grace period ends', async () => {
    const limits = { name: 'Rotated', permissions: ['spaces:read'], addresses: ['127.0.0.0/8'] }
    const old = await admin.create(path, { ...limits, expires_at: ahead(30 * DAY) })
    const answer = await admin.post(`${path}/${old.id}/rotate`, { expires_at: ahead(60 * DAY), grace_seconds: 600 })
    expect(answer.status).toBe(201)
    const { value, ...made } = answer.body.data
    expect(made).toMatchObject({ ...limits, expires_at: ahead(60 * DAY), service_user_id: serviceUserId })
    expect(answer.headers.location).toBe(`${path}/${made.id}`)
    expect(answer.body.msg).toContain(ahead(600_000))
    const works = async (token: string) => (await house.client(token).get('/api/v1/spaces')).status
    expect([await works(old.value), await works(value)]).toEqual([200, 200])
    clock.forward(599_999)
    expect(await works(old.value)).toBe(200)
    clock.forward(1)
    expect([await works(old.value), await works(value)]).toEqual([401, 200])
    expect((await owner.get(`${path}/${old.id}`)).body.data.status).toBe('expired')
  })

  it('without a grace period revokes the old token at once', async () => {
    const old = await admin.create(path, { name: 'At once', expires_at: tomorrow() })
    await admin.post(`${path}/${old.id}/rotate`, { expires_at: tomorrow(), grace_seconds: 0 })
    expect((await house.client(old.value).get('/api/v1/me')).status).toBe(401)
    expect((await owner.get(`${path}/${old.id}`)).body.data.status).toBe('revoked')
  })

  it('never makes the old token live longer', async () => {
    const old = await admin.create(path, { name: 'Ending', expires_at: ahead(HOUR) })
    await admin.post(`${path}/${old.id}/rotate`, { expires_at: tomorrow(), grace_seconds: 86_400 })
    expect((await owner.get(`${path}/${old.id}`)).body.data.expires_at).toBe(ahead(HOUR))
  })

  it('of a token that has ended is 409; with a wrong body 400', async () => {
    const old = await admin.create(path, { name: 'Ended', expires_at: tomorrow() })
    for (const body of [
      {},
      { expires_at: 'x' },
      { expires_at: tomorrow(), grace_seconds: -1 },
      { expires_at: tomorrow(), grace_seconds: 604_801 },
    ]) {
      expect((await admin.post(`${path}/${old.id}/rotate`, body)).status).toBe(400)
    }
    await owner.post(`${path}/${old.id}/revoke`)
    const answer = await admin.post(`${path}/${old.id}/rotate`, { expires_at: tomorrow() })
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'token.ended'])
  })

  it('repeated with the same Idempotency-Key makes no second token', async () => {
    const old = await admin.create(path, { name: 'Repeat', expires_at: tomorrow() })
    const body = { expires_at: tomorrow() }
    const first = await admin.post(`${path}/${old.id}/rotate`, body, { 'idempotency-key': 'rotate' })
    const again = await admin.post(`${path}/${old.id}/rotate`, body, { 'idempotency-key': 'rotate' })
    const { value: _, ...record } = first.body.data
    expect(again.body.data).toEqual(record)
  })
})

describe('A role can be assigned to the service user to limit its access', () => {
  it('without one a good token may do nothing; with one what the role allows', async () => {
    const id = await newServiceUser()
    const { value } = await admin.create(tokensOf(id), { name: 'Bare', expires_at: tomorrow() })
    const client = house.client(value)
    expect((await client.get('/api/v1/locations')).status).toBe(403)
    await owner.create('/api/v1/role-assignments', { role_id: await roleId('Auditor'), service_user_id: id })
    expect((await client.get('/api/v1/locations')).status).toBe(200)
    expect((await client.post('/api/v1/locations', { name: 'x' })).status).toBe(403)
  })
})

describe('a token narrows its service user’s rights', () => {
  const make = async (body: object): Promise<Client> =>
    house.client(
      (
        await admin.create(tokensOf(await newServiceUser('Facility manager')), {
          name: 'Narrow',
          expires_at: tomorrow(),
          ...body,
        })
      ).value,
    )

  it('to the permissions it names', async () => {
    const client = await make({ permissions: ['locations:read', 'audit-log:read'] })
    expect((await client.get('/api/v1/locations')).status).toBe(200)
    expect((await client.post('/api/v1/locations', { name: 'x' })).status).toBe(403)
    // Named, but its service user does not have it.
    expect((await client.get('/api/v1/audit-log')).status).toBe(403)
  })

  it('to the place it names, with all below it', async () => {
    const north = await owner.create('/api/v1/locations', { name: 'North' })
    const house1 = await owner.create('/api/v1/buildings', { name: 'House 1', location_id: north.id })
    const south = await owner.create('/api/v1/locations', { name: 'South' })
    const client = await make({ location_id: north.id })
    expect((await client.get('/api/v1/locations?select=name')).body.data).toEqual([{ name: 'North' }])
    expect((await client.get(`/api/v1/buildings/${house1.id}`)).status).toBe(200)
    expect((await client.get(`/api/v1/locations/${south.id}`)).status).toBe(404)
    const inBuilding = await make({ building_id: house1.id })
    expect((await inBuilding.get('/api/v1/locations')).body.data).toEqual([])
    expect((await inBuilding.get('/api/v1/buildings?select=name')).body.data).toEqual([{ name: 'House 1' }])
    const both = await admin.post(path, {
      name: 'x',
      expires_at: tomorrow(),
      location_id: north.id,
      building_id: house1.id,
    })
    expect(both.status).toBe(400)
  })

  it('to nothing, where it names no permission at all', async () => {
    const client = await make({ permissions: [] })
    expect((await client.get('/api/v1/locations')).status).toBe(403)
    expect((await client.get('/api/v1/me')).body.data.permissions).toEqual([])
  })
})

describe('nobody gives more than they have', () => {
  it('a token for a mightier service user cannot be made, unless it is narrowed to what its maker may', async () => {
    const mighty = tokensOf(await newServiceUser('Owner'))
    const administrator = house.loggedIn((await house.member('Administrator')).token)
    const refused = await administrator.post(mighty, { name: 'x', expires_at: tomorrow() })
    expect([refused.status, refused.body.error.code, refused.body.error.reason]).toEqual([
      403,
      'UNAUTHORIZED',
      'insufficient_permissions',
    ])
    expect(refused.body.msg).toContain('roles:write')
    expect(
      (await administrator.post(mighty, { name: 'x', expires_at: tomorrow(), permissions: ['spaces:read'] })).status,
    ).toBe(201)
    expect(
      (await administrator.post(mighty, { name: 'x', expires_at: tomorrow(), permissions: ['roles:write'] })).status,
    ).toBe(403)
  })

  it('nor rotated', async () => {
    const mighty = tokensOf(await newServiceUser('Owner'))
    const { id } = await admin.create(mighty, { name: 'Mighty', expires_at: tomorrow() })
    const administrator = house.loggedIn((await house.member('Administrator')).token)
    expect((await administrator.post(`${mighty}/${id}/rotate`, { expires_at: tomorrow() })).status).toBe(403)
  })

  it('a permission that the maker lacks cannot be named, even if the service user does not have it yet', async () => {
    const administrator = house.loggedIn((await house.member('Administrator')).token)
    const later = tokensOf(await newServiceUser())
    expect(
      (await administrator.post(later, { name: 'x', expires_at: tomorrow(), permissions: ['roles:write'] })).status,
    ).toBe(403)
    expect(
      (await administrator.post(later, { name: 'x', expires_at: tomorrow(), permissions: ['keys:read'] })).status,
    ).toBe(201)
  })
})
