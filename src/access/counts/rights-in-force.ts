import { credentialStatusSql } from '../../core/cards/credential-state.ts'
import type { Extent } from '../../db/engine.ts'
import { Reads } from '../../db/kept/reads.ts'
import type { OrgHandle } from '../../db/org.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { grouped } from '../grouped.ts'
import { isInDoor } from '../in-door.ts'
import { slicesOf } from '../slices.ts'

/** Who was given what, as the database has it now. Each look-up takes a whole page's ids. */
export interface Grant {
  effect: 'allow' | 'deny'
  /** An access group or an individual. */
  subject: string
}

/** Whether the row's own window holds now. */
export const inForce = (alias: string): Sql =>
  raw(
    `(${alias}.valid_from is null or ${alias}.valid_from <= :now) and (${alias}.valid_until is null or ` +
      `${alias}.valid_until > :now)`,
  )

/** A deny with a schedule takes away some hours; the right is in force all the same. */
const isCounted = raw(`t.revoked_at is null and (t.effect = 'allow' or t.schedule_id is null)`)

/** Grants in force on these locations and buildings, by the place they stand on. */
export async function grantsByPlace(handle: OrgHandle, ids: ReadonlySet<string>): Promise<Map<string, Grant[]>> {
  if (ids.size === 0) return new Map()
  const select = (column: string) => sql`
    select t.effect, coalesce(t.access_group_id, t.individual_id) as subject, ${raw(`t.${column}`)} as target
    from access_grants t
    where t.org = :org and ${isCounted} and ${inForce('t')} and ${handle.dialect.inList(`t.${column}`, ids, 'uuid')}`
  const rows = await handle.all<Grant & { target: string }>(
    sql`${select('building_id')} union all ${select('location_id')}`,
  )
  return grouped(rows, (row) => row.target)
}

/** All of a column's values, or these. */
const among = (handle: OrgHandle, column: string, ids: readonly string[] | 'all'): Sql =>
  ids === 'all' ? raw(`${column} is not null`) : handle.dialect.inList(column, ids, 'uuid')

/** Grants in force on these spaces and access points. */
export async function grantsOn(handle: OrgHandle, ids: readonly string[] | 'all'): Promise<Map<string, Grant[]>> {
  if (ids === 'all') return grantsAmong(handle, ids)
  const own = sql`access_grants t where t.org = :org and coalesce(t.space_id, t.access_point_id) is not null`
  if (await areFew(handle, ids, own)) return those(await grantsAmong(handle, 'all'), ids)
  const found = new Map<string, Grant[]>()
  for (const [some, extent] of slicesOf(handle, ids))
    for (const [target, grants] of await grantsAmong(handle, some, extent)) found.set(target, grants)
  return found
}

/** So many rights of single places are read as a whole, where far more places are asked about. */
const FEW_IN_ALL = 20_000
const WIDELY = 10_000

async function areFew(handle: OrgHandle, asked: readonly string[], rows: Sql): Promise<boolean> {
  if (asked.length < WIDELY) return false
  const found = await handle.one<{ n: number }>(
    sql`select count(*) as n from (select 1 from ${rows} limit ${FEW_IN_ALL + 1}) c`,
  )
  return (found?.n ?? 0) <= FEW_IN_ALL
}

/** Of what is known of all, what is known of these. */
function those<T>(all: ReadonlyMap<string, T>, ids: readonly string[]): Map<string, T> {
  const asked = new Set(ids)
  return new Map([...all].filter(([id]) => asked.has(id)))
}

async function grantsAmong(
  handle: OrgHandle,
  ids: readonly string[] | 'all',
  extent?: Extent,
): Promise<Map<string, Grant[]>> {
  const select = (column: string) => sql`
    select t.effect, coalesce(t.access_group_id, t.individual_id) as subject, ${raw(`t.${column}`)} as target
    from access_grants t
    where t.org = :org and ${isCounted} and ${inForce('t')} and ${among(handle, `t.${column}`, ids)}`
  const rows = await handle.all<Grant & { target: string }>(
    sql`${select('space_id')} union all ${select('access_point_id')}`,
    extent,
  )
  return grouped(rows, (row) => row.target)
}

/**
 * The key types that open a cylinder built into these access points. `cross join` keeps SQLite to this order of tables.
 */
export async function keyTypesAt(handle: OrgHandle, points: readonly string[] | 'all'): Promise<Map<string, string[]>> {
  if (points !== 'all' && (await areFew(handle, points, sql`cylinders c where c.org = :org and ${isInDoor('c')}`)))
    return those(await keyTypesAmong(handle, 'all'), points)
  return keyTypesAmong(handle, points)
}

async function keyTypesAmong(handle: OrgHandle, points: readonly string[] | 'all'): Promise<Map<string, string[]>> {
  const select = (those: Sql, page: Sql) => sql`
    select c.access_point_id as key, ${idsOf('p.key_type_id')} from cylinders c cross join plan_cells p
    where c.org = :org and ${those} and ${isInDoor('c')} and p.org = :org and p.cylinder_id = c.id
    group by c.access_point_id${page}`
  return lists(handle, 'c.access_point_id', points, select)
}

/** Who holds the keys of these types: one individual for each key that is in somebody's hands. */
export async function holdersOf(handle: OrgHandle, types: readonly string[] | 'all'): Promise<Map<string, string[]>> {
  const select = (those: Sql, page: Sql) => sql`
    select t.key_type_id as key, ${idsOf('t.individual_id')} from keys t
    where t.org = :org and t.status = 'issued' and ${those} group by t.key_type_id${page}`
  return lists(handle, 't.key_type_id', types, select)
}

