import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/locking-system'
let estate: Estate
let other: Estate
beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
})

describe('locking systems', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, {
      name: 'Hauptgebäude',
      manufacturer: 'EVVA',
      security_card_number: 'SC-1',
      building_id: estate.building.id,
    })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`${PATH}/${made.body.data.id}`)
    expect(made.body.data).toMatchObject({
      kind: 'mechanical',
      hierarchy: 'single',
      status: 'active',
      number: null,
      location_id: null,
      cylinder_count: 0,
      key_count: 0,
      keys_issued_count: 0,
      keys_lost_count: 0,
      version: 1,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    for (const word of ['hauptgebaude', 'evva', 'sc-1'])
      expect((await owner.get(`${PATH}?search=${word}`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { status: 'retired' })).body.data).toMatchObject({ status: 'retired', version: 2 })
    expect((await owner.patch(path, { name: 'X' }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(path)).body.data.id).toBe(made.body.data.id)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('have counts that nobody can set', async () => {
    for (const field of ['cylinder_count', 'key_count', 'keys_issued_count', 'keys_lost_count']) {
      expect((await owner.post(PATH, { name: 'Counted', [field]: 5 })).status).toBe(400)
      expect((await owner.patch(`${PATH}/${estate.system.id}`, { [field]: 5 })).status).toBe(400)
    }
  })

  it('count their cylinders and keys, and are sorted and filtered by those counts', async () => {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'C1' })
    const person = await owner.create('/api/v1/individuals', { display_name: 'Counter' })
    await owner.create('/api/v1/cylinders', { locking_system_id: estate.system.id, number: 'C-1' })
    const made = []
    for (const number of ['1', '2', '3'])
      made.push(await owner.create('/api/v1/keys', { key_type_id: type.id, number, status: 'in_stock' }))
    expect((await owner.post(`/api/v1/keys/${made[0].id}/issue`, { individual_id: person.id })).status).toBe(200)
    expect((await owner.post(`/api/v1/keys/${made[1].id}/report-lost`)).status).toBe(200)
    const { body } = await owner.get(`${PATH}?keys_lost_count=gte.1&order=key_count.desc`)
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({
      id: estate.system.id,
      cylinder_count: 1,
      key_count: 3,
      keys_issued_count: 1,
      keys_lost_count: 1,
    })
  })

  it('in use are not deleted, and the answer names what uses them', async () => {
    const system = await owner.create(PATH, { name: 'Used' })
    await owner.create('/api/v1/cylinders', { locking_system_id: system.id, number: '1' })
    await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'A' })
    const answer = await owner.delete(`${PATH}/${system.id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('RESOURCE_IN_USE')
    expect(answer.body.msg).toContain('1 cylinder')
    expect(answer.body.msg).toContain('1 key type')
    expect(answer.body.error.details).toEqual(
      expect.arrayContaining([
        { path: 'cylinders.locking_system_id', rule: 'in_use', message: '1 cylinder (locking_system_id)' },
        { path: 'key-types.locking_system_id', rule: 'in_use', message: '1 key type (locking_system_id)' },
      ]),
    )
  })

  it('stand in a building that lies at their location, or somewhere below it', async () => {
    const inner = await owner.create('/api/v1/locations', { name: 'Inner', parent_id: estate.location.id })
    const building = await owner.create('/api/v1/buildings', { name: 'Inner house', location_id: inner.id })
    const place = { building_id: building.id, location_id: estate.location.id }
    expect((await owner.post(PATH, { name: 'Below', ...place })).status).toBe(201)
    const wrong = await owner.post(PATH, { name: 'Wrong', building_id: building.id, location_id: other.location.id })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.reason).toBe('locking_system.building_elsewhere')
    const moved = await owner.patch(`${PATH}/${estate.system.id}`, { location_id: other.location.id })
    expect(moved.body.error.reason).toBe('locking_system.building_elsewhere')
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['an unknown kind', { name: 'A', kind: 'magic' }],
    ['a day that does not exist', { name: 'A', installed_on: '2027-02-30' }],
    ['an unknown field', { name: 'A', colour: 'red' }],
    ['a building that does not exist', { name: 'A', building_id: '01997d2a-4c00-7000-8000-00000000dead' }],
  ])('with %s are refused', async (_what, body) => {
    expect((await owner.post(PATH, body)).status).toBe(400)
  })

  it('need a credential, and the permission', async () => {
    const path = `${PATH}/${estate.system.id}`
    const stranger = await memberWith(house, ['cylinders:read'])
    const auditor = await house.member('Auditor')
    for (const who of [anonymous, stranger]) {
      const status = who === anonymous ? 401 : 403
      expect((await who.get(PATH)).status).toBe(status)
      expect((await who.get('/v1/core/locking-system')).status).toBe(status)
      expect((await who.get(path)).status).toBe(status)
    }
    expect((await auditor.get(path)).status).toBe(200)
    for (const who of [anonymous, auditor]) {
      const status = who === anonymous ? 401 : 403
      expect((await who.post(PATH, { name: 'A' })).status).toBe(status)
      expect((await who.patch(path, { name: 'A' })).status).toBe(status)
      expect((await who.delete(path)).status).toBe(status)
    }
  })

  it('outside the caller’s places do not exist', async () => {
    const janitor = await house.member('Facility manager', { building_id: estate.building.id })
    const elsewhere = `${PATH}/${other.system.id}`
    expect((await janitor.get(`${PATH}/${estate.system.id}`)).status).toBe(200)
    expect((await janitor.get(elsewhere)).status).toBe(404)
    expect((await janitor.patch(elsewhere, { name: 'Mine' })).status).toBe(404)
    expect((await janitor.delete(elsewhere)).status).toBe(404)
    expect((await janitor.get(`${PATH}/${randomUUID()}`)).status).toBe(404)
    const { body } = await janitor.get(`${PATH}?limit=100&select=id`)
    expect(body.data.map((row: { id: string }) => row.id)).toEqual([estate.system.id])
    expect((await janitor.get('/v1/core/locking-system')).body.meta.pagination.total).toBe(1)
    expect((await janitor.post(PATH, { name: 'Nowhere' })).status).toBe(403)
    expect((await janitor.post(PATH, { name: 'There', building_id: other.building.id })).status).toBe(400)
    expect((await janitor.post(PATH, { name: 'Here', building_id: estate.building.id })).status).toBe(201)
  })

  it('at a location are seen by whoever may see the location above it', async () => {
    const site = await owner.create('/api/v1/locations', { name: 'Site', parent_id: estate.location.id })
    const system = await owner.create(PATH, { name: 'Gate', location_id: site.id })
    const inside = await house.member('Auditor', { location_id: estate.location.id })
    const outside = await house.member('Auditor', { location_id: other.location.id })
    expect((await inside.get(`${PATH}/${system.id}`)).status).toBe(200)
    expect((await outside.get(`${PATH}/${system.id}`)).status).toBe(404)
  })
})
