import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

/** At most one of them; none: the whole organization. */
export interface Place {
  readonly location_id?: string | null
  readonly building_id?: string | null
  readonly space_id?: string | null
  readonly access_point_id?: string | null
}

/** Whether a space, by its alias, lies in a location, building or space, or below it. */
export async function insideOf(
  handle: OrgHandle,
  { location_id, building_id, space_id }: Place,
): Promise<(space: string) => Sql> {
  if (space_id) return (space) => sql`${raw(`${space}.id`)} = ${space_id}`
  if (!location_id && !building_id) return () => raw('true')
  const { buildings } = (await placesOf(handle)).below(
    location_id ? [location_id] : [],
    building_id ? [building_id] : [],
  )
  return (space) => handle.dialect.inList(`${space}.building_id`, buildings, 'uuid')
}

/**
 * How many people were last seen inside a place: those whom its muster list calls unaccounted for. Null: a door has no
 * inside.
 */
export async function countInside(handle: OrgHandle, place: Place): Promise<number | null> {
  if (place.access_point_id) return null
  const inside = await insideOf(handle, place)
  const row = await handle.one<{ n: number }>(sql`
    select count(*) as n from presence t join individuals i on i.org = :org and i.id = t.individual_id
    join spaces s on s.org = :org and s.id = t.space_id where t.org = :org and ${inside('s')}`)
  return row?.n ?? 0
}
