import type { Tx } from '../change.ts'
import { resourcesOf } from '../resources.ts'
import { getRow, updateRow } from '../rows.ts'
import { sql } from '../sql.ts'

interface Placed {
  id: string
  building_id: string
  location_id: string
}

/**
 * A locking system of a building lies where the building stands, or above. When buildings leave locations, those of
 * their systems that were said to lie there go along: otherwise the managers of the old place would keep them.
 */
export async function followBuildings(
  tx: Tx,
  buildings: ReadonlySet<string>,
  hasLeft: (location: string) => boolean,
  standsAt: (building: string) => string | undefined,
): Promise<void> {
  const systems = resourcesOf(tx.engine).of('locking_systems')
  if (!systems) return
  const placed = await tx.all<Placed>(
    sql`select t.id, t.building_id, t.location_id from locking_systems t where t.org = :org
      and t.building_id is not null and t.location_id is not null`,
  )
  for (const { id, building_id, location_id } of placed) {
    if (!buildings.has(building_id) || !hasLeft(location_id)) continue
    await updateRow(
      tx,
      systems,
      await getRow(tx, systems, id, 'all'),
      { location_id: standsAt(building_id) ?? null },
      'updated',
    )
  }
}
