import { everyoneIn } from '../access/counts/rights-in-force.ts'
import { type DoorFacts, loadDoors } from '../access/doors.ts'
import { type GrantRow, loadGrants } from '../access/grants.ts'
import { loadPeople, type PersonFacts } from '../access/people.ts'
import { Settings } from '../access/settings.ts'
import type { OrgHandle } from '../db/org.ts'
import { sql } from '../db/sql.ts'

/**
 * Who may open which doors of one system, and when: what a device's table is compiled from. A part of it may be
 * compiled by itself.
 */
export interface Rules {
  readonly access_control_system_id: string
  /** What had ended by then is left out. */
  readonly at: string
  readonly doors: readonly DoorRule[]
  readonly grants: readonly GrantRow[]
  readonly people: readonly PersonRule[]
}

export interface DoorRule extends DoorFacts {
  readonly unlock_seconds: number | null
  readonly held_open_seconds: number | null
}

/** How a credential is known to a reader. */
export interface Lookup {
  readonly id: string
  readonly match_key: string | null
  readonly pin_key: string | null
}

export interface PersonRule extends PersonFacts {
  readonly lookups: ReadonlyMap<string, Lookup>
}

interface DoorTimes {
  id: string
  unlock_seconds: number | null
  held_open_seconds: number | null
}

/** So many people are looked at in one statement. */
const SLICE = 250

/**
 * The rules of a system in parts: its doors and the grants on them first, then everybody whom those are for, some at a
 * time.
 */
export async function* loadRules(handle: OrgHandle, systemId: string): AsyncGenerator<Rules> {
  const settings = new Settings(handle)
  const at = handle.instant
  const part = { access_control_system_id: systemId, at, doors: [], grants: [], people: [] }
  const times = await handle.all<DoorTimes>(sql`
    select t.id, t.unlock_seconds, t.held_open_seconds from access_points t where t.org = :org
    and t.access_control_system_id = ${systemId}`)
  const targets = new Set<string>()
  for (const some of slicesOf(times)) {
    const byId = new Map(some.map((row) => [row.id, row]))
    const facts = await loadDoors(settings, byId.keys(), at)
    const doors = [...facts].map(([id, door]): DoorRule => ({ ...door, ...timesOf(byId.get(id)) }))
    for (const door of doors) for (const { id } of door.targets) targets.add(id)
    yield { ...part, doors }
  }
  const grants =
    targets.size === 0
      ? []
      : [...(await loadGrants(settings, { targets: [...targets], subjects: 'all' })).values()].flat()
  yield { ...part, grants }
  const subjects = new Set(grants.flatMap((grant) => grant.individual_id ?? grant.access_group_id ?? []))
  const everybody = [...(await everyoneIn(handle, subjects))].sort()
  for (const ids of slicesOf(everybody)) yield { ...part, people: await loadSome(settings, ids) }
}

const timesOf = (times: DoorTimes | undefined): Omit<DoorTimes, 'id'> => ({
  unlock_seconds: times?.unlock_seconds ?? null,
  held_open_seconds: times?.held_open_seconds ?? null,
})

async function loadSome(settings: Settings, ids: readonly string[]): Promise<PersonRule[]> {
  const { handle } = settings
  const people = await loadPeople(settings, ids)
  const lookups = await handle.all<Lookup>(sql`
    select t.id, t.match_key, t.pin_key from credentials t where t.org = :org
    and ${handle.dialect.inList('t.individual_id', ids, 'uuid')}`)
  const byId = new Map(lookups.map((row) => [row.id, row]))
  return [...people.values()].map((person) => ({ ...person, lookups: byId }))
}

function* slicesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += SLICE) yield list.slice(from, from + SLICE)
}
