import type { EventType } from '../core/doors/events.ts'
import type { NewEvent } from '../live/intake/new-event.ts'
import type { Random } from './random.ts'
import { type Room, shortNumber } from './room.ts'
import { corridor, entrance, serverRoom } from './room-types.ts'
import { ENTRANCES_OPEN } from './schedules.ts'
import { parkingSystemOf, systemOf } from './systems.ts'
import { POINTS_PER_SPACE, type World } from './world.ts'

export interface Door {
  id: string
  label: string
  /** Otherwise it is a mechanical door, which takes a cylinder. */
  isElectronic: boolean
  row: object
  /** What its system has reported of it. */
  trouble?: NewEvent
}

const hardware = [
  ['dormakaba', 'c-lever pro'],
  ['dormakaba', 'ST FLEX'],
  ['SALTO', 'XS4 One'],
  ['ASSA ABLOY', 'Aperio H100'],
  ['GEZE', 'Slimdrive SL'],
  ['Glutz', 'eAccess'],
] as const

export function doorsOf(world: World, room: Room): Door[] {
  const { type } = room
  // Of its own: the doors of a room can be asked for without the room's other properties.
  const random = world.random('access_points', room.index)
  let chance = random.next()
  let count = 1
  for (const likely of type.doors) {
    chance -= likely
    if (chance < 0) break
    count += 1
  }
  count = Math.min(count, type.doors.length)
  return Array.from({ length: count }, (_, nth) => doorOf(world, room, nth, random))
}

type Kind = 'door' | 'gate' | 'barrier' | 'turnstile' | 'elevator' | 'cabinet'

function kindOf({ type }: Room, nth: number, random: Random): Kind {
  if (type === entrance && nth === 1 && random.chance(0.4)) return 'turnstile'
  if (type.name === 'Underground car park') return nth === 0 ? 'barrier' : nth === 1 ? 'gate' : 'door'
  if (type.name === 'Stairwell' && nth === 1) return 'elevator'
  if (type === serverRoom && nth === 1) return 'cabinet'
  return 'door'
}

const kindNames: Record<Exclude<Kind, 'door'>, string> = {
  gate: 'Roller gate',
  barrier: 'Barrier',
  turnstile: 'Turnstile',
  elevator: 'Lift',
  cabinet: 'Rack cabinet',
}

function doorOf(world: World, room: Room, nth: number, random: Random): Door {
  const { building, type } = room
  const index = room.index * POINTS_PER_SPACE + nth
  const kind = kindOf(room, nth, random)
  const isExit = kind === 'door' && nth > 0 && (type === entrance || type === corridor || type.name === 'Lecture hall')
  const isMain = type === entrance && nth === 0
  const isElectronic = kind !== 'door' || random.chance(type.electronic)
  const system = !isElectronic
    ? undefined
    : kind === 'barrier' || kind === 'gate'
      ? parkingSystemOf(building)
      : systemOf(building)
  const [manufacturer, model] = isElectronic ? random.pick(hardware) : [null, null]
  const { state, trouble } = stateOf(world, random, system !== undefined)
  const from =
    nth === 0 && room.corridor !== undefined && random.chance(0.75) ? world.id('spaces', room.corridor) : null
  const row = {
    ...world.base('access_points', index),
    space_id: world.id('spaces', room.index),
    building_id: world.id('buildings', building.index),
    from_space_id: type === entrance ? null : from,
    name: isExit ? 'Emergency exit' : kind === 'door' ? `${type.door}${nth > 0 ? ` ${nth + 1}` : ''}` : kindNames[kind],
    description: isExit ? 'Escape route: opens from inside at any time' : from ? 'From the corridor' : '',
    label: `${building.code}-${shortNumber(room)}-T${nth + 1}`,
    kind,
    floor: room.floor,
    manufacturer,
    model,
    access_control_system_id: system === undefined ? null : world.id('access_control_systems', system),
    emergency_exit: isExit,
    direction: kind === 'turnstile' || kind === 'barrier' || kind === 'gate' ? 'both' : 'in',
    unlock_schedule_id: isMain && isElectronic ? world.id('schedules', ENTRANCES_OPEN) : null,
    first_person_in: isMain && isElectronic && building.index % 2 === 1,
    unlock_seconds: isElectronic ? (kind === 'barrier' || kind === 'gate' ? 20 : 5) : null,
    held_open_seconds: isElectronic ? 30 : null,
    live: state,
  }
  const told = trouble && { trouble: { type: trouble, access_point_id: row.id, occurred_at: state.changed_at } }
  return { id: row.id, label: row.label, isElectronic, row, ...told }
}

const troubles = ['door.held_open', 'door.battery_low', 'door.tampered', 'door.forced'] as const satisfies EventType[]

/**
 * Most doors are locked, closed and online; a few are not, or there would be nothing to look at. Some are in trouble,
 * which they report.
 */
function stateOf(world: World, random: Random, isDriven: boolean) {
  const since = world.at(-random.between(1, 200) / 24)
  if (!isDriven) return { state: liveState(world.atWork(random.between(20, 300)), { connectivity: 'unsupervised' }) }
  const connectivity = random.weighted([
    ['online', 94],
    ['offline', 4],
    ['never_connected', 2],
  ] as const)
  const lock = random.weighted([
    ['locked', 91],
    ['unlocked', 9],
  ] as const)
  const isOpen = connectivity === 'online' && random.chance(0.05)
  const isKnown = connectivity !== 'never_connected'
  const trouble = connectivity === 'online' && random.chance(0.015) ? random.pick(troubles) : undefined
  const state = liveState(since, {
    lock_state: isKnown ? lock : 'unknown',
    position: !isKnown ? 'unknown' : isOpen ? 'open' : 'closed',
    connectivity,
  })
  return { state, trouble }
}

interface Axes {
  lock_state?: string
  position?: string
  connectivity: string
}

/** A row of what is live of a door, all of it since one moment. */
export const liveState = (since: string, { lock_state = 'unknown', position = 'unknown', connectivity }: Axes) => ({
  // What makes it another is worked out (live/modes.ts).
  mode: 'locked',
  mode_since: since,
  lock_state,
  lock_state_since: since,
  position,
  position_since: since,
  alarms: '[]',
  alarms_since: since,
  in_alarm: false,
  needs_service: false,
  connectivity,
  connectivity_since: since,
  changed_at: since,
})
