import { sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { momentOf, type StoredEvent } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'

/** What lies behind a door, and before it. */
export interface Between {
  readonly id: string
  readonly space_id: string
  readonly from_space_id: string | null
  readonly direction: 'in' | 'out' | 'both'
}

interface Seen {
  readonly individual_id: string
  /** Null: they have left. */
  readonly space_id: string | null
  readonly access_point_id: string
  readonly since: string
}

/** Who is where now: whoever passes a door is in the space behind it, or has left. */
export async function notePresence(
  tx: LiveTx,
  events: readonly StoredEvent[],
  doors: ReadonlyMap<string, Between>,
): Promise<void> {
  const passed = events.filter(
    ({ type, individual_id, access_point_id }) =>
      moves.has(type) && access_point_id && (individual_id || type === NOT_TAKEN),
  )
  const seen = new Map<string, Seen>()
  for (const event of passed) {
    const next = seenBy(event.individual_id === null ? await ofWhoStayed(tx, event) : event, doors)
    const known = next && seen.get(next.individual_id)
    if (next && (!known || known.since <= next.since)) seen.set(next.individual_id, next)
  }
  if (seen.size === 0) return
  const from = tx.dialect.records([...seen.values()], 'e', {
    individual_id: 'uuid',
    space_id: 'uuid',
    access_point_id: 'uuid',
    since: 'timestamp',
  })
  // Seen elsewhere since: what comes late says nothing new. Whoever was deleted meanwhile is nowhere.
  await tx.run(sql`insert into presence (org, individual_id, space_id, access_point_id, since)
    select :org, i.id, e.space_id, e.access_point_id, e.since from ${from} cross join individuals i
    where i.org = :org and i.id = e.individual_id
    on conflict (org, individual_id) do update
    set space_id = excluded.space_id, access_point_id = excluded.access_point_id, since = excluded.since
      where presence.since <= excluded.since or presence.since > ${aheadOf(tx)}`)
}

const NOT_TAKEN = 'access.not_taken'
const moves = new Set<string>(['access.granted', 'access.taken', NOT_TAKEN])

/** A door that tells that nobody went seldom says who did not: whoever it has just let in. */
async function ofWhoStayed(tx: LiveTx, event: StoredEvent): Promise<StoredEvent> {
  // By a type that no index has: SQLite would go through all events of these types instead of the door's last ones.
  const last = await tx.one<Pick<StoredEvent, 'type' | 'individual_id' | 'direction'>>(sql`
    select t.type, t.individual_id, t.direction from access_events t where t.org = :org
    and t.access_point_id = ${event.access_point_id} and t.sequence < ${event.sequence}
    and coalesce(t.type, '') in ('access.granted', 'access.taken', 'access.not_taken')
    order by t.sequence desc limit 1`)
  if (last?.type !== 'access.granted') return event
  return { ...event, individual_id: last.individual_id, direction: event.direction ?? last.direction }
}

/** Whoever was let in and did not go is where they were: on this side. */
function seenBy(event: StoredEvent, doors: ReadonlyMap<string, Between>): Seen | undefined {
  const { individual_id, access_point_id, type } = event
  const door = doors.get(access_point_id ?? '')
  if (!door || individual_id === null) return undefined
  const isOut = (event.direction ?? door.direction) === 'out'
  const isInside = type === 'access.not_taken' ? isOut : !isOut
  return {
    individual_id,
    space_id: isInside ? door.space_id : door.from_space_id,
    access_point_id: door.id,
    since: momentOf(event),
  }
}
