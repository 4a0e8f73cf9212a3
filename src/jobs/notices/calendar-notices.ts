import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../core/time/clock.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import { daysAfter, todayOf } from '../../db/day.ts'
import type { Engine } from '../../db/engine.ts'
import { render, type Sql, sql } from '../../db/sql.ts'
import { type Later, repeat } from '../repeat.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WARNING_DAYS = 60
/** Calendars per transaction: nobody waits long for the writer. */
const BATCH = 200

const actor: Actor = { kind: 'system', id: null, name: 'Calendars', address: null, reqId: null }

interface Ending {
  id: string
  name: string
  last_day: string
}

/** Calendar `t` knows no holidays soon, and that was not yet told of this last day. */
const isDue = (today: string): Sql =>
  sql`t.last_day <= ${daysAfter(today, WARNING_DAYS)} and (t.noticed_last_day is null or t.noticed_last_day <>
    t.last_day)`

/** Tells of calendars whose days run out: events, and entries of the audit log. Gives how many. */
export async function giveCalendarNotices(engine: Engine, now: string): Promise<number> {
  // Where a day begins first it may be tomorrow already.
  const tomorrow = daysAfter(now.slice(0, 10), 1)
  const { text, values } = render(
    sql`select distinct t.org from calendars t join organizations o on o.key = t.org where ${isDue(tomorrow)}
      and o.status = 'active'`,
  )
  let total = 0
  for (const { org } of await engine.reader.all<{ org: number }>(text, values)) {
    let given: number
    do {
      given = await change(engine, org, now, actor, noticeBatch)
      total += given
    } while (given === BATCH)
  }
  return total
}

/** Looks once more inside the transaction: of two processes, one finds it done. */
async function noticeBatch(tx: Tx): Promise<number> {
  const today = await todayOf(tx)
  const calendars = await tx.all<Ending>(
    sql`select t.id, t.name, t.last_day from calendars t where t.org = :org and ${isDue(today)}
      order by t.last_day, t.id limit ${BATCH}`,
  )
  for (const { id, name, last_day } of calendars) {
    await tx.run(sql`update calendars as t set noticed_last_day = t.last_day where t.org = :org and t.id = ${id}`)
    const days_left = Math.max(0, (Date.parse(last_day) - Date.parse(today)) / DAY)
    const after = { name, last_day, days_left }
    tx.record({ action: 'calendar.runs_out', resource: 'calendars', resourceId: id, before: null, after })
  }
  return calendars.length
}

/** Every hour: what is told sixty days ahead is in no hurry. */
export function startCalendarNotices(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    const given = await giveCalendarNotices(engine, clock.now())
    if (given > 0) logger.info({ given }, 'told of calendars that run out')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not tell of calendars that run out; it is tried again in an hour')
  return repeat({ name: 'calendar_notices', engine, run, failed }, { firstMs: 20_000, everyMs: HOUR }, schedule)
}
