import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'

interface Removed {
  readonly id: string
  readonly subject: string | null
  /** Over by the clock: it opens nothing any more, whether it is there or not. */
  readonly is_over: unknown
}

/**
 * Whether what is to be removed is one person's or one group's: that somebody leaves takes hold at once, on a small
 * system too, where it is more than a tenth of the table. What the register does not know any more stands for itself.
 */
export async function concernsOne(handle: OrgHandle, keys: readonly string[]): Promise<boolean> {
  const idsOf = (kind: string) => keys.flatMap((key) => (key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : []))
  // A schedule goes with what it was for.
  const subjects = new Set(idsOf('door'))
  const [cards, grants] = [idsOf('card'), idsOf('grant')]
  const rows = await handle.all<Removed>(sql`
    select t.id, t.individual_id as subject, case when t.valid_until <= :now then 1 else 0 end as is_over
    from credentials t where t.org = :org and ${handle.dialect.inList('t.id', cards, 'uuid')}
    union all select g.id, coalesce(g.individual_id, g.access_group_id) as subject, case
    when g.valid_until <= :now then 1 else 0 end as is_over
    from access_grants g where g.org = :org and ${handle.dialect.inList('g.id', grants, 'uuid')}`)
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const id of [...cards, ...grants]) {
    const row = known.get(id)
    if (!row?.is_over) subjects.add(row?.subject ?? id)
  }
  return subjects.size <= 1
}
