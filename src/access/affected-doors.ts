import { Pauses } from '../core/pauses.ts'
import type { Scope } from '../core/rights.ts'
import type { Extent } from '../db/engine.ts'
import { Kept } from '../db/kept/kept.ts'
import { perEngine } from '../db/kept/per-engine.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import type { Concerned } from './affected.ts'
import { everyoneIn } from './counts/rights-in-force.ts'
import { isInDoor } from './in-door.ts'
import { type Looked, onBothSides, onOneSide } from './lists/both-sides.ts'
import { slicesOf } from './slices.ts'

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
  /** Places and doors that the change has to do with, and the buildings among and below them. */
  readonly ids: ReadonlySet<string>
  readonly buildings: ReadonlySet<string>
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
  // By themselves: doors are not read again where places alone have changed.
  const buildings = await union(await onBothSides(looked, (handle) => buildingsIn(handle, ids)))
  const counted = await onBothSides(looked, (handle) => doorsPerBuilding(handle, buildings, scope))
  const many = Math.max(...counted.map((lots) => lots.reduce((sum, { doors }) => sum + doors, 0)))
  const own = many > oneByOne ? await withOwnRights(looked, concerned) : null
  const [was, is] = await onBothSides(looked, (handle) => doorsIn(handle, { concerned, ids, buildings, own, scope }))
  if (!own) return [was, is]
  const before = await withOthers(was, counted[0])
  return [before, was === is && counted[0] === counted[1] ? before : await withOthers(is, counted[1])]
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
  const seen = scope === 'all' ? buildings : buildings.intersection(scope.buildings)
  const isOfMany = seen.size > BUILDINGS && !handle.isTransaction
  const counted = isOfMany
    ? await counts(handle.engine).get(handle, `${handle.org}`, countDoors)
    : await countDoors(handle, [...seen])
  return [...seen].flatMap((building) => {
    const { doors, readers } = counted.get(building) ?? { doors: 0, readers: 0 }
    return [lot(building, true, readers), lot(building, false, doors - readers)]
  })
}

interface Counted {
  readonly doors: number
  readonly readers: number
}

/** A million doors take a second to count, and stay where they are. */
const counts = perEngine((engine) => new Kept<Map<string, Counted>>(engine, { name: 'doors', max: 20 }))

/** Those of every building there is, or of these. */
async function countDoors(handle: OrgHandle, buildings?: readonly string[]): Promise<Map<string, Counted>> {
  const found = new Map<string, Counted>()
  const count = async (which: Sql): Promise<void> => {
    const rows = await handle.all<Counted & { building_id: string }>(
      sql`select t.building_id, count(*) as doors, count(t.access_control_system_id) as readers from access_points t
        where t.org = :org${which} group by t.building_id`,
      'all',
    )
    for (const { building_id, doors, readers } of rows) found.set(building_id, { doors, readers })
  }
  if (!buildings) await count(sql``)
  else
    for (const [some] of slicesOf(handle, buildings, BUILDINGS))
      await count(sql` and ${handle.dialect.inList('t.building_id', some, 'uuid')}`)
  return found
}

/** The doors of so many buildings are looked at in one statement of a transaction. */
const BUILDINGS = 10

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

/**
 * Spaces and doors of their own rights, as far as those can matter to whoever can gain or lose. What the change itself
 * has given or taken there is among the places that it names.
 */
async function withOwnRights(looked: Looked, { whose }: Concerned): Promise<Set<string>> {
  const people = whose && (await union(await onBothSides(looked, (handle) => everyoneIn(handle, whose))))
  if (!people || people.size > FEW_PEOPLE) return new Set((await onOneSide(looked, ownOfAnybody))[0])
  const given = await onBothSides(looked, (handle) => targetsOf(handle, people))
  const keyed = await onBothSides(looked, (handle) => keyedTo(handle, people))
  return await union([...given, ...keyed])
}

