import { Case } from './case.ts'
import type { Facts } from './facts.ts'
import { openingOf } from './moments.ts'

export type DoorMode = 'evacuation' | 'locked_down' | 'blocked' | 'held_open' | 'unlocked_timed' | 'unlocked' | 'locked'

/** In which mode a door is at an instant, and until when if nothing but the clock moves. Undefined: without end. */
export function doorMode(
  { door, emergencies }: Pick<Facts, 'door' | 'emergencies'>,
  at: string,
): { mode: DoorMode; until?: string } {
  const presence = { space_id: null, since: null, occupants: 0 }
  const facts: Facts = {
    door,
    emergencies,
    individual: null,
    credentials: [],
    keys: [],
    grants: [],
    presence,
    companions: [],
  }
  const here = new Case(facts, { by: 'credential', at, direction: 'in', pin: 'none' }, at)
  const until = openingOf(here)
  const mode = here.mode === 'unlocked' && here.override !== null ? here.override : here.mode
  return until === undefined ? { mode } : { mode, until }
}

/** Whether whoever comes gets through without being asked for anything. */
export const standsOpen = (mode: DoorMode): boolean =>
  mode === 'evacuation' || mode === 'unlocked' || mode === 'unlocked_timed' || mode === 'held_open'
