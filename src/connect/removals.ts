import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'

interface Removed {
  readonly id: string
  readonly subject: string | null
}

/**
 * Whether what is to be removed is one person's or one group's: that somebody leaves takes hold at once, on a small
 * system too, where it is more than a tenth of the table. What the register does not know any more stands for itself.
 * What has ended on the device by itself is nobody's loss, and only that: whatever the register says has ended may say
 * so by mistake.
 */
export async function concernsOne(handle: OrgHandle, system: string, keys: readonly string[]): Promise<boolean> {
  // A schedule goes with what it was for.
  const rows = await handle.all<Removed>(sql`
    select t.item_id as id, coalesce(c.individual_id, g.individual_id, g.access_group_id) as subject
    from device_entries t left join credentials c on c.org = :org and c.id = t.item_id and t.kind = 'card'
    left join access_grants g on g.org = :org and g.id = t.item_id and t.kind = 'grant'
    where t.org = :org and t.access_control_system_id = ${system} and t.kind <> 'schedule'
    and ${handle.dialect.inList('t.entry_key', keys, 'text')} and (t.held_ends_at is null or t.held_ends_at > :now)`)
  return new Set(rows.map(({ id, subject }) => subject ?? id)).size <= 1
}
