import type { DoorChange } from '../core/doors/door-state.ts'
import { doorChangeOf } from '../core/doors/event-effects.ts'
import { noteAlarms } from './alarms.ts'
import { changeDoors } from './door-states.ts'
import { momentOf, type StoredEvent } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'
import { type Between, notePresence } from './presence.ts'
import { noteSystems } from './system-states.ts'
import { countUses } from './uses.ts'

/** What follows from events at these doors, in their own transaction: each counts once, however often it is sent. */
export async function takeEffect(
  tx: LiveTx,
  events: readonly StoredEvent[],
  doors: ReadonlyMap<string, Between>,
): Promise<void> {
  const { heard, away } = await noteSystems(tx, events)
  await changeDoors(
    tx,
    events.flatMap((event) => doorChange(event, doors, away)),
  )
  await countUses(tx, events)
  await notePresence(tx, events, doors)
  await noteAlarms(tx, events, heard)
}

function doorChange(event: StoredEvent, doors: ReadonlyMap<string, Between>, away: ReadonlySet<string>): DoorChange[] {
  const { type, access_point_id, access_control_system_id: system } = event
  if (access_point_id === null) return []
  // Through a door that has a reader for the way out alone nobody comes in, said or not.
  const direction = event.direction ?? (doors.get(access_point_id)?.direction === 'out' ? 'out' : null)
  const { connectivity, ...change } = doorChangeOf({ type, access_point_id, direction, at: momentOf(event) })
  // What was said before the system was away makes no door of it reached; and that it was away none away, where it has
  // spoken since.
  const isOver = away.has(system ?? '') ? connectivity === 'online' : type === 'system.offline'
  return [isOver || connectivity === undefined ? change : { ...change, connectivity }]
}
