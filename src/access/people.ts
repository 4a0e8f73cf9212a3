import type { CredentialFact, KeyFact, Person, Presence } from '../core/decide/facts.ts'
import { raw, sql } from '../db/sql.ts'
import { grouped } from './grouped.ts'
import { isInDoor } from './in-door.ts'
import type { Settings } from './settings.ts'

/** Somebody's own facts, whatever door they stand before. */
export interface PersonFacts {
  readonly person: Person
  readonly credentials: readonly CredentialFact[]
  /** Their memberships by group. */
  readonly groups: ReadonlyMap<string, Membership>
}

export interface Membership {
  readonly id: string
  readonly name: string
  readonly valid_from: string | null
  readonly valid_until: string | null
}

export async function loadPeople(settings: Settings, ids: readonly string[]): Promise<Map<string, PersonFacts>> {
  if (ids.length === 0) return new Map()
  const { handle } = settings
  const people = await handle.all<Person>(sql`
    select t.id, t.display_name, t.kind, t.status, t.valid_from, t.valid_until from ${settings.from('individuals', 't')}
    where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`)
  const memberships = await handle.all<Membership & { individual_id: string }>(sql`
    select m.individual_id, g.id, g.name, m.valid_from, m.valid_until from ${settings.from('access_group_members', 'm')}
    join ${settings.from('access_groups', 'g')} on g.org = :org and g.id = m.access_group_id
    where m.org = :org and ${handle.dialect.inList('m.individual_id', ids, 'uuid')}`)
  const credentials = grouped(await credentialsWhere(settings, 'individual_id', ids), (row) => row.individual_id ?? '')
  const groups = grouped(memberships, (row) => row.individual_id)
  return new Map(
    people.map((person) => [
      person.id,
      {
        person,
        credentials: credentials.get(person.id) ?? [],
        groups: new Map((groups.get(person.id) ?? []).map((group) => [group.id, group])),
      },
    ]),
  )
}

/** Uses are live facts: they are counted, not set, and are the same under the settings of any day. */
export async function credentialsWhere(
  settings: Settings,
  column: 'id' | 'individual_id',
  ids: readonly string[],
): Promise<CredentialFact[]> {
  const { handle, asOf } = settings
  const hasPin = (alias: string) => raw(`${alias}.pin_key is not null or ${alias}.pin_hash is not null`)
  // Whether it has a PIN is as it is now, under the settings of another day too: PINs are not kept.
  const hasPinNow =
    asOf === undefined
      ? hasPin('t')
      : sql`(select ${hasPin('u')} from credentials u where u.org = :org and u.id = t.id)`
  const rows = await handle.all<Omit<CredentialFact, 'use_count'> & { has_pin: unknown; created_at: string }>(sql`
    select t.created_at, t.id, t.type, t.number, t.label, t.individual_id, t.access_control_system_id, t.status_reason,
    t.max_uses, t.valid_from, t.valid_until, ${hasPinNow} as has_pin from ${settings.from('credentials', 't')}
    where t.org = :org and ${handle.dialect.inList(`t.${column}`, ids, 'uuid')}`)
  // Sorted here: asked for an order, SQLite reads all credentials along the index that gives it.
  rows.sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1))
  const uses = await usesOf(
    settings,
    rows.filter((row) => row.max_uses !== null).map((row) => row.id),
  )
  return rows.map(({ created_at: _, ...row }) => ({
    ...row,
    use_count: uses.get(row.id) ?? 0,
    has_pin: Boolean(row.has_pin),
  }))
}

