import type { OrgHandle } from '../../db/org.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { credentials } from '../credentials/schema.ts'

/** Who was given what, as the database has it now. Each look-up takes a whole page's ids. */
export interface Grant {
  effect: 'allow' | 'deny'
  /** An access group or an individual. */
  subject: string
}

export interface HeldKey {
  key_id: string
  individual_id: string
}

const inForce = (alias: string): Sql =>
  raw(`(${alias}.valid_from is null or ${alias}.valid_from <= :now) and (${alias}.valid_until is null or ${alias}.valid_until > :now)`)

/** Grants in force on locations and buildings, by the place they stand on. */
export async function grantsByPlace(handle: OrgHandle): Promise<Map<string, Grant[]>> {
  const rows = await handle.all<Grant & { target: string }>(sql`
    select t.effect, coalesce(t.access_group_id, t.individual_id) as subject, coalesce(t.building_id, t.location_id) as target from access_grants t
    where t.org = :org and (t.building_id is not null or t.location_id is not null) and t.revoked_at is null and ${inForce('t')}`)
  return grouped(rows, (row) => row.target)
}

/** Grants in force on these spaces and access points. */
export async function grantsOn(handle: OrgHandle, ids: readonly string[]): Promise<Map<string, Grant[]>> {
  const select = (column: string) => sql`
    select t.effect, coalesce(t.access_group_id, t.individual_id) as subject, ${raw(`t.${column}`)} as target from access_grants t
    where t.org = :org and t.revoked_at is null and ${inForce('t')} and ${handle.dialect.inList(`t.${column}`, ids, 'uuid')}`
  const rows = await handle.all<Grant & { target: string }>(sql`${select('space_id')} union all ${select('access_point_id')}`)
  return grouped(rows, (row) => row.target)
}

/** The key types that open a cylinder built into these access points. `cross join` keeps SQLite to this order of tables. */
export async function keyTypesAt(handle: OrgHandle, points: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await handle.all<{ point: string; type: string }>(sql`
    select c.access_point_id as point, p.key_type_id as type from cylinders c cross join plan_cells p
    where c.org = :org and ${handle.dialect.inList('c.access_point_id', points, 'uuid')} and c.status = 'installed'
      and p.org = :org and p.cylinder_id = c.id`)
  const types = new Map<string, string[]>()
  for (const [point, list] of grouped(rows, (row) => row.point))
    types.set(
      point,
      list.map((row) => row.type),
    )
  return types
}

/** The keys of these types that are in somebody's hands. */
export async function heldKeys(handle: OrgHandle, types: readonly string[]): Promise<Map<string, HeldKey[]>> {
  const rows = await handle.all<HeldKey & { type: string }>(sql`
    select t.key_type_id as type, t.id as key_id, t.individual_id from keys t
    where t.org = :org and t.status = 'issued' and ${handle.dialect.inList('t.key_type_id', types, 'uuid')}`)
  return grouped(rows, (row) => row.type)
}

/** Whom a grant to these subjects lets in: members of a group, or the individual, active and within their windows. */
export async function membersOf(handle: OrgHandle, subjects: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const active = sql`i.org = :org and i.status = 'active' and ${inForce('i')}`
  const rows = await handle.all<{ subject: string; id: string }>(sql`
    select m.access_group_id as subject, m.individual_id as id from access_group_members m cross join individuals i
    where m.org = :org and ${handle.dialect.inList('m.access_group_id', subjects, 'uuid')} and ${inForce('m')} and ${active} and i.id = m.individual_id
    union all select i.id as subject, i.id from individuals i where ${active} and ${handle.dialect.inList('i.id', subjects, 'uuid')}`)
  const members = new Map<string, string[]>()
  for (const [subject, list] of grouped(rows, (row) => row.subject))
    members.set(
      subject,
      list.map((row) => row.id),
    )
  return members
}

/** How many usable credentials each of these individuals has. */
export async function usableCredentials(handle: OrgHandle, individuals: ReadonlySet<string>): Promise<Map<string, number>> {
  const rows = await handle.all<{ individual_id: string; n: number }>(sql`
    select t.individual_id, count(*) as n from credentials t
    where t.org = :org and ${handle.dialect.inList('t.individual_id', individuals, 'uuid')}
      and (${raw(credentials.fields.status_type.spec.expression ?? '')}) = 'active'
    group by t.individual_id`)
  return new Map(rows.map((row) => [row.individual_id, row.n]))
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const list = groups.get(key)
    if (list) list.push(row)
    else groups.set(key, [row])
  }
  return groups
}
