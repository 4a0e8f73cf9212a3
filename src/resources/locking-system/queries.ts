import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import type { LockingSystem } from './schema.ts'

/** Where both are given, the building lies at the location or somewhere below it. */
export async function prepareLockingSystem(
  tx: Tx,
  next: LockingSystem,
  current: LockingSystem | undefined,
): Promise<undefined> {
  const { building_id, location_id } = next
  if (building_id === null || location_id === null) return
  if (current && current.building_id === building_id && current.location_id === location_id) return
  const places = await placesOf(tx)
  const above = places.above(building_id).locations
  if (above.includes(location_id)) return
  throw invalid(
    'building_id',
    'locking_system.building_elsewhere',
    'building_id: the building does not lie at the location in location_id',
  )
}