/** Doors that the keys of these people open. */
async function keyedTo(handle: OrgHandle, people: ReadonlySet<string>): Promise<string[]> {
  const keys = byCylinder(handle, { keyTypes: new Set(), cylinders: new Set(), subjects: people })
  const rows = await handle.all<{ id: string }>(keys, 'all')
  return rows.map(({ id }) => id)
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

async function doorsIn(handle: OrgHandle, { concerned, ids, buildings, own, scope }: Asked): Promise<AffectedDoor[]> {
  const { dialect } = handle
  const doors = sql`cross join access_points t where t.org = :org`
  const inBuildings = dialect.inList('t.building_id', buildings, 'uuid')
  // Each way by an index of its own: a door that is found twice is one door.
  const found = new Map<string, AffectedDoor>()
  const pauses = new Pauses(handle.signal)
  const find = async (way: Sql, extent?: Extent): Promise<void> => {
    const rows = await handle.all<Omit<AffectedDoor, 'has_reader' | 'doors'> & { has_reader: unknown }>(
      sql`select t.id, t.name, t.space_id, t.building_id, ${HAS_READER} as has_reader
        from ${way}${seenBy(handle, scope)}`,
      extent,
    )
    for (const row of rows) {
      const pause = pauses.take()
      if (pause) await pause
      found.set(row.id, { ...row, has_reader: Boolean(row.has_reader), doors: 1 })
    }
  }
  for (const [some, extent] of slicesOf(handle, [...ids])) {
    await find(sql`${dialect.ids(some, 'l')} ${doors} and t.id = l.id`, extent)
    await find(sql`${dialect.ids(some, 'l')} ${doors} and t.space_id = l.id`, extent)
  }
  await find(sql`(${byCylinder(handle, concerned)}) l ${doors} and t.id = l.id`, 'all')
  for (const [some, extent] of slicesOf(handle, [...(own ?? [])])) {
    await find(sql`${dialect.ids(some, 'l')} ${doors} and t.id = l.id and ${inBuildings}`, extent)
    await find(sql`${dialect.ids(some, 'l')} ${doors} and t.space_id = l.id and ${inBuildings}`, extent)
  }
  if (!own)
    for (const [some] of slicesOf(handle, [...buildings], BUILDINGS))
      await find(sql`access_points t where t.org = :org and ${dialect.inList('t.building_id', some, 'uuid')}`)
  return [...found.values()]
}

/** These doors, and the others of their buildings taken together. */
async function withOthers(singles: readonly AffectedDoor[], counted: readonly AffectedDoor[]): Promise<AffectedDoor[]> {
  const among = new Map<string, number>()
  const pauses = new Pauses()
  for (const { building_id, has_reader } of singles) {
    const pause = pauses.take()
    if (pause) await pause
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

/** Doors that were taken together: those that come first of them by their names, and some more. */
export async function firstOf(handle: OrgHandle, { lots, singles, scope, limit }: First): Promise<AffectedDoor[]> {
  const { dialect } = handle
  const first: AffectedDoor[] = []
  for (const hasReader of [true, false]) {
    const buildings = lots.filter(({ has_reader }) => has_reader === hasReader).map(({ building_id }) => building_id)
    // Few of those that come first have something of their own; where many have, more are read.
    for (const [some] of slicesOf(handle, buildings, BUILDINGS))
      for (let atOnce = 10 * limit; ; atOnce *= 10) {
        const rows = await handle.all<Omit<AffectedDoor, 'has_reader' | 'doors'>>(
          sql`select t.id, t.name, t.space_id, t.building_id from access_points t
            where t.org = :org and ${dialect.inList('t.building_id', some, 'uuid')}
            and ${hasReader ? HAS_READER : sql`not (${HAS_READER})`}${seenBy(handle, scope)}
            order by t.name, t.id limit ${atOnce}`,
          'all',
        )
        const others = rows.filter(({ id }) => !singles.has(id)).slice(0, limit)
        if (others.length < limit && rows.length === atOnce) continue
        for (const row of others) first.push({ ...row, has_reader: hasReader, doors: 1 })
        break
      }
  }
  return first
}

/** Where these people and groups were given something, the groups of these people included. */
async function targetsOf(handle: OrgHandle, subjects: ReadonlySet<string>): Promise<string[]> {
  if (subjects.size === 0) return []
  const { dialect } = handle
  // Not joined: SQLite would walk through all memberships for each of them, since an index that has both ids is at
  // hand.
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
