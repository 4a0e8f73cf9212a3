import { Pauses } from '../core/pauses.ts'
import type { Scope } from '../core/rights.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import type { Concerned } from './affected.ts'
import { everyoneIn } from './counts/rights-in-force.ts'
import { isInDoor } from './in-door.ts'
import { type Looked, onBothSides } from './lists/both-sides.ts'

/** A door, or those of a building that have nothing of their own and so the same rights. */
export interface AffectedDoor {
  readonly id: string
  readonly name: string
  /** Null: several doors. */
  readonly space_id: string | null
  readonly building_id: string
  readonly has_reader: boolean
  readonly doors: number
}

/** So many doors in buildings and locations are looked at one by one. */
export const ONE_BY_ONE = 10_000

/** What is looked at: the same on both sides. */
interface Asked {
  readonly concerned: Concerned
  /** Places and doors that the change has to do with. */
  readonly ids: ReadonlySet<string>
  /** Spaces and doors that have something of their own; null: every door of a building is looked at. */
  readonly own: ReadonlySet<string> | null
  readonly scope: Scope
}

/** The doors that a change may concern on both sides of it, of those that the caller sees, in any order. */
export async function doorsOn(
  looked: Looked,
  concerned: Concerned,
  scope: Scope,
  oneByOne: number,
): Promise<[was: AffectedDoor[], is: AffectedDoor[]]> {
  const ids = await union(await onBothSides(looked, (handle) => targetsOf(handle, concerned.subjects)))
  for (const id of concerned.places) ids.add(id)
  const { subjects, keyTypes, cylinders } = concerned
  if (ids.size + subjects.size + keyTypes.size + cylinders.size === 0) return [[], []]
  const counted = await onBothSides(looked, async (handle) =>
    doorsPerBuilding(handle, await buildingsIn(handle, ids), scope),
  )
  const many = Math.max(...counted.map((lots) => lots.reduce((sum, { doors }) => sum + doors, 0)))
  const own = many > oneByOne ? await withOwnRights(looked, concerned) : null
  const [was, is] = await onBothSides(looked, (handle) => doorsIn(handle, { concerned, ids, own, scope }))
  if (!own) return [was, is]
  const before = withOthers(was, counted[0])
  return [before, was === is && counted[0] === counted[1] ? before : withOthers(is, counted[1])]
}

async function union(sides: ReadonlyArray<Iterable<string>>): Promise<Set<string>> {
  const all = new Set<string>()
  const pauses = new Pauses()
  for (const side of new Set(sides))
    for (const id of side) {
      const pause = pauses.take()
      if (pause) await pause
      all.add(id)
    }
  return all
}

/** The buildings among these places, and all below them. */
async function buildingsIn(handle: OrgHandle, ids: ReadonlySet<string>): Promise<Set<string>> {
  const places = await placesOf(handle)
  const { buildings } = places.below(
    [...ids].filter((id) => places.locations.has(id)),
    [...ids].filter((id) => places.buildings.has(id)),
  )
  return buildings
}

const HAS_READER = raw('t.access_control_system_id is not null')

const seenBy = ({ dialect }: OrgHandle, scope: Scope): Sql =>
  scope === 'all' ? sql`` : sql` and ${dialect.inList('t.building_id', scope.buildings, 'uuid')}`

/** How many doors of each building have a reader, and how many have none. */
async function doorsPerBuilding(
  handle: OrgHandle,
  buildings: ReadonlySet<string>,
  scope: Scope,
): Promise<AffectedDoor[]> {
  if (buildings.size === 0) return []
  const rows = await handle.all<{ building_id: string; has_reader: unknown; doors: number }>(
    sql`select t.building_id, ${HAS_READER} as has_reader, count(*) as doors from access_points t
      where t.org = :org and ${handle.dialect.inList('t.building_id', buildings, 'uuid')}${seenBy(handle, scope)}
      group by t.building_id, ${HAS_READER}`,
    'all',
  )
  return rows.map(({ building_id, has_reader, doors }) => lot(building_id, Boolean(has_reader), doors))
}

export const lotOf = (building: string, hasReader: boolean): string => `${building} ${hasReader}`

const lot = (building_id: string, has_reader: boolean, doors: number): AffectedDoor => ({
  id: lotOf(building_id, has_reader),
  name: '',
  space_id: null,
  building_id,
  has_reader,
  doors,
})

/** Of so many people it is looked up what they have at single doors; of more, what anybody has. */
const FEW_PEOPLE = 1000

/** Spaces and doors of their own rights, as far as those can matter to whoever can gain or lose. */
async function withOwnRights(looked: Looked, { whose }: Concerned): Promise<Set<string>> {
  const people = whose && (await union(await onBothSides(looked, (handle) => everyoneIn(handle, whose))))
  const read = people && people.size <= FEW_PEOPLE ? (handle: OrgHandle) => ownOf(handle, people) : ownOfAnybody
  return await union(await onBothSides(looked, read))
}

