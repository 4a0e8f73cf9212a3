import { raw, sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { momentOf, type StoredEvent } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'
import { NOT_TAKEN, type Passing, type Place, type Whereabouts, whereAfter } from './whereabouts.ts'

/** What lies behind a door, and before it. */
export interface Between {
  readonly id: string
  readonly space_id: string
  readonly from_space_id: string | null
  readonly direction: 'in' | 'out' | 'both'
}

/** Who is where now: whoever passes a door is in the space behind it, or has left. */
export async function notePresence(
  tx: LiveTx,
  events: readonly StoredEvent[],
  doors: ReadonlyMap<string, Between>,
): Promise<void> {
  const passed = events.filter(
    ({ type, individual_id, access_point_id }) =>
      moves.has(type) && doors.has(access_point_id ?? '') && (individual_id || type === NOT_TAKEN),
  )
  const of: StoredEvent[] = []
  for (const event of passed) of.push(event.individual_id === null ? await ofWhoStayed(tx, event) : event)
  const { known, buildings } = await knownOf(tx, of, doors)
  const seen = new Map<string, Whereabouts>()
  for (const event of of) {
    const { individual_id } = event
    const door = doors.get(event.access_point_id ?? '')
    if (!door || individual_id === null) continue
    const before = seen.get(individual_id) ?? known.get(individual_id)
    if (!before || isNews(before, momentOf(event), aheadOf(tx)))
      seen.set(individual_id, whereAfter(before, passingOf(event, door, buildings)))
  }
  await keep(tx, seen)
}

/** Seen elsewhere since: what comes late says nothing new. */
function isNews({ at, heard_at }: Whereabouts, moment: string, ahead: string): boolean {
  const isOlder = (noted: string) => noted <= moment || noted > ahead
  return isOlder(at.since) && (heard_at === null || isOlder(heard_at))
}

async function keep(tx: LiveTx, seen: ReadonlyMap<string, Whereabouts>): Promise<void> {
  if (seen.size === 0) return
  const rows = [...seen].map(([individual_id, { at, heard_at, before, left }]) => ({
    individual_id,
    space_id: at.space_id,
    access_point_id: at.access_point_id,
    since: at.since,
    heard_at,
    before_space_id: before?.space_id ?? null,
    before_access_point_id: before?.access_point_id ?? null,
    before_since: before?.since ?? null,
    left_building_id: left?.building_id ?? null,
    left_at: left?.at ?? null,
  }))
  const columns = {
    space_id: 'uuid',
    access_point_id: 'uuid',
    since: 'timestamp',
    heard_at: 'timestamp',
    before_space_id: 'uuid',
    before_access_point_id: 'uuid',
    before_since: 'timestamp',
    left_building_id: 'uuid',
    left_at: 'timestamp',
  } as const
  const names = Object.keys(columns)
  const from = tx.dialect.records(rows, 'e', { individual_id: 'uuid', ...columns })
  const isOlder = (noted: string) => sql`(${raw(noted)} <= excluded.heard_at or ${raw(noted)} > ${aheadOf(tx)})`
  // A change may have noted meanwhile that they have left. Whoever was deleted is nowhere.
  await tx.run(sql`insert into presence (org, individual_id, ${raw(names.join(', '))})
    select :org, i.id, ${raw(names.map((name) => `e.${name}`).join(', '))} from ${from} cross join individuals i
    where i.org = :org and i.id = e.individual_id
    on conflict (org, individual_id) do update set ${raw(names.map((name) => `${name} = excluded.${name}`).join(', '))}
      where ${isOlder('presence.since')} and (presence.heard_at is null or ${isOlder('presence.heard_at')})`)
}

interface Row extends Omit<Place, 'since'> {
  readonly individual_id: string
  readonly inner_id: string
  readonly inner_building_id: string | null
  readonly outer_id: string | null
  readonly outer_building_id: string | null
  /** Null: they were seen nowhere yet. */
  readonly since: string | null
  readonly heard_at: string | null
  readonly before_space_id: string | null
  readonly before_access_point_id: string | null
  readonly before_since: string | null
  readonly before_building_id: string | null
  readonly left_building_id: string | null
  readonly left_at: string | null
}

/**
 * Where those of whom events tell are known to be, and the buildings of the spaces on either side of their doors: in
 * one statement, for on PostgreSQL each is a way there and back. A space that they were in before may be gone: then
 * that is where its door leads to now, as with one that they are in; without the door too, it is not known where they
 * were.
 */
async function knownOf(tx: LiveTx, events: readonly StoredEvent[], doors: ReadonlyMap<string, Between>) {
  const asked = new Map<string, object>()
  for (const { individual_id, access_point_id } of events) {
    const door = doors.get(access_point_id ?? '')
    if (!door || individual_id === null) continue
    const { space_id: inner_id, from_space_id: outer_id } = door
    asked.set(`${individual_id} ${door.id}`, { individual_id, inner_id, outer_id })
  }
  const known = new Map<string, Whereabouts>()
  const buildings = new Map<string, string>()
  if (asked.size === 0) return { known, buildings }
  const from = tx.dialect.records([...asked.values()], 'e', {
    individual_id: 'uuid',
    inner_id: 'uuid',
    outer_id: 'uuid',
  })
  const rows = await tx.all<Row>(sql`
    select e.individual_id, e.inner_id, i.building_id as inner_building_id, e.outer_id,
      o.building_id as outer_building_id, t.space_id, t.access_point_id, t.since, t.heard_at,
      coalesce(s.building_id, p.building_id) as building_id,
      case when t.before_space_id is not null then coalesce(bs.id, bp.space_id) end as before_space_id,
      t.before_access_point_id, coalesce(bs.building_id, bp.building_id) as before_building_id,
      case when t.before_space_id is null or bs.id is not null or bp.id is not null then t.before_since end
        as before_since,
      t.left_building_id, t.left_at
    from ${from} left join spaces i on i.org = :org and i.id = e.inner_id
    left join spaces o on o.org = :org and o.id = e.outer_id
    left join presence t on t.org = :org and t.individual_id = e.individual_id
    left join spaces s on s.org = :org and s.id = t.space_id
    left join access_points p on p.org = :org and p.id = t.access_point_id
    left join spaces bs on bs.org = :org and bs.id = t.before_space_id
    left join access_points bp on bp.org = :org and bp.id = t.before_access_point_id`)
  for (const row of rows) {
    const { individual_id, since, inner_id, inner_building_id: inner, outer_id, outer_building_id: outer } = row
    if (inner !== null) buildings.set(inner_id, inner)
    if (outer_id !== null && outer !== null) buildings.set(outer_id, outer)
    if (since !== null) known.set(individual_id, whereaboutsIn({ ...row, since }))
  }
  return { known, buildings }
}

function whereaboutsIn(row: Row & { readonly since: string }): Whereabouts {
  const { space_id, access_point_id, since, building_id, heard_at, before_since, left_building_id, left_at } = row
  return {
    at: { space_id, access_point_id, since, building_id },
    heard_at,
    before:
      before_since === null
        ? null
        : {
            space_id: row.before_space_id,
            access_point_id: row.before_access_point_id,
            since: before_since,
            building_id: row.before_building_id,
          },
    left: left_building_id === null || left_at === null ? null : { building_id: left_building_id, at: left_at },
  }
}

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

function passingOf(event: StoredEvent, door: Between, buildings: ReadonlyMap<string, string>): Passing {
  const since = momentOf(event)
  const place = (space_id: string | null): Place => ({
    space_id,
    access_point_id: door.id,
    since,
    building_id: buildings.get(space_id ?? door.space_id) ?? null,
  })
  const [inner, outer] = [place(door.space_id), place(door.from_space_id)]
  const isOut = (event.direction ?? door.direction) === 'out'
  return { type: event.type, there: isOut ? outer : inner, here: isOut ? inner : outer }
}
