import { countAudience } from '../../access/counts/audience.ts'
import type { Caller, Scope } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import { sql } from '../../db/sql.ts'
import { accessControlSystems } from '../access-control-systems/schema.ts'
import type { Space, SpaceSummary } from './schema.ts'

interface PointRow {
  space_id: string
  id: string
  name: string
  description: string
  label: string
  access_control_system_id: string | null
}

const reaches = (scope: Scope | undefined, buildingId: string): boolean =>
  scope === 'all' || (scope?.buildings.has(buildingId) ?? false)

/**
 * Composite texts, access points and counts of a page of spaces: a fixed number of queries, whatever the page's size.
 */
export async function decorateSpaces(
  handle: OrgHandle,
  rows: Space[],
  caller: Caller,
  names: readonly string[],
): Promise<void> {
  const places = await placesOf(handle)
  for (const row of rows) {
    const text = places.textOf(row.building_id)
    row.location = text.location
    row.building = text.building
    row.location_id = places.buildings.get(row.building_id)?.location_id ?? ''
    row.time_zone = places.timeZoneOf(row.building_id)
  }
  if (names.includes('access_points') || names.includes('summary')) await countAround(handle, rows, caller)
}

async function countAround(handle: OrgHandle, rows: Space[], caller: Caller): Promise<void> {
  const points = await pointsOf(handle, rows)
  const counts = await countsFor(handle, rows, points, caller)
  const pointScope = caller.rights.scopeOf('access-points:read')
  const systems = await systemCounts(handle, points, caller)
  for (const row of rows) {
    const own = points.get(row.id) ?? []
    const seesPoints = reaches(pointScope, row.building_id)
    if (seesPoints)
      row.access_points = own.map(({ id, name, description, label }) => ({ id, name, description, label }))
    row.summary = {
      total_access_control_systems: systems(row),
      total_access_credentials: counts.credentials(row.id),
      total_access_points: seesPoints ? own.length : null,
      total_individuals: counts.individuals(row.id),
    } satisfies SpaceSummary
  }
}

const systemsOf = (points: readonly PointRow[]): string[] => [
  ...new Set(points.map((point) => point.access_control_system_id).filter((id) => id !== null)),
]

/**
 * How many systems drive the access points of a space, to whoever sees each of them: a part is not told for the whole.
 */
async function systemCounts(handle: OrgHandle, points: ReadonlyMap<string, PointRow[]>, caller: Caller) {
  const scope = caller.rights.scopeOf('access-control-systems:read')
  const isSeen = scope && (await systemsSeen(handle, systemsOf([...points.values()].flat()), scope))
  return ({ id, building_id }: Space): number | null => {
    const driving = systemsOf(points.get(id) ?? [])
    return isSeen && reaches(scope, building_id) && driving.every(isSeen) ? driving.length : null
  }
}

async function systemsSeen(
  handle: OrgHandle,
  driving: readonly string[],
  scope: Scope,
): Promise<(id: string) => boolean> {
  if (scope === 'all') return () => true
  const found = await handle.all<{ id: string }>(sql`select t.id from access_control_systems t
    where ${await visible(handle, accessControlSystems, scope)} and ${handle.dialect.inList('t.id', driving, 'uuid')}`)
  const seen = new Set(found.map(({ id }) => id))
  return (id) => seen.has(id)
}

async function pointsOf(handle: OrgHandle, rows: readonly Space[]): Promise<Map<string, PointRow[]>> {
  const found = await handle.all<PointRow>(sql`
    select t.space_id, t.id, t.name, t.description, t.label, t.access_control_system_id from access_points t
    where t.org = :org and ${handle.dialect.inList(
      't.space_id',
      rows.map((row) => row.id),
      'uuid',
    )} order by t.space_id, t.name, t.id`)
  const points = new Map<string, PointRow[]>()
  for (const point of found) {
    const list = points.get(point.space_id)
    if (list) list.push(point)
    else points.set(point.space_id, [point])
  }
  return points
}

/**
 * Whoever may open a door of a place is seen by those who may read people there, so they are counted for them.
 * Credentials are where their holders belong, which may be elsewhere: they are counted only for callers who may read
 * all of them.
 */
async function countsFor(handle: OrgHandle, rows: readonly Space[], points: Map<string, PointRow[]>, caller: Caller) {
  const scope = caller.rights.scopeOf('individuals:read')
  const seen = new Set(rows.filter((row) => reaches(scope, row.building_id)).map((row) => row.id))
  const seesCredentials = caller.rights.scopeOf('credentials:read') === 'all'
  if (seen.size === 0 && !seesCredentials) return { individuals: () => null, credentials: () => null }
  const page = rows.map((row) => ({
    id: row.id,
    building_id: row.building_id,
    points: (points.get(row.id) ?? []).map((point) => ({
      id: point.id,
      hasReader: point.access_control_system_id !== null,
    })),
  }))
  const counts = await countAudience(handle, page)
  return {
    individuals: (id: string) => (seen.has(id) ? (counts.get(id)?.individuals ?? 0) : null),
    credentials: (id: string) => (seesCredentials ? (counts.get(id)?.credentials ?? 0) : null),
  }
}