async function ownOf(handle: OrgHandle, people: ReadonlySet<string>): Promise<string[]> {
  const keys = byCylinder(handle, { keyTypes: new Set(), cylinders: new Set(), subjects: people })
  const rows = await handle.all<{ id: string }>(keys)
  return [...(await targetsOf(handle, people)), ...rows.map(({ id }) => id)]
}

async function ownOfAnybody(handle: OrgHandle): Promise<string[]> {
  const rows = await handle.all<{ id: string }>(
    sql`select coalesce(t.space_id, t.access_point_id) as id from access_grants t where t.org = :org
        and t.revoked_at is null and coalesce(t.space_id, t.access_point_id) is not null
      union select c.access_point_id from cylinders c where c.org = :org and ${isInDoor('c')}`,
    'all',
  )
  return rows.map(({ id }) => id)
}

async function doorsIn(handle: OrgHandle, { concerned, ids, own, scope }: Asked): Promise<AffectedDoor[]> {
  const { dialect } = handle
  const buildings = await buildingsIn(handle, ids)
  const doors = sql`cross join access_points t where t.org = :org`
  const inBuildings = dialect.inList('t.building_id', buildings, 'uuid')
  const ways: Sql[] = [
    sql`${dialect.ids(ids, 'l')} ${doors} and t.id = l.id`,
    sql`${dialect.ids(ids, 'l')} ${doors} and t.space_id = l.id`,
    sql`(${byCylinder(handle, concerned)}) l ${doors} and t.id = l.id`,
  ]
  if (own)
    ways.push(
      sql`${dialect.ids(own, 'l')} ${doors} and t.id = l.id and ${inBuildings}`,
      sql`${dialect.ids(own, 'l')} ${doors} and t.space_id = l.id and ${inBuildings}`,
    )
  else if (buildings.size > 0) ways.push(sql`access_points t where t.org = :org and ${inBuildings}`)
  // Each way by an index of its own: a door that is found twice is one door.
  const found = new Map<string, AffectedDoor>()
  const pauses = new Pauses(handle.signal)
  for (const way of ways) {
    const rows = await handle.all<Omit<AffectedDoor, 'has_reader' | 'doors'> & { has_reader: unknown }>(
      sql`select t.id, t.name, t.space_id, t.building_id, ${HAS_READER} as has_reader
        from ${way}${seenBy(handle, scope)}`,
      own ? 'all' : undefined,
    )
    for (const row of rows) {
      const pause = pauses.take()
      if (pause) await pause
      found.set(row.id, { ...row, has_reader: Boolean(row.has_reader), doors: 1 })
    }
  }
  return [...found.values()]
}

/** These doors, and the others of their buildings taken together. */
function withOthers(singles: readonly AffectedDoor[], counted: readonly AffectedDoor[]): AffectedDoor[] {
  const among = new Map<string, number>()
  for (const { building_id, has_reader } of singles) {
    const lot = lotOf(building_id, has_reader)
    among.set(lot, (among.get(lot) ?? 0) + 1)
  }
  const others = counted.map((all) => ({ ...all, doors: all.doors - (among.get(all.id) ?? 0) }))
  return [...singles, ...others.filter(({ doors }) => doors > 0)]
}

interface First {
  readonly lots: readonly AffectedDoor[]
  /** Doors that were looked at one by one. */
  readonly singles: ReadonlySet<string>
  readonly scope: Scope
  readonly limit: number
}

/** Those that come first of doors that were taken together, by their names. */
export async function firstOf(handle: OrgHandle, { lots, singles, scope, limit }: First): Promise<AffectedDoor[]> {
  if (lots.length === 0) return []
  const { dialect } = handle
  const some = (hasReader: boolean): string[] =>
    lots.filter(({ has_reader }) => has_reader === hasReader).map(({ building_id }) => building_id)
  const rows = await handle.all<Omit<AffectedDoor, 'has_reader' | 'doors'> & { has_reader: unknown }>(
    sql`select t.id, t.name, t.space_id, t.building_id, ${HAS_READER} as has_reader from access_points t
      where t.org = :org and (${HAS_READER} and ${dialect.inList('t.building_id', some(true), 'uuid')}
        or not (${HAS_READER}) and ${dialect.inList('t.building_id', some(false), 'uuid')})
      and not (${dialect.inList('t.id', singles, 'uuid')})${seenBy(handle, scope)}
      order by t.name, t.id limit ${limit}`,
    'all',
  )
  return rows.map((row) => ({ ...row, has_reader: Boolean(row.has_reader), doors: 1 }))
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
function byCylinder(
  { dialect }: OrgHandle,
  { keyTypes, cylinders, subjects }: Readonly<Record<'keyTypes' | 'cylinders' | 'subjects', ReadonlySet<string>>>,
): Sql {
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
