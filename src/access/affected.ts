import { Pauses } from '../core/pauses.ts'
import type { Scope } from '../core/rights.ts'
import { isRecord } from '../core/typed.ts'
import type { ChangeRecord } from '../db/audit.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import { isInDoor } from './in-door.ts'

export interface AffectedDoor {
  readonly id: string
  readonly name: string
  readonly space_id: string
  readonly building_id: string
  readonly has_reader: boolean
}

/**
 * What a change may concern: places and doors by id; people, groups, key types and cylinders, whose doors are looked
 * up.
 */
export interface Concerned {
  readonly places: Set<string>
  readonly subjects: Set<string>
  readonly keyTypes: Set<string>
  readonly cylinders: Set<string>
  /** Who may gain or lose: of a membership whoever has it, of what else concerns a group all who are in it. */
  readonly crowd: Set<string>
}

/** What leads to doors. */
type Lead = Exclude<keyof Concerned, 'crowd'>

/** Members of a recorded row that lead to doors, by what they lead through. */
const members: Readonly<Record<string, Lead>> = {
  access_point_id: 'places',
  space_id: 'places',
  building_id: 'places',
  location_id: 'places',
  individual_id: 'subjects',
  access_group_id: 'subjects',
  key_type_id: 'keyTypes',
  cylinder_id: 'cylinders',
}
const own: Readonly<Record<string, Lead>> = {
  'access-points': 'places',
  spaces: 'places',
  buildings: 'places',
  locations: 'places',
  individuals: 'subjects',
  'access-groups': 'subjects',
  'key-types': 'keyTypes',
  cylinders: 'cylinders',
}

export function concernedBy(records: readonly ChangeRecord[]): Concerned {
  const concerned: Concerned = {
    places: new Set(),
    subjects: new Set(),
    keyTypes: new Set(),
    cylinders: new Set(),
    crowd: new Set(),
  }
  const take = (row: unknown, member?: string): void => {
    for (const [name, value] of Object.entries(row ?? {})) {
      const kind = members[name]
      if (kind && typeof value === 'string') concerned[kind].add(value)
      if (kind === 'subjects' && typeof value === 'string') concerned.crowd.add(member ?? value)
      if (name === 'cells' && Array.isArray(value)) for (const cell of value) take(cell)
    }
  }
  for (const { resource, resourceId, before, after } of records) {
    const kind = own[resource]
    if (kind && resourceId) concerned[kind].add(resourceId)
    if (kind === 'subjects' && resourceId) concerned.crowd.add(resourceId)
    // A person's or a group's own place says where they belong, not what they open.
    if (kind === 'subjects') continue
    const leftOut = elsewhere[resource] ?? []
    for (const row of [before, after])
      take(leftOut.length === 0 ? row : without(row, leftOut), resource === MEMBERS ? memberIn(row) : undefined)
  }
  return concerned
}

const MEMBERS = 'access-group-members'

/**
 * Members whose other doors stay as they are: a grant is for its subject at its target alone, and a membership for what
 * the group opens.
 */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'access-grants': ['individual_id', 'access_group_id'],
  [MEMBERS]: ['individual_id'],
}

/** Whose membership a row is. */
function memberIn(row: unknown): string | undefined {
  const { individual_id } = isRecord(row) ? row : {}
  return typeof individual_id === 'string' ? individual_id : undefined
}

const without = (row: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !names.includes(name)))

/** The doors that a change may concern on one side of it, of those that the caller sees, in any order. */
export async function doorsIn(handle: OrgHandle, concerned: Concerned, scope: Scope): Promise<AffectedDoor[]> {
  const { dialect } = handle
  const places = await placesOf(handle)
  const ids = new Set([...concerned.places, ...(await targetsOf(handle, concerned.subjects))])
  const { buildings } = places.below(
    [...ids].filter((id) => places.locations.has(id)),
    [...ids].filter((id) => places.buildings.has(id)),
  )
  const doors = sql`cross join access_points t where t.org = :org`
  const ways: Sql[] = [
    sql`${dialect.ids(ids, 'l')} ${doors} and t.id = l.id`,
    sql`${dialect.ids(ids, 'l')} ${doors} and t.space_id = l.id`,
    sql`(${byCylinder(handle, concerned)}) l ${doors} and t.id = l.id`,
  ]
  if (buildings.size > 0)
    ways.push(sql`access_points t where t.org = :org and ${dialect.inList('t.building_id', buildings, 'uuid')}`)
  const seen = scope === 'all' ? sql`` : sql` and ${dialect.inList('t.building_id', scope.buildings, 'uuid')}`
  // Each way by an index of its own: a door that is found twice is one door.
  const found = new Map<string, AffectedDoor>()
  const pauses = new Pauses(handle.signal)
  for (const way of ways) {
    const rows = await handle.all<AffectedDoor & { has_reader: unknown }>(sql`
      select t.id, t.name, t.space_id, t.building_id, t.access_control_system_id is not null as has_reader
      from ${way}${seen}`)
    for (const row of rows) {
      const pause = pauses.take()
      if (pause) await pause
      found.set(row.id, { ...row, has_reader: Boolean(row.has_reader) })
    }
  }
  return [...found.values()]
}

/** Where these people and groups were given something, the groups of these people included. */
async function targetsOf(handle: OrgHandle, subjects: ReadonlySet<string>): Promise<string[]> {
  if (subjects.size === 0) return []
  const { dialect } = handle
  const groups = await handle.all<{ id: string }>(sql`
    select m.access_group_id as id from access_group_members m where m.org = :org
    and ${dialect.inList('m.individual_id', subjects, 'uuid')}`)
  const all = new Set([...subjects, ...groups.map(({ id }) => id)])
  const select = (
    column: string,
  ) => sql`select coalesce(t.access_point_id, t.space_id, t.building_id, t.location_id) as target
    from access_grants t where t.org = :org and t.revoked_at is null and ${dialect.inList(`t.${column}`, all, 'uuid')}`
  const rows = await handle.all<{ target: string }>(sql`${select('individual_id')} union ${select('access_group_id')}`)
  return rows.map(({ target }) => target)
}

/** Doors whose cylinders, or whose keys, are concerned. */
function byCylinder({ dialect }: OrgHandle, { keyTypes, cylinders, subjects }: Concerned): Sql {
  const built = isInDoor('c')
  const held = sql`select k.key_type_id from keys k where k.org = :org
    and ${dialect.inList('k.individual_id', subjects, 'uuid')}`
  const types = join([dialect.inList('p.key_type_id', keyTypes, 'uuid'), sql`p.key_type_id in (${held})`], ' or ')
  return sql`
    select c.access_point_id as id from cylinders c where c.org = :org and ${dialect.inList('c.id', cylinders, 'uuid')}
    and ${built}
    union select c.access_point_id from plan_cells p join cylinders c on c.org = :org and c.id = p.cylinder_id
      where p.org = :org and (${types}) and ${built}`
}
