import { countAudience, type SpaceRef } from '../../access/counts/audience.ts'
import type { Caller, Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOf } from '../../db/places.ts'
import type { AnyRow } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import { takeAlarmsAlong } from '../../live/moved-alarms.ts'
import { accessControlSystems } from '../access-control-systems/schema.ts'
import type { Space, SpaceSummary } from './schema.ts'

/** With a space its doors move, and what they call somebody to. */
export async function prepareSpace(tx: Tx, { id, building_id }: Space, current: Space | undefined): Promise<undefined> {
  if (!current || current.building_id === building_id) return
  const doors = await tx.all<{ id: string }>(
    sql`select t.id from access_points t where t.org = :org and t.space_id = ${id}`,
  )
  const ids = doors.map((door) => door.id)
  await takeAlarmsAlong(tx, ids, building_id)
}

/**
 * Whoever was last seen in a space that goes is where the door that they came by leads to now, as where two rooms
 * become one: else the muster list would have them accounted for, or not at all.
 */
export async function moveOccupants(tx: Tx, { id }: AnyRow): Promise<void> {
  const door = sql`select p.space_id from access_points p where p.org = :org and p.id = t.access_point_id`
  await tx.run(sql`update presence as t set space_id = (${door})
    where t.org = :org and t.space_id = ${String(id)} and exists (${door})`)
}

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
    const { location, building, location_id, time_zone } = places.placeOf(row.building_id)
    row.location = location
    row.building = building
    row.location_id = location_id
    row.time_zone = time_zone
  }
  if (names.includes('access_points') || names.includes('summary')) await countAround(handle, rows, caller)
}

const NO_POINTS: PointRow[] = []

/**
 * Whoever may open a door of a place is seen by those who may read people there, so they are counted for them.
 * Credentials are where their holders belong, which may be elsewhere: they are counted only for callers who may read
 * all of them.
 */
async function countAround(handle: OrgHandle, rows: Space[], { rights }: Caller): Promise<void> {
  const points = await pointsOf(handle, rows)
  const peopleScope = rights.scopeOf('individuals:read')
  const seesCredentials = rights.scopeOf('credentials:read') === 'all'
  const isCounted = seesCredentials || rows.some((row) => reaches(peopleScope, row.building_id))
  const counts = isCounted ? await countAudience(handle, refsOf(rows, points)) : undefined
  const pointScope = rights.scopeOf('access-points:read')
  const systemScope = rights.scopeOf('access-control-systems:read')
  const isSeen = systemScope && (await systemsSeen(handle, points, systemScope))
  for (const row of rows) {
    const own = points.get(row.id) ?? NO_POINTS
    const count = counts?.get(row.id)
    const seesPoints = reaches(pointScope, row.building_id)
    if (seesPoints)
      row.access_points = own.map(({ id, name, description, label }) => ({ id, name, description, label }))
    row.summary = {
      total_access_control_systems: isSeen && reaches(systemScope, row.building_id) ? countSystems(own, isSeen) : null,
      total_access_credentials: seesCredentials ? (count?.credentials ?? 0) : null,
      total_access_points: seesPoints ? own.length : null,
      total_individuals: reaches(peopleScope, row.building_id) ? (count?.individuals ?? 0) : null,
    } satisfies SpaceSummary
  }
}

const refsOf = (rows: readonly Space[], points: ReadonlyMap<string, PointRow[]>): SpaceRef[] =>
  rows.map(({ id, building_id }) => ({ id, building_id, points: points.get(id) ?? NO_POINTS }))

/**
 * How many systems drive the access points of a space, to whoever sees each of them: a part is not told for the whole.
 */
function countSystems(points: readonly PointRow[], isSeen: (id: string) => boolean): number | null {
  const driving: string[] = []
  for (const { access_control_system_id: id } of points) {
    if (id === null || driving.includes(id)) continue
    if (!isSeen(id)) return null
    driving.push(id)
  }
  return driving.length
}

const everySystem = () => true

async function systemsSeen(
  handle: OrgHandle,
  points: ReadonlyMap<string, PointRow[]>,
  scope: Scope,
): Promise<(id: string) => boolean> {
  if (scope === 'all') return everySystem
  const driving = new Set<string>()
  for (const { access_control_system_id: id } of [...points.values()].flat()) if (id !== null) driving.add(id)
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
