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

/** So many doors, places or people are looked at in one statement, and so many rules handed on at a time. */
const SLICE = 250

/** Some of the rules of a system, by which part of them they are. */
export type SomeRules = Partial<Pick<Rules, 'doors' | 'grants' | 'people'>>

export const rulesOf = (access_control_system_id: string, at: string, some: SomeRules): Rules => ({
  access_control_system_id,
  at,
  doors: [],
  grants: [],
  people: [],
  ...some,
})

/** The doors of a system, some at a time. */
export async function* doorRules(handle: OrgHandle, systemId: string): AsyncGenerator<readonly DoorRule[]> {
  const settings = new Settings(handle)
  const times = await handle.all<DoorTimes>(sql`
    select t.id, t.unlock_seconds, t.held_open_seconds from access_points t where t.org = :org
    and t.access_control_system_id = ${systemId}`)
  for (const some of slicesOf(times)) {
    const byId = new Map(some.map((row) => [row.id, row]))
    const facts = await loadDoors(settings, byId.keys(), handle.instant)
    yield [...facts].map(([id, door]): DoorRule => ({ ...door, ...timesOf(byId.get(id)) }))
  }
}

/** The grants on these doors and the places around them, some at a time. */
export async function* grantRules(
  handle: OrgHandle,
  targets: ReadonlySet<string>,
): AsyncGenerator<readonly GrantRow[]> {
  const settings = new Settings(handle)
  for (const some of slicesOf([...targets])) {
    const grants = await loadGrants(settings, { targets: some, subjects: 'all' })
    yield* slicesOf([...grants.values()].flat())
  }
}

/** These people with what they carry, some at a time. */
export async function* peopleRules(handle: OrgHandle, people: Iterable<string>): AsyncGenerator<readonly PersonRule[]> {
  const settings = new Settings(handle)
  for (const ids of slicesOf([...people])) yield await loadSome(settings, ids)
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
