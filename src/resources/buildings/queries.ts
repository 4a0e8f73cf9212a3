import { invalid } from '../../core/errors.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import { followBuildings } from '../../db/along/follow-buildings.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import { getRow, updateRow } from '../../db/rows.ts'
import { type Building, buildings } from './schema.ts'

export async function prepareBuilding(tx: Tx, next: Building, current: Building | undefined): Promise<undefined> {
  checkTimeZone('time_zone', next.time_zone)
  const places = await placesOf(tx)
  const below = places.below([], [next.id]).buildings
  if (next.parent_id !== null) {
    if (below.has(next.parent_id))
      throw invalid('parent_id', 'reference.cycle', 'parent_id: a building cannot be a wing of itself')
    if (places.buildings.get(next.parent_id)?.location_id !== next.location_id) {
      throw invalid('location_id', 'building.wing_location', 'location_id: a wing lies at the location of its building')
    }
  }
  if (!current || current.location_id === next.location_id) return
  await moveWings(tx, next, below)
  const above = new Set(places.locationChain(next.location_id))
  await followBuildings(
    tx,
    below,
    (location) => !above.has(location),
    () => next.location_id,
  )
}

/** Wings go where their building goes. */
async function moveWings(tx: Tx, moved: Building, below: Set<string>): Promise<void> {
  for (const id of below) {
    if (id === moved.id) continue
    await updateRow(
      tx,
      buildings,
      await getRow(tx, buildings, id, 'all'),
      { location_id: moved.location_id },
      'updated',
    )
  }
}
