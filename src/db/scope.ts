import { AppError, invalid } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import type { PlaceSet, Rights, Scope } from '../core/rights.ts'
import { lastOfGone, withGone } from './along/gone-places.ts'
import { withKeptIds } from './kept/kept-ids.ts'
import type { OrgHandle } from './org.ts'
import { type Places, placesOf } from './places.ts'
import {
  type AnyRow,
  EVERYWHERE,
  isSeenInPart,
  type PlaceExpression,
  type PlacesSql,
  type Resource,
  readPermissionOf,
} from './resource.ts'
import { raw, type Sql, sql } from './sql.ts'

/** What is not there, or not seen: to whoever sees a part it may be either. */
export const noSuch = (path: string, { singular }: Resource, shown: string, scope: Scope | undefined) =>
  invalid(
    path,
    'reference.not_found',
    `${path}: there is no ${singular} ${shown}${scope === 'all' ? '' : ' among those that you may see'}`,
  )

export const outside = (msg: string) =>
  new AppError('UNAUTHORIZED', msg, { status: 403, reason: 'insufficient_permissions' })
export const putOutside = () => outside('This would put the item outside the places you may manage')

/** What a caller's right reaches of a resource, as conditions on the row. */
export interface Sight {
  /** It lies in the caller's places: seen whole and, with the permission, changed. */
  managed: Sql
  /** That, or it has to do with them: seen, in part where the resource says so. */
  seen: Sql
  isLimited: boolean
}

const EVERYTHING: Sight = { managed: raw('true'), seen: raw('true'), isLimited: false }

/**
 * The one filter of lists, items, references, searches and counts. What has no place lies outside every limited scope.
 */
export async function sightOf(handle: OrgHandle, resource: Resource, scope: Scope, row = 't'): Promise<Sight> {
  if (scope === 'all') return EVERYTHING
  return sightIn(handle, resource, placesSql(handle, scope, await placesOf(handle), row))
}

async function sightIn(handle: OrgHandle, resource: Resource, places: PlacesSql): Promise<Sight> {
  const managed = resource.place ? sql`(${resource.place(places)})` : raw('false')
  // What lies there comes first: the order of a list may repeat its condition with the same placeholders.
  const known = await withKeptIds(handle, managed)
  const seen = resource.reaches ? sql`(${known} or ${await withKeptIds(handle, resource.reaches.rows(places))})` : known
  return { managed: known, seen, isLimited: true }
}

const unstored = (resource: Resource): Resource =>
  resource.placeUnstored ? { ...resource, place: resource.placeUnstored } : resource

/** The same of rows that are not stored, or no more. */
export const sightOfUnstored = (handle: OrgHandle, resource: Resource, scope: Scope): Promise<Sight> =>
  sightOf(handle, unstored(resource), scope)

/** The same of rows as they were: what they lay in may be gone by now, and is where it was last. */
export async function sightOfPast(handle: OrgHandle, resource: Resource, scope: Scope): Promise<Sight> {
  if (scope === 'all') return EVERYTHING
  const places = placesSql(handle, await withGone(handle, scope), await placesOf(handle), 't')
  return sightIn(handle, unstored(resource), { ...places, isOfPast: true })
}

/** Places for what is asked beside rows of a resource: who has to do with them. */
export const placesOfScope = async (handle: OrgHandle, scope: PlaceSet): Promise<PlacesSql> =>
  placesSql(handle, scope, await placesOf(handle), 't')

/** More than one building of so many are many. */
const FEW_OF = 50

function placesSql({ dialect }: OrgHandle, scope: PlaceSet, places: Places, row: string): PlacesSql {
  const { inside, above } = listsOf(places, scope)
  return {
    row,
    areMany: scope.buildings.size * FEW_OF > places.buildings.size,
    inBuildings: (column) => dialect.inList(column, inside.buildings, 'uuid'),
    inLocations: (column) => dialect.inList(column, inside.locations, 'uuid'),
    aboveInBuildings: (column) => dialect.inList(column, above.buildings, 'uuid'),
    aboveInLocations: (column) => dialect.inList(column, above.locations, 'uuid'),
  }
}

