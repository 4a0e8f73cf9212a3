import { setImmediate } from 'node:timers/promises'
import type { OrgHandle } from '../db/org.ts'
import { type AnyRow, selectList, visibleNames } from '../db/resource.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import { auditLog } from './schema.ts'

interface Content {
  before: AnyRow | null
  after: AnyRow | null
}

/** `before` and `after` are kept together as one text, which the chain's hash covers. */
export async function decorateAuditEntries(handle: OrgHandle, rows: AnyRow[], names: readonly string[]): Promise<void> {
  if (rows.length === 0 || !(names.includes('before') || names.includes('after'))) return
  const ids = rows.map((row) => row.id as string)
  const found = await handle.all<{ id: string; content: string | null }>(
    sql`select t.id, t.content from audit_log t where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  const contents = new Map(found.map(({ id, content }) => [id, content === null ? null : (JSON.parse(content) as Content)]))
  for (const row of rows) {
    const content = contents.get(row.id as string)
    row.before = content?.before ?? null
    row.after = content?.after ?? null
  }
}

export interface EntryFilter {
  from?: string
  to?: string
  action?: string
  resource?: string
  resource_id?: string
  actor_id?: string
}

export type AuditEntry = AnyRow

/** What an export keeps in memory for a reader that takes its time, about; an entry may be larger by itself. */
const PIECE_BYTES = 64 * 1024
/** Entries looked at in one go: some at first, then as many as make a piece, and no more than keep the database busy for a moment. */
const FIRST_WINDOW = 20
const WINDOW = 1000
/** What an entry takes beside its content. */
const BESIDE = 400

export async function lastSequence(handle: OrgHandle): Promise<number> {
  const row = await handle.one<{ last: number | null }>(sql`select max(t.sequence) as last from audit_log t where t.org = :org`)
  return row?.last ?? 0
}

/**
 * Every entry up to `until` that fits, in the order of events, some at a time. It goes by windows of the sequence rather than by
 * pages of results, so that a filter that fits nothing costs no more at once than one that fits everything.
 */
export async function* eachEntry(handle: OrgHandle, filter: EntryFilter, until: number): AsyncGenerator<AuditEntry[]> {
  const { first, last } = await boundsOf(handle, filter, until)
  const conditions = join(conditionsOf(filter), '')
  let window = FIRST_WINDOW
  for (let at = first - 1, end = at; at < last; at = end) {
    end = Math.min(at + window, last)
    const rows = await handle.all<AuditEntry & { content: string | null }>(sql`
      select ${raw(selectList(auditLog, visibleNames(auditLog), false))}, t.content from audit_log t
      where t.org = :org and t.sequence > ${at} and t.sequence <= ${end}${conditions} order by t.sequence`)
    // SQLite answers without letting anybody else have a turn.
    await setImmediate()
    const bytes = rows.reduce((sum, { content }) => sum + BESIDE + (content?.length ?? 0), 1)
    if (rows.length > 0) yield rows.map(withContent)
    window = Math.min(WINDOW, Math.max(1, Math.floor((window * PIECE_BYTES) / bytes)))
  }
}

/** The first and the last entry of the time asked for. Entries between may lie outside it, where a clock was set back. */
async function boundsOf(handle: OrgHandle, { from, to }: EntryFilter, until: number): Promise<{ first: number; last: number }> {
  const row = await handle.one<{ first: number | null; last: number | null }>(sql`
    select min(t.sequence) as first, max(t.sequence) as last from audit_log t
    where t.org = :org${join(conditionsOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }), '')}`)
  return { first: row?.first ?? 1, last: Math.min(row?.last ?? 0, until) }
}

const conditionsOf = ({ from, to, action, resource, resource_id, actor_id }: EntryFilter): Sql[] => [
  ...(from === undefined ? [] : [sql` and t.occurred_at >= ${from}`]),
  ...(to === undefined ? [] : [sql` and t.occurred_at < ${to}`]),
  ...(action === undefined ? [] : [sql` and t.action = ${action}`]),
  ...(resource === undefined ? [] : [sql` and t.resource = ${resource}`]),
  ...(resource_id === undefined ? [] : [sql` and t.resource_id = ${resource_id}`]),
  ...(actor_id === undefined ? [] : [sql` and t.actor_id = ${actor_id}`]),
]

function withContent({ content, ...entry }: AuditEntry & { content: string | null }): AuditEntry {
  const { before, after } = content === null ? { before: null, after: null } : (JSON.parse(content) as Content)
  return { ...entry, before, after }
}
