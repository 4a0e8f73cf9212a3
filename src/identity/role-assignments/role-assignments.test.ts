import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/role-assignments'
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'

const roleId = async (name: string) =>
  (await owner.get(`/api/v1/roles?name=eq.${encodeURIComponent(name)}`)).body.data[0].id as string
const newServiceUser = async () => (await owner.create('/api/v1/service-users', { name: 'Somebody' })).id as string
const place: Record<'top' | 'north' | 'south' | 'northHouse', string> = {
  top: '',
  north: '',
  south: '',
  northHouse: '',
}

beforeAll(async () => {
  place.top = (await owner.create('/api/v1/locations', { name: 'Top' })).id
  place.north = (await owner.create('/api/v1/locations', { name: 'North', parent_id: place.top })).id
  place.south = (await owner.create('/api/v1/locations', { name: 'South', parent_id: place.top })).id
  place.northHouse = (await owner.create('/api/v1/buildings', { name: 'North house', location_id: place.north })).id
})

describe('role assignments', () => {
  it('are created, read, listed and deleted, with the names of what they join', async () => {
    const body = {
      role_id: await roleId('Operator'),
      service_user_id: await newServiceUser(),
      location_id: place.north,
    }
    const made = await owner.post(path, body)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      ...body,
      building_id: null,
      role_name: 'Operator',
      service_user_name: 'Somebody',
    })
    const item = `${path}/${made.body.data.id}`
    expect((await owner.get(item)).body.data).toEqual(made.body.data)
    const listed = await owner.get(`${path}?service_user_id=eq.${body.service_user_id}&role_name=eq.Operator`)
    expect(listed.body.data).toEqual([made.body.data])
    expect((await owner.delete(item)).status).toBe(200)
    expect((await owner.get(item)).status).toBe(404)
  })

  it('are not changed: a patch is 405', async () => {
    const made = await owner.create(path, {
      role_id: await roleId('Operator'),
      service_user_id: await newServiceUser(),
    })
    const answer = await owner.patch(`${path}/${made.id}`, { location_id: place.north })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS'])
  })

  it('name a role, a service user and at most one place, all of which exist', async () => {
    const role_id = await roleId('Operator')
    const service_user_id = await newServiceUser()
    const wrong = [
      {},
      { role_id },
      { service_user_id },
      { role_id: unknown, service_user_id },
      { role_id, service_user_id: unknown },
      { role_id, service_user_id, location_id: unknown },
      { role_id, service_user_id, building_id: place.north },
      { role_id, service_user_id, location_id: place.north, building_id: place.northHouse },
      { role_id, service_user_id, role_name: 'Owner' },
    ]
    for (const body of wrong) {
      const answer = await owner.post(path, body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('are not made twice', async () => {
    const body = { role_id: await roleId('Operator'), service_user_id: await newServiceUser() }
    await owner.create(path, body)
    const answer = await owner.post(path, body)
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'role_assignment.exists'])
    expect((await owner.post(path, { ...body, location_id: place.north })).status).toBe(201)
    expect((await owner.post(path, { ...body, building_id: place.northHouse })).status).toBe(201)
    expect((await owner.post(path, { ...body, building_id: place.northHouse })).status).toBe(409)
  })

  it('keep the place they are limited to from being deleted', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Held' })
    await owner.create(path, {
      role_id: await roleId('Operator'),
      service_user_id: await newServiceUser(),
      location_id: location.id,
    })
    const answer = await owner.delete(`/api/v1/locations/${location.id}`)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'RESOURCE_IN_USE'])
    expect(answer.body.msg).toContain('1 role assignment (location_id)')
  })

  it('are 401 without a credential, 403 without the permission, 404 when unknown', async () => {
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await (await house.member('Operator')).get(path)).status).toBe(403)
    expect((await (await house.member('Administrator')).post(path, {})).status).toBe(403)
    expect((await owner.get(`${path}/${unknown}`)).status).toBe(404)
    expect((await owner.delete(`${path}/${unknown}`)).status).toBe(404)
  })
})

