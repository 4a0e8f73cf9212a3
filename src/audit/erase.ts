import { ERASED } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'

export interface Traces {
  /** Items whose every record goes. */
  ids: readonly string[]
  /** Whose id a record of these resources must not name: it tells of an item that was theirs, also when that is deleted by now. */
  individualId: string
  resources: readonly string[]
}

/** Where a table keeps what a record is about. */
interface Columns {
  id: string
  resource: string
  text: string
  at: string
}

/**
 * Erases what was recorded of these items: contents in the audit log, payloads not yet or already sent, remembered answers.
 * That something was done, when and by whom, stays; the audit chain holds because it covers contents through their hash. The
 * salt goes too, or the hash would confirm a guess. Which contents went is recorded: one that is gone without it was removed by
 * somebody else.
 */
export async function eraseHistory(tx: Tx, traces: Traces): Promise<void> {
  const audit = { id: 'cast(t.resource_id as text)', resource: 't.resource', text: 't.content', at: 't.occurred_at' }
  const ofThem = sql`t.org = :org and t.content is not null and ${tells(tx, traces, audit)}`
  const found = await tx.all<{ sequence: number }>(sql`select t.sequence from audit_log t where ${ofThem} order by t.sequence`)
  if (found.length > 0) {
    await tx.run(sql`update audit_log as t set content = null, salt = '' where ${ofThem}`)
    const after = { entries: found.map(({ sequence }) => sequence) }
    tx.record({ action: ERASED, resource: 'audit-log', resourceId: null, before: null, after })
  }
  const sent = { id: "(t.payload ->> 'id')", resource: "(t.payload ->> 'resource')", text: 'cast(t.payload as text)', at: 't.occurred_at' }
  const emptied = raw(tx.dialect.name === 'postgres' ? "jsonb_set(t.payload, '{data}', 'null')" : "json_set(t.payload, '$.data', null)")
  await tx.run(sql`update outbox as t set payload = ${emptied} where t.org = :org and ${tells(tx, traces, sent)}`)
  const named = tx.dialect.records(
    [...traces.ids, traces.individualId].map((id) => ({ id })),
    'e',
    { id: 'text' },
  )
  const theirKey = ofTheirKey(traces, raw("t.body like '%' || cast(h.key_id as text) || '%'"), 't.created_at')
  await tx.aside(sql`delete from idempotency_keys as t where t.org = :org
    and (exists (select 1 from ${named} where t.body like '%' || e.id || '%') or ${theirKey})`)
}

function tells(tx: Tx, traces: Traces, { id, resource, text, at }: Columns): Sql {
  const isTheirs = tx.dialect.inList(id, traces.ids, 'text')
  const namesThem = sql`${tx.dialect.inList(resource, traces.resources, 'text')} and ${raw(text)} like ${`%${traces.individualId}%`}`
  return sql`(${join([isTheirs, namesThem, ofTheirKey(traces, raw(`cast(h.key_id as text) = ${id}`), at)], ' or ')})`
}

/** What was noted on a key from their handover on stays in its records until it is given to the next, that step included. */
const ofTheirKey = ({ individualId }: Traces, isKey: Sql, at: string): Sql =>
  sql`exists (select 1 from key_handovers h where h.org = :org and h.individual_id = ${individualId} and ${isKey} and h.issued_at <= ${raw(at)}
    and not exists (select 1 from key_handovers n where n.org = :org and n.key_id = h.key_id and n.issued_at > h.issued_at and n.issued_at < ${raw(at)}))`
