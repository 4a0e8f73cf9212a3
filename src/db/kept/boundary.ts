import { nextDayIn } from '../../core/time/time-zone.ts'
import type { OrgHandle } from '../org.ts'
import { join, raw, sql } from '../sql.ts'
import { tables } from '../tables.ts'
import { perEngine } from './per-engine.ts'
import { Reads } from './reads.ts'

interface Boundary {
  since: number
  reads: Reads
  from: string
  until: string
}

const boundaries = perEngine(() => new Map<number, Boundary>())

const moments = Object.entries(tables).flatMap(([table, { windows = {} }]) =>
  Object.keys(windows).map((column) =>
    raw(`select min(t.${column}) as at from ${table} t where t.org = :org and t.${column} > :now`),
  ),
)
const NEXT = sql`select o.time_zone, (select min(b.at) from (${join(moments, ' union all ')}) b) as until
  from organizations o where o.key = :org`

/**
 * The next moment at which the clock alone changes an answer: a validity window of this organization begins or ends, or
 * a day where it is, whichever is first. What looks at the clock is kept no longer.
 */
export async function nextBoundary(handle: OrgHandle): Promise<string> {
  const { instant } = handle
  const versions = await handle.versions()
  const known = boundaries(handle.engine).get(handle.org)
  if (known && known.from <= instant && known.until > instant && !versions.hasMoved(known.reads, known.since))
    return known.until
  const since = versions.data
  const reads = new Reads()
  const row = await handle.recording(reads).one<{ time_zone: string; until: string | null }>(NEXT)
  const midnight = nextDayIn(row?.time_zone ?? 'UTC', instant)
  const until = row?.until && row.until < midnight ? row.until : midnight
  boundaries(handle.engine).set(handle.org, { since, reads, from: instant, until })
  return until
}
