import { fold } from '../core/fold.ts'
import { Pauses } from '../core/pauses.ts'
import { isRecord } from '../core/typed.ts'
import { ERASED } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import type { Resource } from '../db/resource.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

export interface Traces {
  /** Whose traces go. */
  individualId: string
  /**
   * What they are, and what may be theirs: a record of it goes where one of its members that refer to a person names
   * them.
   */
  individuals: Resource
  belongings: readonly Resource[]
  /** Items that were theirs last and are nobody's now: what was recorded of them while they were nobody's goes too. */
  left?: ReadonlySet<string>
  searched: Searched
}

/** By what they can be searched for, by field, and since when: who looked for it before did not mean them. */
export interface Searched {
  readonly since: string
  readonly by: Readonly<Record<string, ReadonlyArray<string | null>>>
}

interface Recorded {
  sequence: number
  action: string
  resource: string
  id: string | null
  content: string
  at: string
}

/**
 * Erases what was recorded of somebody: contents in the audit log, remembered answers. That
 * something was done, when and by whom, stays; the audit chain holds because it covers contents through their hash. The
 * salt goes too, or the hash would confirm a guess. Which contents went is recorded and signed: one that is gone
 * without it was removed by somebody else.
 *
 * Only what names the person goes, by the member that does: whoever writes their id into a note or a name erases
 * nothing with it.
 */
export async function eraseHistory(tx: Tx, traces: Traces): Promise<void> {
  const times = await timesWithKeys(tx, traces.individualId)
  const entries = await eraseEntries(tx, traces, times)
  if (entries.length > 0)
    tx.record({ action: ERASED, resource: 'audit-log', resourceId: null, before: null, after: { entries } })
  await forgetAnswers(tx, traces, times)
}

/** Records looked through in one statement: on SQLite nobody has a turn during one, but between two of them. */
const WINDOW = 2000

/** Finds by text, which an engine does quickly, and judges by members. Gives which entries have lost their contents. */
async function eraseEntries(tx: Tx, traces: Traces, times: TimesWithKeys): Promise<number[]> {
  const ofTheirs = tx.dialect.inList('cast(t.resource_id as text)', [...times.keys(), ...(traces.left ?? [])], 'text')
  const end = async (which: Sql) =>
    (await tx.one<{ at: number | null }>(sql`select ${which} as at from audit_log t where t.org = :org`))?.at ?? 0
  const [first, last] = [await end(raw('min(t.sequence)')), await end(raw('max(t.sequence)'))]
  const named: number[] = []
  for (let at = first; at <= last; at += WINDOW) {
    const found = await tx.all<Recorded>(sql`
      select t.sequence, t.action, t.resource, cast(t.resource_id as text) as id, t.content, t.occurred_at as at
      from audit_log t
      where t.org = :org and t.sequence >= ${at} and t.sequence < ${at + WINDOW} and t.content is not null
        and (t.content like ${`%${traces.individualId}%`} or ${ofTheirs} or t.action like '%.exported')
      order by t.sequence`)
    for (const record of found) if (isTheirs(traces, times, record)) named.push(record.sequence)
  }
  if (named.length === 0) return named
  const list = tx.dialect.records(
    named.map((sequence) => ({ sequence })),
    'e',
    { sequence: 'integer' },
  )
  await tx.run(sql`update audit_log as t set content = null, salt = '' where t.org = :org
    and t.sequence in (select e.sequence from ${list})`)
  return named
}

function isTheirs(
  { individualId, individuals, belongings, left, searched }: Traces,
  times: TimesWithKeys,
  { action, resource, id, content, at }: Recorded,
): boolean {
  if (action.endsWith('.exported')) return at >= searched.since && asksForThem(searched, content)
  if (resource === individuals.noun) return id === individualId
  const belonging = belongings.find(({ noun }) => noun === resource)
  if (!belonging) return false
  // The item, as it was and as it became.
  const { before, after } = parse(content)
  const rows = [before, after].filter(isRecord)
  const members = referencesIn(belonging, individuals.table)
  if (rows.some((row) => members.some((member) => row[member] === individualId))) return true
  // What names somebody else is theirs, though it was nobody's before or after.
  if (left?.has(id ?? '') && rows.length > 0 && rows.every((row) => members.every((member) => row[member] === null)))
    return true
  // What was noted on a key when it came back, or was lost, may speak of them; it stays in its records until the next
  // has it.
  return isTheirTime(times, id, at) && rows.some(({ status_note }) => typeof status_note === 'string')
}

