import { randomUUIDv7 } from 'node:crypto'
import { type AlarmKind, ending, endsByItself, endsWhenClosed, momentary, raising } from '../core/doors/alarms.ts'
import type { DoorAlarm } from '../core/doors/door-state.ts'
import { type EventType, eventTypes } from '../core/doors/events.ts'
import { type Sql, sql } from '../db/sql.ts'
import { aheadOf } from './ahead.ts'
import { statesOf } from './door-states.ts'
import { momentOf } from './intake/new-event.ts'
import { append } from './intake/store.ts'
import type { LiveTx } from './live-transaction.ts'

/** An alarm is a door's, or, without one, a system's. */
interface Source {
  readonly access_point_id: string | null
  readonly access_control_system_id: string | null
}

/** What an alarm is made of. */
export interface Alarming extends Source {
  readonly id: string
  readonly type: EventType
  readonly building_id: string | null
  readonly individual_id: string | null
  readonly occurred_at: string
  readonly happened_at?: string | null
  readonly received_at: string
}

/**
 * Alarms that events raise or end, each by itself: there are few. Doors that close all day end nothing where nothing is
 * open. `heard`: which systems were heard of, and when last.
 */
export async function noteAlarms(
  tx: LiveTx,
  events: readonly Alarming[],
  heard: ReadonlyMap<string, string>,
): Promise<void> {
  const telling = events.filter(({ type }) => raising[type] || ending[type]).map(ofItsSource)
  if (telling.length + heard.size === 0) return
  const open = await openAmong(tx, telling, heard)
  for (const event of telling) {
    const kind = raising[event.type]
    if (kind) {
      await raise(tx, kind, event)
      open.add(keyOf(event, kind))
    }
    for (const over of ending[event.type] ?? [])
      if (open.has(keyOf(event, over))) await end(tx, over, event, momentOf(event))
  }
  await endWhatIsOver(tx, telling)
  // Whatever a system says, it is not away.
  for (const [id, at] of heard) {
    const system = { access_point_id: null, access_control_system_id: id }
    if (open.has(keyOf(system, AWAY))) await end(tx, AWAY, system, at)
  }
}

const AWAY = 'system_offline' satisfies AlarmKind

/** What is told of late is over where its door or system has told so since: no event would end it any more. */
async function endWhatIsOver(tx: LiveTx, events: readonly Alarming[]): Promise<void> {
  const raised = new Map<string, { source: Source; door: string; kind: AlarmKind }>()
  for (const event of events) {
    const { type, access_point_id: door } = event
    const kind = raising[type]
    if (kind && door === null) await endOfSystem(tx, kind, event)
    else if (kind && door !== null && !endsWhenClosed.has(kind))
      raised.set(keyOf(event, kind), { source: event, door, kind })
  }
  if (raised.size === 0) return
  const states = await statesOf(tx, new Set(raised.values().map(({ door }) => door)))
  for (const { source, door, kind } of raised.values()) {
    const { heard = {}, alarms = [] } = states.get(door) ?? {}
    const at = heard[kind]
    if (at !== undefined && !alarms.includes(kind as DoorAlarm)) await end(tx, kind, source, at)
  }
}

/** Nothing is kept of how a system stands with what it says of itself: its events are looked at, which are few. */
async function endOfSystem(tx: LiveTx, kind: AlarmKind, event: Alarming): Promise<void> {
  const enders = eventTypes.filter((type) => type.startsWith('system.') && ending[type]?.includes(kind))
  if (enders.length === 0) return
  // By their type, of which there are fewest: SQLite would take any other index, and go through all events along it.
  const over = await tx.one<{ at: string | null }>(sql`
    select max(case when t.occurred_at < t.received_at then t.occurred_at else t.received_at end) as at
    from access_events t where t.org = :org and ${tx.dialect.inList('t.type', enders, 'text')}
    and coalesce(t.access_control_system_id, t.id) = ${event.access_control_system_id}
    and coalesce(t.occurred_at, t.received_at) >= ${momentOf(event)}
    and coalesce(t.received_at, t.occurred_at) <= ${tx.instant}`)
  if (over?.at) await end(tx, kind, event, over.at)
}

/** What a system says of itself is the system's, through whichever of its doors it says so. */
const ofItsSource = (event: Alarming): Alarming =>
  event.type.startsWith('system.') && event.access_control_system_id !== null
    ? { ...event, access_point_id: null, building_id: null }
    : event

const keyOf = ({ access_point_id, access_control_system_id }: Source, kind: AlarmKind): string =>
  `${access_point_id ?? access_control_system_id} ${kind}`

/** What is open of the doors and systems that tell, or are heard of. */
async function openAmong(
  tx: LiveTx,
  events: readonly Alarming[],
  heard: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const open = (
    column: string,
    ids: ReadonlySet<string>,
  ) => sql`select t.kind, t.access_point_id, t.access_control_system_id
    from alarms t where t.org = :org and ${tx.dialect.inList(`t.${column}`, ids, 'uuid')}
    and t.status in ('open', 'acknowledged')`
  const doors = new Set(events.flatMap(({ access_point_id }) => access_point_id ?? []))
  const systems = new Set(heard.keys())
  for (const { access_point_id, access_control_system_id: id } of events)
    if (access_point_id === null && id !== null) systems.add(id)
  const rows = await tx.all<Source & { kind: AlarmKind }>(sql`${open('access_point_id', doors)}
    union all ${open('access_control_system_id', systems)} and t.access_point_id is null`)
  return new Set(rows.map((row) => keyOf(row, row.kind)))
}

