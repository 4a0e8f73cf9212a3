import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { setDoorState } from './door-states.ts'
import { ingest } from './intake/ingest.ts'
import type { NewEvent } from './intake/new-event.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const SECOND = 1000

let hall: { id: string }
let yard: { id: string }
let system: { id: string }
let door: { id: string }
let person: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  hall = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  yard = await owner.create('/api/v1/spaces', { name: 'Yard', building_id: building.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  door = await newDoor()
})

const newDoor = (more: object = {}) =>
  owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: hall.id,
    access_control_system_id: system.id,
    direction: 'both',
    ...more,
  })
const take = async (...events: NewEvent[]) => {
  for (const { status } of await ingest({ engine, clock }, 1, events)) expect(status).toBe('stored')
}
const ago = (seconds: number) => new Date(Date.parse(clock.now()) - seconds * SECOND).toISOString()
const stateOf = async (id: string) => (await owner.get(`/api/v1/access-points/${id}`)).body.data
const presence = () =>
  engine.reader.all<{ space_id: string | null; since: string }>(
    'select space_id, since from presence where individual_id = $1',
    [person.id],
  )

describe('what follows from events', () => {
  it('the state of the door, each axis with its moment, in the item and in lists', async () => {
    const here = { access_point_id: door.id }
    clock.forward(60 * SECOND)
    await take(
      { type: 'lock.unlocked', ...here, occurred_at: ago(20) },
      { type: 'door.forced', ...here, occurred_at: ago(10) },
    )
    const { state, in_alarm, state_changed_at } = await stateOf(door.id)
    expect(state).toMatchObject({
      lock_state: { value: 'unlocked', since: ago(20) },
      position: { value: 'open', since: ago(10) },
      alarms: { value: ['forced_open'], since: ago(10) },
      connectivity: { value: 'online', since: ago(20) },
    })
    expect({ in_alarm, state_changed_at }).toEqual({ in_alarm: true, state_changed_at: ago(10) })
    const found = await owner.get(
      '/api/v1/access-points?in_alarm=is.true&position=eq.open&lock_state=eq.unlocked&order=state_changed_at.desc',
    )
    expect(found.body.data.map((row: { id: string }) => row.id)).toEqual([door.id])
    await take({ type: 'door.closed', ...here })
    expect((await owner.get('/api/v1/access-points?in_alarm=is.true')).body.data).toEqual([])
    expect((await stateOf(door.id)).state).toMatchObject({
      position: { value: 'closed' },
      alarms: { value: [], since: clock.now() },
    })
  })

  it('a flat battery and a fault want somebody to come by, and are no alarm: doors in alarm are those with one that is open', async () => {
    const flat = await newDoor()
    const here = { access_point_id: flat.id }
    const counts = async () => (await owner.get('/api/v1/overview')).body.data.access_points
    const { in_alarm: before } = await counts()
    await take({ type: 'door.battery_low', ...here }, { type: 'door.fault', ...here })
    expect(await stateOf(flat.id)).toMatchObject({
      in_alarm: false,
      needs_service: true,
      state: { alarms: { value: ['low_battery', 'fault'] } },
    })
    expect(await counts()).toMatchObject({ in_alarm: before, needs_service: 1 })
    expect((await owner.get(`/api/v1/alarms?access_point_id=eq.${flat.id}`)).body.data).toEqual([])
    await take({ type: 'door.tampered', ...here })
    expect(await counts()).toMatchObject({ in_alarm: before + 1, needs_service: 1 })
    await take(
      { type: 'door.tamper_ended', ...here },
      { type: 'door.battery_ok', ...here },
      { type: 'door.fault_ended', ...here },
    )
    expect(await counts()).toMatchObject({ in_alarm: before, needs_service: 0 })
  })

  it('not what comes late: it sets nothing newer back', async () => {
    clock.forward(60 * SECOND)
    const here = { access_point_id: door.id }
    await take({ type: 'door.closed', ...here }, { type: 'lock.locked', ...here })
    await take(
      { type: 'door.forced', ...here, occurred_at: ago(30) },
      { type: 'lock.unlocked', ...here, occurred_at: ago(30) },
    )
    expect((await stateOf(door.id)).state).toMatchObject({
      position: { value: 'closed' },
      lock_state: { value: 'locked' },
      alarms: { value: [] },
    })
  })

  it('nor what a clock ahead of its time says of tomorrow: what comes afterwards counts, and the system’s clock is told', async () => {
    const here = { access_point_id: door.id, access_control_system_id: system.id }
    await take({ type: 'door.opened', ...here, occurred_at: ago(-86_400) })
    clock.forward(SECOND)
    await take({ type: 'door.closed', ...here, occurred_at: clock.now() })
    expect((await stateOf(door.id)).position).toBe('closed')
    const path = `/api/v1/access-control-systems/${system.id}`
    expect((await owner.get(path)).body.data.clock_offset_ms).toBe(0)
    await take({ type: 'door.opened', ...here, occurred_at: ago(-7200) })
    expect((await owner.get(path)).body.data.clock_offset_ms).toBe(7_200_000)
    await take({ type: 'door.closed', ...here, occurred_at: ago(3600) })
    expect((await owner.get(path)).body.data.clock_offset_ms).toBe(7_200_000)
  })

  it('that a system is there or away, and its doors with it', async () => {
    clock.forward(60 * SECOND)
    const of = { access_control_system_id: system.id }
    await take({ type: 'system.online', ...of })
    const path = `/api/v1/access-control-systems/${system.id}`
    expect((await owner.get(path)).body.data).toMatchObject({ last_seen_at: clock.now(), connectivity: 'online' })
    clock.forward(SECOND)
    await take({ type: 'system.offline', ...of })
    expect((await owner.get(path)).body.data).toMatchObject({ connectivity: 'offline' })
    expect((await stateOf(door.id)).state.connectivity).toEqual({ value: 'offline', since: clock.now() })
    clock.forward(SECOND)
    await take({ type: 'system.restarted', ...of })
    expect((await stateOf(door.id)).connectivity).toBe('online')
    const plain = await newDoor({ access_control_system_id: null })
    await take({ type: 'door.opened', access_point_id: plain.id })
    expect(await stateOf(plain.id)).toMatchObject({ position: 'open', connectivity: 'unsupervised' })
  })

  it('nor is a door there by which its system is said to be away, or one that was away by itself before', async () => {
    const own = await owner.create('/api/v1/access-control-systems', { name: 'Hub' })
    const [near, far] = [
      await newDoor({ access_control_system_id: own.id }),
      await newDoor({ access_control_system_id: own.id }),
    ]
    const of = { access_control_system_id: own.id }
    const told = async (...events: NewEvent[]) => {
      clock.forward(SECOND)
      await take(...events)
      return [(await stateOf(near.id)).connectivity, (await stateOf(far.id)).connectivity]
    }
    const opened = [near, far].map(({ id }) => ({ type: 'door.opened' as const, ...of, access_point_id: id }))
    expect(await told(...opened)).toEqual(['online', 'online'])
    expect(await told({ type: 'system.offline', ...of, access_point_id: near.id })).toEqual(['offline', 'offline'])
    expect(await told({ type: 'system.online', ...of, access_point_id: near.id })).toEqual(['online', 'online'])
    expect(await told({ type: 'door.offline', ...of, access_point_id: far.id })).toEqual(['online', 'offline'])
    expect(await told({ type: 'system.offline', ...of })).toEqual(['offline', 'offline'])
    expect(await told({ type: 'system.online', ...of })).toEqual(['online', 'offline'])
    expect(await told({ type: 'door.closed', ...of, access_point_id: far.id })).toEqual(['online', 'online'])
  })

  it('nor is a door away by which that is told of late of a system that has spoken since', async () => {
    const own = await owner.create('/api/v1/access-control-systems', { name: 'Late hub' })
    const of = { access_control_system_id: own.id }
    const [near, far] = [await newDoor(of), await newDoor(of)]
    await take({ type: 'door.opened', ...of, access_point_id: near.id })
    clock.forward(60 * SECOND)
    const away = { type: 'system.offline' as const, ...of, access_point_id: near.id }
    await take({ ...away, occurred_at: ago(20) }, { type: 'door.opened', ...of, access_point_id: far.id })
    await take({ ...away, occurred_at: ago(10) })
    expect([(await stateOf(near.id)).connectivity, (await stateOf(far.id)).connectivity]).toEqual(['online', 'online'])
  })

  it('how often a credential was used, and that it is used up', async () => {
    const card = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '71',
      individual_id: person.id,
      max_uses: 2,
    })
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    const path = `/api/v1/credentials/${card.id}`
    const ask = async () =>
      (
        await owner.post('/api/v1/access-decisions', {
          credential_id: card.id,
          access_point_id: door.id,
          at: clock.now(),
        })
      ).body.data.reason
    const granted = { type: 'access.granted', access_point_id: door.id, credential_id: card.id } as const
    expect([await ask(), (await owner.get(path)).body.data.status_type]).toEqual(['granted', 'active'])
    await take({ ...granted, occurred_at: ago(5) })
    await take({ ...granted, type: 'access.denied' })
    expect((await owner.get(path)).body.data).toMatchObject({
      use_count: 1,
      last_used_at: ago(5),
      status_type: 'active',
    })
    await take({ ...granted, source_id: 'once' })
    await ingest({ engine, clock }, 1, [{ ...granted, source_id: 'once' }])
    expect((await owner.get(path)).body.data).toMatchObject({
      use_count: 2,
      last_used_at: clock.now(),
      status_type: 'expired',
    })
    expect(await ask()).toBe('max_uses')
    expect((await owner.patch(path, { max_uses: 3 })).body.data.status_type).toBe('active')
    expect(await ask()).toBe('granted')
    expect((await owner.get('/api/v1/credentials?use_count=gte.2&order=last_used_at.desc')).body.data).toHaveLength(1)
  })

  it('where somebody is: in the space behind the door, before it, or gone, whatever comes late', async () => {
    const inner = await newDoor({ from_space_id: yard.id })
    const passes = (at: string, direction: 'in' | 'out', type: NewEvent['type'] = 'access.granted') =>
      take({ type, access_point_id: inner.id, individual_id: person.id, direction, occurred_at: at })
    clock.forward(3600 * SECOND)
    await passes(ago(60), 'in')
    expect(await presence()).toEqual([{ space_id: hall.id, since: ago(60) }])
    await passes(ago(40), 'out')
    expect(await presence()).toEqual([{ space_id: yard.id, since: ago(40) }])
    await passes(ago(50), 'in')
    expect(await presence()).toEqual([{ space_id: yard.id, since: ago(40) }])
    await passes(ago(30), 'in', 'access.not_taken')
    expect(await presence()).toEqual([{ space_id: yard.id, since: ago(30) }])
    await take({ type: 'access.taken', access_point_id: door.id, individual_id: person.id, direction: 'out' })
    expect(await presence()).toEqual([{ space_id: null, since: clock.now() }])
    await passes(ago(20), 'in')
    expect(await presence()).toEqual([{ space_id: null, since: clock.now() }])
  })

  it('where somebody is who was let in and did not go, though the door does not say who: outside, as before', async () => {
    const { id } = await newDoor({ direction: 'both' })
    const happens = async (type: NewEvent['type'], more: Partial<NewEvent> = {}) => {
      clock.forward(SECOND)
      await take({ type, access_point_id: id, occurred_at: clock.now(), ...more })
      return (await presence())[0]?.space_id
    }
    const who = { individual_id: person.id }
    expect(await happens('access.granted', who)).toBe(hall.id)
    expect(await happens('access.not_taken')).toBeNull()
    expect(await happens('access.granted', who)).toBe(hall.id)
    expect(await happens('access.taken', who)).toBe(hall.id)
    // Whoever did not go now is somebody else.
    expect(await happens('access.not_taken')).toBe(hall.id)
    expect(await happens('access.granted', { ...who, direction: 'out' })).toBeNull()
    expect(await happens('access.not_taken')).toBe(hall.id)
    await happens('access.taken', { ...who, direction: 'out' })
  })

  describe('of who was let in and did not go', () => {
    let outer: { id: string }
    let laboratory: { id: string }
    let inner: { id: string }
    let ida: { id: string }
    const whereIs = async () => {
      const columns = 'space_id, access_point_id, since'
      const rows = await engine.reader.all(`select ${columns} from presence where individual_id = $1`, [ida.id])
      return rows[0]
    }
    const says = (type: NewEvent['type'], { id }: { id: string }, more: Partial<NewEvent> = {}): NewEvent => ({
      type,
      access_point_id: id,
      individual_id: ida.id,
      occurred_at: clock.now(),
      ...more,
    })
    const happens = async (...[type, at, more]: Parameters<typeof says>) => {
      clock.forward(SECOND)
      await take(says(type, at, more))
      return whereIs()
    }

    beforeAll(async () => {
      const { building_id } = (await owner.get(`/api/v1/spaces/${hall.id}`)).body.data
      laboratory = await owner.create('/api/v1/spaces', { name: 'Laboratory', building_id })
      outer = await newDoor()
      inner = await newDoor({ space_id: laboratory.id })
    })
    beforeEach(async () => {
      ida = await owner.create('/api/v1/individuals', { display_name: 'Ida' })
    })

    it('they are where they were, since when they were, though no door says what lies before it', async () => {
      const before = await happens('access.granted', outer)
      expect(before).toEqual({ space_id: hall.id, access_point_id: outer.id, since: clock.now() })
      expect(await happens('access.granted', inner)).toMatchObject({ space_id: laboratory.id })
      expect(await happens('access.not_taken', inner)).toEqual(before)
      const occupants = (await owner.get(`/api/v1/spaces/${hall.id}/occupants`)).body.data
      expect(occupants.map((row: { individual_id: string }) => row.individual_id)).toContain(ida.id)
    })

    it('as well where they were let in twice, where it is told twice, late or at once, and where the door does not say who', async () => {
      const before = await happens('access.granted', outer)
      await happens('access.granted', inner)
      await happens('access.granted', inner)
      expect(await happens('access.not_taken', inner, { individual_id: null })).toEqual(before)
      expect(await happens('access.granted', inner, { occurred_at: ago(2) })).toEqual(before)
      expect(await happens('access.not_taken', inner)).toEqual(before)
      clock.forward(SECOND)
      await take(says('access.granted', inner), says('access.granted', inner), says('access.not_taken', inner))
      expect(await whereIs()).toEqual(before)
      clock.forward(SECOND)
      await take(says('access.granted', inner), says('access.not_taken', inner, { individual_id: null }))
      expect(await whereIs()).toEqual(before)
      expect(await happens('access.granted', inner)).toMatchObject({ space_id: laboratory.id })
    })

    it('outside, where they were nowhere before, also of all that one batch tells', async () => {
      clock.forward(SECOND)
      await take(says('access.granted', outer), says('access.not_taken', outer))
      expect(await whereIs()).toMatchObject({ space_id: null })
      await happens('access.granted', outer)
      expect(await happens('access.not_taken', outer)).toMatchObject({ space_id: null })
      ida = await owner.create('/api/v1/individuals', { display_name: 'Ida' })
      expect(await happens('access.not_taken', outer)).toMatchObject({ space_id: null })
      expect(await happens('access.granted', outer, { occurred_at: ago(2) })).toMatchObject({ space_id: null })
    })

    it('there, where it is not known where they were: nobody has left by not going', async () => {
      await happens('access.granted', outer)
      const before = await happens('access.taken', outer)
      expect(await happens('access.not_taken', inner)).toEqual(before)
      expect(await happens('access.not_taken', outer)).toEqual(before)
    })

    it('where another door has let them in meanwhile, and before the first where they took neither', async () => {
      const other = await newDoor({ space_id: yard.id })
      await happens('access.granted', inner)
      const there = await happens('access.granted', other)
      expect(await happens('access.not_taken', inner)).toEqual(there)
      expect(await happens('access.not_taken', other)).toMatchObject({ space_id: yard.id })
      const aside = await newDoor({ space_id: laboratory.id, from_space_id: hall.id })
      await happens('access.granted', aside)
      await happens('access.granted', other)
      await happens('access.not_taken', aside)
      expect(await happens('access.not_taken', other)).toMatchObject({ space_id: hall.id })
    })

    it('where the door of a space leads that has gone meanwhile', async () => {
      const { building_id } = (await owner.get(`/api/v1/spaces/${hall.id}`)).body.data
      const gone = await owner.create('/api/v1/spaces', { name: 'Gone', building_id })
      const first = await newDoor({ space_id: gone.id })
      await happens('access.granted', first)
      await happens('access.granted', inner)
      await owner.patch(`/api/v1/access-points/${first.id}`, { space_id: yard.id })
      expect((await owner.delete(`/api/v1/spaces/${gone.id}`)).status).toBe(200)
      expect(await happens('access.not_taken', inner)).toMatchObject({ space_id: yard.id, access_point_id: first.id })
    })

    it('where they are if their door has gone too: it is not known where they were', async () => {
      const { building_id } = (await owner.get(`/api/v1/spaces/${hall.id}`)).body.data
      const gone = await owner.create('/api/v1/spaces', { name: 'Gone', building_id })
      const first = await newDoor({ space_id: gone.id })
      await happens('access.granted', first)
      await happens('access.granted', inner)
      expect((await owner.delete(`/api/v1/access-points/${first.id}`)).status).toBe(200)
      expect((await owner.delete(`/api/v1/spaces/${gone.id}`)).status).toBe(200)
      expect(await happens('access.not_taken', inner)).toMatchObject({ space_id: laboratory.id })
    })
  })

  it('when a credential was last used, also where a clock is ahead of its time', async () => {
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '70', individual_id: person.id })
    const lastUse = async () => (await owner.get(`/api/v1/credentials/${card.id}`)).body.data.last_used_at
    const granted = { type: 'access.granted', access_point_id: door.id, credential_id: card.id } as const
    await take({ ...granted, occurred_at: '2099-01-01T00:00:00.000Z' })
    expect(await lastUse()).toBe(clock.now())
    clock.forward(SECOND)
    await take(granted)
    expect(await lastUse()).toBe(clock.now())
  })

  it('is what comes now, whatever came while our clock was years ahead', async () => {
    const own = await owner.create('/api/v1/access-control-systems', { name: 'Ahead' })
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '72', individual_id: person.id })
    const { id } = await newDoor({ access_control_system_id: own.id })
    const here = { access_point_id: id, access_control_system_id: own.id }
    const passes = (direction: 'in' | 'out') =>
      ({ type: 'access.granted', ...here, credential_id: card.id, direction }) as const
    await take(passes('out'))
    const now = clock.now()
    clock.set('2036-02-07T06:28:16.000Z')
    await take({ type: 'system.online', access_control_system_id: own.id })
    await take(
      passes('in'),
      { type: 'door.forced', ...here },
      { type: 'lock.unlocked', ...here },
      { type: 'system.offline', ...here },
    )
    clock.set(now)
    clock.forward(SECOND)
    await take({ type: 'door.closed', ...here }, { type: 'lock.unlocked', ...here }, passes('out'))
    const at = clock.now()
    const { state, in_alarm, state_changed_at } = await stateOf(id)
    expect([state, in_alarm]).toMatchObject([
      {
        lock_state: { value: 'unlocked', since: at },
        position: { value: 'closed', since: at },
        alarms: { value: [], since: at },
        connectivity: { value: 'online', since: at },
      },
      false,
    ])
    expect(state_changed_at).toBe(at)
    expect(await presence()).toEqual([{ space_id: null, since: at }])
    expect((await owner.get(`/api/v1/credentials/${card.id}`)).body.data.last_used_at).toBe(at)
    const shown = (await owner.get(`/api/v1/access-control-systems/${own.id}`)).body.data
    expect(shown).toMatchObject({ connectivity: 'online', last_seen_at: at })
    const alarms = await owner.get(`/api/v1/alarms?access_control_system_id=eq.${own.id}&order=kind`)
    expect(alarms.body.data).toMatchObject([
      { kind: 'forced_open', ended_at: at },
      { kind: 'system_offline', status: 'closed', ended_at: at },
      { kind: 'unexpected_grant' },
    ])
    clock.forward(SECOND)
    await take({ type: 'system.offline', ...here }, { type: 'door.forced', ...here })
    clock.forward(SECOND)
    expect((await stateOf(id)).state).toMatchObject({ position: { value: 'open' }, alarms: { value: ['forced_open'] } })
  })

  it('and brings back every door of a system that was away, though something else was told of one meanwhile', async () => {
    const own = await owner.create('/api/v1/access-control-systems', { name: 'Far ahead' })
    const at = { access_control_system_id: own.id }
    const doors = [await newDoor(at), await newDoor(at)] as const
    const connected = () =>
      Promise.all(doors.map(async ({ id }) => (await stateOf(id)).state.connectivity.value as string))
    await take(...doors.map(({ id }) => ({ type: 'door.closed' as const, access_point_id: id, ...at })))
    const now = clock.now()
    clock.forward(2 * 3600 * SECOND)
    await take({ type: 'system.offline', ...at })
    expect(await connected()).toEqual(['offline', 'offline'])
    clock.set(now)
    clock.forward(SECOND)
    await setDoorState(house, 1, [{ access_point_id: doors[0].id, at: clock.now(), mode: 'unlocked' }])
    clock.forward(SECOND)
    await take({ type: 'system.online', ...at })
    expect(await connected()).toEqual(['online', 'online'])
  })

  it('whoever leaves by a door with a reader for the way out alone is not the first person in', async () => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const windows = [{ days, start: '00:00', end: '24:00' }]
    const { id: unlock_schedule_id } = await owner.create('/api/v1/schedules', { name: 'Always', windows })
    const modeAfter = async (direction: 'out' | 'both') => {
      const { id } = await newDoor({ direction, unlock_schedule_id, first_person_in: true })
      clock.forward(SECOND)
      await take({ type: 'access.granted', access_point_id: id, individual_id: person.id })
      const passed = clock.now()
      clock.forward(SECOND)
      await take({ type: 'access.granted', access_point_id: id, individual_id: person.id, direction: 'in' })
      const asked = { individual_id: person.id, access_point_id: id, at: passed, direction: 'in' }
      // As it was behind the first, and as it was told of once another had come.
      const { reason } = (await owner.post('/api/v1/access-decisions', asked)).body.data
      return reason
    }
    expect([await modeAfter('both'), await modeAfter('out')]).toEqual(['door_unlocked', 'no_reader'])
    const out = await newDoor({ direction: 'out', unlock_schedule_id, first_person_in: true })
    clock.forward(SECOND)
    await take({ type: 'access.granted', access_point_id: out.id, individual_id: person.id })
    expect((await stateOf(out.id)).mode).toBe('locked')
  })

  it('of the system that drove a door before, told late, is nothing that the door is in', async () => {
    const moved = await newDoor()
    const other = await owner.create('/api/v1/access-control-systems', { name: 'The next' })
    clock.forward(60 * SECOND)
    await owner.patch(`/api/v1/access-points/${moved.id}`, { access_control_system_id: other.id })
    const here = { access_point_id: moved.id }
    const since = clock.now()
    clock.forward(SECOND)
    const late = { ...here, access_control_system_id: system.id, occurred_at: ago(30) }
    await take(
      { type: 'door.battery_low', ...late },
      { type: 'door.tampered', ...late },
      { type: 'door.forced', ...late },
    )
    const { state, in_alarm, needs_service } = await stateOf(moved.id)
    expect({ ...state.alarms, in_alarm, needs_service }).toEqual({
      value: [],
      since,
      in_alarm: false,
      needs_service: false,
    })
    const told = (await owner.get(`/api/v1/alarms?access_point_id=eq.${moved.id}&order=kind`)).body.data
    expect(told).toMatchObject([
      { kind: 'forced_open', status: 'open', ended_at: since },
      { kind: 'tamper', status: 'open', ended_at: since },
    ])
    await take({ type: 'door.tampered', ...here, access_control_system_id: other.id })
    expect((await stateOf(moved.id)).state.alarms.value).toEqual(['tamper'])
  })

  it('drops no answer that does not show it, and none that does is stale, in other processes neither', async () => {
    const there = house.client(owner.token, await house.neighbour())
    const shown = async (client: typeof owner) => {
      const list = await client.get('/api/v1/access-points?select=name,position&limit=1&order=created_at')
      return list.body.data[0].position
    }
    const misses = async () => (await owner.get('/api/v1/access-points?select=name&limit=1&order=created_at')).headers
    await misses()
    const entries = house.app.house.cache
    for (const position of ['open', 'closed', 'fault', 'open'] as const) {
      await setDoorState({ engine, clock }, 1, [{ access_point_id: door.id, at: clock.now(), position }])
      expect(await shown(owner)).toBe(position)
      await expect.poll(() => shown(there)).toBe(position)
    }
    const versions = await engine.versions(1)
    const key = [...keysOf(entries)].find((text) => text.includes('select=name&limit=1'))
    expect(entries.known(key ?? '', versions, clock.now())).toBeDefined()
  })
})

/** What the cache of answers has. */
const keysOf = (cache: object): IterableIterator<string> => (cache as { entries: Map<string, unknown> }).entries.keys()
