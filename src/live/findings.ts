import { answer, answerAll, type PlainAsk } from '../access/answer.ts'
import { historySince } from '../access/as-of.ts'
import { momentIn, type Place } from '../access/event-moment.ts'
import { Settings } from '../access/settings.ts'
import { type Decision, decide } from '../core/decide/decide.ts'
import type { Facts } from '../core/decide/facts.ts'
import type { EventType, Verdict } from '../core/doors/events.ts'
import { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { beginOf, insideBefore, NOWHERE, OUT_OF_ORDER, type Seen, seenBefore } from './before.ts'
import { momentOf } from './intake/new-event.ts'

/** What a verdict is about. */
export interface Happened {
  readonly type: EventType
  readonly result: 'granted' | 'denied' | null
  readonly reason: string | null
  readonly access_point_id: string | null
  readonly individual_id: string | null
  readonly credential_id: string | null
  readonly credential_number: string | null
  readonly credential_type: string | null
  readonly facility_code: string | null
  readonly direction: 'in' | 'out' | null
  readonly occurred_at: string
  readonly happened_at?: string | null
  readonly received_at: string
}

interface Stored extends Happened {
  readonly sequence: number
}

export interface Finding {
  readonly verdict: Verdict
  readonly verdict_reason: string | null
}

const UNKNOWN: Finding = { verdict: 'unknown', verdict_reason: null }

/** Nothing was decided, or nobody knows about whom. */
const isUndecided = ({ result, access_point_id, individual_id, credential_id, credential_number }: Happened): boolean =>
  result === null ||
  access_point_id === null ||
  (individual_id === null && credential_id === null && credential_number === null)

export interface Findings {
  /** One for each event; undefined: it takes a closer look. */
  readonly found: ReadonlyArray<Finding | undefined>
  /** They hold unless what decides has changed since. */
  readonly changed_at: string | null
}

/**
 * What would have been decided of many at once, by the rules of now. Left out is what happened before these rules, and
 * what hangs on events themselves: how often a card was used, who is where, who came first.
 */
export async function findAll(handle: OrgHandle, events: readonly Happened[]): Promise<Findings> {
  const changed_at = await heardChange(handle)
  const found: Array<Finding | undefined> = events.map((event) => (isUndecided(event) ? UNKNOWN : undefined))
  const asked = events.flatMap((event, index) => {
    const at = momentOf(event)
    return found[index] || (changed_at !== null && changed_at > at) ? [] : [{ index, event, ask: askOf(event, at) }]
  })
  if (asked.length === 0) return { found, changed_at }
  const asks = asked.map(({ ask }) => ask)
  const [from = handle.instant] = asks.map(({ at }) => at).sort()
  const answers = await answerAll(handle, asks)
  const otherwise = await otherwiseSince(handle, new Set(asks.map((ask) => ask.access_point_id)), from)
  for (const [n, { index, event, ask }] of asked.entries()) {
    const answered = answers[n]
    if (!answered) found[index] = UNKNOWN
    else if (isSettled(answered.facts) && !otherwise.has(ask.access_point_id))
      found[index] = compare(event, answered.decision, mayBeGranted(event, answered.decision))
  }
  return { found, changed_at }
}

/**
 * When something that decides was last changed; what is kept from before that is known to be outdated, though it was
 * committed just now.
 */
async function heardChange({ engine, org, instant }: OrgHandle): Promise<string | null> {
  const row = await new OrgHandle(engine, org, instant).one<{ changed_at: string | null; data: number }>(
    sql`select o.changed_at, o.data_version as data from organizations o where o.key = :org`,
  )
  await engine.versions(org, { data: row?.data ?? 0, live: 0 })
  return row?.changed_at ?? null
}

/** When something that decides was last changed. */
export async function lastChange(handle: OrgHandle): Promise<string | null> {
  const row = await handle.one<{ changed_at: string | null }>(
    sql`select o.changed_at from organizations o where o.key = :org`,
  )
  return row?.changed_at ?? null
}

/** Whether events have no part in the answer. */
const isSettled = ({ door, credentials }: Facts): boolean =>
  door.space.passback === 'none' &&
  door.space.occupancy_limit === null &&
  !(door.first_person_in && door.unlock_schedule) &&
  credentials.every(({ max_uses }) => max_uses === null)

/** What was brought along an event does not say: the PIN that was typed, and who else stood there, the door has seen. */
const inTheWay = ({ obstacles }: Decision): Decision['obstacles'] =>
  obstacles.filter(({ missing }) => missing === undefined)

const mayBeGranted = ({ result }: Happened, decision: Decision): boolean =>
  decision.isGranted || (result === 'granted' && inTheWay(decision).length === 0)

function compare(event: Happened, { reason, opener }: Decision, isGranted: boolean): Finding {
  const { result } = event
  // A PIN that was typed must be right, asked for or not; whether it was, the door has seen.
  if (isGranted && !opener && result === 'denied' && event.reason === 'incorrect_pin')
    return { verdict: 'agreed', verdict_reason: event.reason }
  if (isGranted === (result === 'granted')) return { verdict: 'agreed', verdict_reason: isGranted ? 'granted' : reason }
  return { verdict: result === 'granted' ? 'unexpected_grant' : 'unexpected_denial', verdict_reason: reason }
}

/**
 * What would have been decided of one by the rules as they were then. Unknown where they are not known, or nothing was
 * decided.
 */
export async function findOne(handle: OrgHandle, event: Stored): Promise<Finding> {
  if (isUndecided(event)) return UNKNOWN
  const at = momentOf(event)
  const ask = askOf(event, at)
  const isLetIn = event.result === 'granted'
  const begin = isLetIn ? await beginOf(handle, event, at) : { at, sequence: event.sequence }
  const settings = await settingsOf(handle, at, begin)
  const decision = settings && (await answer(settings, ask))
  if (!decision) return UNKNOWN
  if (isLetIn) return judgeEntry(handle, event, decision, begin)
  const finding = compare(event, decision, mayBeGranted(event, decision))
  if (finding.verdict === 'agreed') return finding
  // What stands beside the rules is known as it is, not as it was.
  const isOver = (await isOtherwise(handle, event)) || (await haveMovedSince(handle, event, decision, at))
  return isOver ? { ...finding, verdict: 'unknown' } : finding
}

const isOtherwise = async (handle: OrgHandle, event: Stored): Promise<boolean> =>
  (await otherwiseSince(handle, new Set([event.access_point_id ?? '']), momentOf(event))).size > 0

/** Of somebody who was let in: by how it stood before, since by coming in they changed it. */
async function judgeEntry(handle: OrgHandle, event: Stored, now: Decision, begin: Place): Promise<Finding> {
  const decisions = await decisionsBefore(handle, now, begin)
  const findings: Finding[] = []
  for (const decision of decisions) {
    const isGranted = mayBeGranted(event, decision) || (await isLastUse(handle, event, decision, begin))
    findings.push(compare(event, decision, isGranted))
  }
  const [first = UNKNOWN, ...others] = findings
  if (others.some(({ verdict }) => verdict !== first.verdict)) return { ...first, verdict: 'unknown' }
  if (first.verdict === 'agreed' || !(await isOtherwise(handle, event))) return first
  return { ...first, verdict: 'unknown' }
}

/** All that may have been decided before an event: with as many inside as possible first. */
async function decisionsBefore(handle: OrgHandle, now: Decision, begin: Place): Promise<Decision[]> {
  const { facts, question } = now.case
  const { passback, occupancy_limit: limit, id } = facts.door.space
  if (now.opener || ((passback === 'none' || passback === 'soft') && limit === null)) return [now]
  const individual = facts.individual?.id ?? null
  const seen = await whereBefore(handle, now, begin)
  const inside = limit === null ? { least: 0, most: 0 } : await insideBefore(handle, { id, limit }, individual, begin)
  return [...new Set([inside.most, inside.least])].flatMap((occupants) =>
    seen.map((where) => decide({ ...facts, presence: { ...where, occupants } }, question)),
  )
}

/** Where somebody may have been: where it is not known, where they are free to pass, and where they are not. */
async function whereBefore(handle: OrgHandle, { case: { facts, question } }: Decision, begin: Place): Promise<Seen[]> {
  if (!facts.individual) return [NOWHERE]
  const seen = await seenBefore(handle, facts.individual.id, begin)
  if (seen) return [seen]
  return [NOWHERE, { space_id: question.direction === 'in' ? facts.door.space.id : '', since: begin.at }]
}

function askOf({ access_point_id, individual_id, credential_id, direction, ...read }: Happened, at: string): PlainAsk {
  const asked = { access_point_id: access_point_id ?? '', at, ...(direction === null ? {} : { direction }) }
  if (credential_id !== null) return { credential_id, ...asked }
  if (individual_id !== null) return { individual_id, ...asked }
  const { credential_type, facility_code, credential_number: number } = read
  return { credential: { type: credential_type ?? 'card', facility_code, number }, ...asked }
}

/**
 * The settings of a moment: those of now while nothing that decides has changed since. Undefined: they are not known.
 */
async function settingsOf(handle: OrgHandle, at: string, before: Place): Promise<Settings | undefined> {
  const changed_at = await lastChange(handle)
  if (changed_at === null || changed_at <= at)
    return new Settings(new OrgHandle(handle.engine, handle.org, at), undefined, before)
  return at < (await historySince(handle)) ? undefined : new Settings(handle, at, before)
}

/** Whether a card stands in the way only since: it may be used no more, but this was the last time. */
async function isLastUse(handle: OrgHandle, event: Stored, decision: Decision, begin: Place): Promise<boolean> {
  if (!inTheWay(decision).every(({ reason }) => reason === 'max_uses')) return false
  // Whoever goes through does so by the use that opened the door: what comes behind that tells of no other.
  const { credential_id: card } = event
  const row = await handle.one<{ max_uses: number | null; before: number }>(sql`
    select c.max_uses, coalesce(u.use_count, 0) - (select count(*) from access_events t where t.org = :org
    and t.credential_id = ${card} and t.type = 'access.granted' and t.sequence >= ${begin.sequence}) as before
    from credentials c left join credential_uses u on u.org = :org and u.id = c.id where c.org = :org
    and c.id = ${card}`)
  return row !== undefined && (row.max_uses === null || row.before < row.max_uses)
}

/**
 * Whether what may have kept somebody out is known no more: where they were, and how many others were inside, is known
 * as it is since the last of them passed.
 */
async function haveMovedSince(
  handle: OrgHandle,
  { reason, sequence }: Stored,
  { case: { facts } }: Decision,
  at: string,
): Promise<boolean> {
  const { passback, occupancy_limit, id: space } = facts.door.space
  const mayBe = (name: string) => reason === null || reason === name
  if (facts.individual && mayBe('passback') && (passback === 'hard' || passback === 'timed')) {
    const moved = await handle.one(sql`select 1 as has_moved from presence t where t.org = :org
      and t.individual_id = ${facts.individual.id} and coalesce(t.heard_at, t.since) > ${at}`)
    if (moved) return true
  }
  if (occupancy_limit === null || !mayBe('occupancy_limit')) return false
  const passed = await handle.one(sql`
    select 1 as has_passed from (
      select p.id from access_points p where p.org = :org and p.space_id = ${space}
      union all select f.id from access_points f where f.org = :org and f.from_space_id = ${space}) d
    cross join access_events e where e.org = :org and e.access_point_id = d.id
    and e.sequence > ${sequence - OUT_OF_ORDER} and e.type in ('access.granted', 'access.taken', 'access.not_taken')
    and (${momentIn('e')} > ${at} or e.sequence > ${sequence}) limit 1`)
  return passed !== undefined
}

/** Those of these doors that a command has set otherwise after a moment. */
async function otherwiseSince(handle: OrgHandle, doors: ReadonlySet<string>, moment: string): Promise<Set<string>> {
  const rows = await handle.all<{ id: string }>(sql`
    select t.access_point_id as id from door_overrides t where t.org = :org and t.since > ${moment}
      and ${handle.dialect.inList('t.access_point_id', doors, 'uuid')}`)
  return new Set(rows.map(({ id }) => id))
}
