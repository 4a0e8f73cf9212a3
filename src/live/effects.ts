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
  const heard = await noteSystems(tx, events)
  await changeDoors(tx, events.flatMap(doorChange))
  await countUses(tx, events)
  await notePresence(tx, events, doors)
  await noteAlarms(tx, events, heard)
}

function doorChange(event: StoredEvent) {
  const { type, access_point_id, direction } = event
  return access_point_id === null ? [] : [doorChangeOf({ type, access_point_id, direction, at: momentOf(event) })]
}
