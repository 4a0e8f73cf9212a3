import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { createOrganization } from '../organizations.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/organization'
const DAY = 86_400_000

describe('the organization', () => {
  it('is the caller’s own, with its settings', async () => {
    await createOrganization(engine, clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    const { status, body, headers } = await owner.get(PATH)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: expect.any(String),
      name: 'Test',
      time_zone: 'Europe/Zurich',
      language: 'en',
      max_token_days: 366,
      require_second_factor: false,
      status: 'active',
      created_at: clock.now(),
      updated_at: clock.now(),
      version: 1,
    })
    expect(headers.etag).toBe('"1"')
    expect((await owner.get(PATH, { 'if-none-match': '"1"' })).status).toBe(304)
    expect((await other.get(PATH)).body.data).toMatchObject({ name: 'Other', time_zone: 'UTC' })
  })

  it('is told what the service decides, without a secret and without another organization’s roles', async () => {
    const provider = (id: string, joins: string) => ({
      [`SSO_${id}_ISSUER`]: `https://${id.toLowerCase()}.example`,
      [`SSO_${id}_CLIENT_ID`]: 'gatehouse',
      [`SSO_${id}_CLIENT_SECRET`]: 'the-client-secret',
      [`SSO_${id}_JOIN`]: joins,
    })
    const env = {
      SMTP_URL: 'smtp://user:the-mail-password@mail.example',
      MAIL_FROM: 'Doors <doors@example.org>',
      SSO_PROVIDERS: 'corp,other',
      ...provider('CORP', 'Test/Operator'),
      ...provider('OTHER', 'Elsewhere/Operator'),
      ACCESS_EVENT_RETENTION_DAYS: '30',
    }
    const configured = await startHouse({ env })
    const { status, body, text } = await configured.owner.get(`${PATH}/environment`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      mail: { is_sent: true, from: env.MAIL_FROM },
      single_sign_on: [
        { issuer: 'https://corp.example', joins_as: 'Operator' },
        { issuer: 'https://other.example', joins_as: null },
      ],
      trusted_issuers: ['https://idp.example'],
      session: { hours: 12, idle_minutes: 30 },
      kept_days: { audit_log: 0, access_events: 30, door_events: 90 },
    })
    for (const hidden of ['the-client-secret', 'the-mail-password', 'Elsewhere']) expect(text).not.toContain(hidden)
    expect((await owner.get(`${PATH}/environment`)).body.data).toMatchObject({
      mail: { is_sent: false, from: null },
      single_sign_on: [],
    })
  })

  it('is changed, on the record, and for every reader at once', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Here' })
    const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Room', building_id: building.id })
    expect((await owner.get(`/api/v1/spaces/${space.id}`)).body.data.time_zone).toBe('Europe/Zurich')
    const before = (await owner.get(PATH)).body.data
    clock.forward(1000)
    const change = { name: 'Prüfstelle', time_zone: 'Asia/Tokyo', language: 'de', max_token_days: 30 }
    const { status, body, headers } = await owner.patch(PATH, change, { 'if-match': '"1"' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, ...change, version: 2, updated_at: clock.now() })
    expect(headers.etag).toBe('"2"')
    expect((await owner.get(PATH)).body.data).toEqual(body.data)
    // A space without a time zone of its own has the organization's.
    expect((await owner.get(`/api/v1/spaces/${space.id}`)).body.data.time_zone).toBe('Asia/Tokyo')
    expect((await owner.get('/api/v1/me')).body.data.organization).toMatchObject({ name: 'Prüfstelle', language: 'de' })
    const [entry] = (await owner.get('/api/v1/audit-log?action=eq.organization.updated')).body.data
    expect((await owner.patch(PATH, { name: 'Test' })).body.data.version).toBe(3)
    expect(entry).toMatchObject({
      resource: 'organizations',
      resource_id: before.id,
      before,
      after: body.data,
      actor_kind: 'service_user',
    })
  })

  it('stays as it is when nothing of it changes, or when somebody else changed it meanwhile', async () => {
    const { body } = await owner.get(PATH)
    expect((await owner.patch(PATH, { name: body.data.name })).body.data).toEqual(body.data)
    expect((await owner.patch(PATH, {})).body.data).toEqual(body.data)
    const stale = await owner.patch(PATH, { name: 'Late' }, { 'if-match': '"1"' })
    expect([stale.status, stale.body.error.code]).toEqual([412, 'VERSION_CONFLICT'])
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ time_zone: 'Zurich' }, 'time_zone'],
    [{ time_zone: null }, 'time_zone'],
    [{ language: 'fr' }, 'language'],
    [{ max_token_days: 0 }, 'max_token_days'],
    [{ max_token_days: 367 }, 'max_token_days'],
    [{ max_token_days: '30' }, 'max_token_days'],
    [{ status: 'suspended' }, 'status'],
    [{ version: 1 }, 'version'],
  ])('%j is refused', async (body, path) => {
    const answer = await owner.patch(PATH, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details[0].path).toBe(path)
  })

  it('cannot have the name of another', async () => {
    const answer = await owner.patch(PATH, { name: 'Other' })
    expect([answer.status, answer.body.error.code, answer.body.msg]).toEqual([
      409,
      'CONFLICT',
      'name is already taken by another item',
    ])
  })

  it('bounds how long new and rotated tokens live, and leaves those that exist', async () => {
    const admin = house.loggedIn(owner.token)
    await admin.patch(PATH, { max_token_days: 366 })
    const { id } = await admin.create('/api/v1/service-users', { name: 'Job' })
    const path = `/api/v1/service-users/${id}/tokens`
    const ahead = (days: number) => new Date(Date.parse(clock.now()) + days * DAY).toISOString()
    const long = await admin.create(path, { name: 'Long', expires_at: ahead(300) })
    await admin.patch(PATH, { max_token_days: 10 })
    const refused = await admin.post(path, { name: 'Longer', expires_at: ahead(11) })
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'expires_at'])
    expect(refused.body.msg).toContain('at most 10 days')
    expect((await admin.post(`${path}/${long.id}/rotate`, { expires_at: ahead(11) })).status).toBe(400)
    expect((await admin.get(`${path}/${long.id}`)).body.data).toMatchObject({
      expires_at: long.expires_at,
      status: 'active',
    })
    expect((await admin.post(`${path}/${long.id}/rotate`, { expires_at: ahead(9) })).status).toBe(201)
    // One from the command line, without a date, gets as long as there is.
    const { token } = await house.member('Owner')
    expect((await house.client(token).get('/api/v1/me')).body.data.token.expires_at).toBe(ahead(10))
  })

  it('is there only for those who may see it, everywhere', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'There' })
    const reader = await memberWith(house, ['organization:read'])
    const blind = await memberWith(house, ['spaces:read'])
    const local = await house.member('Owner', { location_id: location.id })
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await house.anonymous.patch(PATH, {})).status).toBe(401)
    expect([(await blind.get(PATH)).status, (await blind.patch(PATH, { name: 'X' })).status]).toEqual([403, 403])
    expect([(await reader.get(PATH)).status, (await reader.patch(PATH, { name: 'X' })).status]).toEqual([200, 403])
    expect([(await local.get(PATH)).status, (await local.patch(PATH, { name: 'X' })).status]).toEqual([404, 404])
  })
})