/** About how many rows it would take to know all rights of single spaces and doors. */
export async function countOwnRights(handle: OrgHandle): Promise<number> {
  const row = await handle.one<{ n: number }>(sql`
    select (select count(*) from access_grants t where t.org = :org
    and (t.space_id is not null or t.access_point_id is not null))
      + (select count(*) from plan_cells t where t.org = :org) + (select count(*) from keys t where t.org = :org
      and t.status = 'issued') as n`)
  return row?.n ?? 0
}

/** Whom a grant to these subjects lets in: members of a group, or the individual, active and within their windows. */
export async function membersOf(handle: OrgHandle, subjects: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const active = sql`i.org = :org and i.status = 'active' and ${inForce('i')}`
  // A group may have everybody in it.
  const rows = await handle.all<Listed>(
    sql`
    select m.access_group_id as key, ${idsOf('m.individual_id')} from access_group_members m cross join individuals i
    where m.org = :org and ${handle.dialect.inList('m.access_group_id', subjects, 'uuid')} and ${inForce('m')}
    and ${active} and i.id = m.individual_id
    group by m.access_group_id
    union all select i.id as key, cast(i.id as text) from individuals i where ${active}
    and ${handle.dialect.inList('i.id', subjects, 'uuid')}`,
    'all',
  )
  return listed(rows)
}

/**
 * Those of these people who are active and within their windows, once for each of their groups; who has none, with
 * null.
 */
export const memberships = (
  handle: OrgHandle,
  people: readonly string[],
): Promise<Array<{ id: string; group: string | null }>> =>
  handle.all(sql`
    select i.id, m.access_group_id as "group" from ${handle.dialect.ids(people, 'l')} cross join individuals i
    left join access_group_members m on m.org = :org and m.individual_id = i.id and ${inForce('m')}
    where i.org = :org and i.id = l.id and i.status = 'active' and ${inForce('i')}`)

/** Whose rows these are, or were before they went; undefined: more than so many, or nobody can say. */
export async function peopleOf(
  handle: OrgHandle,
  written: ReadonlyMap<string, readonly string[]>,
  atMost: number,
): Promise<Set<string> | undefined> {
  const people = new Set(written.get('individuals'))
  for (const table of ['access_group_members', 'credentials'] as const) {
    const ids = written.get(table) ?? []
    if (ids.length + people.size > atMost) return undefined
    if (ids.length === 0) continue
    const among = handle.dialect.inList('t.id', ids, 'uuid')
    // Nothing is made from what they were: it is looked at once.
    const rows = await handle.recording(new Reads()).all<{ id: string; individual_id: string | null }>(sql`
      select t.id, t.individual_id from ${raw(table)} t where t.org = :org and ${among}
      union select t.id, t.individual_id from ${raw(`${table}_history`)} t where t.org = :org and ${among}`)
    if (new Set(rows.map(({ id }) => id)).size < ids.length) return undefined
    for (const { individual_id } of rows) if (individual_id !== null) people.add(individual_id)
  }
  return people.size > atMost ? undefined : people
}

const PAGE = 1000

/** Everybody who is, or ever was or will be, in one of these groups, and these people themselves; page by page. */
export async function everyoneIn(handle: OrgHandle, subjects: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const subject of subjects) {
    found.add(subject)
    for (let last = NOBODY; ; ) {
      const rows = await handle.all<{ id: string }>(sql`
        select m.individual_id as id from access_group_members m where m.org = :org and m.access_group_id = ${subject}
          and m.individual_id > ${last} order by m.individual_id limit ${PAGE}`)
      for (const { id } of rows) found.add(id)
      if (rows.length < PAGE) break
      last = rows.at(-1)?.id ?? last
    }
  }
  return found
}

/** Before every id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** How many usable credentials each of these individuals has. */
export async function usableCredentials(
  handle: OrgHandle,
  individuals: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const [some, extent] of slicesOf(handle, [...individuals])) {
    const rows = await handle.all<{ individual_id: string; n: number }>(
      sql`select t.individual_id, count(*) as n from credentials t
        where t.org = :org and ${handle.dialect.inList('t.individual_id', some, 'uuid')}
          and (${raw(credentialStatusSql('t'))}) = 'active'
        group by t.individual_id`,
      extent,
    )
    for (const { individual_id, n } of rows) found.set(individual_id, n)
  }
  return found
}

/**
 * All ids that go with a key, in one text: of a hundred thousand rows of two ids each the reading alone would stop
 * everybody else.
 */
interface Listed {
  key: string
  ids: string
}

const idsOf = (column: string): Sql => raw(`string_agg(cast(${column} as text), ',') as ids`)

/** By each of these, or by each there is, some at a time, so that others have their turn between two. */
async function lists(
  handle: OrgHandle,
  column: string,
  ids: readonly string[] | 'all',
  select: (those: Sql, page: Sql) => Sql,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (ids !== 'all') {
    for (const [some, extent] of slicesOf(handle, ids)) {
      const rows = await handle.all<Listed>(select(handle.dialect.inList(column, some, 'uuid'), raw('')), extent)
      for (const [key, list] of listed(rows)) found.set(key, list)
    }
    return found
  }
  for (let last = NOBODY; ; ) {
    const behind = sql`${raw(column)} > ${last}`
    const rows = await handle.all<Listed>(select(behind, sql` order by ${raw(column)} limit ${LISTS}`))
    for (const [key, list] of listed(rows)) found.set(key, list)
    if (rows.length < LISTS) return found
    last = rows.at(-1)?.key ?? last
  }
}

const LISTS = 200

const listed = (rows: readonly Listed[]): Map<string, string[]> =>
  new Map(rows.map(({ key, ids }) => [key, ids.split(',')]))
