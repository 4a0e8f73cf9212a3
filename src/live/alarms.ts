import { randomUUIDv7 } from 'node:crypto'
import { type AlarmKind, ending, endsByItself, raising } from '../core/doors/alarms.ts'
import type { EventType } from '../core/doors/events.ts'
import { type Sql, sql } from '../db/sql.ts'
import { momentOf } from './intake/new-event.ts'
import type { LiveTx } from './live-transaction.ts'

/** What an alarm is made of. */
export interface Alarming {
  readonly id: string
  readonly type: EventType
  readonly access_point_id: string | null
  readonly building_id: string | null
  readonly access_control_system_id: string | null
  readonly individual_id: string | null
  readonly occurred_at: string
  readonly received_at: string
}

/** Alarms that events raise or end. There are few: each by itself. */
export async function noteAlarms(tx: LiveTx, events: readonly Alarming[]): Promise<void> {
  for (const event of events) {
    const kind = raising[event.type]
    if (kind) await raise(tx, kind, event)
    for (const over of ending[event.type] ?? []) await end(tx, over, event)
  }
}

/** Where there is one already that nobody has closed, it counts on. */
export async function raise(tx: LiveTx, kind: AlarmKind, event: Alarming): Promise<void> {
  const at = momentOf(event)
  const known = await tx.run(sql`update alarms as t set event_count = t.event_count + 1, ended_at = null, version = t.version + 1,
      updated_at = ${tx.instant}, last_raised_at = case when t.last_raised_at < ${at} then ${at} else t.last_raised_at end
    where t.org = :org and t.kind = ${kind} and t.status <> 'closed' and ${sameSource(event)}`)
  if (known > 0) return
  await tx.run(sql`insert into alarms (org, id, created_at, updated_at, version, kind, status, access_point_id, building_id,
      access_control_system_id, individual_id, event_id, event_count, raised_at, last_raised_at)
    values (:org, ${randomUUIDv7()}, ${tx.instant}, ${tx.instant}, 1, ${kind}, 'open', ${event.access_point_id}, ${event.building_id},
      ${event.access_control_system_id}, ${event.individual_id}, ${event.id}, 1, ${at}, ${at})`)
}

/** What somebody has taken note of is closed then, and what needs nobody to. */
async function end(tx: LiveTx, kind: AlarmKind, event: Alarming): Promise<void> {
  const at = momentOf(event)
  const isOver = endsByItself.has(kind) ? sql`true` : sql`t.status = 'acknowledged'`
  const closed = (value: unknown, otherwise: Sql) => sql`case when ${isOver} then ${value} else ${otherwise} end`
  await tx.run(sql`update alarms as t set ended_at = ${at}, version = t.version + 1, updated_at = ${tx.instant},
      status = ${closed('closed', sql`t.status`)}, closed_at = ${closed(tx.instant, sql`t.closed_at`)}
    where t.org = :org and t.kind = ${kind} and t.status <> 'closed' and t.ended_at is null and t.last_raised_at <= ${at} and ${sameSource(event)}`)
}

/** Of the same door; without one, of the same system. */
const sameSource = ({ access_point_id, access_control_system_id }: Alarming): Sql =>
  access_point_id === null
    ? sql`t.access_point_id is null and t.access_control_system_id = ${access_control_system_id}`
    : sql`t.access_point_id = ${access_point_id}`