/** One kind of many events at doors, with a fixed number of statements: as `raise` does it with each. */
export async function raiseAll(tx: LiveTx, kind: AlarmKind, events: readonly Alarming[]): Promise<void> {
  const doors = new Map<string, { first: Alarming; at: string; n: number; last: string }>()
  for (const event of events) {
    const id = event.access_point_id ?? ''
    const at = momentOf(event)
    const { first, at: since, n, last } = doors.get(id) ?? { first: event, at, n: 0, last: at }
    const isLater = at > last
    doors.set(id, { first, at: since, n: n + 1, last: isLater ? at : last })
  }
  if (doors.size === 0) return
  const told = [...doors].map(([id, { n, last }]) => ({ org: tx.org, id, n, last }))
  const from = tx.dialect.records(told, 'e', { org: 'bigint', id: 'uuid', n: 'integer', last: 'timestamp' })
  const again = await tx.returning<{
    id: string
  }>(sql`update alarms as t set event_count = t.event_count + e.n, ended_at = null, version = t.version + 1,
      updated_at = ${tx.instant}, last_raised_at = case when ${isBefore(tx, sql`e.last`)} then e.last
      else t.last_raised_at end
    from ${from} where t.org = e.org and t.access_point_id = e.id and +t.org = :org and t.kind = ${kind}
    and ${isCountedIn(kind)}
    returning access_point_id as id`)
  const open = new Set(again.map(({ id }) => id))
  for (const [id, { first, at, n, last }] of doors) if (!open.has(id)) await insert(tx, kind, first, { n, at, last })
}

/** Where there is one already that nobody has closed, it counts on; of what is momentary, that nobody has noted. */
const isCountedIn = (kind: AlarmKind): Sql =>
  momentary.has(kind) ? sql`t.status = 'open'` : sql`t.status in ('open', 'acknowledged')`

async function raise(tx: LiveTx, kind: AlarmKind, event: Alarming): Promise<void> {
  const at = momentOf(event)
  const known =
    await tx.run(sql`update alarms as t set event_count = t.event_count + 1, ended_at = null, version = t.version + 1,
      updated_at = ${tx.instant}, last_raised_at = case when ${isBefore(tx, at)} then ${at} else t.last_raised_at end
    where t.org = :org and t.kind = ${kind} and ${isCountedIn(kind)} and ${sameSource(event)}`)
  if (known > 0) return
  await insert(tx, kind, event, { n: 1, at, last: at })
}

/** A new one is told as an event, for those who follow the feed. */
async function insert(
  tx: LiveTx,
  kind: AlarmKind,
  event: Alarming,
  { n, at, last }: { n: number; at: string; last: string },
): Promise<void> {
  const { access_point_id, building_id, access_control_system_id, individual_id } = event
  await tx.run(sql`insert into alarms (org, id, created_at, updated_at, version, kind, status, access_point_id,
    building_id,
      access_control_system_id, individual_id, event_id, event_count, raised_at, last_raised_at)
    values (:org, ${randomUUIDv7()}, ${tx.instant}, ${tx.instant}, 1, ${kind}, 'open', ${access_point_id},
    ${building_id},
      ${access_control_system_id}, ${individual_id}, ${event.id}, ${n}, ${at}, ${last})`)
  const told = {
    access_point_id,
    building_id,
    access_control_system_id,
    individual_id,
    occurred_at: at,
    received_at: tx.instant,
  }
  await append(tx, [{ ...RAISED, ...told, id: randomUUIDv7(), reason: kind }])
}

const RAISED = {
  type: 'alarm.raised',
  source_id: null,
  source_place: '',
  result: null,
  credential_id: null,
  credential_number: null,
  credential_type: null,
  facility_code: null,
  command_id: null,
  direction: null,
  verdict: 'unknown',
  verdict_reason: null,
} as const

/** What somebody has taken note of is closed then, and what needs nobody to. */
async function end(tx: LiveTx, kind: AlarmKind, source: Source, at: string): Promise<void> {
  const isOver = endsByItself.has(kind) ? sql`true` : sql`t.status = 'acknowledged'`
  const closed = (value: unknown, otherwise: Sql) => sql`case when ${isOver} then ${value} else ${otherwise} end`
  await tx.run(sql`update alarms as t set ended_at = ${at}, version = t.version + 1, updated_at = ${tx.instant},
      status = ${closed('closed', sql`t.status`)}, closed_at = ${closed(tx.instant, sql`t.closed_at`)}
    where t.org = :org and t.kind = ${kind} and t.status <> 'closed' and t.ended_at is null
    and (${isBefore(tx, at)} or t.last_raised_at = ${at}) and ${sameSource(source)}`)
}

/** Whether it was last raised before that, or as it seems later than now: while our clock was ahead. */
const isBefore = (tx: LiveTx, at: string | Sql): Sql =>
  sql`(t.last_raised_at < ${at} or t.last_raised_at > ${aheadOf(tx)})`

/** Of the same door; without one, of the same system. */
const sameSource = ({ access_point_id, access_control_system_id }: Source): Sql =>
  access_point_id === null
    ? sql`t.access_point_id is null and t.access_control_system_id = ${access_control_system_id}`
    : sql`t.access_point_id = ${access_point_id}`
