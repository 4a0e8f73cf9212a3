import { answer } from '../access/answer.ts'
import { historySince } from '../access/as-of.ts'
import { Settings } from '../access/settings.ts'
import type { Decision } from '../core/decide/decide.ts'
import type { Verdict } from '../core/doors/events.ts'
import type { Engine } from '../db/engine.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { type Alarming, raise } from './alarms.ts'
import { momentOf } from './intake/new-event.ts'
import { changeLive, type LiveTx } from './live-transaction.ts'

interface Unjudged extends Alarming {
  readonly sequence: number
  readonly result: 'granted' | 'denied' | null
  readonly credential_id: string | null
  readonly credential_number: string | null
  readonly direction: 'in' | 'out' | null
}

interface Judged {
  readonly event: Unjudged
  readonly verdict: Verdict
  readonly verdict_reason: string | null
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
export async function judgeEvents({ engine, org, instant }: OrgHandle, through = Number.MAX_SAFE_INTEGER): Promise<void> {
  const [pending] = await engine.reader.all<{ sequence: number }>(
    'select sequence from access_events where org = $1 and verdict is null and sequence <= $2 order by sequence limit 1',
    [org, through],
  )
  if (pending) await judgesOf(engine).judge(org, instant, through)
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
  const judged: Judged[] = []
  for (const event of events) judged.push({ event, ...(await verdictOf(handle, event)) })
  await keep(handle, judged)
  return events.length === limit
}

/** Two that judge at once write it once, and raise what follows once. */
const keep = ({ engine, org, instant }: OrgHandle, judged: readonly Judged[]): Promise<void> =>
  changeLive(engine, org, instant, async (tx) => {
    const alarming = judged.filter(({ verdict }) => verdict === 'unexpected_grant')
    const open = await unjudged(tx, alarming)
    const rows = judged.map(({ event, verdict, verdict_reason }) => ({ org: tx.org, sequence: event.sequence, verdict, verdict_reason }))
    const from = tx.dialect.records(rows, 'e', { org: 'bigint', sequence: 'bigint', verdict: 'text', verdict_reason: 'text' })
    await tx.run(sql`update access_events as t set verdict = e.verdict, verdict_reason = e.verdict_reason from ${from}
      where t.org = e.org and t.sequence = e.sequence and +t.org = :org and t.verdict is null`)
    for (const { event } of alarming) if (open.has(event.sequence)) await raise(tx, 'unexpected_grant', event)
  })

async function unjudged(tx: LiveTx, judged: readonly Judged[]): Promise<Set<number>> {
  const open = new Set<number>()
  for (const { event } of judged) {
    const row = await tx.one<{ sequence: number }>(
      sql`select t.sequence from access_events t where t.org = :org and t.sequence = ${event.sequence} and t.verdict is null`,
    )
    if (row) open.add(row.sequence)
  }
  return open
}

type Finding = Omit<Judged, 'event'>

const UNKNOWN: Finding = { verdict: 'unknown', verdict_reason: null }

/** What would have been decided by the rules as they were then. Unknown where they are not known, or nothing was decided. */
async function verdictOf(handle: OrgHandle, event: Unjudged): Promise<Finding> {
  const { access_point_id, result } = event
  const isAnybody = event.individual_id !== null || event.credential_id !== null || event.credential_number !== null
  if (result === null || access_point_id === null || !isAnybody) return UNKNOWN
  const at = momentOf(event)
  const settings = await settingsOf(handle, at)
  const decision = settings && (await answer(settings, { ...askOf(event), access_point_id, at }))
  if (!decision) return UNKNOWN
  const verdict_reason = decision.reason
  const isGranted = decision.isGranted || (result === 'granted' && (await isOnlySince(handle, event, decision)))
  if (isGranted === (result === 'granted')) return { verdict: 'agreed', verdict_reason: isGranted ? 'granted' : verdict_reason }
  // What stands beside the rules is known as it is, not as it was.
  if (await isOtherwiseSince(handle, access_point_id, at)) return { verdict: 'unknown', verdict_reason }
  return { verdict: result === 'granted' ? 'unexpected_grant' : 'unexpected_denial', verdict_reason }
}

function askOf({ individual_id, credential_id, credential_number, direction }: Unjudged) {
  const going = direction === null ? {} : { direction }
  if (credential_id !== null) return { credential_id, ...going }
  if (individual_id !== null) return { individual_id, ...going }
  return { credential: { type: 'card', number: credential_number }, ...going }
}

/** The settings of a moment: those of now while nothing that decides has changed since. Undefined: they are not known. */
async function settingsOf(handle: OrgHandle, at: string): Promise<Settings | undefined> {
  const row = await handle.one<{ changed_at: string | null }>(sql`select o.changed_at from organizations o where o.key = :org`)
  if (row?.changed_at === null || row?.changed_at === undefined || row.changed_at <= at)
    return new Settings(new OrgHandle(handle.engine, handle.org, at))
  return at < (await historySince(handle)) ? undefined : new Settings(handle, at)
}

/** What the event itself has brought about stands in its way only since. */
const OWN_DOING = new Set(['max_uses', 'passback', 'occupancy_limit'])

async function isOnlySince(handle: OrgHandle, event: Unjudged, { obstacles }: Decision): Promise<boolean> {
  if (!obstacles.every(({ reason }) => OWN_DOING.has(reason))) return false
  if (!obstacles.some(({ reason }) => reason === 'max_uses')) return true
  const row = await handle.one<{ max_uses: number | null; before: number }>(sql`
    select c.max_uses, coalesce(u.use_count, 0) - (select count(*) from access_events t where t.org = :org and t.credential_id = c.id
      and t.type = 'access.granted' and t.sequence >= ${event.sequence}) as before
    from credentials c left join credential_uses u on u.org = :org and u.id = c.id where c.org = :org and c.id = ${event.credential_id}`)
  return row !== undefined && (row.max_uses === null || row.before < row.max_uses)
}

async function isOtherwiseSince(handle: OrgHandle, door: string, at: string): Promise<boolean> {
  const row = await handle.one(
    sql`select 1 as is_since from door_overrides t where t.org = :org and t.access_point_id = ${door} and t.since > ${at}`,
  )
  return row !== undefined
}