/** The same lists each time: a statement that names one many times binds it once. */
interface PlaceLists {
  readonly buildings: readonly string[]
  readonly locations: readonly string[]
}

const known = new WeakMap<PlaceSet, { places: Places; inside: PlaceLists; above: PlaceLists }>()

/** Above the buildings of the scope: a place without a building has no door that a grant above it could open. */
function listsOf(places: Places, scope: PlaceSet): { inside: PlaceLists; above: PlaceLists } {
  const found = known.get(scope)
  if (found?.places === places) return found
  const buildings = new Set<string>()
  const locations = new Set<string>()
  for (const id of scope.buildings) {
    const chain = places.above(id)
    for (const building of chain.buildings) if (!scope.buildings.has(building)) buildings.add(building)
    for (const location of chain.locations) if (!scope.locations.has(location)) locations.add(location)
  }
  const lists = {
    inside: { buildings: [...scope.buildings], locations: [...scope.locations] },
    above: { buildings: [...buildings], locations: [...locations] },
  }
  known.set(scope, { places, ...lists })
  return lists
}

/** Those of them that the caller may read. */
export async function seenOf(
  handle: OrgHandle,
  resource: Resource,
  rights: Rights,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const scope = rights.scopeOf(readPermissionOf(resource))
  if (scope === 'all') return new Set(ids)
  if (scope === undefined || ids.length === 0) return new Set()
  const { seen } = await sightOf(handle, resource, scope)
  const rows = await handle.all<{ id: string }>(
    sql`select t.id from ${handle.dialect.ids(ids, 'l')} cross join ${raw(resource.table)} t where t.org = :org
      and t.id = l.id and ${seen}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of them of which everything is seen; no scope: nothing is. */
export async function wholeOf(
  handle: OrgHandle,
  resource: Resource,
  ids: readonly string[],
  scope: Scope | undefined,
): Promise<ReadonlySet<string>> {
  if (scope === 'all') return new Set(ids)
  if (scope === undefined || ids.length === 0) return new Set()
  const { managed } = await sightOf(handle, resource, scope)
  const among = handle.dialect.ids(ids, 'l')
  const found = await handle.all<{ id: string }>(
    sql`select t.id from ${among} cross join ${raw(resource.table)} t where t.org = :org and t.id = l.id
      and ${managed}`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Leaves out of rows that are seen in part what is not seen of them. */
export async function hideUnseen<Row extends AnyRow>(
  handle: OrgHandle,
  resource: Resource,
  rows: Row[],
  scope: Scope | undefined,
): Promise<Row[]> {
  if (scope === 'all' || !resource.reaches?.fields || rows.length === 0) return rows
  const ids = rows.map((row) => row.id as string)
  const whole = await wholeOf(handle, resource, ids, scope)
  for (const row of rows) {
    if (whole.has(row.id as string)) continue
    for (const name of Object.keys(row)) if (!isSeenInPart(resource, name)) delete row[name]
  }
  return rows
}

/** Of a row that says itself where it is. */
export const lyingAt: PlaceExpression = ({ row, inBuildings, inLocations }) =>
  sql`${inBuildings(`${row}.building_id`)} or ${inLocations(`${row}.location_id`)}`

/**
 * Of what names a space, or a door, by a column. In many places each is looked up by what it names: PostgreSQL would
 * rather gather all spaces of all places first, and of a value it cannot.
 */
export const spaceLiesThere = (places: PlacesSql, column: string): Sql => {
  const { areMany, isOfPast, inBuildings } = places
  const lies = areMany
    ? sql`(${inBuildings(`(select s.building_id from spaces s where s.org = :org and s.id = ${column})`)}) is true`
    : sql`exists (select 1 from spaces s where s.org = :org and s.id = ${raw(column)}
      and ${inBuildings('s.building_id')})`
  if (!isOfPast) return lies
  return sql`(${lies} or exists (select 1 from spaces_history h where h.org = :org and h.id = ${raw(column)}
    and ${lastOfGone('spaces')} and ${inBuildings('h.building_id')}))`
}
export const doorStandsThere = (places: PlacesSql, column: string): Sql => {
  const { areMany, isOfPast, inBuildings } = places
  const stands = areMany
    ? sql`(${inBuildings(`(select p.building_id from access_points p where p.org = :org and p.id = ${column})`)}) is
      true`
    : sql`exists (select 1 from access_points p where p.org = :org and p.id = ${raw(column)}
      and ${inBuildings('p.building_id')})`
  if (!isOfPast) return stands
  return sql`(${stands} or exists (select 1 from (select h.space_id from access_points_history h where h.org = :org
    and h.id = ${raw(column)} and ${lastOfGone('access_points')}) d where ${spaceLiesThere(places, 'd.space_id')}))`
}

/**
 * Of an access control system. One without a place of its own lies where its doors lie, all of them: whoever changes it
 * changes what all of them do.
 */
export const systemStandsThere = ({ row, inBuildings, inLocations }: PlacesSql): Sql => {
  const driven = `select 1 from access_points pd where pd.org = :org and pd.access_control_system_id = ${row}.id`
  return sql`${inLocations(`${row}.location_id`)} or (${raw(row)}.location_id is null
    and exists (${raw(driven)}) and not exists (${raw(driven)}
    and not coalesce(${inBuildings('pd.building_id')}, false)))`
}

/** Of what names one place of any kind. */
export const targetLiesThere: PlaceExpression = (places) => sql`
  ${lyingAt(places)} or ${spaceLiesThere(places, `${places.row}.space_id`)} or
  ${doorStandsThere(places, `${places.row}.access_point_id`)}`

/** Of what is named by role assignments: whatever one of these places has. */
export const assignedAt =
  (column: 'role_id' | 'user_id' | 'service_user_id'): PlaceExpression =>
  (places) =>
    sql`${raw(places.row)}.id in (select ${raw(`ra.${column}`)} from role_assignments ra
      where ra.org = :org and (${lyingAt({ ...places, row: 'ra' })}))`

export interface LimitingPlace {
  location_id: string | null
  building_id: string | null
  name: string
}

/** What cuts a list of a resource to some places; undefined: nothing does. */
export const cutOf = (handle: OrgHandle, { reaches }: Resource, scope: Scope): Promise<LimitingPlace[] | undefined> =>
  limitsOf(handle, reaches === EVERYWHERE ? 'all' : scope)

/**
 * Of what several rights are needed for: what cuts it where some of them hold in some places only. Each by itself: what
 * one is limited to may lie in what another is limited to. Permissions of one role share their places.
 */
export async function limitsOfAny(
  handle: OrgHandle,
  rights: Rights,
  permissions: readonly Permission[],
): Promise<LimitingPlace[] | undefined> {
  const scopes = new Set(permissions.flatMap((permission) => rights.scopeOf(permission) ?? []))
  const limits = new Map<string | null, LimitingPlace>()
  for (const scope of scopes)
    for (const limit of (await limitsOf(handle, scope)) ?? []) limits.set(limit.building_id ?? limit.location_id, limit)
  return [...scopes].every((scope) => scope === 'all') ? undefined : inOrder([...limits.values()])
}

const inOrder = (limits: LimitingPlace[]): LimitingPlace[] => limits.sort((a, b) => (a.name < b.name ? -1 : 1))

/** The places that a right is limited to, the topmost of each tree; undefined: it holds everywhere. */
export async function limitsOf(handle: OrgHandle, scope: Scope): Promise<LimitingPlace[] | undefined> {
  if (scope === 'all') return undefined
  const places = await placesOf(handle)
  const isTop = (id: string | null | undefined, set: ReadonlySet<string>) => !id || !set.has(id)
  const limits: LimitingPlace[] = []
  for (const id of scope.locations) {
    const node = places.locations.get(id)
    if (node && isTop(node.parent_id, scope.locations))
      limits.push({ location_id: id, building_id: null, name: node.name })
  }
  for (const id of scope.buildings) {
    const node = places.buildings.get(id)
    if (node && isTop(node.parent_id, scope.buildings) && isTop(node.location_id, scope.locations))
      limits.push({ location_id: null, building_id: id, name: node.name })
  }
  return inOrder(limits)
}
