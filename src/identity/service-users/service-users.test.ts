import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/service-users'
const unknown = `${path}/01997d2a-4c00-7000-8000-00000000ffff`

const me = async (client: typeof owner) => (await client.get('/api/v1/me')).body.data

describe('service users', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(path, { name: 'Nightly import', description: 'Zürich', external_id: 'job-1' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ name: 'Nightly import', status: 'active', last_used_at: null, version: 1 })
    const item = `${path}/${made.body.data.id}`
    expect(made.headers.location).toBe(item)
    expect((await owner.get(item)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${path}?search=zurich`)).body.data).toHaveLength(1)
    expect((await owner.patch(item, { description: null })).body.data).toMatchObject({ description: null, version: 2 })
    expect((await owner.delete(item)).body.data.id).toBe(made.body.data.id)
    expect((await owner.get(item)).status).toBe(404)
  })

  it('with a wrong body are 400', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: 'x', status: 'asleep' },
      { name: 'x', last_used_at: null },
      { name: 'x', colour: 'red' },
    ]) {
      const answer = await owner.post(path, body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('are 401 without a credential, 403 without the permission, 404 when unknown', async () => {
    const operator = await house.member('Operator')
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await operator.get(path)).status).toBe(403)
    for (const answer of [await owner.get(unknown), await owner.patch(unknown, {}), await owner.delete(unknown)])
      expect(answer.status).toBe(404)
  })

  it('are the organization’s: to a role limited to a place only those exist who have a role there', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'North' })
    const local = await house.member('Administrator', { location_id: location.id })
    const other = await owner.create(path, { name: 'Other' })
    // But for those who have a role there, by name.
    const { id, name } = (await local.get('/api/v1/me')).body.data
    expect((await local.get(path)).body.data).toEqual([{ id, name }])
    expect((await local.get(`${path}/${other.id}`)).status).toBe(404)
    expect((await local.get(`${path}/${other.id}/tokens`)).status).toBe(404)
  })

  it('take their tokens and roles with them when deleted, each on the record', async () => {
    const client = await house.member('Auditor')
    const { id, roles, token } = await me(client)
    expect((await owner.delete(`${path}/${id}`)).status).toBe(200)
    expect((await client.get('/api/v1/me')).status).toBe(401)
    expect((await owner.get(`/api/v1/role-assignments/${roles[0].role_assignment_id}`)).status).toBe(404)
    const deleted = await owner.get(
      '/api/v1/audit-log?action=like.*.deleted&order=sequence.desc&limit=3&select=resource_id',
    )
    expect(deleted.body.data.map((entry: { resource_id: string }) => entry.resource_id)).toEqual([
      id,
      token.id,
      roles[0].role_assignment_id,
    ])
  })

  it('show when they were last used although that moves no version', async () => {
    const client = await house.member('Auditor')
    const { id } = await me(client)
    const used = () => owner.get(`${path}/${id}`)
    await expect.poll(async () => (await used()).body.data.last_used_at).toBe(house.clock.now())
    const before = await used()
    expect(before.body.data.version).toBe(1)
    house.clock.forward(61_000)
    await client.get('/api/v1/me')
    await expect.poll(async () => (await used()).body.data.last_used_at).toBe(house.clock.now())
    expect((await owner.get(`${path}/${id}`, { 'if-none-match': String(before.headers.etag) })).status).toBe(200)
  })
})

describe('the last Owner', () => {
  it('cannot be deleted, suspended or stripped of the role; once there is another, it can', async () => {
    const alone = await startHouse()
    const { id, roles } = await me(alone.owner)
    const refusals = [
      await alone.owner.delete(`${path}/${id}`),
      await alone.owner.patch(`${path}/${id}`, { status: 'suspended' }),
      await alone.owner.delete(`/api/v1/role-assignments/${roles[0].role_assignment_id}`),
    ]
    for (const answer of refusals)
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
        409,
        'INVALID_STATE',
        'role_assignment.last_owner',
      ])

    const second = await alone.member('Owner')
    const secondId = (await me(second)).id
    await alone.owner.patch(`${path}/${secondId}`, { status: 'suspended' })
    expect((await alone.owner.delete(`${path}/${id}`)).body.error.reason).toBe('role_assignment.last_owner')
    await alone.owner.patch(`${path}/${secondId}`, { status: 'active' })
    expect((await alone.owner.delete(`${path}/${id}`)).status).toBe(200)
  })

  it('is counted organization-wide: an Owner of one place does not stand in', async () => {
    const alone = await startHouse()
    const location = await alone.owner.create('/api/v1/locations', { name: 'North' })
    await alone.member('Owner', { location_id: location.id })
    expect((await alone.owner.delete(`${path}/${(await me(alone.owner)).id}`)).body.error.reason).toBe(
      'role_assignment.last_owner',
    )
  })
})
