import { LRUCache } from 'lru-cache'
import { Bitset } from '../../core/bitset.ts'
import { nextBoundary } from '../../db/boundary.ts'
import type { OrgHandle } from '../../db/org.ts'
import { perEngine } from '../../db/per-engine.ts'
import { type Places, placesOf } from '../../db/places.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { credentials } from '../credentials/schema.ts'

/**
 * How many people may pass into a space, and with how many credentials and keys.
 *
 * Most spaces of a building have the same rights, so counts are kept per distinct set of rights, and people are counted as
 * bits: the union of a dozen large groups costs microseconds. Everything here is forgotten when something changes that
 * decides who may open what, or when the clock reaches the next validity boundary.
 */
export interface Counts {
  individuals: number
  credentials: number
}

interface Grant {
  effect: 'allow' | 'deny'
  subject: string
}
interface GrantRow {
  id: string
  effect: 'allow' | 'deny'
  individual_id: string | null
  access_group_id: string | null
  target: string
}
interface HeldKey {
  access_point_id: string
  key_id: string
  individual_id: string
}

interface Audience {
  version: number
  until: string
  /** Grants in force on locations and buildings, by the place they stand on. */
  byPlace: Map<string, Grant[]>
  /** What holds at every access point of a building: worked out once, asked for every space. */
  byBuilding: Map<string, Profile>
  /** Grants on single spaces and access points, and keys in people's hands by access point; undefined: too many to keep. */
  own: Map<string, Grant[]> | undefined
  keys: Map<string, HeldKey[]> | undefined
  people: Map<string, number>
  credentialCounts: number[]
  /** The people of a group, or the one person, whom a grant to this subject lets in. */
  subjects: Map<string, Bitset>
  counts: LRUCache<string, Counts>
}

/** Beyond so many, rights of single spaces and doors are looked up page by page instead of kept. */
const KEPT = 20_000

const audiences = perEngine(() => new LRUCache<number, Audience>({ max: 20 }))

const inForce = (alias: string): Sql =>
  raw(`(${alias}.valid_from is null or ${alias}.valid_from <= :now) and (${alias}.valid_until is null or ${alias}.valid_until > :now)`)

const subjectOf = (row: Pick<GrantRow, 'individual_id' | 'access_group_id'>): string => row.access_group_id ?? (row.individual_id as string)

