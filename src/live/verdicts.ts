import { unlessAborted } from '../core/unless-aborted.ts'
import type { Engine } from '../db/engine.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { type Alarming, raiseAll } from './alarms.ts'
import { type Finding, findAll, findOne, type Happened } from './findings.ts'
import { changeLive, type LiveTx } from './live-transaction.ts'
import { newsOf } from './news.ts'

interface Unjudged extends Alarming, Happened {
  readonly sequence: number
  readonly access_point_id: string | null
  readonly individual_id: string | null
}

interface Judged extends Finding {
  readonly event: Unjudged
}

/** So many are judged and written together, for whoever waits and beside requests. */
const SLICE = 200
const SMALL_SLICE = 20

/** Judges one organization's events in turn, whoever asks at once. */
class Judges {
  private readonly engine: Engine
  private readonly running = new Map<number, Promise<unknown>>()

  constructor(engine: Engine) {
    this.engine = engine
  }

  async judge(org: number, now: string, through: number): Promise<void> {
    const before = this.running.get(org) ?? Promise.resolve()
    const own = before.catch(() => undefined).then(() => judgeThrough(new OrgHandle(this.engine, org, now), through))
    this.running.set(org, own)
    await own
  }
}

const judgesOf = perEngine((engine) => new Judges(engine))

/** Whatever happened up to a sequence has its verdict afterwards. */
export async function judgeEvents({ engine, org, instant, signal }: OrgHandle, through = Number.MAX_SAFE_INTEGER): Promise<void> {
  const [pending] = await engine.reader.all<{ sequence: number }>(
    'select sequence from access_events where org = $1 and verdict is null and sequence <= $2 order by sequence limit 1',
    [org, through],
  )
  if (!pending) return
  signal?.throwIfAborted()
  // However long there is to judge, whoever waits is answered in time, and it goes on for the next.
  await unlessAborted(judgesOf(engine).judge(org, instant, through), signal, () => undefined)
}

async function judgeThrough(handle: OrgHandle, through: number): Promise<void> {
  while (await judgeSlice(handle, through, SLICE));
}

/** Judges a few of those that wait; whether there may be more. */
export const judgeSome = (handle: OrgHandle): Promise<boolean> => judgeSlice(handle, Number.MAX_SAFE_INTEGER, SMALL_SLICE)

async function judgeSlice(handle: OrgHandle, through: number, limit: number): Promise<boolean> {
  const events = await handle.all<Unjudged>(sql`
    select t.sequence, t.id, t.type, t.result, t.access_point_id, t.building_id, t.access_control_system_id, t.individual_id, t.credential_id,
      t.credential_number, t.direction, t.occurred_at, t.received_at
    from access_events t where t.org = :org and t.verdict is null and t.sequence <= ${through} order by t.sequence limit ${limit}`)
  if (events.length === 0) return false
  const { found } = await findAll(handle, events)
  const judged: Judged[] = []
  for (const [index, event] of events.entries()) judged.push({ event, ...(found[index] ?? (await findOne(handle, event))) })
  await keep(handle, judged)
  if (judged.some(({ verdict }) => verdict === 'unexpected_grant')) newsOf(handle.engine).told(handle.org, 'access-events')
  return events.length === limit
}

/** Two that judge at once write it once, and raise what follows once. */
const keep = ({ engine, org, instant }: OrgHandle, judged: readonly Judged[]): Promise<void> =>
  changeLive(engine, org, instant, async (tx) => {
    const alarming = judged.filter(({ verdict }) => verdict === 'unexpected_grant').map(({ event }) => event)
    const open = await unjudged(tx, alarming)
    const rows = judged.map(({ event, verdict, verdict_reason }) => ({ org: tx.org, sequence: event.sequence, verdict, verdict_reason }))
    const from = tx.dialect.records(rows, 'e', { org: 'bigint', sequence: 'bigint', verdict: 'text', verdict_reason: 'text' })
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
