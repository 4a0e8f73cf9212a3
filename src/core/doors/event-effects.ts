import type { DoorAlarm, DoorChange } from './door-state.ts'
import type { EventType } from './events.ts'

type Effect = Omit<DoorChange, 'access_point_id' | 'at'>

const raises = (...raised: DoorAlarm[]): Effect => ({ raised })
const clears = (...cleared: DoorAlarm[]): Effect => ({ cleared })

/** What an event says about the state of its door. */
const effects: Partial<Record<EventType, Effect>> = {
  'access.duress': raises('duress'),
  'door.opened': { position: 'open' },
  'door.closed': { position: 'closed', cleared: ['forced_open', 'held_open_too_long'] },
  'door.forced': { position: 'open', raised: ['forced_open'] },
  'door.held_open': { position: 'open', raised: ['held_open_too_long'] },
  'door.tampered': raises('tamper'),
  'door.tamper_ended': clears('tamper'),
  'door.battery_low': raises('low_battery'),
  'door.battery_ok': clears('low_battery'),
  'door.fault': raises('fault'),
  'door.fault_ended': clears('fault'),
  'lock.locked': { lock_state: 'locked' },
  'lock.unlocked': { lock_state: 'unlocked' },
  'lock.jammed': { lock_state: 'fault' },
  'door.offline': { connectivity: 'offline' },
  // Told of the system, through whichever of its doors.
  'system.offline': { connectivity: 'offline' },
}

interface Happened {
  readonly type: EventType
  readonly access_point_id: string
  readonly direction: 'in' | 'out' | null
  readonly at: string
}

/** Whoever speaks is there; a door that no system drives stays unwatched (door-states.ts). */
export function doorChangeOf({ type, access_point_id, direction, at }: Happened): DoorChange {
  const isEntry = (type === 'access.granted' || type === 'access.taken') && direction !== 'out'
  return { access_point_id, at, connectivity: 'online', ...effects[type], ...(isEntry ? { isEntry } : {}) }
}
