import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'

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
