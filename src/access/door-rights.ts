import { Bitset } from '../core/bitset.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import type { AffectedDoor } from './affected.ts'
import { type Grant, grantsByPlace, grantsOn, holdersOf, keyTypesAt, membersOf } from './rights-in-force.ts'

interface Shape {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly keyTypes: readonly string[]
}

/** Who has a right at many doors now. Doors with the same rights share one shape, and its people are worked out once. */
export class DoorRights {
  private readonly shapes = new Map<string, Shape>()
  private readonly byDoor = new Map<string, string>()
  private readonly people = new Map<string, Bitset>()
  private readonly members = new Map<string, Bitset>()
  private readonly holders = new Map<string, Bitset>()

  /** `numbers` gives people their bits; both sides of a comparison share it. */
  static async load(handle: OrgHandle, doors: readonly AffectedDoor[], numbers: Map<string, number>): Promise<DoorRights> {
    const rights = new DoorRights()
    const places = await placesOf(handle, handle.isTransaction)
    const ids = doors.map((door) => door.id)
    const wide = await grantsByPlace(handle)
    const own = await grantsOn(handle, [...new Set([...ids, ...doors.map((door) => door.space_id)])])
    const keyTypes = await keyTypesAt(handle, ids)
    for (const door of doors) {
      const above = places.above(door.building_id)
      const around = [...above.locations, ...above.buildings].flatMap((id) => wide.get(id) ?? [])
      const grants = door.has_reader ? [...around, ...(own.get(door.space_id) ?? []), ...(own.get(door.id) ?? [])] : []
      rights.put(door.id, grants, keyTypes.get(door.id) ?? [])
    }
    const bitsOf = (list: readonly string[]): Bitset => {
      const bits = new Bitset()
      for (const id of list) bits.add(numberOf(numbers, id))
      return bits
    }
    const subjects = new Set([...rights.shapes.values()].flatMap(({ allow, deny }) => [...allow, ...deny]))
    for (const [subject, list] of await membersOf(handle, subjects)) rights.members.set(subject, bitsOf(list))
    const types = [...new Set([...keyTypes.values()].flat())]
    for (const [type, list] of await holdersOf(handle, types)) rights.holders.set(type, bitsOf(list))
    return rights
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
      for (const subject of rights.allow) people.addAll(this.members.get(subject) ?? NOBODY)
      for (const subject of rights.deny) people.removeAll(this.members.get(subject) ?? NOBODY)
      for (const type of rights.keyTypes) people.addAll(this.holders.get(type) ?? NOBODY)
      this.people.set(shape, people)
    }
    return people
  }

  private put(door: string, grants: readonly Grant[], types: readonly string[]): void {
    const subjects = (effect: Grant['effect']) =>
      [...new Set(grants.filter((grant) => grant.effect === effect).map(({ subject }) => subject))].sort()
    const shape: Shape = { allow: subjects('allow'), deny: subjects('deny'), keyTypes: [...new Set(types)].sort() }
    const key = `${shape.allow.join()};${shape.deny.join()};${shape.keyTypes.join()}`
    this.shapes.set(key, shape)
    this.byDoor.set(door, key)
  }
}

const NOBODY = new Bitset()

function numberOf(numbers: Map<string, number>, id: string): number {
  let number = numbers.get(id)
  if (number === undefined) {
    number = numbers.size
    numbers.set(id, number)
  }
  return number
}
