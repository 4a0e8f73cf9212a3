import type { Permission } from '../core/permissions.ts'
import { type Assignment, type Narrowing, type PlaceSet, Rights } from '../core/rights.ts'
import type { OrgHandle } from './org.ts'
import { type Places, placesOf } from './places.ts'
import { sql } from './sql.ts'

/** The place a role or a token is limited to; neither: the whole organization. */
export interface Place {
  location_id: string | null
  building_id: string | null
}

export interface TokenNarrowing extends Place {
  permissions: readonly Permission[] | null
}

export const placeSet = (places: Places, { location_id, building_id }: Place): PlaceSet | undefined =>
  location_id || building_id ? places.below(location_id ? [location_id] : [], building_id ? [building_id] : []) : undefined

/** What a user or service user may do and where, less what a token takes away. */
export async function rightsOf(handle: OrgHandle, holderId: string, token?: TokenNarrowing): Promise<Rights> {
  const rows = await handle.all<Place & { permissions: string | Permission[] }>(
    sql`select r.permissions, a.location_id, a.building_id from role_assignments a join roles r on r.org = :org and r.id = a.role_id
        where a.org = :org and (a.service_user_id = ${holderId} or a.user_id = ${holderId})`,
  )
  const places = await placesOf(handle)
  const assignments = rows.map((row): Assignment => ({ permissions: parsed(row.permissions), places: placeSet(places, row) }))
  const narrowing: Narrowing = token ? { permissions: token.permissions ?? undefined, places: placeSet(places, token) } : {}
  return new Rights(assignments, narrowing)
}

/** JSON is text on SQLite. */
export const parsed = <T>(value: T | string): T => (typeof value === 'string' ? (JSON.parse(value) as T) : value)
