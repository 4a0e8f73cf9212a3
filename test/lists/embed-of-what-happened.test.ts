import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../support/app.ts'
import { memberWith } from '../support/role.ts'

const house = await startHouse()
const { owner, clock } = house
const EVENTS = '/api/v1/access-events'

let door: { id: string }
let building: { id: string }
let ada: { id: string }
let gone: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers', location_id: location.id })
  door = await owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  gone = await owner.create('/api/v1/individuals', { display_name: 'Bob' })
  clock.forward(1000)
  for (const individual_id of [ada.id, ada.id, gone.id])
    await owner.create(EVENTS, { type: 'access.denied', access_point_id: door.id, individual_id })
  await owner.create(EVENTS, { type: 'door.forced', access_point_id: door.id })
  await owner.delete(`/api/v1/individuals/${gone.id}`)
})

describe('what is read of events, alarms and doors beside their ids', () => {
  it('are fields of what they name; nothing of what is gone or not seen, and null where there is none', async () => {
    const url = `${EVENTS}?select=individual(display_name),access_point(name),building(name),credential(number)&type=in.(access.denied,door.forced)`
    const at = { access_point: { name: 'Door' }, building: { name: 'Main' }, credential: null }
    expect((await owner.get(url)).body.data).toEqual([
      { individual: { display_name: 'Ada' }, ...at },
      { individual: { display_name: 'Ada' }, ...at },
      at,
      { individual: null, ...at },
    ])
    const blind = await memberWith(house, ['access-events:read'])
    expect(
      (await blind.get(`${EVENTS}?select=type,individual(display_name)&individual_id=eq.${ada.id}&limit=1`)).body.data,
    ).toEqual([{ type: 'access.denied' }])
  })

  it('are there of alarms, with the verdict of their event, and of doors by the space they lead into', async () => {
    const alarms = await owner.get(
      '/api/v1/alarms?select=kind,access_point(name),event(type,verdict),individual(display_name)',
    )
    expect(alarms.body.data).toEqual([
      {
        kind: 'forced_open',
        access_point: { name: 'Door' },
        event: { type: 'door.forced', verdict: 'unknown' },
        individual: null,
      },
    ])
    const doors = await owner.get('/api/v1/access-points?select=name,building(name)')
    expect(doors.body.data).toEqual([{ name: 'Door', building: { name: 'Main' } }])
    expect(
      (await owner.get('/api/v1/commands?select=action,access_point(name),access_control_system(name)')).status,
    ).toBe(200)
    expect((await owner.get(`${EVENTS}?select=command(status)&limit=1`)).body.data).toEqual([{ command: null }])
  })

  it('are what they are counted by', async () => {
    const counted = async (path: string, query: string) =>
      (await owner.get(`/api/v1/${path}/summary?${query}`)).body.data
    expect(await counted('access-events', 'group_by=individual_id&type=eq.access.denied')).toEqual([
      { individual_id: ada.id, count: 2 },
      { individual_id: gone.id, count: 1 },
    ])
    expect(await counted('alarms', 'group_by=access_point_id,kind')).toEqual([
      { access_point_id: door.id, kind: 'forced_open', count: 1 },
    ])
    expect(await counted('access-points', 'group_by=building_id')).toEqual([{ building_id: building.id, count: 1 }])
  })
})
