import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'

/** How far the events reach, how many of them are gone, and how many are there. */
export async function growthOf(handle: OrgHandle): Promise<{ last: number; gone: number; stored: number }> {
  const head = await handle.one<{ last: number; gone: number; stored: number }>(
    sql`select t.sequence as last, t.sequence - t.stored as gone, t.stored from live_heads t where t.org = :org`,
  )
  return head ?? { last: 0, gone: 0, stored: 0 }
}

/** The first that has no verdict yet. */
export async function firstUnjudged(handle: OrgHandle): Promise<number | undefined> {
  const first = await handle.one<{ sequence: number }>(
    sql`select t.sequence from access_events t where t.org = :org and t.verdict is null order by t.sequence limit 1`,
  )
  return first?.sequence
}