/** Asked for where they matter alone: what looks at them is another with every use. */
export async function usesOf({ handle, events }: Settings, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0 || events === 'none') return new Map()
  const rows = await handle.all<{ id: string; use_count: number }>(
    sql`select t.id, t.use_count from credential_uses t where t.org = :org
      and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  return new Map(rows.map((row) => [row.id, row.use_count]))
}

interface KeyRow extends Omit<KeyFact, 'cylinder'> {
  readonly individual_id: string
  readonly key_type_id: string
}

/**
 * The keys that these people hold and that turn in a cylinder of these doors, by person and door. Step by step, from
 * few doors to few keys: as one statement SQLite goes through all keys, or all cells of all plans. Most doors have no
 * cylinder.
 */
export async function loadKeys(
  settings: Settings,
  doors: readonly string[],
  people: readonly string[] | 'all',
): Promise<Map<string, KeyFact[]>> {
  const { handle } = settings
  const { inList } = handle.dialect
  const cylinders = await handle.all<{ id: string; number: string; door: string }>(sql`
    select c.id, c.number, c.access_point_id as door from ${settings.from('cylinders', 'c')}
    where c.org = :org and ${inList('c.access_point_id', doors, 'uuid')} and ${isInDoor('c')}`)
  if (cylinders.length === 0) return new Map()
  const ids = cylinders.map(({ id }) => id)
  const cells = await handle.all<{ cylinder_id: string; key_type_id: string }>(sql`
    select p.cylinder_id, p.key_type_id from ${settings.from('plan_cells', 'p')} where p.org = :org
    and ${inList('p.cylinder_id', ids, 'uuid')}`)
  const types = new Set(cells.map(({ key_type_id }) => key_type_id))
  const held = people === 'all' ? sql`k.individual_id is not null` : inList('k.individual_id', people, 'uuid')
  const keys = await handle.all<KeyRow>(sql`
    select k.id, k.number, kt.code, k.individual_id, k.key_type_id from ${settings.from('keys', 'k')}
    join ${settings.from('key_types', 'kt')} on kt.org = :org and kt.id = k.key_type_id
    where k.org = :org and k.status = 'issued' and ${inList('k.key_type_id', types, 'uuid')} and ${held}`)
  keys.sort((a, b) => compare(a.code, b.code) || compare(a.number, b.number) || compare(a.id, b.id))
  // Of several cylinders of a door that a key turns in, one is named: it is one key, and always the same cylinder.
  cylinders.sort((a, b) => compare(a.number, b.number) || compare(a.id, b.id))
  const turnedBy = grouped(cells, ({ cylinder_id }) => cylinder_id)
  const turning = new Map<string, Map<string, string>>()
  for (const { id, number, door } of cylinders)
    for (const { key_type_id } of turnedBy.get(id) ?? []) {
      const atDoors = turning.get(key_type_id) ?? new Map<string, string>()
      if (!atDoors.has(door)) turning.set(key_type_id, atDoors.set(door, number))
    }
  const found = keys.flatMap(({ individual_id, key_type_id, ...key }) =>
    [...(turning.get(key_type_id) ?? [])].map(([door, cylinder]) => ({
      pair: `${individual_id} ${door}`,
      key: { ...key, cylinder },
    })),
  )
  return new Map([...grouped(found, ({ pair }) => pair)].map(([pair, list]) => [pair, list.map(({ key }) => key)]))
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

interface PresenceRow {
  individual_id: string
  space_id: string
  since: string
}

/**
 * Where these people were last seen, and how many are in the spaces that ask for it; whoever came later than the moment
 * asked about was not there yet.
 */
export async function loadPresence(
  { handle, events }: Settings,
  people: readonly string[],
  spaces: readonly string[],
  at: string,
): Promise<(individual: string | null, space: string) => Presence> {
  if (spaces.length === 0 || events === 'none') return () => ({ space_id: null, since: null, occupants: 0 })
  const seen = await handle.all<PresenceRow>(
    sql`select t.individual_id, t.space_id, t.since from presence t where t.org = :org and t.since <= ${at}
      and ${handle.dialect.inList('t.individual_id', people, 'uuid')}`,
  )
  const counts = await handle.all<{ space_id: string; n: number }>(
    sql`select t.space_id, count(*) as n from presence t where t.org = :org and t.since <= ${at}
      and ${handle.dialect.inList('t.space_id', spaces, 'uuid')} group by t.space_id`,
  )
  const where = new Map(seen.map((row) => [row.individual_id, row]))
  const occupants = new Map(counts.map((row) => [row.space_id, row.n]))
  return (individual, space) => {
    const at = individual === null ? undefined : where.get(individual)
    return { space_id: at?.space_id ?? null, since: at?.since ?? null, occupants: occupants.get(space) ?? 0 }
  }
}
