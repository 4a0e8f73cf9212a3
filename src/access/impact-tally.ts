import { Bitset } from '../core/bitset.ts'
import type { Scope } from '../core/rights.ts'
import { sql } from '../db/sql.ts'
import { type AffectedDoor, firstOf, lotOf } from './affected-doors.ts'
import { type Looked, onBothSides, onOneSide } from './lists/both-sides.ts'

const SHOWN = 100

/** What is gained, or lost. */
export interface Side {
  people: number
  doors: number
  pairs: number
  /** The first hundred, by door and name. */
  first: Array<{ individual_id: string | null; display_name: string; access_point_id: string; name: string }>
}

/** Whom it is told to, and what they may see. */
interface Told {
  readonly looked: Looked
  readonly scope: Scope
  readonly seesPeople: boolean
  /** Every door that was looked at by itself. */
  readonly singles: ReadonlySet<string>
  readonly idOf: (number: number) => string
}

/** Counts who gains, or loses, which doors. */
export class Tally {
  private readonly everybody = new Bitset()
  private readonly counted = new Map<Bitset, number>()
  /** The doors that come first, and some more: all of them in order would be a long while's work at once. */
  private first: Array<{ door: AffectedDoor; people: Bitset }> = []
  /** Doors that were taken together. */
  private readonly lots = new Map<string, { door: AffectedDoor; people: Bitset }>()
  private doors = 0
  private pairs = 0

  add(door: AffectedDoor, people: Bitset): void {
    let size = this.counted.get(people)
    if (size === undefined) {
      size = people.size
      this.counted.set(people, size)
      this.everybody.addAll(people)
    }
    if (size === 0) return
    this.doors += door.doors
    this.pairs += size * door.doors
    if (door.space_id === null) {
      this.lots.set(door.id, { door, people })
      return
    }
    this.first.push({ door, people })
    if (this.first.length >= 10 * SHOWN) this.first = this.firstDoors()
  }

  /** Each has somebody: no more are needed. */
  private firstDoors(): typeof this.first {
    return this.first
      .sort(({ door: a }, { door: b }) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
      .slice(0, SHOWN)
  }

  private firstPairs(): Array<{ door: AffectedDoor; person: number }> {
    const pairs: Array<{ door: AffectedDoor; person: number }> = []
    for (const { door, people } of this.firstDoors()) {
      if (pairs.length >= SHOWN) break
      people.forEach((person) => {
        if (pairs.length < SHOWN) pairs.push({ door, person })
      })
    }
    return pairs
  }

  /** `side`: where the doors are read, before the change or after it. */
  async shown(side: 'was' | 'is', { looked, scope, seesPeople, singles, idOf }: Told): Promise<Side> {
    // On one side the transaction need not be looked at.
    const reading = side === 'was' ? onOneSide : onBothSides
    const [, doors] = await reading(looked, (handle) =>
      firstOf(handle, { lots: [...this.lots.values()].map(({ door }) => door), singles, scope, limit: SHOWN }),
    )
    for (const door of doors) {
      const people = this.lots.get(lotOf(door.building_id, door.has_reader))?.people
      if (people) this.first.push({ door, people })
    }
    const pairs = this.firstPairs()
    const people = new Set(pairs.map(({ person }) => idOf(person)))
    const [, named] = await reading(looked, (handle) =>
      handle.all<{ id: string; display_name: string }>(
        sql`select t.id, t.display_name from ${handle.dialect.ids(people, 'l')} cross join individuals t
          where t.org = :org and t.id = l.id`,
      ),
    )
    const names = new Map(named.map((row) => [row.id, row.display_name]))
    const first = pairs.map(({ door, person }) => {
      const id = idOf(person)
      return {
        individual_id: seesPeople ? id : null,
        display_name: names.get(id) ?? '',
        access_point_id: door.id,
        name: door.name,
      }
    })
    return { people: this.everybody.size, doors: this.doors, pairs: this.pairs, first }
  }
}
