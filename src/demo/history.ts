import { type HistoryTable, historyColumns } from '../db/along/history.ts'
import type { Tx } from '../db/change.ts'
import type { AnyRow } from '../db/resource.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import { scheduleRows } from './schedules.ts'
import type { World } from './world.ts'

/** What rows were until a moment of each: these columns differed from what they are. */
function past(table: HistoryTable, was: Readonly<Record<string, Sql>>, until: Sql, more = sql``): Sql {
  const columns = historyColumns[table]
  const values = columns.map((column) => was[column] ?? raw(`t.${column}`))
  return sql`insert into ${raw(`${table}_history`)} (org, ${raw(columns.join(', '))}, created_at, ended_at)
    select t.org, ${join(values, ', ')}, t.created_at, ${until} from ${raw(table)} t ${more}
    where t.org = :org and ${until} > t.created_at and ${until} < :now`
}

/**
 * The rows are stored as they are today. What they say of the past (revoked, offboarded, lost, handed over) was a
 * change once, and is written where changes are kept: so a question as of some month ago is answered by the settings of
 * then.
 */
export async function fillHistory(tx: Tx, world: World): Promise<void> {
  const since = world.historySince()
  if (since > tx.now) return
  await tx.run(sql`update organizations set history_since = ${since} where key = :org`)
  await tx.run(past('access_grants', { revoked_at: sql`null` }, sql`t.revoked_at`))
  const left = sql`case when t.status = 'offboarded' then t.valid_until end`
  await tx.run(past('individuals', { status: sql`'active'`, valid_until: sql`null` }, left))
  const lost = sql`case when t.status_reason in ('lost', 'stolen') then (
    select u.last_used_at from credential_uses u where u.org = :org and u.id = t.id) end`
  await tx.run(past('credentials', { status_reason: sql`'none'` }, lost))
  const handover = sql`join key_handovers h on h.org = :org and h.key_id = t.id`
  await tx.run(past('keys', { status: sql`'in_stock'`, individual_id: sql`null` }, sql`h.issued_at`, handover))
  await tx.run(past('keys', { status: sql`'issued'`, individual_id: sql`h.individual_id` }, sql`h.ended_at`, handover))
  const { created_at, ...hours } = longerHours(world)
  const columns = historyColumns.schedules
  await tx.insert('schedules_history', {
    ...Object.fromEntries(columns.map((column) => [column, hours[column]])),
    created_at,
    ended_at: world.atWork(60),
  })
}

/** Office hours were longer until two months ago. */
function longerHours(world: World): AnyRow {
  const [hours] = scheduleRows(world)
  return { ...hours, windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '21:00' }] }
}
