import { hash } from 'node:crypto'
import { Bitset } from '../core/bitset.ts'
import type { Places } from '../db/places.ts'
import type { AffectedDoor } from './affected.ts'
import type { Grant } from './counts/rights-in-force.ts'

/** What some doors have on one side of a change. */
interface Given {
  readonly doors: readonly AffectedDoor[]
  readonly places: Places
  /** Grants on buildings and locations, and those on spaces and doors, by where they stand. */
  readonly wide: ReadonlyMap<string, readonly Grant[]>
  readonly own: ReadonlyMap<string, readonly Grant[]>
  readonly keyTypes: ReadonlyMap<string, readonly string[]>
}

/** Whom subjects and key types stand for, by their numbers. */
export interface Crowds {
  readonly members: ReadonlyMap<string, Bitset>
  readonly holders: ReadonlyMap<string, Bitset>
}

interface Subjects {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

interface Shape {
  /** What stands around the door, and what at its space or itself. */
  readonly around: Subjects
  readonly own: Subjects
  readonly keyTypes: readonly string[]
}

/** Who has a right at many doors. Doors with the same rights share one shape, and its people are worked out once. */
export class DoorRights {
  private readonly shapes = new Map<string, Shape>()
  private readonly byDoor = new Map<string, string>()
  private readonly people = new Map<string, Bitset>()
  /** Whom the grants around a building allow in: most of its doors add few. */
  private readonly around = new Map<Subjects, Bitset>()

  constructor({ doors, places, wide, own, keyTypes }: Given) {
    const aroundOf = new Map<string, Around>()
    for (const { id, space_id, building_id, has_reader } of doors) {
      let around = aroundOf.get(building_id)
      if (!around) {
        const above = places.above(building_id)
        const given = subjectsOf([...above.locations, ...above.buildings].flatMap((place) => wide.get(place) ?? []))
        around = { given, key: keyOf(given) }
        aroundOf.set(building_id, around)
      }
      const grants = [...(own.get(space_id) ?? []), ...(own.get(id) ?? [])]
      this.shape(id, has_reader ? around : NOTHING_AROUND, has_reader ? subjectsOf(grants) : NOTHING, keyTypes.get(id) ?? [])
    }
  }

  /** Every subject and key type that counts at one of the doors. */
  subjects(): { subjects: Set<string>; keyTypes: Set<string> } {
    const subjects = new Set<string>()
    const keyTypes = new Set<string>()
    const counted = new Set<Subjects>()
    for (const { around, own, keyTypes: types } of this.shapes.values()) {
      for (const given of [around, own]) {
        if (counted.has(given)) continue
        counted.add(given)
        for (const id of given.allow) subjects.add(id)
        for (const id of given.deny) subjects.add(id)
      }
      for (const type of types) keyTypes.add(type)
    }
    return { subjects, keyTypes }
  }

  /** What these doors have here and not there, or there and not here. */
  differences(other: DoorRights): { subjects: Set<string>; keyTypes: Set<string> } {
    const subjects = new Set<string>()
    const keyTypes = new Set<string>()
    const compared = new Map<Subjects, Set<Subjects>>()
    for (const door of new Set([...this.byDoor.keys(), ...other.byDoor.keys()])) {
      const [a, b] = [this.byDoor.get(door), other.byDoor.get(door)]
      if (a === b) continue
      const [was, is] = [this.shapes.get(a ?? '') ?? NO_SHAPE, other.shapes.get(b ?? '') ?? NO_SHAPE]
      for (const [x, y] of [
        [was.around, is.around],
        [was.own, is.own],
      ] as const) {
        const known = compared.get(x) ?? new Set<Subjects>()
        if (known.has(y)) continue
        compared.set(x, known.add(y))
        for (const id of new Set(x.allow).symmetricDifference(new Set(y.allow))) subjects.add(id)
        for (const id of new Set(x.deny).symmetricDifference(new Set(y.deny))) subjects.add(id)
      }
      for (const id of new Set(was.keyTypes).symmetricDifference(new Set(is.keyTypes))) keyTypes.add(id)
    }
    return { subjects, keyTypes }
  }

  /** Undefined: the door is not there on this side. */
  shapeOf(door: string): string | undefined {
    return this.byDoor.get(door)
  }

  peopleOf(shape: string | undefined, crowds: Crowds): Bitset {
    const rights = shape === undefined ? undefined : this.shapes.get(shape)
    if (shape === undefined || !rights) return NOBODY
    let people = this.people.get(shape)
    if (!people) {
      people = this.allowedAround(rights.around, crowds).copy()
      for (const subject of rights.own.allow) people.addAll(crowds.members.get(subject) ?? NOBODY)
      for (const { deny } of [rights.around, rights.own])
        for (const subject of deny) people.removeAll(crowds.members.get(subject) ?? NOBODY)
      for (const type of rights.keyTypes) people.addAll(crowds.holders.get(type) ?? NOBODY)
      this.people.set(shape, people)
    }
    return people
  }

  private shape(door: string, around: Around, own: Subjects, types: readonly string[]): void {
    const keyTypes = [...new Set(types)].sort()
    const key = `${around.key}|${keyOf(own)}|${keyTypes.join()}`
    if (!this.shapes.has(key)) this.shapes.set(key, { around: around.given, own, keyTypes })
    this.byDoor.set(door, key)
  }

  private allowedAround(around: Subjects, { members }: Crowds): Bitset {
    let people = this.around.get(around)
    if (!people) {
      people = new Bitset()
      for (const subject of around.allow) people.addAll(members.get(subject) ?? NOBODY)
      this.around.set(around, people)
    }
    return people
  }
}

/** What stands around a building, under a short name: it is part of the name of every shape there. */
interface Around {
  readonly given: Subjects
  readonly key: string
}

const NOBODY = new Bitset()
const NOTHING: Subjects = { allow: [], deny: [] }
const NO_SHAPE: Shape = { around: NOTHING, own: NOTHING, keyTypes: [] }

const keyOf = ({ allow, deny }: Subjects): string => {
  const text = `${allow.join()};${deny.join()}`
  return text.length <= 64 ? text : hash('sha256', text)
}
const NOTHING_AROUND: Around = { given: NOTHING, key: keyOf(NOTHING) }

function subjectsOf(grants: readonly Grant[]): Subjects {
  if (grants.length === 0) return NOTHING
  const of = (effect: Grant['effect']) =>
    [...new Set(grants.filter((grant) => grant.effect === effect).map(({ subject }) => subject))].sort()
  return { allow: of('allow'), deny: of('deny') }
}
