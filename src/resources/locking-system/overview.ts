import type { Access, Scope } from '../../core/access.ts'
import { withAll } from '../../db/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { inScope } from '../../db/scope.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { accessPoints } from '../access-points/schema.ts'
import { cylinders as cylinderResource } from '../cylinders/schema.ts'
import { CARD_DAYS, lockingSystemKinds, lockingSystemStatuses, placedByLockingSystem } from './schema.ts'

const DAY = 86_400_000
/** Systems without a manufacturer are counted under this name. */
const UNKNOWN = 'unknown'

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** Counts over the locking systems in the caller's scope, and over the access points that the caller may see. */
export async function overviewOf(handle: OrgHandle, scope: Scope, access: Access) {
  const today = handle.now.slice(0, 10)
  const cardLimit = dayOf(Date.parse(today) + CARD_DAYS * DAY)
  const ofSystems = (column: string): Sql => visible(handle, scope, column)
  // As their list has them: those of a door that the caller sees too, whoever the locking system belongs to.
  const ofCylinders = scope === 'all' ? sql`` : sql`and ${inScope(cylinderResource, handle.dialect, scope)}`
  const ofKeyTypes =
    scope === 'all'
      ? sql``
      : sql`and t.key_type_id in (select kt.id from key_types kt where kt.org = :org ${ofSystems('kt.locking_system_id')})`
  const systems = await handle.all<{ kind: string; status: string; manufacturer: string | null; n: number; expiring: number }>(sql`
    select t.kind, t.status, t.manufacturer, count(*) as n, count(case when t.status <> 'retired'
      and t.security_card_expires_on >= ${today} and t.security_card_expires_on <= ${cardLimit} then 1 end) as expiring
    from locking_systems t where t.org = :org ${ofSystems('t.id')} group by t.kind, t.status, t.manufacturer`)
  const cylinders = await handle.all<{ status: string; n: number }>(sql`
    select t.status, count(*) as n from cylinders t where t.org = :org ${ofCylinders} group by t.status`)
  const keys = await handle.all<{ status: string; n: number; overdue: number }>(sql`
    select t.status, count(*) as n, count(case when t.status = 'issued' and t.due_back_on < ${today} then 1 end) as overdue
    from keys t where t.org = :org ${ofKeyTypes} group by t.status`)
  const cylindersBy = tally(cylinders, (row) => row.status)
  const keysBy = tally(keys, (row) => row.status)
  return {
    total: total(systems),
    by_kind: withAll(
      lockingSystemKinds,
      tally(systems, (row) => row.kind),
    ),
    by_status: withAll(
      lockingSystemStatuses,
      tally(systems, (row) => row.status),
    ),
    by_manufacturer: Object.fromEntries([...tally(systems, (row) => row.manufacturer || UNKNOWN)].sort(byName)),
    cylinders: { total: total(cylinders), ...withAll(['installed', 'in_stock', 'defective'], cylindersBy) },
    keys: {
      total: total(keys),
      ...withAll(['in_stock', 'issued'], keysBy),
      overdue: keys.reduce((sum, row) => sum + row.overdue, 0),
      ...withAll(['lost'], keysBy),
    },
    access_points: await accessPointsOf(handle, access.scopeOf('access-points:read')),
    security_cards: { expiring_within_90_days: systems.reduce((sum, row) => sum + row.expiring, 0) },
  }
}

async function accessPointsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, with_cylinder: null }
  const scoped = scope === 'all' ? sql`` : sql`and ${inScope(accessPoints, handle.dialect, scope)}`
  const row = await handle.one<{ total: number; with_cylinder: number }>(sql`
    select count(*) as total, count(case when t.id in (
      select c.access_point_id from cylinders c where c.org = :org and c.access_point_id is not null) then 1 end) as with_cylinder
    from access_points t where t.org = :org ${scoped}`)
  return row ?? { total: 0, with_cylinder: 0 }
}

/** Only of locking systems that the caller may see; `column` holds the system's id. */
function visible(handle: OrgHandle, scope: Scope, column: string): Sql {
  if (scope === 'all') return sql``
  const inPlaces = placedByLockingSystem(column)(
    (building) => handle.dialect.inList(building, scope.buildings, 'uuid'),
    (location) => handle.dialect.inList(location, scope.locations, 'uuid'),
  )
  return sql`and ${inPlaces}`
}

const total = (rows: ReadonlyArray<{ n: number }>): number => rows.reduce((sum, row) => sum + row.n, 0)

function tally<Row extends { n: number }>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + row.n)
  return counts
}

const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1)