describe('a change of roles takes hold at once', () => {
  it('what is given can be done with the next request, and what is taken cannot', async () => {
    const client = await house.member('Auditor')
    const { id } = (await client.get('/api/v1/me')).body.data
    expect((await client.post('/api/v1/locations', { name: 'No' })).status).toBe(403)
    const given = await owner.create(path, { role_id: await roleId('Facility manager'), service_user_id: id })
    expect((await client.post('/api/v1/locations', { name: 'Yes' })).status).toBe(201)
    await owner.delete(`${path}/${given.id}`)
    expect((await client.post('/api/v1/locations', { name: 'No more' })).status).toBe(403)
  })

  it('a role that is widened or narrowed does so for everybody who has it', async () => {
    const role = await owner.create('/api/v1/roles', { name: 'Growing', permissions: ['spaces:read'] })
    const client = await house.member('Growing')
    expect((await client.get('/api/v1/locations')).status).toBe(403)
    await owner.patch(`/api/v1/roles/${role.id}`, { permissions: ['spaces:read', 'locations:read'] })
    expect((await client.get('/api/v1/locations')).status).toBe(200)
    await owner.patch(`/api/v1/roles/${role.id}`, { permissions: [] })
    expect((await client.get('/api/v1/spaces')).status).toBe(403)
  })
})

describe('a role limited to a place', () => {
  it('reaches the place and everything below it, and nothing else exists', async () => {
    const local = await house.member('Facility manager', { location_id: place.north })
    const names = (await local.get('/api/v1/locations')).body.data.map((row: { name: string }) => row.name)
    expect(names).toEqual(['North'])
    expect((await local.get(`/api/v1/buildings/${place.northHouse}`)).status).toBe(200)
    expect((await local.get(`/api/v1/locations/${place.south}`)).status).toBe(404)
    expect((await local.get(`/api/v1/locations/${place.top}`)).status).toBe(404)
  })

  it('lets its holder see and give roles in that place only', async () => {
    const local = await house.member('Owner', { location_id: place.north })
    const body = { role_id: await roleId('Operator'), service_user_id: await newServiceUser() }
    const unknown = await local.post(path, { ...body, building_id: place.northHouse })
    expect([unknown.status, unknown.body.error.reason]).toEqual([400, 'reference.not_found'])
    // Whoever has a role there is known there, by name alone.
    await owner.create(path, { ...body, role_id: await roleId('Auditor'), location_id: place.north })
    const known = await local.get(`/api/v1/service-users/${body.service_user_id}`)
    expect(Object.keys(known.body.data).sort()).toEqual(['id', 'name'])
    expect((await local.patch(`/api/v1/service-users/${body.service_user_id}`, { name: 'Mine' })).status).toBe(403)
    const inside = await local.post(path, { ...body, building_id: place.northHouse })
    expect(inside.status).toBe(201)
    const seen = (await local.get(`${path}?limit=100`)).body.data
    expect(seen.length).toBeGreaterThan(0)
    for (const row of seen) expect([place.north, place.northHouse]).toContain(row.location_id ?? row.building_id)
    const elsewhere = await owner.create(path, { ...body, location_id: place.south })
    expect((await local.get(`${path}/${elsewhere.id}`)).status).toBe(404)
    expect((await local.delete(`${path}/${elsewhere.id}`)).status).toBe(404)
    expect((await local.post(path, { ...body, location_id: place.south })).body.error.reason).toBe(
      'reference.not_found',
    )
    const everywhere = await local.post(path, body)
    expect([everywhere.status, everywhere.body.error.reason]).toEqual([403, 'insufficient_permissions'])
  })
})

describe('nobody gives more than they have', () => {
  it('a role with permissions that the giver lacks cannot be given', async () => {
    await owner.create('/api/v1/roles', {
      name: 'Giver',
      permissions: ['role-assignments:read', 'role-assignments:write', 'keys:read'],
    })
    await owner.create('/api/v1/roles', { name: 'Key reader', permissions: ['keys:read'] })
    const giver = await house.member('Giver')
    const service_user_id = await newServiceUser()
    const answer = await giver.post(path, { role_id: await roleId('Owner'), service_user_id })
    expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
      403,
      'UNAUTHORIZED',
      'insufficient_permissions',
    ])
    expect(
      (await giver.post(path, { role_id: await roleId('Owner'), service_user_id, location_id: place.north })).status,
    ).toBe(403)
    expect((await giver.post(path, { role_id: await roleId('Key reader'), service_user_id })).status).toBe(201)
  })

  it('a permission held in one place cannot be given in another, nor above it, nor everywhere', async () => {
    const giver = await house.member('Giver')
    const { id } = (await giver.get('/api/v1/me')).body.data
    const operator = await roleId('Operator')
    await owner.create(path, { role_id: operator, service_user_id: id, location_id: place.north })
    const give = async (where: object) =>
      (await giver.post(path, { role_id: operator, service_user_id: await newServiceUser(), ...where })).status
    expect(await give({})).toBe(403)
    expect(await give({ location_id: place.top })).toBe(403)
    expect(await give({ location_id: place.south })).toBe(403)
    expect(await give({ location_id: place.north })).toBe(201)
    expect(await give({ building_id: place.northHouse })).toBe(201)
  })
})
