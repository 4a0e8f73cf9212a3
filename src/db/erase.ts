import { ERASED } from './audit-verify.ts'
import type { Tx } from './change.ts'
import { sql } from './sql.ts'

/**
 * Erases what was recorded of these items: contents in the audit log, payloads not yet or already sent, remembered answers.
 * That something was done, when and by whom, stays; the audit chain holds because it covers contents through their hash. The
 * salt goes too, or the hash would confirm a guess. Which contents went is recorded: one that is gone without it was removed by
 * somebody else.
 */
export async function eraseHistory(tx: Tx, ids: readonly string[]): Promise<void> {
  const ofThem = sql`t.org = :org and ${tx.dialect.inList('t.resource_id', ids, 'uuid')} and t.content is not null`
  const found = await tx.all<{ sequence: number }>(sql`select t.sequence from audit_log t where ${ofThem} order by t.sequence`)
  if (found.length > 0) {
    await tx.run(sql`update audit_log as t set content = null, salt = '' where ${ofThem}`)
    const after = { entries: found.map(({ sequence }) => sequence) }
    tx.record({ action: ERASED, resource: 'audit-log', resourceId: null, before: null, after })
  }
  const sent = await tx.all<{ sequence: number; resource: string; id: string }>(sql`
    select t.sequence, t.payload ->> 'resource' as resource, t.payload ->> 'id' as id from outbox t
    where t.org = :org and ${tx.dialect.inList("(t.payload ->> 'id')", ids, 'text')}`)
  for (const { sequence, resource, id } of sent) {
    const payload = JSON.stringify({ resource, id, data: null })
    await tx.run(sql`update outbox as t set payload = ${payload} where t.org = :org and t.sequence = ${sequence}`)
  }
  for (const id of ids) await tx.aside(sql`delete from idempotency_keys as t where t.org = :org and t.body like ${`%${id}%`}`)
}
