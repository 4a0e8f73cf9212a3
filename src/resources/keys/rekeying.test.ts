import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
type Item = { id: string }
let here: Estate
let there: Estate
let lost: Item
const cylinders: Record<string, Item> = {}
const types: Record<string, Item> = {}

beforeAll(async () => {
  here = await makeEstate(owner, 'Here')
  there = await makeEstate(owner, 'There')
  const system = { locking_system_id: here.system.id }
  for (const code of ['GHS', 'HS1', 'HS2']) types[code] = await owner.create('/api/v1/key-types', { ...system, code })
  const built = async (number: string, door?: Item) => {
    const place = door ? { status: 'installed', access_point_id: door.id } : {}
    cylinders[number] = await owner.create('/api/v1/cylinders', { ...system, number, ...place })
  }
  await built('1', here.door)
  await built('2', there.door)
  await built('3')
  const cell = (code: string, number: string) => ({ key_type_id: types[code]?.id, cylinder_id: cylinders[number]?.id })
  const set = [cell('GHS', '1'), cell('GHS', '2'), cell('GHS', '3'), cell('HS1', '1'), cell('HS2', '3')]
  await owner.post(`/api/v1/locking-system/${here.system.id}/plan/cells`, { set })
  const key = (code: string, number: string) =>
    owner.create('/api/v1/keys', { key_type_id: types[code]?.id, number, status: 'in_stock' })
  lost = await key('GHS', '1')
  for (const [code, number] of [
    ['GHS', '2'],
    ['HS1', '1'],
    ['HS1', '2'],
    ['HS2', '1'],
  ] as const) {
    const holder = await owner.create('/api/v1/individuals', { display_name: `${code} ${number}` })
    await owner.post(`/api/v1/keys/${(await key(code, number)).id}/issue`, { individual_id: holder.id })
  }
})

const plan = async (query = '', who = owner) =>
  (await who.get(`/api/v1/keys/${lost.id}/rekeying-plan${query}`)).body.data

describe('the re-keying plan of a key', () => {
  it('is empty while every copy is accounted for', async () => {
    expect(await plan()).toMatchObject({
      unaccounted_keys: 0,
      steps: [],
      key_types: [],
      holders: 0,
      copies: 0,
      cost: null,
    })
  })

  it('names the cylinders in doors, what each step leaves open, whose keys it touches and what it costs', async () => {
    await owner.post(`/api/v1/keys/${lost.id}/report-lost`)
    const door = (estate: Estate, name: string) => ({ id: estate.door.id, name: `${name} door` })
    expect(await plan('?cost_per_cylinder=80')).toEqual({
      unaccounted_keys: 1,
      steps: [
        {
          cylinder_id: cylinders['2']?.id,
          number: '2',
          access_point: door(there, 'There'),
          still_open: [door(here, 'Here')],
          key_types: [],
          holders: 1,
          copies: 1,
        },
        {
          cylinder_id: cylinders['1']?.id,
          number: '1',
          access_point: door(here, 'Here'),
          still_open: [],
          key_types: [{ id: types.HS1?.id, code: 'HS1' }],
          holders: 3,
          copies: 3,
        },
      ],
      key_types: [{ id: types.HS1?.id, code: 'HS1' }],
      holders: 3,
      copies: 3,
      cost: 160,
    })
  })

  it('tells a role that is limited to a building of what it sees there', async () => {
    const porter = await house.member('Facility manager', { building_id: there.building.id })
    const { steps, cost, limited_to } = await plan('?cost_per_cylinder=80', porter)
    expect(steps).toMatchObject([{ number: '2', access_point: { name: 'There door' }, still_open: [] }])
    expect(cost).toBe(80)
    expect(limited_to).toMatchObject([{ building_id: there.building.id }])
    const blind = await memberWith(house, ['keys:read'])
    expect(await plan('', blind)).toMatchObject({ unaccounted_keys: 1, steps: null, holders: null, cost: null })
  })

  it('counts the keys that its reader may see alone, though they see more cylinders', async () => {
    const porter = await memberWith(house, ['keys:read'], { building_id: there.building.id })
    const role = await owner.create('/api/v1/roles', { name: 'Locksmith', permissions: ['cylinders:read'] })
    const { id } = (await porter.get('/api/v1/me')).body.data
    const admin = house.loggedIn(owner.token)
    await admin.create('/api/v1/role-assignments', { service_user_id: id, role_id: role.id })
    const { steps, holders, copies, limited_to } = await plan('', porter)
    expect(steps).toMatchObject([
      { number: '1', holders: 1, copies: 1 },
      { number: '2', holders: 1, copies: 1 },
    ])
    expect([holders, copies]).toEqual([1, 1])
    expect(limited_to).toMatchObject([{ building_id: there.building.id }])
  })

  it('keeps the rules of every route', async () => {
    const path = `/api/v1/keys/${lost.id}/rekeying-plan`
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await (await memberWith(house, ['spaces:read'])).get(path)).status).toBe(403)
    expect((await owner.get(`${path}?cost_per_cylinder=-1`)).status).toBe(400)
    expect((await owner.get(`${path}?cost=1`)).status).toBe(400)
    expect((await owner.get('/api/v1/keys/01997d2a-4c00-7000-8000-00000000dead/rekeying-plan')).status).toBe(404)
  })
})
