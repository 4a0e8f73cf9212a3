import type { Rights, Scope } from '../../core/rights.ts'
import { daysAfter, todayOf } from '../../db/day.ts'
import { countWhere, visible, withAll } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import { accessPoints } from '../access-points/schema.ts'
import { cylinders } from '../cylinders/schema.ts'
import { keys } from '../keys/schema.ts'
import { CARD_DAYS, lockingSystemKinds, lockingSystemStatuses, lockingSystems } from './schema.ts'

/** Systems without a manufacturer are counted under this name. */
const UNKNOWN = 'unknown'

/**
 * Counts over the locking systems in the caller's scope, and of what else the caller may see; null of what they may not
 * read.
 */
export async function overviewOf(handle: OrgHandle, scope: Scope, rights: Rights) {
  const today = await todayOf(handle)
  const systems = await handle.all<{ kind: string; status: string; manufacturer: string | null; n: number }>(sql`
    select t.kind, t.status, t.manufacturer, count(*) as n
    from locking_systems t where ${await visible(handle, lockingSystems, scope)}
    group by t.kind, t.status, t.manufacturer`)
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
    cylinders: await cylindersOf(handle, rights.scopeOf('cylinders:read')),
    keys: await keysOf(handle, rights.scopeOf('keys:read'), today),
    access_points: await accessPointsOf(handle, rights.scopeOf('access-points:read')),
    security_cards: { expiring_within_90_days: await cardsOf(handle, scope, today) },
    limited_to: await limitsOfAny(handle, rights, [
      'locking-system:read',
      'cylinders:read',
      'keys:read',
      'access-points:read',
    ]),
  }
}

const cardsOf = (handle: OrgHandle, scope: Scope, today: string): Promise<number> =>
  countWhere(
    handle,
    lockingSystems,
    scope,
    sql`t.status <> 'retired' and t.security_card_expires_on >= ${today} and t.security_card_expires_on <=
      ${daysAfter(today, CARD_DAYS)}`,
    ['security_card_expires_on'],
  )

async function cylindersOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, installed: null, in_stock: null, defective: null }
  const rows = await handle.all<{ status: string; n: number }>(sql`
    select t.status, count(*) as n from cylinders t where ${await visible(handle, cylinders, scope)} group by t.status`)
  const by = tally(rows, (row) => row.status)
  return { total: total(rows), ...withAll(['installed', 'in_stock', 'defective'], by) }
}

async function keysOf(handle: OrgHandle, scope: Scope | undefined, today: string) {
  if (scope === undefined) return { total: null, in_stock: null, issued: null, overdue: null, lost: null }
  const rows = await handle.all<{ status: string; n: number; overdue: number }>(sql`
    select t.status, count(*) as n, count(case when t.status = 'issued'
    and t.due_back_on < ${today} then 1 end) as overdue
    from keys t where ${await visible(handle, keys, scope)} group by t.status`)
  const by = tally(rows, (row) => row.status)
  const overdue = rows.reduce((sum, row) => sum + row.overdue, 0)
  return { total: total(rows), ...withAll(['in_stock', 'issued'], by), overdue, ...withAll(['lost'], by) }
}

async function accessPointsOf(handle: OrgHandle, scope: Scope | undefined) {
  if (scope === undefined) return { total: null, with_cylinder: null }
  const row = await handle.one<{ total: number; with_cylinder: number }>(sql`
    select count(*) as total, count(case when t.id in (
      select c.access_point_id from cylinders c where c.org = :org
      and c.access_point_id is not null) then 1 end) as with_cylinder
    from access_points t where ${await visible(handle, accessPoints, scope)}`)
  return row ?? { total: 0, with_cylinder: 0 }
}

const total = (rows: ReadonlyArray<{ n: number }>): number => rows.reduce((sum, row) => sum + row.n, 0)

function tally<Row extends { n: number }>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + row.n)
  return counts
}

const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1)
