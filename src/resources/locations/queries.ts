import { invalid } from '../../core/errors.ts'
import { checkTimeZone } from '../../core/time-zone.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import type { Location } from './schema.ts'

/** A location never lies below itself. */
export async function prepareLocation(tx: Tx, next: Location, current: Location | undefined): Promise<undefined> {
  checkTimeZone('time_zone', next.time_zone)
  if (!current || next.parent_id === null || next.parent_id === current.parent_id) return
  const places = await placesOf(tx, true)
  if (places.below([next.id], []).locations.has(next.parent_id)) {
    throw invalid('parent_id', 'reference.cycle', 'parent_id: a location cannot lie below itself')
  }
}
