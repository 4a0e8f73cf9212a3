import { invalid } from '../../core/errors.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import { followBuildings } from '../../db/along/follow-buildings.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import type { Location } from './schema.ts'

/** A location never lies below itself. */
export async function prepareLocation(tx: Tx, next: Location, current: Location | undefined): Promise<undefined> {
  checkTimeZone('time_zone', next.time_zone)
  if (!current || next.parent_id === current.parent_id) return
  const places = await placesOf(tx)
  const below = places.below([next.id], [])
  if (next.parent_id !== null && below.locations.has(next.parent_id)) {
    throw invalid('parent_id', 'reference.cycle', 'parent_id: a location cannot lie below itself')
  }
  const left = new Set(places.locationChain(current.parent_id ?? '')).difference(
    new Set(places.locationChain(next.parent_id ?? '')),
  )
  await followBuildings(
    tx,
    below.buildings,
    (location) => left.has(location),
    (building) => places.buildings.get(building)?.location_id,
  )
}