/** Whether a list was searched or filtered for them by whoever exported it. */
function asksForThem({ by }: Searched, content: string): boolean {
  const { after } = parse(content)
  const parameters = isRecord(after) && Array.isArray(after.parameters) ? after.parameters : []
  const names = Object.values(by).flatMap((list) => list.flatMap((name) => (name ? [words(name)] : [])))
  return parameters.some(([key, value]: [string, string]) => {
    const field = key.split('.').at(-1) ?? key
    if (field !== 'search' && field !== 'or' && !(field in by)) return false
    const asked = words(value)
    return names.some((name) => name.trim() !== '' && asked.includes(name))
  })
}

/** Its words between blanks, however they are spelled: an address or a number is several, one after the other. */
const words = (text: string): string => ` ${(fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `

const referencesIn = (resource: Resource, table: string): string[] =>
  Object.keys(resource.fields).filter((name) => resource.fields[name]?.spec.references === table)

/** What is no JSON is not ours, and names nobody. */
function parse(content: string): Record<string, unknown> {
  try {
    return JSON.parse(content)
  } catch {
    return {}
  }
}

/** From when a key was given to somebody until it was given to the next, that step included; null: to nobody since. */
interface TimeWithKey {
  readonly since: string
  readonly until: string | null
}

/** By key. */
type TimesWithKeys = ReadonlyMap<string, readonly TimeWithKey[]>

/**
 * Every time that somebody had a key, by when a handover was recorded, which may be long after it happened. Worked out
 * once and judged here: a caretaker has had hundreds of keys, and an engine would go through all of them for each
 * record.
 */
async function timesWithKeys(tx: Tx, individualId: string): Promise<TimesWithKeys> {
  const given = await tx.all<{ key_id: string; individual_id: string; created_at: string }>(sql`
    select cast(h.key_id as text) as key_id, cast(h.individual_id as text) as individual_id, h.created_at
    from key_handovers h where h.org = :org and h.key_id in
      (select g.key_id from key_handovers g where g.org = :org and g.individual_id = ${individualId})`)
  // The latest first. Put in order here: for that, SQLite would walk all handovers there are.
  given.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const times = new Map<string, TimeWithKey[]>()
  for (const [key, handovers] of Map.groupBy(given, ({ key_id }) => key_id)) {
    const theirs: TimeWithKey[] = []
    let until: string | null = null
    let before: string | null = null
    for (const { individual_id, created_at: since } of handovers) {
      // Of several at one moment each lasts until a later one.
      if (before !== null && before !== since) until = before
      before = since
      if (individual_id === individualId) theirs.push({ since, until })
    }
    times.set(key, theirs)
  }
  return times
}

const isTheirTime = (times: TimesWithKeys, key: string | null, at: string): boolean =>
  times.get(key ?? '')?.some(({ since, until }) => since <= at && (until === null || at <= until)) ?? false

/** Answers looked through in one statement: each may be long. */
const ANSWERS = 500
/** And so many where each is read. */
const READ = 20

interface AnswerKey {
  principal_id: string
  credential: string
  key: string
}

interface Remembered extends AnswerKey {
  body: string | null
  created_at: string
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Remembered answers are nobody's evidence: any that could tell of them goes. */
async function forgetAnswers(tx: Tx, traces: Traces, times: TimesWithKeys): Promise<void> {
  const at = ({ principal_id, credential, key }: AnswerKey) => sql`(${principal_id}, ${credential}, ${key})`
  const place = raw('(t.principal_id, t.credential, t.key)')
  const read = raw('select t.principal_id, t.credential, t.key, t.body, t.created_at from idempotency_keys t')
  const pauses = new Pauses()
  let from: AnswerKey | undefined = { principal_id: '00000000-0000-0000-0000-000000000000', credential: '', key: '' }
  while (from) {
    const slice: Sql = sql`t.org = :org and ${place} >= ${at(from)}`
    // The first of the next slice, if there is one.
    const next: AnswerKey | undefined = await tx.one<AnswerKey>(
      sql`select t.principal_id, t.credential, t.key from idempotency_keys t where ${slice}
        order by t.principal_id, t.credential, t.key limit 1 offset ${times.size > 0 ? READ : ANSWERS}`,
    )
    const these = sql`${slice} and ${next ? sql`${place} < ${at(next)}` : raw('true')}`
    await tx.aside(sql`delete from idempotency_keys as t where ${these} and t.body like ${`%${traces.individualId}%`}`)
    const left = times.size > 0 ? await tx.all<Remembered>(sql`${read} where ${these}`) : []
    for (const answer of left) {
      await pauses.take()
      const tells = answer.body?.matchAll(ID).some(([id]) => isTheirTime(times, id, answer.created_at))
      if (tells) await tx.aside(sql`delete from idempotency_keys as t where t.org = :org and ${place} = ${at(answer)}`)
    }
    from = next
  }
}
