import { Bitset } from '../core/bitset.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import type { AffectedDoor } from './affected.ts'
import { type Grant, grantsByPlace, grantsOn, holdersOf, keyTypesAt, memberships } from './rights-in-force.ts'

interface Shape {
  readonly allow: readonly string[]
  /** Those of them who are allowed in around the door, and those at its space or itself. */
  readonly around: readonly string[]
  readonly own: readonly string[]
  readonly deny: readonly string[]
  readonly keyTypes: readonly string[]
}

/** So many people are looked at in one statement. */
const SLICE = 250

/** Who has a right at many doors now. Doors with the same rights share one shape, and its people are worked out once. */
export class DoorRights {
  private readonly shapes = new Map<string, Shape>()
  private readonly byDoor = new Map<string, string>()
  private readonly people = new Map<string, Bitset>()
  private readonly members = new Map<string, Bitset>()
  private readonly holders = new Map<string, Bitset>()
  /** Whom the grants around a building allow in: most of its doors add few. */
  private readonly around = new Map<readonly string[], Bitset>()

  static async load(handle: OrgHandle, doors: readonly AffectedDoor[]): Promise<DoorRights> {
    const rights = new DoorRights()
    const places = await placesOf(handle)
    const ids = doors.map((door) => door.id)
    const wide = await grantsByPlace(handle)
    const own = await grantsOn(handle, [...new Set([...ids, ...doors.map((door) => door.space_id)])])
    const keyTypes = await keyTypesAt(handle, ids)
    const aroundOf = new Map<string, Around>()
    for (const door of doors) {
      let around = aroundOf.get(door.building_id)
      if (!around) {
        const above = places.above(door.building_id)
        const grants = [...above.locations, ...above.buildings].flatMap((id) => wide.get(id) ?? [])
        around = { allow: subjectsOf(grants, 'allow'), deny: subjectsOf(grants, 'deny') }
        aroundOf.set(door.building_id, around)
      }
      const grants = [...(own.get(door.space_id) ?? []), ...(own.get(door.id) ?? [])]
      rights.shape(door.id, door.has_reader ? around : NOTHING, door.has_reader ? grants : [], keyTypes.get(door.id) ?? [])
    }
    return rights
  }

  /** Who these rights are for, of those whom a change may concern: nobody else's are looked at. */
  async loadPeople(handle: OrgHandle, concerned: readonly string[], numbers: ReadonlyMap<string, number>): Promise<void> {
    const subjects = new Set([...this.shapes.values()].flatMap(({ allow, deny }) => [...allow, ...deny]))
    const types = [...new Set([...this.shapes.values()].flatMap(({ keyTypes }) => keyTypes))]
    for (let from = 0; from < concerned.length; from += SLICE) {
      const some = concerned.slice(from, from + SLICE)
      for (const { subject, id } of await memberships(handle, some))
        if (subjects.has(subject)) this.put(this.members, subject, numbers.get(id))
    }
    for (const [type, list] of await holdersOf(handle, types)) for (const id of list) this.put(this.holders, type, numbers.get(id))
  }

  private put(into: Map<string, Bitset>, key: string, number: number | undefined): void {
    if (number === undefined) return
    let bits = into.get(key)
    if (!bits) {
      bits = new Bitset()
      into.set(key, bits)
    }
    bits.add(number)
  }

  /** What these doors have here and not there, or there and not here. */
  differences(other: DoorRights): { subjects: Set<string>; keyTypes: Set<string> } {
    const subjects = new Set<string>()
    const keyTypes = new Set<string>()
    const pairs = new Set<string>()
    for (const door of new Set([...this.byDoor.keys(), ...other.byDoor.keys()])) {
      const [a, b] = [this.byDoor.get(door), other.byDoor.get(door)]
      if (a === b || pairs.has(`${a}|${b}`)) continue
      pairs.add(`${a}|${b}`)
      const [was, is] = [this.shapes.get(a ?? '') ?? NOTHING, other.shapes.get(b ?? '') ?? NOTHING]
      for (const id of new Set(was.allow).symmetricDifference(new Set(is.allow))) subjects.add(id)
      for (const id of new Set(was.deny).symmetricDifference(new Set(is.deny))) subjects.add(id)
      for (const id of new Set(was.keyTypes).symmetricDifference(new Set(is.keyTypes))) keyTypes.add(id)
    }
    return { subjects, keyTypes }
  }

  /** Undefined: the door is not there on this side. */
  shapeOf(door: string): string | undefined {
    return this.byDoor.get(door)
  }

  peopleOf(shape: string | undefined): Bitset {
    const rights = shape === undefined ? undefined : this.shapes.get(shape)
    if (shape === undefined || !rights) return NOBODY
    let people = this.people.get(shape)
    if (!people) {
      people = new Bitset()
      people.addAll(this.allowedAround(rights.around))
      for (const subject of rights.own) people.addAll(this.members.get(subject) ?? NOBODY)
      for (const subject of rights.deny) people.removeAll(this.members.get(subject) ?? NOBODY)
      for (const type of rights.keyTypes) people.addAll(this.holders.get(type) ?? NOBODY)
      this.people.set(shape, people)
    }
    return people
  }

  private shape(door: string, around: Around, grants: readonly Grant[], types: readonly string[]): void {
    const own = subjectsOf(grants, 'allow')
    const allow = own.length === 0 ? around.allow : [...new Set([...around.allow, ...own])].sort()
    const deny = [...new Set([...around.deny, ...subjectsOf(grants, 'deny')])].sort()
    const shape: Shape = { allow, around: around.allow, own, deny, keyTypes: [...new Set(types)].sort() }
    const key = `${allow.join()};${deny.join()};${shape.keyTypes.join()}`
    this.shapes.set(key, shape)
    this.byDoor.set(door, key)
  }

  private allowedAround(subjects: readonly string[]): Bitset {
    let people = this.around.get(subjects)
    if (!people) {
      people = new Bitset()
      for (const subject of subjects) people.addAll(this.members.get(subject) ?? NOBODY)
      this.around.set(subjects, people)
    }
    return people
  }
}

type Around = Pick<Shape, 'allow' | 'deny'>

const NOBODY = new Bitset()
const NOTHING: Shape = { allow: [], around: [], own: [], deny: [], keyTypes: [] }

const subjectsOf = (grants: readonly Grant[], effect: Grant['effect']): string[] =>
  [...new Set(grants.filter((grant) => grant.effect === effect).map(({ subject }) => subject))].sort()
