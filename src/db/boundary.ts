import { nextDayIn } from '../core/time-zone.ts'
import type { OrgHandle } from './org.ts'
import { perEngine } from './per-engine.ts'
import { placesOf } from './places.ts'
import { sql } from './sql.ts'

const boundaries = perEngine(() => new Map<number, { version: number; from: string; until: string }>())

/**
 * The next moment at which the clock alone changes an answer: a validity window of this organization begins or ends, or
 * a day where it is, whichever is first. What is kept in memory is kept no longer.
 */
export async function nextBoundary(handle: OrgHandle, version: number): Promise<string> {
  const known = boundaries(handle.engine).get(handle.org)
  if (known?.version === version && known.from <= handle.now && known.until > handle.now) return known.until
  const midnight = nextDayIn((await placesOf(handle)).organizationZone, handle.now)
  const row = await handle.one<{ until: string | null }>(sql`select min(b.at) as until from (
    select min(t.valid_from) as at from access_grants t where t.org = :org and t.valid_from > :now
    union all select min(t.valid_until) from access_grants t where t.org = :org and t.valid_until > :now
    union all select min(t.valid_from) from credentials t where t.org = :org and t.valid_from > :now
    union all select min(t.valid_until) from credentials t where t.org = :org and t.valid_until > :now
    union all select min(t.valid_from) from individuals t where t.org = :org and t.valid_from > :now
    union all select min(t.valid_until) from individuals t where t.org = :org and t.valid_until > :now
    union all select min(t.valid_from) from access_group_members t where t.org = :org and t.valid_from > :now
    union all select min(t.valid_until) from access_group_members t where t.org = :org and t.valid_until > :now) b`)
  const until = row?.until && row.until < midnight ? row.until : midnight
  boundaries(handle.engine).set(handle.org, { version, from: handle.now, until })
  return until
}
