import { isWithin } from '../core/decide/case.ts'
import { Pauses } from '../core/pauses.ts'
import type { PlaceSet } from '../core/rights.ts'
import { sure } from '../core/typed.ts'
import type { OrgHandle } from '../db/org.ts'
import { type Places, placesOf } from '../db/places.ts'
import { sql } from '../db/sql.ts'
import { inForce, keyTypesAt } from './counts/rights-in-force.ts'
import { type GrantRow, loadGrants } from './grants.ts'
import { grouped } from './grouped.ts'
import { Settings } from './settings.ts'
import { slicesOf } from './slices.ts'

/** One way in of one person: a grant of their own, a membership, or a key; and how many of the doors it opens. */
export interface WayIn {
  readonly means: 'grant' | 'group' | 'key'
  /** The grant, the membership or the key. */
  readonly id: string
  readonly individual_id: string
  readonly access_group_id: string | null
  readonly doors: number
}

interface Door {
  readonly id: string
  readonly space_id: string
  readonly building_id: string
  readonly has_reader: unknown
}

/** So many places are looked at in one statement, or doors in one go: others have their turn between two. */
const SLICE = 500

/**
 * Everybody who has a right at a door of these places now, by each way in: whom `who-can-open` names at one of them,
 * and nobody else. Undefined: there are more doors than that.
 */
export async function waysInto(handle: OrgHandle, place: PlaceSet, maxDoors: number): Promise<WayIn[] | undefined> {
  const doors = await handle.all<Door>(
    sql`select p.id, p.space_id, p.building_id, p.access_control_system_id is not null as has_reader
      from access_points p where p.org = :org and ${handle.dialect.inList('p.building_id', place.buildings, 'uuid')}
      limit ${maxDoors + 1}`,
    'all',
  )
  if (doors.length > maxDoors) return undefined
  return [...(await byGrants(handle, doors)), ...(await byKeys(handle, doors))]
}

interface Member {
  readonly id: string
  readonly subject: string
  readonly individual_id: string
}

/** At how many doors a subject's grants let in, and at how many of those a deny keeps a person of them out. */
class Reach {
  doors = 0
  readonly shut = new Map<string, number>()
}

async function byGrants(handle: OrgHandle, doors: readonly Door[]): Promise<WayIn[]> {
  // Without a reader a grant opens nothing.
  const read = doors.filter(({ has_reader }) => Boolean(has_reader))
  const places = await placesOf(handle)
  const grants = await grantsAround(handle, read, places)
  const shapes = await shapesOf(read, places, grants)
  const subjects = new Set([...grants.values()].flat().map(subjectOf))
  const members = grouped(await membersIn(handle, subjects), ({ subject }) => subject)
  // A group is one way in whatever it was given; of somebody's own grants each is one.
  const reaches = new Map<string, Reach>()
  const pauses = new Pauses(handle.signal)
  for (const { allow, deny, count } of shapes) {
    await pauses.take()
    const kept = new Set(
      [...deny].flatMap((subject) => (members.get(subject) ?? []).map(({ individual_id }) => individual_id)),
    )
    for (const way of new Set(
      allow.map((grant) => (grant.access_group_id === null ? grant.id : grant.access_group_id)),
    )) {
      const reach = reaches.get(way) ?? new Reach()
      reaches.set(way, reach)
      reach.doors += count
      for (const person of kept) reach.shut.set(person, (reach.shut.get(person) ?? 0) + count)
    }
  }
  const found: WayIn[] = []
  const own = new Map(
    [...grants.values()]
      .flat()
      .flatMap((grant) => (grant.individual_id === null ? [] : [[grant.id, grant.individual_id]])),
  )
  for (const [way, { doors: all, shut }] of reaches) {
    await pauses.take()
    const person = own.get(way)
    for (const member of members.get(person ?? way) ?? []) {
      const open = all - (shut.get(member.individual_id) ?? 0)
      if (open === 0) continue
      found.push({
        means: person === undefined ? 'group' : 'grant',
        id: person === undefined ? member.id : way,
        individual_id: member.individual_id,
        access_group_id: person === undefined ? way : null,
        doors: open,
      })
    }
  }
  return found
}

const subjectOf = ({ individual_id, access_group_id }: GrantRow): string =>
  individual_id ?? sure(access_group_id ?? undefined)

