import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { type Sql, sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { noteAlarms } from './alarms.ts'
import { changeDoors } from './door-states.ts'
import { momentOf, type StoredEvent } from './intake/new-event.ts'
import { changeLive, type LiveTx } from './live-transaction.ts'

const TABLE = 'access_control_system_states'
/** Signs of life are noted so often: what shows them is made anew each time. */
const NOTED_MS = 10_000
/**
 * A clock is said to be off by what it is ahead, or by what it is behind up to here: beyond that the event may have
 * come late.
 */
const LATE_MS = 60_000
/** Clocks differ by that much as a matter of course. */
const SLACK_MS = 1000

export interface SystemSign {
  readonly id: string
  readonly at: string
  readonly connectivity: 'online' | 'offline'
  readonly clock_offset_ms?: number
}

interface Known {
  readonly id: string
  readonly last_seen_at: string | null
  readonly connectivity: string
  readonly connectivity_since: string
  readonly clock_offset_ms: number | null
  readonly clock_noted_at: string | null
  /** When it was last told to be away, while that is an alarm. */
  readonly away_at: string | null
}

/** Notes that a system was heard of, or was not, and how its clock goes. */
export const noteSystem = (
  { engine, clock }: { engine: Engine; clock: Clock },
  org: number,
  sign: SystemSign,
): Promise<unknown> =>
  changeLive(engine, org, clock.now(), async (tx) => {
    const away = await note(tx, [sign])
    if (sign.connectivity === 'online' && !away.has(sign.id)) await noteAlarms(tx, [], new Map([[sign.id, sign.at]]))
  })

/**
 * Notes that a system holds what it should; it may be gone by now. A door that it was given is reached through it,
 * though nothing has happened there yet.
 */
export async function noteSynced(tx: LiveTx, id: string): Promise<void> {
  await tx.run(sql`insert into access_control_system_states (org, id, connectivity, connectivity_since, last_sync_at)
    select t.org, t.id, 'online', e.at, e.at from ${tx.dialect.records([{ at: tx.instant }], 'e', { at: 'timestamp' })}
    join access_control_systems t on t.org = :org and t.id = ${id} where true
    on conflict (org, id) do update set last_sync_at = excluded.last_sync_at`)
  await turnDoors(tx, { id, at: tx.instant, connectivity: 'online' }, sql`s.connectivity = 'never_connected'`)
}

/** Notes how a system's clock goes, by its own account; one that nothing was heard of yet has nowhere to note it. */
export async function noteClock(tx: LiveTx, id: string, offset: number): Promise<void> {
  const noted = await tx.run(
    sql`update access_control_system_states as t set clock_offset_ms = ${offset}, clock_noted_at = ${tx.instant}
      where t.org = :org and t.id = ${id}
        and (t.clock_offset_ms is null or t.clock_offset_ms not between ${offset - SLACK_MS} and ${offset + SLACK_MS})`,
    [],
  )
  if (noted > 0) tx.move([`${TABLE}.clock_offset_ms`, `${TABLE}.clock_noted_at`])
}

/** Which were heard of after all, and when last; and which are away, whatever they said before. */
interface Heard {
  readonly heard: ReadonlyMap<string, string>
  readonly away: ReadonlySet<string>
}

/** What events say of the systems that sent them. */
export async function noteSystems(tx: LiveTx, events: readonly StoredEvent[]): Promise<Heard> {
  const signs = new Map<string, SystemSign>()
  for (const event of events) {
    const { access_control_system_id: id, type, received_at, occurred_at } = event
    if (id === null) continue
    const at = momentOf(event)
    const known = signs.get(id)
    const offset = Math.max(
      Date.parse(occurred_at) - Date.parse(received_at),
      known?.clock_offset_ms ?? Number.NEGATIVE_INFINITY,
    )
    const isLater = !known || at >= known.at
    signs.set(id, {
      id,
      at: isLater ? at : known.at,
      connectivity: isLater ? (type === 'system.offline' ? 'offline' : 'online') : known.connectivity,
      ...(offset > -LATE_MS ? { clock_offset_ms: offset } : {}),
    })
  }
  for (const sign of signs.values()) {
    if (sign.connectivity === 'online') continue
    const at = await lastWord(tx, sign.id)
    // That it was away is told of late: it has said something since.
    if (at !== null && at > sign.at) signs.set(sign.id, { ...sign, at, connectivity: 'online' })
  }
  const away = await note(tx, [...signs.values()])
  const heard = signs.values().filter(({ connectivity }) => connectivity === 'online')
  return { heard: new Map(heard.map(({ id, at }) => [id, at])), away }
}

/** So many of its events are looked at: they may have come in any order. */
const LAST = 100

/** When a system last said anything; that it is away others say. What came while our clock was ahead says nothing. */
async function lastWord(tx: LiveTx, id: string): Promise<string | null> {
  // With moments that no index has: else SQLite goes through all events that ever came, in their order of arrival.
  const row = await tx.one<{ at: string | null }>(sql`
    select max(case when e.occurred_at < e.received_at then e.occurred_at else e.received_at end) as at from (
      select t.occurred_at, t.received_at from access_events t where t.org = :org and t.access_control_system_id = ${id}
      and t.type not in ('system.offline', 'alarm.raised')
      and coalesce(t.received_at, t.occurred_at) <= ${tx.instant}
      order by t.sequence desc limit ${LAST}) e`)
  return row?.at ?? null
}

/** Gives those that are away then. */
async function note(tx: LiveTx, signs: readonly SystemSign[]): Promise<Set<string>> {
  const away = new Set<string>()
  if (signs.length === 0) return away
  const ids = new Set(signs.map(({ id }) => id))
  const rows = await tx.all<Known>(sql`
    select t.id, t.kind, s.last_seen_at, coalesce(s.connectivity, 'never_connected') as connectivity,
    coalesce(s.connectivity_since, t.created_at) as connectivity_since,
      s.clock_offset_ms, s.clock_noted_at, (select max(a.last_raised_at) from alarms a where a.org = :org
      and a.access_control_system_id = t.id and a.access_point_id is null and a.kind = 'system_offline'
      and a.status in ('open', 'acknowledged')) as away_at
    from access_control_systems t left join access_control_system_states s on s.org = :org and s.id = t.id
    where t.org = :org and ${tx.dialect.inList('t.id', ids, 'uuid')}`)
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const sign of signs) {
    const before = known.get(sign.id)
    if (before && (await writeSign(tx, sign, before)) === 'offline') away.add(sign.id)
  }
  return away
}

