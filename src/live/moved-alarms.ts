import type { Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'

/**
 * Alarms that nobody has closed go along with their doors: who looks after these from now on is who is to see them, and
 * what happens again is counted in them.
 */
export async function takeAlarmsAlong(tx: Tx, doors: readonly string[], building: string): Promise<void> {
  if (doors.length === 0) return
  const left = sql`t.org = :org and ${tx.dialect.inList('t.access_point_id', doors, 'uuid')} and t.status <> 'closed'
    and t.building_id <> ${building}`
  // What happens at doors waits for no change where there is nothing to take along.
  if (!(await tx.one(sql`select 1 as one from alarms t where ${left} limit 1`))) return
  // Else it does: it would raise one where the door was, and the two would stand in each other's way.
  await tx.aside(sql`update live_heads as t set sequence = t.sequence where t.org = :org`)
  await tx.run(sql`update alarms as t set building_id = ${building}, version = t.version + 1, updated_at = ${tx.now}
    where ${left}`)
}
