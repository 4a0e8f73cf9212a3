import type { Caller } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Item } from '../../db/resource.ts'
import { wholeOf } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import { countInside, type Place } from '../../live/inside.ts'
import { type Lockdown, lockdowns } from './schema.ts'

interface Counts {
  readonly id: string
  readonly present_at_start: number | null
  readonly present_at_end: number | null
}

/** Drills and evacuations are measured; a lockdown keeps people where they are. */
export const countFor = async (tx: Tx, { kind, ...place }: Pick<Lockdown, 'kind'> & Place): Promise<number | null> =>
  kind === 'lockdown' ? null : countInside(tx, place)

/** How it went. The counts are of presence: told to whoever may read that in all of its place. */
export async function addMeasures(
  handle: OrgHandle,
  rows: Array<Lockdown & Item>,
  { rights }: Pick<Caller, 'rights'>,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const told = await wholeOf(handle, lockdowns, ids, rights.scopeOf('presence:read'))
  const found = await handle.all<Counts>(sql`select t.id, t.present_at_start, t.present_at_end from lockdowns t
    where t.org = :org and ${handle.dialect.inList('t.id', told, 'uuid')}`)
  const counts = new Map(found.map((row) => [row.id, row]))
  for (const row of rows) {
    const count = counts.get(row.id)
    row.present_at_start = count?.present_at_start ?? null
    row.present_at_end = count?.present_at_end ?? null
    row.duration_seconds = secondsOf(row)
  }
}

function secondsOf({ kind, status, created_at, released_at, expires_at }: Lockdown): number | null {
  const end = status === 'released' ? released_at : status === 'expired' ? expires_at : null
  if (kind === 'lockdown' || end === null) return null
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(created_at)) / 1000))
}
