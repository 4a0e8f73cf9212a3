import { classOf, type EventClass, eventTypes } from '../core/doors/events.ts'
import type { Engine } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { changeLive } from './live-transaction.ts'

const DAY = 86_400_000
/** Rows per transaction, so that nobody waits for long. */
const SLICE = 500

/** How many days events of each class are kept; 0: for ever. */
export type EventRetention = Readonly<Record<EventClass, number>>

/** Removes events that have had their time, by class. Gives how many went. */
export async function pruneEvents(engine: Engine, now: string, retention: EventRetention): Promise<number> {
  const heads = await engine.unhurried.all<{ org: number }>('select org from live_heads order by org', [])
  let removed = 0
  for (const { org } of heads) {
    const handle = new OrgHandle(engine, org, now, engine.unhurried)
    for (const kind of ['access', 'door', 'system'] as const) {
      if (retention[kind] === 0) continue
      const cutoff = new Date(Date.parse(now) - retention[kind] * DAY).toISOString()
      const through = await lastBefore(handle, cutoff)
      for (const type of eventTypes.filter((name) => classOf(name) === kind))
        removed += await removeThrough(handle, type, { through, cutoff })
    }
  }
  return removed
}

/** The last event that arrived before a moment: there is no need to look beyond it. */
async function lastBefore(handle: OrgHandle, moment: string): Promise<number> {
  const last = await handle.one<{ sequence: number }>(sql`
    select t.sequence from access_events t where t.org = :org and t.received_at < ${moment}
    order by t.received_at desc, t.sequence desc limit 1`)
  return last?.sequence ?? 0
}

interface Outdated {
  readonly through: number
  /** What lies before that arrived before this, unless our clock was wrong meanwhile: then it is kept. */
  readonly cutoff: string
}

/** First it is said that something up to there is gone, in the same transaction. */
async function removeThrough(
  { engine, org, instant }: OrgHandle,
  type: string,
  { through, cutoff }: Outdated,
): Promise<number> {
  // By the type, whatever else there is: by the time SQLite would walk all that is kept longer.
  const those = sql`t.org = :org and t.type = ${type} and (t.received_at < ${cutoff}) is true`
  let removed = 0
  for (;;) {
    const went = await changeLive(engine, org, instant, async (tx) => {
      const old = await tx.all<{ sequence: number }>(sql`select t.sequence from access_events t
        where ${those} and t.sequence <= ${through} order by t.sequence limit ${SLICE}`)
      const last = old.at(-1)?.sequence
      if (last === undefined) return 0
      await tx.run(sql`delete from access_events as t where ${those} and t.sequence <= ${last}`)
      await tx.run(sql`update live_heads as t set stored = t.stored - ${old.length},
        gone_through = case when t.gone_through < ${last} then ${last} else t.gone_through end where t.org = :org`)
      return old.length
    })
    removed += went
    if (went < SLICE) return removed
  }
}
