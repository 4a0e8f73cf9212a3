import { Bitset } from '../core/bitset.ts'
import { Pauses } from '../core/pauses.ts'
import type { Places } from '../db/places.ts'
import type { AffectedDoor } from './affected-doors.ts'
import type { Grant } from './counts/rights-in-force.ts'

/** What some doors have on one side of a change. */
interface Given {
  readonly doors: readonly AffectedDoor[]
  readonly places: Places
  /** Grants on buildings and locations, by where they stand. */
  readonly wide: ReadonlyMap<string, readonly Grant[]>
  readonly own: OwnRights
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

/** Rights under a short name: the same ones have the same, on both sides of a change. */
interface Named<Rights> {
  readonly rights: Rights
  readonly name: string
}

/** What stands at spaces and doors themselves, and which keys turn there. */
interface Own {
  readonly given: Subjects
  readonly keyTypes: readonly string[]
}

interface Shape {
  /** What stands around the door, and what at its space or itself. */
  readonly around: Subjects
  readonly own: Subjects
  readonly keyTypes: readonly string[]
}

/** Short names for what is long. */
export class Names {
  private readonly known = new Map<string, string>()

  of(text: string): string {
    let name = this.known.get(text)
    if (name === undefined) {
      name = this.known.size.toString(36)
      this.known.set(text, name)
    }
    return name
  }
}

/** What single doors have of their own. Mostly a change leaves that as it is, and both sides look at the same. */
export class OwnRights {
  readonly names: Names
  private readonly grants: ReadonlyMap<string, readonly Grant[]>
  private readonly keyTypes: ReadonlyMap<string, readonly string[]>
  /** By the door as it was read: both sides look at the same one where it is as it was. */
  private readonly known = new Map<AffectedDoor, Named<Own>>()
  /** Of the many doors that have nothing of their own. */
  private readonly none: Named<Own>

  constructor(
    names: Names,
    grants: ReadonlyMap<string, readonly Grant[]>,
    keyTypes: ReadonlyMap<string, readonly string[]>,
  ) {
    this.names = names
    this.grants = grants
    this.keyTypes = keyTypes
    this.none = this.made([])
  }

  at(door: AffectedDoor): Named<Own> {
    let own = this.known.get(door)
    if (!own) {
      const { id, space_id, has_reader } = door
      const [inSpace, atDoor] = has_reader ? [this.grants.get(space_id ?? ''), this.grants.get(id)] : []
      const types = this.keyTypes.get(id)
      own = inSpace || atDoor || types ? this.made([...(inSpace ?? []), ...(atDoor ?? [])], types) : this.none
      this.known.set(door, own)
    }
    return own
  }

  private made(grants: readonly Grant[], types: readonly string[] = []): Named<Own> {
    const given = subjectsOf(grants)
    const keyTypes = [...new Set(types)].sort()
    return { rights: { given, keyTypes }, name: this.names.of(`${textOf(given)}|${keyTypes.join()}`) }
  }
}

/** Who has a right at many doors. Doors with the same rights share one shape, and its people are worked out once. */
export class DoorRights {
  private readonly shapes = new Map<string, Shape>()
  private readonly byDoor = new Map<string, string>()
  private readonly people = new Map<string, Bitset>()
  /** Whom the grants around a building allow in: most of its doors add few. */
  private readonly around = new Map<Subjects, Bitset>()

  static async of({ doors, places, wide, own }: Given): Promise<DoorRights> {
    const made = new DoorRights()
    const nothing = { rights: NOTHING, name: own.names.of(textOf(NOTHING)) }
    const around = new Map<string, Named<Subjects>>()
    const pauses = new Pauses()
    for (const door of doors) {
      const pause = pauses.take()
      if (pause) await pause
      let given = around.get(door.building_id)
      if (!given) {
        const above = places.above(door.building_id)
        const rights = subjectsOf([...above.locations, ...above.buildings].flatMap((place) => wide.get(place) ?? []))
        given = { rights, name: own.names.of(textOf(rights)) }
        around.set(door.building_id, given)
      }
      made.add(door.id, door.has_reader ? given : nothing, own.at(door))
    }
    return made
  }

  /** Every subject and key type that counts at one of the doors. */
  async subjects(): Promise<{ subjects: Set<string>; keyTypes: Set<string> }> {
    const subjects = new Set<string>()
    const keyTypes = new Set<string>()
    const counted = new Set<Subjects>()
    const pauses = new Pauses()
    for (const { around, own, keyTypes: types } of this.shapes.values()) {
      await pauses.take()
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
  async differences(other: DoorRights): Promise<{ subjects: Set<string>; keyTypes: Set<string> }> {
    const subjects = new Set<string>()
    const keyTypes = new Set<string>()
    const compared = new Map<Subjects, Set<Subjects>>()
    const pauses = new Pauses()
    for (const [a, b] of await this.changedShapes(other)) {
      await pauses.take()
      const [was, is] = [this.shapes.get(a) ?? NO_SHAPE, other.shapes.get(b) ?? NO_SHAPE]
      for (const [x, y] of [
        [was.around, is.around],
        [was.own, is.own],
      ] as const) {
        const known = compared.get(x) ?? new Set<Subjects>()
        if (x === y || known.has(y)) continue
        compared.set(x, known.add(y))
        for (const id of new Set(x.allow).symmetricDifference(new Set(y.allow))) subjects.add(id)
        for (const id of new Set(x.deny).symmetricDifference(new Set(y.deny))) subjects.add(id)
      }
      if (was.keyTypes !== is.keyTypes)
        for (const id of new Set(was.keyTypes).symmetricDifference(new Set(is.keyTypes))) keyTypes.add(id)
    }
    return { subjects, keyTypes }
  }

  /** What doors were and are where that is not the same, each pair once; an empty name: not there on that side. */
  private async changedShapes(other: DoorRights): Promise<Array<[string, string]>> {
    const found = new Map<string, [string, string]>()
    const pauses = new Pauses()
    for (const doors of [this.byDoor, other.byDoor])
      for (const door of doors.keys()) {
        const pause = pauses.take()
        if (pause) await pause
        const [a, b] = [this.byDoor.get(door) ?? '', other.byDoor.get(door) ?? '']
        if (a !== b) found.set(`${a}|${b}`, [a, b])
      }
    return [...found.values()]
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

  private add(door: string, around: Named<Subjects>, own: Named<Own>): void {
    const name = `${around.name}.${own.name}`
    const { given, keyTypes } = own.rights
    if (!this.shapes.has(name)) this.shapes.set(name, { around: around.rights, own: given, keyTypes })
    this.byDoor.set(door, name)
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

const NOBODY = new Bitset()
const NOTHING: Subjects = { allow: [], deny: [] }
const NO_SHAPE: Shape = { around: NOTHING, own: NOTHING, keyTypes: [] }

const textOf = ({ allow, deny }: Subjects): string => `${allow.join()};${deny.join()}`

function subjectsOf(grants: readonly Grant[]): Subjects {
  if (grants.length === 0) return NOTHING
  const of = (effect: Grant['effect']) =>
    [...new Set(grants.filter((grant) => grant.effect === effect).map(({ subject }) => subject))].sort()
  return { allow: of('allow'), deny: of('deny') }
}