async function audienceOf(handle: OrgHandle): Promise<Audience> {
  const { access: version, data } = await handle.versions()
  const known = audiences(handle.engine).get(handle.org)
  if (known?.version === version && handle.now < known.until) return known
  const own = await handle.all<GrantRow>(ownGrants(sql`t.space_id is not null`, sql`t.access_point_id is not null`, KEPT + 1))
  const held = await handle.all<HeldKey>(heldKeys(sql`c.access_point_id is not null`, KEPT + 1))
  const audience: Audience = {
    version,
    until: await nextBoundary(handle, data),
    byPlace: new Map(),
    byBuilding: new Map(),
    own: own.length > KEPT ? undefined : grantsByTarget(own),
    keys: held.length > KEPT ? undefined : keysByPoint(held),
    people: new Map(),
    credentialCounts: [],
    subjects: new Map(),
    counts: new LRUCache({ max: 20_000 }),
  }
  const rows = await handle.all<GrantRow>(sql`
    select t.id, t.effect, t.individual_id, t.access_group_id, coalesce(t.building_id, t.location_id) as target from access_grants t
    where t.org = :org and (t.building_id is not null or t.location_id is not null) and t.revoked_at is null and ${inForce('t')}`)
  audience.byPlace = grantsByTarget(rows)
  audiences(handle.engine).set(handle.org, audience)
  return audience
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

export interface SpaceRef {
  id: string
  building_id: string
  /** Its access points. */
  points: readonly string[]
}

/** The counts for a page of spaces, with a fixed number of look-ups whatever its size; people only where they are new. */
export async function countAudience(handle: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, Counts>> {
  const audience = await audienceOf(handle)
  const places = await placesOf(handle)
  const grants = audience.own ?? (await grantsOn(handle, page))
  const keys = audience.keys ?? (await keysFor(handle, page))
  const rights = page.map((space) => rightsOf(space, places, audience, grants, keys))
  const unknown = rights.filter((right) => !audience.counts.has(right.signature))
  if (unknown.length > 0) {
    await loadSubjects(handle, audience, unknown)
    for (const right of unknown) audience.counts.set(right.signature, count(audience, right))
  }
  return new Map(rights.map((right, index) => [(page[index] as SpaceRef).id, audience.counts.get(right.signature) as Counts]))
}

/** Who is let in at one kind of door; most spaces have one kind only, and it is their building's. */
interface Profile {
  key: string
  allow: string[]
  deny: string[]
}
interface Rights {
  signature: string
  profiles: Profile[]
  keys: HeldKey[]
}

const NO_GRANTS: Grant[] = []
const NO_KEYS: HeldKey[] = []

function rightsOf(space: SpaceRef, places: Places, audience: Audience, grants: Map<string, Grant[]>, keys: Map<string, HeldKey[]>): Rights {
  const ofBuilding = buildingProfile(space.building_id, places, audience)
  const ofSpace = grants.get(space.id) ?? NO_GRANTS
  const profiles = new Map<string, Profile>()
  let held = NO_KEYS
  for (const point of space.points) {
    const own = grants.get(point)
    const profile = own || ofSpace.length > 0 ? extended(ofBuilding, [...ofSpace, ...(own ?? NO_GRANTS)]) : ofBuilding
    if (profile.allow.length > 0) profiles.set(profile.key, profile)
    const keysHere = keys.get(point)
    if (keysHere) held = [...held, ...keysHere]
  }
  const keyIds = held.length > 0 ? [...new Set(held.map((key) => key.key_id))].sort().join() : ''
  const signature =
    profiles.size <= 1 ? `${profiles.keys().next().value ?? ''}#${keyIds}` : `${[...profiles.keys()].sort().join('|')}#${keyIds}`
  return { signature, profiles: [...profiles.values()], keys: held }
}

function buildingProfile(buildingId: string, places: Places, audience: Audience): Profile {
  let profile = audience.byBuilding.get(buildingId)
  if (!profile) {
    const above = places.above(buildingId)
    const grants = [...above.locations, ...above.buildings].flatMap((id) => audience.byPlace.get(id) ?? NO_GRANTS)
    profile = extended({ key: '', allow: [], deny: [] }, grants)
    audience.byBuilding.set(buildingId, profile)
  }
  return profile
}

function extended(base: Profile, grants: readonly Grant[]): Profile {
  const allow = [...new Set([...base.allow, ...subjects(grants, 'allow')])].sort()
  const deny = [...new Set([...base.deny, ...subjects(grants, 'deny')])].sort()
  return { key: `${allow.join()}-${deny.join()}`, allow, deny }
}

const subjects = (grants: readonly Grant[], effect: Grant['effect']): string[] =>
  grants.filter((grant) => grant.effect === effect).map((grant) => grant.subject)

function count(audience: Audience, rights: Rights): Counts {
  const everybody = new Bitset()
  for (const { allow, deny } of rights.profiles) {
    const people = new Bitset()
    for (const subject of allow) people.addAll(audience.subjects.get(subject) as Bitset)
    for (const subject of deny) people.removeAll(audience.subjects.get(subject) as Bitset)
    everybody.addAll(people)
  }
  for (const key of rights.keys) everybody.add(audience.people.get(key.individual_id) as number)
  let individuals = 0
  let usable = new Set(rights.keys.map((key) => key.key_id)).size
  everybody.forEach((index) => {
    individuals += 1
    usable += audience.credentialCounts[index] as number
  })
  return { individuals, credentials: usable }
}

/** Grants in force on single spaces and access points; the two conditions say which. */
function ownGrants(spaces: Sql, points: Sql, limit: number): Sql {
  const columns = sql`t.id, t.effect, t.individual_id, t.access_group_id`
  const condition = sql`t.org = :org and t.revoked_at is null and ${inForce('t')}`
  return sql`select ${columns}, t.space_id as target from access_grants t where ${condition} and ${spaces}
    union all select ${columns}, t.access_point_id as target from access_grants t where ${condition} and ${points} limit ${limit}`
}

/** Keys in people's hands that open a cylinder built into an access point. */
const heldKeys = (points: Sql, limit: number): Sql => sql`
  select c.access_point_id, k.id as key_id, k.individual_id from cylinders c
  join plan_cells p on p.org = :org and p.cylinder_id = c.id
  join keys k on k.org = :org and k.key_type_id = p.key_type_id and k.status = 'issued'
  where c.org = :org and c.status = 'installed' and ${points} limit ${limit}`

function grantsByTarget(rows: readonly GrantRow[]): Map<string, Grant[]> {
  const grants = new Map<string, Grant[]>()
  for (const row of rows) add(grants, row.target, { effect: row.effect, subject: subjectOf(row) })
  return grants
}

function keysByPoint(rows: readonly HeldKey[]): Map<string, HeldKey[]> {
  const keys = new Map<string, HeldKey[]>()
  for (const row of rows) add(keys, row.access_point_id, row)
  return keys
}

const pointsIn = (page: readonly SpaceRef[]): string[] => page.flatMap((space) => space.points)

async function grantsOn(handle: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, Grant[]>> {
  const ids = page.map((space) => space.id)
  const { inList } = handle.dialect
  const rows = await handle.all<GrantRow>(
    ownGrants(inList('t.space_id', ids, 'uuid'), inList('t.access_point_id', pointsIn(page), 'uuid'), 1_000_000),
  )
  return grantsByTarget(rows)
}

async function keysFor(handle: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, HeldKey[]>> {
  return keysByPoint(await handle.all<HeldKey>(heldKeys(handle.dialect.inList('c.access_point_id', pointsIn(page), 'uuid'), 1_000_000)))
}

/** Makes sure that every subject and key holder of these rights is known as bits, and every person's credentials as a number. */
async function loadSubjects(handle: OrgHandle, audience: Audience, rights: readonly Rights[]): Promise<void> {
  const wanted = new Set(rights.flatMap((right) => right.profiles.flatMap((profile) => [...profile.allow, ...profile.deny])))
  const missing = [...wanted].filter((subject) => !audience.subjects.has(subject))
  const holders = rights.flatMap((right) => right.keys.map((key) => key.individual_id)).filter((id) => !audience.people.has(id))
  if (missing.length === 0 && holders.length === 0) return
  const active = sql`i.org = :org and i.status = 'active' and ${inForce('i')}`
  const rows = await handle.all<{ subject: string; individual_id: string }>(sql`
    select m.access_group_id as subject, m.individual_id from access_group_members m join individuals i on ${active} and i.id = m.individual_id
    where m.org = :org and ${inForce('m')} and ${handle.dialect.inList('m.access_group_id', missing, 'uuid')}
    union all select i.id as subject, i.id as individual_id from individuals i where ${active} and ${handle.dialect.inList('i.id', missing, 'uuid')}`)
  const strangers = new Set([...rows.map((row) => row.individual_id), ...holders].filter((id) => !audience.people.has(id)))
  await loadPeople(handle, audience, strangers)
  for (const subject of missing) audience.subjects.set(subject, new Bitset())
  for (const row of rows) audience.subjects.get(row.subject)?.add(audience.people.get(row.individual_id) as number)
}

async function loadPeople(handle: OrgHandle, audience: Audience, ids: ReadonlySet<string>): Promise<void> {
  const { expression } = credentials.fields.status_type.spec
  const rows = await handle.all<{ individual_id: string; n: number }>(sql`
    select t.individual_id, count(*) as n from credentials t
    where ${join([sql`t.org = :org`, handle.dialect.inList('t.individual_id', ids, 'uuid'), raw(`(${expression}) = 'active'`)], ' and ')}
    group by t.individual_id`)
  for (const id of ids) {
    audience.people.set(id, audience.credentialCounts.length)
    audience.credentialCounts.push(0)
  }
  for (const { individual_id, n } of rows) audience.credentialCounts[audience.people.get(individual_id) as number] = n
}