/** Doors with the same grants, and how many they are. */
interface Shape {
  readonly allow: readonly GrantRow[]
  readonly deny: ReadonlySet<string>
  count: number
}

async function shapesOf(
  doors: readonly Door[],
  places: Places,
  grants: ReadonlyMap<string, readonly GrantRow[]>,
): Promise<Shape[]> {
  const shapes = new Map<string, Shape>()
  const pauses = new Pauses()
  for (const door of doors) {
    const pause = pauses.take()
    if (pause) await pause
    const standing = targetsOf(door, places).filter((id) => grants.has(id))
    const key = standing.join()
    const known = shapes.get(key)
    if (known) {
      known.count += 1
      continue
    }
    const there = standing.flatMap((id) => grants.get(id) ?? [])
    const deny = there.filter((grant) => grant.effect === 'deny')
    shapes.set(key, {
      allow: there.filter((grant) => grant.effect === 'allow'),
      deny: new Set(deny.map(subjectOf)),
      count: 1,
    })
  }
  return [...shapes.values()].filter(({ allow }) => allow.length > 0)
}

/** Where a grant may stand that holds at a door. */
function targetsOf({ id, space_id, building_id }: Door, places: Places): string[] {
  const { buildings, locations } = places.above(building_id)
  return [...locations, ...buildings, space_id, id]
}

/** What counts there now, by where it stands: a deny with a schedule takes away hours, not the right. */
async function grantsAround(
  handle: OrgHandle,
  doors: readonly Door[],
  places: Places,
): Promise<Map<string, GrantRow[]>> {
  const around = new Set<string>()
  const pauses = new Pauses(handle.signal)
  for (const door of doors) {
    const pause = pauses.take()
    if (pause) await pause
    for (const target of targetsOf(door, places)) around.add(target)
  }
  const targets = [...around]
  const settings = new Settings(handle)
  const found = new Map<string, GrantRow[]>()
  for (let from = 0; from < targets.length; from += SLICE)
    for (const [target, rows] of await loadGrants(settings, {
      targets: targets.slice(from, from + SLICE),
      subjects: 'all',
    })) {
      const counted = rows.filter(
        (grant) => isWithin(grant, handle.now) && (grant.effect === 'allow' || grant.schedule_id === null),
      )
      if (counted.length > 0) found.set(target, counted)
    }
  return found
}

/**
 * Whom these subjects stand for: members of a group by their membership, or the person; active and within their
 * windows.
 */
async function membersIn(handle: OrgHandle, subjects: ReadonlySet<string>): Promise<Member[]> {
  const active = sql`i.org = :org and i.status = 'active' and ${inForce('i')}`
  const found: Member[] = []
  // A group may have everybody in it.
  for (const [some] of slicesOf(handle, [...subjects]))
    for (const member of await handle.all<Member>(
      sql`select m.id, m.access_group_id as subject, m.individual_id
        from access_group_members m cross join individuals i
        where m.org = :org and ${handle.dialect.inList('m.access_group_id', some, 'uuid')} and ${inForce('m')}
        and ${active}
          and i.id = m.individual_id
        union all select i.id, i.id as subject, i.id as individual_id from individuals i
        where ${active} and ${handle.dialect.inList('i.id', some, 'uuid')}`,
      'all',
    ))
      found.push(member)
  return found
}

/** Keys in somebody's hands that turn in a cylinder there: no status or window stops one. */
async function byKeys(handle: OrgHandle, doors: readonly Door[]): Promise<WayIn[]> {
  const byDoor = await keyTypesAt(
    handle,
    doors.map(({ id }) => id),
  )
  const opened = new Map<string, number>()
  for (const types of byDoor.values()) for (const type of new Set(types)) opened.set(type, (opened.get(type) ?? 0) + 1)
  const types = [...opened.keys()]
  const found: WayIn[] = []
  for (let from = 0; from < types.length; from += SLICE) {
    const keys = await handle.all<{ id: string; key_type_id: string; individual_id: string }>(sql`
      select t.id, t.key_type_id, t.individual_id from keys t
      where t.org = :org and t.status = 'issued' and t.individual_id is not null
        and ${handle.dialect.inList('t.key_type_id', types.slice(from, from + SLICE), 'uuid')}`)
    for (const { id, key_type_id, individual_id } of keys)
      found.push({ means: 'key', id, individual_id, access_group_id: null, doors: opened.get(key_type_id) ?? 0 })
  }
  return found
}
