import type { EventType } from '../core/doors/events.ts'
import { ingest } from '../live/intake/ingest.ts'
import type { NewEvent } from '../live/intake/new-event.ts'
import type { DeviceEvent } from './connector.ts'
import { ClockBehind } from './device-clock.ts'
import type { ConnectParts, Link } from './link.ts'

/** So often what a device tells is asked for in one go. */
const ROUNDS = 20

/** With when it happened by our clock, where the device's is known to be behind. */
export interface TakenEvent extends DeviceEvent {
  readonly happened_at?: string | null
}

/**
 * Takes in what the device has to tell. The cursor moves once it is stored, so that nothing is lost; what comes twice
 * is stored once.
 */
export async function takeIn(
  parts: ConnectParts,
  link: Link,
  then: (events: readonly TakenEvent[]) => Promise<unknown>,
): Promise<void> {
  let { cursor } = await link.row()
  const clock = new ClockBehind(link)
  for (let round = 0; round < ROUNDS; round++) {
    const told = await link.connector.events(cursor)
    if (told.events.length > 0) {
      const moments = await clock.momentsOf(told.events)
      const taken = told.events.map((event, index) => ({ ...event, happened_at: moments[index] ?? null }))
      await store(parts, link, taken)
      await then(taken)
    }
    if (told.cursor !== cursor) await link.note({ cursor: told.cursor })
    cursor = told.cursor
    if (!told.hasMore) break
  }
}

/**
 * What an event refers to may be gone by now, and a device may contradict itself: what is left of it is told all the
 * same.
 */
async function store(parts: ConnectParts, link: Link, events: readonly TakenEvent[]): Promise<void> {
  let rest: NewEvent[] = events.map((event) => ({
    ...event,
    type: event.type as EventType,
    access_control_system_id: link.system,
  }))
  while (rest.length > 0) {
    const results = await ingest(parts, link.org, rest)
    rest = results.flatMap((result, index) => {
      if (result.status !== 'refused') return []
      const { path } = result.fault
      const event = rest[index] as NewEvent & Record<string, unknown>
      if (!DISPENSABLE.has(path) || event[path] === null)
        throw new Error(`an event cannot be stored: ${result.fault.message}`)
      return [{ ...event, [path]: null }]
    })
  }
}

const DISPENSABLE: ReadonlySet<string> = new Set([
  'access_point_id',
  'individual_id',
  'credential_id',
  'command_id',
  'result',
  'reason',
])