/** Gives its connectivity then. */
async function writeSign(tx: LiveTx, sign: SystemSign, before: Known): Promise<string> {
  const { id, at, connectivity, clock_offset_ms: offset } = sign
  const moved: string[] = []
  const ahead = aheadOf(tx)
  const isLaterThan = (moment: string | null) => moment !== null && moment <= ahead && at < moment
  const isLate = isLaterThan(before.connectivity_since) || (connectivity === 'online' && isLaterThan(before.away_at))
  const isTurned = connectivity !== before.connectivity && !isLate
  if (isTurned) moved.push(`${TABLE}.connectivity`, `${TABLE}.connectivity_since`)
  const isSeen =
    connectivity === 'online' &&
    (before.last_seen_at === null ||
      before.last_seen_at > ahead ||
      Date.parse(tx.instant) - Date.parse(before.last_seen_at) >= NOTED_MS)
  if (isSeen) moved.push(`${TABLE}.last_seen_at`)
  const isSet =
    offset !== undefined && Math.abs(offset - (before.clock_offset_ms ?? Number.POSITIVE_INFINITY)) > SLACK_MS
  if (isSet) moved.push(`${TABLE}.clock_offset_ms`, `${TABLE}.clock_noted_at`)
  if (moved.length === 0) return before.connectivity
  await tx.run(
    sql`insert into access_control_system_states (org, id, last_seen_at, connectivity, connectivity_since,
      clock_offset_ms, clock_noted_at)
      values (:org, ${id}, ${isSeen ? tx.instant : before.last_seen_at},
      ${isTurned ? connectivity : before.connectivity},
        ${isTurned ? at : before.connectivity_since}, ${isSet ? offset : before.clock_offset_ms},
        ${isSet ? tx.instant : before.clock_noted_at})
      on conflict (org, id) do update set last_seen_at = excluded.last_seen_at, connectivity = excluded.connectivity,
        connectivity_since = excluded.connectivity_since, clock_offset_ms = excluded.clock_offset_ms,
        clock_noted_at = excluded.clock_noted_at`,
    moved,
  )
  if (!isTurned) return before.connectivity
  if (connectivity === 'offline') await turnDoors(tx, sign, sql`s.connectivity = 'online'`)
  else
    await turnDoors(tx, sign, sql`s.connectivity = 'offline' and s.connectivity_since = ${before.connectivity_since}`)
  return connectivity
}

/** A system that is away takes its doors along; when it is back, so are those that were away with it, since it was. */
async function turnDoors(tx: LiveTx, { id, at, connectivity }: SystemSign, which: Sql): Promise<void> {
  // With something that no index has: else SQLite goes along one that has the rest, through all doors.
  const doors = await tx.all<{ id: string }>(sql`
    select t.id, t.direction from access_points t join access_point_states s on s.org = :org and s.id = t.id
    and ${which}
    where t.org = :org and t.access_control_system_id = ${id}`)
  await changeDoors(
    tx,
    doors.map((door) => ({ access_point_id: door.id, at, connectivity })),
  )
}
