import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import type { DoorChange } from '../../core/doors/door-state.ts'
import type { EventType } from '../../core/doors/events.ts'
import { setDoorState } from '../../live/door-states.ts'
import { ingest } from '../../live/intake/ingest.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/access-control-systems/overview'

async function happened(
  type: EventType,
  occurred_at: string,
  where: { access_point_id?: string; access_control_system_id?: string } = {},
) {
  const [result] = await ingest({ engine, clock }, 1, [{ type, occurred_at, ...where }])
  expect(result).toMatchObject({ status: 'stored' })
}

const setState = (access_point_id: string, change: Omit<DoorChange, 'access_point_id' | 'at'>) =>
  setDoorState({ engine, clock }, 1, [{ access_point_id, at: clock.now(), ...change }])

async function site(name: string) {
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  return { location, building, space }
}

describe('the overview of access control systems', () => {
  let here: Awaited<ReturnType<typeof site>>
  beforeAll(async () => {
    here = await site('Here')
    const there = await site('There')
    const system = await owner.create('/api/v1/access-control-systems', {
      name: 'A',
      kind: 'mqtt',
      status: 'connected',
      location_id: here.location.id,
    })
    await owner.create('/api/v1/access-control-systems', {
      name: 'B',
      status: 'disabled',
      location_id: there.location.id,
    })
    await owner.create('/api/v1/access-control-systems', { name: 'C', kind: 'mqtt', status: 'connected' })
    const door = async (space: { id: string }, access_control_system_id = null) =>
      (await owner.create('/api/v1/access-points', { name: 'Door', space_id: space.id, access_control_system_id }))
        .id as string
    const [online, offline, far] = [
      await door(here.space, system.id),
      await door(here.space, system.id),
      await door(there.space),
    ]
    await setState(online, { connectivity: 'online' })
    await setState(offline, { connectivity: 'offline', raised: ['tamper'] })
    const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
    await owner.create('/api/v1/individuals', { display_name: 'Bob', status: 'invited' })
    await owner.create('/api/v1/credentials', { type: 'card', number: '1', individual_id: person.id })
    await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '2',
      individual_id: person.id,
      status_reason: 'lost',
    })
    await owner.create('/api/v1/credentials', { type: 'card', number: '3' })
    await happened('access.granted', '2027-06-15T11:00:00.000Z', { access_point_id: online })
    await happened('access.denied', '2027-06-15T10:00:00.000Z', { access_point_id: far })
    await happened('system.online', '2027-06-14T12:30:00.000Z', { access_control_system_id: system.id })
    await happened('access.denied', '2027-06-14T12:00:00.000Z', { access_point_id: online })
  })

  it('counts everything there is, in the shape of the API', async () => {
    const { status, body } = await owner.get(PATH)
    expect(status).toBe(200)
    expect(body).toEqual({
      msg: 'Retrieved the overview of access control systems',
      data: {
        total: 3,
        by_status: { pending_setup: 0, connected: 2, degraded: 0, disconnected: 0, disabled: 1 },
        by_kind: { manual: 1, mqtt: 2 },
        access_points: { total: 3, online: 1, offline: 1, in_alarm: 1 },
        credentials: { total: 3, by_status_type: { pending: 1, active: 1, suspended: 0, expired: 0, terminated: 1 } },
        individuals: { total: 2, active: 1 },
        events: { last_24_hours: 3, denied_last_24_hours: 1 },
      },
    })
  })

  it('counts only what lies in the caller’s places', async () => {
    const local = await house.member('Facility manager', { location_id: here.location.id })
    const { data } = (await local.get(PATH)).body
    expect(data).toMatchObject({
      total: 1,
      by_kind: { mqtt: 1 },
      access_points: { total: 2, online: 1, offline: 1, in_alarm: 1 },
      credentials: { total: 0 },
      individuals: { total: 0, active: 0 },
      events: { last_24_hours: 2, denied_last_24_hours: 0 },
    })
  })

  it('says nothing of families that the caller may not read', async () => {
    const narrow = await memberWith(house, ['access-control-systems:read'])
    expect((await narrow.get(PATH)).body.data).toMatchObject({
      total: 3,
      access_points: { total: null, online: null, offline: null, in_alarm: null },
      credentials: { total: null, by_status_type: null },
      individuals: { total: null, active: null },
      events: { last_24_hours: null, denied_last_24_hours: null },
    })
  })

  it('needs a credential with the permission, and takes no parameters', async () => {
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await (await memberWith(house, ['spaces:read'])).get(PATH)).status).toBe(403)
    expect((await owner.get(`${PATH}?page=1`)).body.error.reason).toBe('param.unknown')
  })

  it('forgets an event 24 hours after it happened, though nothing else changed', async () => {
    clock.set('2027-06-15T12:29:59.999Z')
    expect((await owner.get(PATH)).body.data.events.last_24_hours).toBe(3)
    clock.set('2027-06-15T12:30:00.000Z')
    expect((await owner.get(PATH)).body.data.events.last_24_hours).toBe(2)
  })

  it('counts events where they happened, as their list does, though the door is elsewhere by now', async () => {
    const [away, home] = [await site('Away'), await site('Home')]
    const door = await owner.create('/api/v1/access-points', { name: 'Moves', space_id: away.space.id })
    await happened('door.opened', '2027-06-15T11:30:00.000Z', { access_point_id: door.id })
    await owner.patch(`/api/v1/access-points/${door.id}`, { space_id: home.space.id })
    const counted = async (building_id: string) => {
      const local = await memberWith(house, ['access-control-systems:read', 'access-events:read'], { building_id })
      return (await local.get(PATH)).body.data.events.last_24_hours
    }
    expect([await counted(away.building.id), await counted(home.building.id)]).toEqual([1, 0])
    await owner.delete(`/api/v1/access-points/${door.id}`)
    expect(await counted(away.building.id)).toBe(1)
  })

  it('counts an event of a clock that is ahead for a day from when it came', async () => {
    const { last_24_hours } = (await owner.get(PATH)).body.data.events
    await happened('door.opened', '2035-01-01T00:00:00.000Z')
    expect((await owner.get(PATH)).body.data.events.last_24_hours).toBe(last_24_hours + 1)
    clock.forward(24 * 3_600_000)
    expect((await owner.get(PATH)).body.data.events.last_24_hours).toBe(0)
    clock.forward(-24 * 3_600_000)
  })
})
