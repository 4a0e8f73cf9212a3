import type { Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'
import { countInside, type Place } from './inside.ts'

/** Whoever is inside later than this says nothing of how it ended. */
const LATE = 60_000

/**
 * Counts who is still inside as a drill or evacuation expires; not where that is noticed too late, since the service
 * was down.
 */
export async function countAtExpiry(tx: Tx, id: string, at: string): Promise<void> {
  if (Date.parse(tx.now) - Date.parse(at) > LATE) return
  const place = await tx.one<Place>(sql`select t.location_id, t.building_id, t.space_id, t.access_point_id
    from lockdowns t where t.org = :org and t.id = ${id} and t.kind <> 'lockdown'`)
  if (place) await tx.update('lockdowns', id, { present_at_end: await countInside(tx, place) })
}
