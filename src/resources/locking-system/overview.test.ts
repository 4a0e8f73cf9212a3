import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/locking-system/overview'

describe('the overview of locking systems', () => {
  let estate: Estate
  let empty: unknown

  beforeAll(async () => {
    empty = (await owner.get(PATH)).body.data
    estate = await makeEstate(owner, 'Campus')
    const { system, door, location, space } = estate
    await owner.patch(`/api/v1/locking-system/${system.id}`, {
      manufacturer: 'EVVA',
      security_card_expires_on: '2027-09-13',
    })
    const elsewhere = await makeEstate(owner, 'Elsewhere')
    const more = [
      {
        name: 'Cards end after 90 days',
        manufacturer: 'EVVA',
        kind: 'electronic',
        security_card_expires_on: '2027-09-14',
      },
      { name: 'Card ended yesterday', status: 'planned', security_card_expires_on: '2027-06-14' },
      { name: 'Card ends today', location_id: location.id, security_card_expires_on: '2027-06-15' },
      { name: 'Retired', status: 'retired', security_card_expires_on: '2027-07-01', manufacturer: '' },
    ]
    for (const body of more) await owner.create('/api/v1/locking-system', body)
    await owner.create('/api/v1/access-points', { name: 'Without cylinder', space_id: space.id })

    const cylinders = '/api/v1/cylinders'
    await owner.create(cylinders, {
      locking_system_id: system.id,
      number: '1',
      status: 'installed',
      access_point_id: door.id,
    })
    await owner.create(cylinders, { locking_system_id: system.id, number: '2', status: 'in_stock' })
    await owner.create(cylinders, {
      locking_system_id: system.id,
      number: '3',
      status: 'defective',
      access_point_id: door.id,
    })
    await owner.create(cylinders, { locking_system_id: system.id, number: '4' })
    await owner.create(cylinders, { locking_system_id: elsewhere.system.id, number: '1', status: 'in_stock' })

    const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'A' })
    const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
    const keys: Array<{ id: string }> = []
    for (const number of ['1', '2', '3', '4', '5'])
      keys.push(await owner.create('/api/v1/keys', { key_type_id: type.id, number, status: 'in_stock' }))
    for (const [index, due_back_on] of ['2027-06-14', '2027-06-15', null].entries())
      await owner.post(`/api/v1/keys/${keys[index]?.id}/issue`, { individual_id: person.id, due_back_on })
    await owner.post(`/api/v1/keys/${keys[3]?.id}/report-lost`)
  })

  it('of nothing is all zeros, with every kind and status', () => {
    expect(empty).toEqual({
      total: 0,
      by_kind: { mechanical: 0, mechatronic: 0, electronic: 0, mixed: 0 },
      by_status: { planned: 0, active: 0, retired: 0 },
      by_manufacturer: {},
      cylinders: { total: 0, installed: 0, in_stock: 0, defective: 0 },
      keys: { total: 0, in_stock: 0, issued: 0, overdue: 0, lost: 0 },
      access_points: { total: 0, with_cylinder: 0 },
      security_cards: { expiring_within_90_days: 0 },
    })
  })

  it('counts systems, cylinders, keys, access points and security cards', async () => {
    const { status, body } = await owner.get(PATH)
    expect(status).toBe(200)
    expect(typeof body.msg).toBe('string')
    expect(body.data).toEqual({
      total: 6,
      by_kind: { mechanical: 5, mechatronic: 0, electronic: 1, mixed: 0 },
      by_status: { planned: 1, active: 4, retired: 1 },
      by_manufacturer: { EVVA: 2, unknown: 4 },
      cylinders: { total: 5, installed: 1, in_stock: 2, defective: 1 },
      keys: { total: 5, in_stock: 1, issued: 3, overdue: 1, lost: 1 },
      access_points: { total: 3, with_cylinder: 1 },
      security_cards: { expiring_within_90_days: 2 },
    })
  })

  it('by POST is the same, without a body or with an empty one, and changes nothing', async () => {
    const { body } = await owner.get(PATH)
    for (const sent of [undefined, {}]) {
      const answer = await owner.post(PATH, sent)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(body)
    }
    expect((await owner.post(PATH, { total: 9 })).status).toBe(400)
    const auditor = await house.member('Auditor')
    expect((await auditor.post(PATH)).status).toBe(200)
  })

  it('a key due back today is overdue tomorrow', async () => {
    const before = house.clock.now()
    house.clock.set('2027-06-16T00:00:00.000Z')
    expect((await owner.get(PATH)).body.data.keys.overdue).toBe(2)
    house.clock.set(before)
  })

  it('counts only what lies in the caller’s places', async () => {
    const janitor = await house.member('Facility manager', { location_id: estate.location.id })
    expect((await janitor.get(PATH)).body.data).toMatchObject({
      total: 2,
      by_manufacturer: { EVVA: 1, unknown: 1 },
      cylinders: { total: 4, in_stock: 1 },
      keys: { total: 5, issued: 3 },
      access_points: { total: 2, with_cylinder: 1 },
      security_cards: { expiring_within_90_days: 2 },
    })
    const empty = await owner.create('/api/v1/locations', { name: 'Empty' })
    const stranger = await house.member('Facility manager', { location_id: empty.id })
    expect((await stranger.get(PATH)).body.data).toMatchObject({
      total: 0,
      cylinders: { total: 0 },
      keys: { total: 0 },
      access_points: { total: 0 },
    })
  })

  it('counts cylinders as their list does, those in doors of the caller’s building included', async () => {
    const building = await owner.create('/api/v1/buildings', { name: 'Annex', location_id: estate.location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Cellar', building_id: building.id })
    const door = await owner.create('/api/v1/access-points', { name: 'Cellar door', space_id: space.id })
    const body = { locking_system_id: estate.system.id, number: '99', status: 'installed', access_point_id: door.id }
    await owner.create('/api/v1/cylinders', body)
    const caretaker = await house.member('Facility manager', { building_id: building.id })
    expect((await caretaker.get('/api/v1/cylinders')).body.meta.pagination.total).toBe(1)
    expect((await caretaker.get(PATH)).body.data).toMatchObject({
      // Its system lies elsewhere, and is seen for that cylinder.
      total: 1,
      cylinders: { total: 1, installed: 1 },
      access_points: { total: 1, with_cylinder: 1 },
    })
  })

  it('says null of cylinders, keys and access points to whoever may not read them', async () => {
    const narrow = await memberWith(house, ['locking-system:read'])
    const { data } = (await narrow.get(PATH)).body
    expect(data.cylinders).toEqual({ total: null, installed: null, in_stock: null, defective: null })
    expect(data.keys).toEqual({ total: null, in_stock: null, issued: null, overdue: null, lost: null })
    expect(data.access_points).toEqual({ total: null, with_cylinder: null })
    expect(data.total).toBe(6)
  })

  it('takes no parameters', async () => {
    const { status, body } = await owner.get(`${PATH}?location_id=${estate.location.id}`)
    expect(status).toBe(400)
    expect(body.error.reason).toBe('param.unknown')
  })

  it('needs a credential, and the permission', async () => {
    const narrow = await memberWith(house, ['keys:read'])
    expect((await anonymous.get(PATH)).status).toBe(401)
    expect((await anonymous.post(PATH)).status).toBe(401)
    expect((await narrow.get(PATH)).status).toBe(403)
    expect((await narrow.post(PATH)).status).toBe(403)
  })
})
