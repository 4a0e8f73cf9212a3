import type { OrgHandle } from '../db/org.ts'
import type { AnyRow, Item } from '../db/resource.ts'
import { join, type Sql, sql } from '../db/sql.ts'

interface Content {
  before: AnyRow | null
  after: AnyRow | null
}

/** `before` and `after` are kept together as one text, which the chain's hash covers. */
export async function decorateAuditEntries(handle: OrgHandle, rows: Item[], names: readonly string[]): Promise<void> {
  if (rows.length === 0 || !(names.includes('before') || names.includes('after'))) return
  const ids = rows.map(({ id }) => id)
  const found = await handle.all<{ id: string; content: string | null }>(
    sql`select t.id, t.content from audit_log t where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  const contents = new Map<string, Content | null>(
    found.map(({ id, content }) => [id, content === null ? null : JSON.parse(content)]),
  )
  for (const row of rows) {
    const content = contents.get(row.id)
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

export async function lastSequence(handle: OrgHandle): Promise<number> {
  const row = await handle.one<{ last: number | null }>(
    sql`select max(t.sequence) as last from audit_log t where t.org = :org`,
  )
  return row?.last ?? 0
}

/** What a filter leaves, up to the entry `until`, as conditions on `t`. */
export async function conditionsFor(handle: OrgHandle, filter: EntryFilter, until: number): Promise<Sql[]> {
  const { from, to } = filter
  if (from === undefined && to === undefined) return [...conditionsOf(filter), sql`t.sequence <= ${until}`]
  // The first and the last entry of the time asked for, so that the others are not read. Some between may lie outside
  // it, where a clock was set back.
  const time = conditionsOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) })
  const row = await handle.one<{ first: number | null; last: number | null }>(
    sql`select min(t.sequence) as first, max(t.sequence) as last from audit_log t where t.org = :org
      and ${join(time, ' and ')}`,
  )
  const [first, last] = [row?.first ?? 1, Math.min(row?.last ?? 0, until)]
  return [...conditionsOf(filter), sql`t.sequence >= ${first}`, sql`t.sequence <= ${last}`]
}

const conditionsOf = ({ from, to, action, resource, resource_id, actor_id }: EntryFilter): Sql[] => [
  ...(from === undefined ? [] : [sql`t.occurred_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`t.occurred_at < ${to}`]),
  ...(action === undefined ? [] : [sql`t.action = ${action}`]),
  ...(resource === undefined ? [] : [sql`t.resource = ${resource}`]),
  ...(resource_id === undefined ? [] : [sql`t.resource_id = ${resource_id}`]),
  ...(actor_id === undefined ? [] : [sql`t.actor_id = ${actor_id}`]),
]
