import type { FastifyBaseLogger } from 'fastify'
import { type Clock, neverAhead } from '../core/time/clock.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { getRow } from '../db/rows.ts'
import { render, sql } from '../db/sql.ts'
import { carryOut } from '../resources/individuals/offboarding.ts'
import { individuals } from '../resources/individuals/schema.ts'
import { type Later, repeat } from './repeat.ts'

const MINUTE = 60_000
/** People per transaction: each may have much to take back, and nobody waits long for the writer. */
const BATCH = 20

const actor: Actor = { kind: 'system', id: null, name: 'Planned offboarding', address: null, reqId: null }

const isDue = (now: string) => sql`t.offboard_at <= ${now} and t.status in ('invited', 'active', 'suspended')`

/** Carries out what was planned and is due. Gives how many people. */
export async function offboardWhoLeft(engine: Engine, now: string): Promise<number> {
  const { text, values } = render(
    // Not `distinct`: SQLite would go through everybody in the order of their organizations rather than find the few
    // who are due.
    sql`select o.key as org from organizations o where o.status = 'active'
      and o.key in (select t.org from individuals t where ${isDue(now)})`,
  )
  let total = 0
  for (const { org } of await engine.unhurried.all<{ org: number }>(text, values, undefined, 'few')) {
    let done: number
    do {
      done = await change(engine, org, now, actor, offboardBatch)
      total += done
    } while (done === BATCH)
  }
  return total
}

/** Looks once more inside the transaction: of two processes, one finds it done. */
async function offboardBatch(tx: Tx): Promise<number> {
  const due = await tx.all<{ id: string }>(
    sql`select t.id from individuals t where t.org = :org and ${isDue(tx.now)} order by t.offboard_at, t.id
      limit ${BATCH}`,
  )
  for (const { id } of due) await carryOut(tx, await getRow(tx, individuals, id, 'all'))
  return due.length
}

/** Every minute. Nothing depends on it at the doors: since the moment itself nobody of them is valid. */
export function startOffboardings(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const steady = neverAhead(clock)
  steady.now()
  const run = async () => {
    const done = await offboardWhoLeft(engine, steady.now())
    if (done > 0) logger.info({ done }, 'offboarded people as planned')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not offboard people as planned; it is tried again in a minute')
  return repeat({ name: 'offboardings', engine, run, failed }, { firstMs: MINUTE / 6, everyMs: MINUTE }, schedule)
}
