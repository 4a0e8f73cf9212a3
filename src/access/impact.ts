import { setImmediate as nextTurn } from 'node:timers/promises'
import { Bitset } from '../core/bitset.ts'
import type { Rights } from '../core/rights.ts'
import type { Tx } from '../db/change.ts'
import { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'
import { type AffectedDoor, affectedDoors } from './affected.ts'
import { DoorRights } from './door-rights.ts'
import { everyoneIn, holdersOf } from './rights-in-force.ts'

interface Side {
  people: number
  doors: number
  pairs: number
  /** The first hundred, by door and name. */
  first: Array<{ individual_id: string | null; display_name: string; access_point_id: string; name: string }>
}

export interface Impact {
  gained: Side
  lost: Side
}

const SHOWN = 100
/** So many doors are compared in one go; then others have their turn. */
const SLICE = 200

/**
 * Who would gain and lose which doors by what the transaction has done so far, as far as the caller may see who can open doors;
 * null: not at all. Whoever may see that alone sees people by name.
 */
export async function impactOf(tx: Tx, rights: Rights): Promise<Impact | null> {
  const scope = rights.scopeOf('access-points:audience')
  if (scope === undefined) return null
  const seesPeople = rights.can('individuals:read')
  const before = new OrgHandle(tx.engine, tx.org, tx.now)
  const doors = await affectedDoors(before, tx, scope)
  const was = await DoorRights.load(before, doors.before)
  const is = await DoorRights.load(tx, doors.after)
  const { subjects, keyTypes } = was.differences(is)
  // Only whom the change concerns can gain or lose: by what was given or taken, or by what they are or belong to.
  const concerned = new Set<string>()
  for (const handle of [before, tx]) {
    for (const id of await everyoneIn(handle, doors.subjects.union(subjects))) concerned.add(id)
    for (const holders of (await holdersOf(handle, [...keyTypes])).values()) for (const id of holders) concerned.add(id)
  }
  const ids = [...concerned]
  const numbers = new Map(ids.map((id, index) => [id, index]))
  await was.loadPeople(before, ids, numbers)
  await is.loadPeople(tx, ids, numbers)
  const names = new Map([...doors.before, ...doors.after].map((door) => [door.id, door]))
  const gained = new Tally()
  const lost = new Tally()
  const known = new Map<string, [gained: Bitset, lost: Bitset]>()
  let count = 0
  for (const door of names.values()) {
    if (++count % SLICE === 0) await nextTurn()
    const [a, b] = [was.shapeOf(door.id), is.shapeOf(door.id)]
    // Most doors of a building have the same rights: two that had and have the same differ alike.
    const key = `${a}|${b}`
    let difference = known.get(key)
    if (!difference) {
      const [old, now] = [was.peopleOf(a), is.peopleOf(b)]
      difference = [now.without(old), old.without(now)]
      known.set(key, difference)
    }
    gained.add(door, difference[0])
    lost.add(door, difference[1])
  }
  return { gained: await gained.shown(tx, ids, seesPeople), lost: await lost.shown(before, ids, seesPeople) }
}

class Tally {
  private readonly everybody = new Bitset()
  private readonly counted = new Map<Bitset, number>()
  private readonly first: Array<{ door: AffectedDoor; person: number }> = []
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
    this.doors += 1
    this.pairs += size
    if (this.first.length >= SHOWN) return
    people.forEach((person) => {
      if (this.first.length < SHOWN) this.first.push({ door, person })
    })
  }

  async shown(handle: OrgHandle, ids: readonly string[], seesPeople: boolean): Promise<Side> {
    const people = new Set(this.first.map(({ person }) => ids[person] as string))
    const rows = await handle.all<{ id: string; display_name: string }>(
      sql`select t.id, t.display_name from individuals t where t.org = :org and ${handle.dialect.inList('t.id', people, 'uuid')}`,
    )
    const names = new Map(rows.map((row) => [row.id, row.display_name]))
    const first = this.first.map(({ door, person }) => {
      const id = ids[person] as string
      return { individual_id: seesPeople ? id : null, display_name: names.get(id) ?? '', access_point_id: door.id, name: door.name }
    })
    return { people: this.everybody.size, doors: this.doors, pairs: this.pairs, first }
  }
}
