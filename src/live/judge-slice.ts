import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { type Alarming, raiseAll } from './alarms.ts'
import { type Finding, findAll, findOne, type Happened } from './findings.ts'
import { changeLive, type LiveTx } from './live-transaction.ts'

export interface Unjudged extends Alarming, Happened {
  readonly sequence: number
  readonly access_point_id: string | null
  readonly individual_id: string | null
}

interface Judged<Event extends Unjudged = Unjudged> extends Finding {
  readonly event: Event
}

/** Some of those that wait: between two sequences, and so many. */
export interface Some {
  readonly from: number
  readonly through: number
  readonly limit: number
}

export interface Judgement {
  /** There may be more that wait. */
  readonly isMore: boolean
  /** It was found that a door opened to somebody it should not have, which is an event of its own. */
  readonly isAlarming: boolean
}

/** Judges some of an organization's events, the oldest first. */
export async function judgeSlice(handle: OrgHandle, { from, through, limit }: Some): Promise<Judgement> {
  // Which these are first, by the index of what has no verdict: for whole rows SQLite would go through all events.
  const events = await handle.all<Unjudged>(sql`
    select t.sequence, t.id, t.type, t.result, t.reason, t.access_point_id, t.building_id, t.access_control_system_id,
    t.individual_id, t.credential_id,
      t.credential_number, t.credential_type, t.facility_code, t.direction, t.occurred_at, t.happened_at,
      t.received_at
    from (select e.org, e.sequence from access_events e where e.org = :org and e.verdict is null
      and e.sequence >= ${from} and e.sequence <= ${through} order by e.sequence limit ${limit}) w
    cross join access_events t where t.org = w.org and t.sequence = w.sequence and +t.org = :org order by t.sequence`)
  if (events.length === 0) return { isMore: false, isAlarming: false }
  const judged = await judgeThese(handle, events)
  return { isMore: events.length === limit, isAlarming: judged.some(({ verdict }) => verdict === 'unexpected_grant') }
}

/** Judges events that were stored without their verdict, in their order. */
export async function judgeThese<Event extends Unjudged>(
  handle: OrgHandle,
  events: readonly Event[],
): Promise<Array<Judged<Event>>> {
  const { found } = await findAll(handle, events)
  const judged: Array<Judged<Event>> = []
  for (const [index, event] of events.entries())
    judged.push({ event, ...(found[index] ?? (await findOne(handle, event))) })
  await keep(handle, judged)
  return judged
}

/** Two that judge at once write it once, and raise what follows once. */
const keep = ({ engine, org, instant }: OrgHandle, judged: readonly Judged[]): Promise<void> =>
  changeLive(engine, org, instant, async (tx) => {
    const alarming = judged.filter(({ verdict }) => verdict === 'unexpected_grant').map(({ event }) => event)
    const open = await unjudged(tx, alarming)
    const rows = judged.map(({ event, verdict, verdict_reason }) => ({
      org: tx.org,
      sequence: event.sequence,
      verdict,
      verdict_reason,
    }))
    const from = tx.dialect.records(rows, 'e', {
      org: 'bigint',
      sequence: 'bigint',
      verdict: 'text',
      verdict_reason: 'text',
    })
    await tx.run(sql`update access_events as t set verdict = e.verdict, verdict_reason = e.verdict_reason from ${from}
      where t.org = e.org and t.sequence = e.sequence and +t.org = :org and t.verdict is null`)
    await raiseAll(
      tx,
      'unexpected_grant',
      alarming.filter(({ sequence }) => open.has(sequence)),
    )
  })

/** Those that nobody else has judged meanwhile. */
async function unjudged(tx: LiveTx, events: readonly Unjudged[]): Promise<Set<number>> {
  if (events.length === 0) return new Set()
  const asked = tx.dialect.records(
    events.map(({ sequence }) => ({ org: tx.org, sequence })),
    'e',
    { org: 'bigint', sequence: 'bigint' },
  )
  const rows = await tx.all<{ sequence: number }>(sql`select t.sequence from ${asked}
    join access_events t on t.org = e.org and t.sequence = e.sequence and t.verdict is null where +t.org = :org`)
  return new Set(rows.map(({ sequence }) => sequence))
}
