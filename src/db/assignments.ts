import type { Permission } from '../core/permissions.ts'
import { type Assignment, type Narrowing, type PlaceSet, Rights } from '../core/rights.ts'
import type { Actor } from './audit.ts'
import type { OrgHandle } from './org.ts'
import { type Places, placesOf } from './places.ts'
import { type Sql, sql } from './sql.ts'

/** The place a role or a token is limited to; neither: the whole organization. */
export interface Place {
  location_id: string | null
  building_id: string | null
}

export interface TokenNarrowing extends Place {
  permissions: readonly Permission[] | null
}

export const placeSet = (places: Places, { location_id, building_id }: Place): PlaceSet | undefined =>
  location_id || building_id
    ? places.below(location_id ? [location_id] : [], building_id ? [building_id] : [])
    : undefined

/** For whoever is limited to none, it is no matter what becomes of places. */
const placesAllowed = async (handle: OrgHandle, place: Place): Promise<PlaceSet | undefined> =>
  place.location_id || place.building_id ? placeSet(await placesOf(handle), place) : undefined

/** What a user or service user may do and where, less what a token takes away. */
export async function rightsOf(handle: OrgHandle, holderId: string, token?: TokenNarrowing): Promise<Rights> {
  const rows = await handle.all<Place & { permissions: string | Permission[] }>(
    sql`select r.permissions, a.location_id, a.building_id from role_assignments a join roles r on r.org = :org
      and r.id = a.role_id
        where a.org = :org and (a.service_user_id = ${holderId} or a.user_id = ${holderId})`,
  )
  const assignments: Assignment[] = []
  for (const row of rows)
    assignments.push({ permissions: parsed(row.permissions), places: await placesAllowed(handle, row) })
  const narrowing: Narrowing = token
    ? { permissions: token.permissions ?? undefined, places: await placesAllowed(handle, token) }
    : {}
  return new Rights(assignments, narrowing)
}

/** Who is not there to prove who they are, and what they once acted by. */
export interface Absent {
  id: string
  by?: Actor['by']
}

/**
 * What is left to somebody in whose name something goes on: undefined once they, the organization or what they acted by
 * is suspended, revoked, over or gone.
 */
export async function rightsInAbsence(handle: OrgHandle, { id, by }: Absent): Promise<Rights | undefined> {
  const active =
    await handle.one(sql`select 1 as one from organizations o where o.key = :org and o.status = 'active' and (
    exists (select 1 from users t where t.org = :org and t.id = ${id} and t.status = 'active')
    or exists (select 1 from service_users t where t.org = :org and t.id = ${id} and t.status = 'active'))`)
  if (!active) return undefined
  if (by === undefined) return rightsOf(handle, id)
  const left = await handle.one<Partial<Place> & { permissions: string | Permission[] | null }>(stillGood(id, by))
  return (
    left &&
    rightsOf(handle, id, { location_id: null, building_id: null, ...left, permissions: parsed(left.permissions) })
  )
}

/** What they acted by, with what it lets them do now. */
function stillGood(id: string, by: NonNullable<Actor['by']>): Sql {
  if ('token' in by)
    return sql`select t.permissions, t.location_id, t.building_id from tokens t
      where t.org = :org and t.id = ${by.token} and t.revoked_at is null and t.expires_at > :now`
  if ('identity' in by)
    return sql`select t.permissions from external_identities t
      where t.org = :org and t.id = ${by.identity} and (t.user_id = ${id} or t.service_user_id = ${id})`
  return sql`select t.permissions from oauth_applications t where t.org = :org and t.id = ${by.application}
    and t.status = 'active'
    and (t.service_user_id = ${id} or exists (select 1 from oauth_grants g
      where g.org = :org and g.application_id = t.id and g.user_id = ${id} and g.expires_at > :now))`
}

/** JSON is text on SQLite. */
export const parsed = <T>(value: T | string): T => (typeof value === 'string' ? JSON.parse(value) : value)
