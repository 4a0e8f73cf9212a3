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
}

interface Recorded {
  sequence: number
  resource: string
  id: string | null
  content: string
  /** About a key, from when they were given it until it was given to the next, that step included. */
  is_their_time: boolean | number
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
  const entries = await erase(tx, traces, times, {
    from: raw('audit_log t'),
    columns: raw('t.sequence, t.resource, cast(t.resource_id as text) as id, t.content'),
    at: 't.occurred_at',
    id: 'cast(t.resource_id as text)',
    text: 't.content',
    versions: (content) => [content.before, content.after],
    empty: (list) => sql`update audit_log as t set content = null, salt = '' where t.org = :org and ${list}`,
  })
  if (entries.length > 0)
    tx.record({ action: ERASED, resource: 'audit-log', resourceId: null, before: null, after: { entries } })
  await forgetAnswers(tx, traces, times)
}

/** Where a table keeps what was recorded. */
interface Place {
  from: Sql
  columns: Sql
  at: string
  id: string
  text: string
  /** The item, as it was and as it became. */
  versions(content: Record<string, unknown>): unknown[]
  empty(list: Sql): Sql
}

/** Records looked through in one statement: on SQLite nobody has a turn during one, but between two of them. */
const WINDOW = 2000

/** Finds by text, which an engine does quickly, and judges by members. */
async function erase(
  tx: Tx,
  traces: Traces,
  times: readonly TimeWithKey[],
  { from, columns, at, id, text, versions, empty }: Place,
): Promise<number[]> {
  const theirTime = ofTheirKey(tx, times, raw(`h.key_id = ${id}`), at)
  const end = async (which: Sql) =>
    (await tx.one<{ at: number | null }>(sql`select ${which} as at from ${from} where t.org = :org`))?.at ?? 0
  const [first, last] = [await end(raw('min(t.sequence)')), await end(raw('max(t.sequence)'))]
  const named: number[] = []
  for (let at = first; at <= last; at += WINDOW) {
    const found = await tx.all<Recorded>(sql`select ${columns}, ${theirTime} as is_their_time from ${from}
      where t.org = :org and t.sequence >= ${at} and t.sequence < ${at + WINDOW} and ${raw(text)} is not null
        and (${raw(text)} like ${`%${traces.individualId}%`} or ${theirTime}) order by t.sequence`)
    for (const record of found)
      if (isTheirs(traces, record, versions(parse(record.content)))) named.push(record.sequence)
  }
  if (named.length === 0) return named
  const list = tx.dialect.records(
    named.map((sequence) => ({ sequence })),
    'e',
    { sequence: 'integer' },
  )
  await tx.run(empty(sql`t.sequence in (select e.sequence from ${list})`))
  return named
}

function isTheirs({ individualId, individuals, belongings }: Traces, record: Recorded, versions: unknown[]): boolean {
  const { resource, id } = record
  if (resource === individuals.noun) return id === individualId
  const belonging = belongings.find(({ noun }) => noun === resource)
  if (!belonging) return false
  const rows = versions.filter(isRecord)
  const members = referencesIn(belonging, individuals.table)
  if (rows.some((row) => members.some((member) => row[member] === individualId))) return true
  // What was noted on a key when it came back, or was lost, may speak of them; it stays in its records until the next
  // has it.
  return Boolean(record.is_their_time) && rows.some(({ status_note }) => typeof status_note === 'string')
}

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

/** From when a key was with somebody until it was given to the next; null: it was given to nobody since. */
interface TimeWithKey {
  readonly key_id: string
  readonly since: string
  readonly until: string | null
}

/**
 * Every time that somebody had a key, by when a handover was recorded, which may be long after it happened. Worked out
 * once: looked up for each record, it would be all handovers there are for each.
 */
async function timesWithKeys(tx: Tx, individualId: string): Promise<TimeWithKey[]> {
  const theirs = await tx.all<{ key_id: string; created_at: string }>(sql`
    select cast(h.key_id as text) as key_id, h.created_at from key_handovers h
    where h.org = :org and h.individual_id = ${individualId}`)
  const keys = new Set(theirs.map(({ key_id }) => key_id))
  const given = await tx.all<{ key_id: string; created_at: string }>(sql`
    select cast(h.key_id as text) as key_id, h.created_at from key_handovers h
    where h.org = :org and ${tx.dialect.inList('h.key_id', keys, 'uuid')}`)
  const moments = Map.groupBy(given, ({ key_id }) => key_id)
  return theirs.map(({ key_id, created_at: since }) => {
    const later = (moments.get(key_id) ?? []).map(({ created_at }) => created_at).filter((moment) => moment > since)
    return { key_id, since, until: later.sort()[0] ?? null }
  })
}

function ofTheirKey({ dialect }: Tx, times: readonly TimeWithKey[], isKey: Sql, at: string): Sql {
  if (times.length === 0) return raw('false')
  const list = dialect.records(times, 'h', { key_id: 'text', since: 'timestamp', until: 'timestamp' })
  return sql`exists (select 1 from ${list} where ${isKey} and h.since <= ${raw(at)}
    and (h.until is null or h.until >= ${raw(at)}))`
}

/** Answers looked through in one statement: each may be long. */
const ANSWERS = 500

interface AnswerKey {
  principal_id: string
  credential: string
  key: string
}

/** Remembered answers are nobody's evidence: any that could tell of them goes. */
async function forgetAnswers(tx: Tx, traces: Traces, times: readonly TimeWithKey[]): Promise<void> {
  const theirKey = ofTheirKey(tx, times, raw("t.body like '%' || h.key_id || '%'"), 't.created_at')
  const at = ({ principal_id, credential, key }: AnswerKey) => sql`(${principal_id}, ${credential}, ${key})`
  const place = raw('(t.principal_id, t.credential, t.key)')
  let from: AnswerKey | undefined = { principal_id: '00000000-0000-0000-0000-000000000000', credential: '', key: '' }
  while (from) {
    const slice: Sql = sql`t.org = :org and ${place} >= ${at(from)}`
    // The first of the next slice, if there is one.
    const next: AnswerKey | undefined = await tx.one<AnswerKey>(
      sql`select t.principal_id, t.credential, t.key from idempotency_keys t where ${slice}
        order by t.principal_id, t.credential, t.key limit 1 offset ${ANSWERS}`,
    )
    const end = next ? sql`${place} < ${at(next)}` : raw('true')
    await tx.aside(
      sql`delete from idempotency_keys as t where ${slice} and ${end}
        and (t.body like ${`%${traces.individualId}%`} or ${theirKey})`,
    )
    from = next
  }
}
