import { LRUCache } from 'lru-cache'
import { Bitset } from '../../core/bitset.ts'
import { nextBoundary } from '../../db/boundary.ts'
import type { OrgHandle } from '../../db/org.ts'
import { perEngine } from '../../db/per-engine.ts'
import { type Places, placesOf } from '../../db/places.ts'
import { type Grant, grantsByPlace, grantsOn, type HeldKey, heldKeys, keyTypesAt, membersOf, usableCredentials } from './rights.ts'

/**
 * How many people may pass into a space, and with how many credentials and keys.
 *
 * Most spaces of a building have the same rights, so whom a building lets in is worked out once, as a set of bits, and a
 * space adds what it has of its own. What a page needs and is not known yet is loaded for the whole page at once.
 * Everything here is forgotten when something changes that decides who may open what, or when the clock reaches the
 * next validity boundary.
 */
export interface Counts {
  individuals: number
  credentials: number
}

export interface SpaceRef {
  id: string
  building_id: string
  /** Its access points. */
  points: readonly string[]
}

/** Whom a set of rights lets in. */
interface Crowd extends Counts {
  people: Bitset
}

interface Rights {
  allow: readonly string[]
  deny: readonly string[]
}

class Audience {
  readonly version: number
  readonly until: string
  /** Grants in force on locations and buildings, by the place they stand on. */
  readonly byPlace: Map<string, Grant[]>
  readonly byBuilding = new Map<string, Rights>()
  readonly crowds = new Map<Rights, Crowd>()
  /** Grants on a single space or access point. */
  readonly own = new LRUCache<string, Grant[]>({ max: 100_000 })
  readonly keyTypes = new LRUCache<string, string[]>({ max: 50_000 })
  readonly heldKeys = new LRUCache<string, HeldKey[]>({ max: 20_000 })
  /** The people of a group, or the one person, whom a grant to this subject lets in. */
  readonly subjects = new Map<string, Bitset>()
  readonly people = new Map<string, number>()
  readonly credentialCounts: number[] = []

  constructor(version: number, until: string, byPlace: Map<string, Grant[]>) {
    this.version = version
    this.until = until
    this.byPlace = byPlace
  }
}

const audiences = perEngine(() => new LRUCache<number, Audience>({ max: 20 }))

async function audienceOf(handle: OrgHandle): Promise<Audience> {
  const { access: version, data } = await handle.versions()
  const known = audiences(handle.engine).get(handle.org)
  if (known?.version === version && handle.now < known.until) return known
  const audience = new Audience(version, await nextBoundary(handle, data), await grantsByPlace(handle))
  audiences(handle.engine).set(handle.org, audience)
  return audience
}

/** The counts for a page of spaces, with a fixed number of look-ups whatever its size. */
export async function countAudience(handle: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, Counts>> {
  const audience = await audienceOf(handle)
  const places = await placesOf(handle)
  const points = page.flatMap((space) => space.points)
  await fill(audience.own, [...page.map((space) => space.id), ...points], (missing) => grantsOn(handle, missing), NO_GRANTS)
  await fill(audience.keyTypes, points, (missing) => keyTypesAt(handle, missing), NO_TYPES)
  const types = points.flatMap((point) => audience.keyTypes.get(point) ?? NO_TYPES)
  await fill(audience.heldKeys, types, (missing) => heldKeys(handle, missing), NO_KEYS)
  const rights = page.map((space) => rightsOf(space, places, audience))
  await loadPeople(handle, audience, rights)
  return new Map(page.map((space, index) => [space.id, count(audience, rights[index] as SpaceRights)]))
}

const NO_GRANTS: Grant[] = []
const NO_TYPES: string[] = []
const NO_KEYS: HeldKey[] = []

/** Loads what is not known yet, all at once; what is nowhere to be found is known to be nothing. */
async function fill<T extends object>(
  cache: LRUCache<string, T>,
  ids: readonly string[],
  load: (missing: string[]) => Promise<Map<string, T>>,
  nothing: T,
): Promise<void> {
  const missing = [...new Set(ids.filter((id) => !cache.has(id)))]
  if (missing.length === 0) return
  const found = await load(missing)
  for (const id of missing) cache.set(id, found.get(id) ?? nothing)
}

interface SpaceRights {
  building: Rights
  /** Rights of its access points where they are not simply the building's. */
  own: Rights[]
  /** Whether some access point has the building's rights alone. */
  asBuilding: boolean
  keys: HeldKey[]
}

function rightsOf(space: SpaceRef, places: Places, audience: Audience): SpaceRights {
  const building = buildingRights(space.building_id, places, audience)
  const ofSpace = audience.own.get(space.id) ?? NO_GRANTS
  const rights: SpaceRights = { building, own: [], asBuilding: false, keys: [] }
  for (const point of space.points) {
    const ofPoint = audience.own.get(point) ?? NO_GRANTS
    if (ofSpace.length === 0 && ofPoint.length === 0) rights.asBuilding = true
    else rights.own.push(extended(building, [...ofSpace, ...ofPoint]))
    for (const type of audience.keyTypes.get(point) ?? NO_TYPES) rights.keys.push(...(audience.heldKeys.get(type) ?? NO_KEYS))
  }
  return rights
}

function buildingRights(buildingId: string, places: Places, audience: Audience): Rights {
  let rights = audience.byBuilding.get(buildingId)
  if (!rights) {
    const above = places.above(buildingId)
    const grants = [...above.locations, ...above.buildings].flatMap((id) => audience.byPlace.get(id) ?? NO_GRANTS)
    rights = extended({ allow: [], deny: [] }, grants)
    audience.byBuilding.set(buildingId, rights)
  }
  return rights
}

const extended = (base: Rights, grants: readonly Grant[]): Rights => ({
  allow: [...base.allow, ...subjectsOf(grants, 'allow')],
  deny: [...base.deny, ...subjectsOf(grants, 'deny')],
})

const subjectsOf = (grants: readonly Grant[], effect: Grant['effect']): string[] =>
  grants.filter((grant) => grant.effect === effect).map((grant) => grant.subject)

function count(audience: Audience, rights: SpaceRights): Counts {
  const base = rights.asBuilding ? crowdOf(audience, rights.building) : NOBODY
  if (rights.own.length === 0 && rights.keys.length === 0) return base
  let { individuals, credentials } = base
  const further = new Bitset()
  for (const own of rights.own) further.addAll(peopleOf(audience, own))
  const keys = new Set<string>()
  for (const key of rights.keys) {
    keys.add(key.key_id)
    further.add(audience.people.get(key.individual_id) as number)
  }
  further.forEach((index) => {
    if (base.people.has(index)) return
    individuals += 1
    credentials += audience.credentialCounts[index] as number
  })
  return { individuals, credentials: credentials + keys.size }
}

const NOBODY: Crowd = { people: new Bitset(), individuals: 0, credentials: 0 }

function crowdOf(audience: Audience, rights: Rights): Crowd {
  let crowd = audience.crowds.get(rights)
  if (!crowd) {
    const people = peopleOf(audience, rights)
    let individuals = 0
    let credentials = 0
    people.forEach((index) => {
      individuals += 1
      credentials += audience.credentialCounts[index] as number
    })
    crowd = { people, individuals, credentials }
    audience.crowds.set(rights, crowd)
  }
  return crowd
}

/** Deny wins, at each access point by itself. */
function peopleOf(audience: Audience, { allow, deny }: Rights): Bitset {
  const people = new Bitset()
  for (const subject of allow) people.addAll(audience.subjects.get(subject) as Bitset)
  for (const subject of deny) people.removeAll(audience.subjects.get(subject) as Bitset)
  return people
}

/** Makes every subject and key holder of these rights known as bits, and every person's usable credentials as a number. */
async function loadPeople(handle: OrgHandle, audience: Audience, rights: readonly SpaceRights[]): Promise<void> {
  const wanted = new Set<string>()
  const holders = new Set<string>()
  for (const { building, own, keys } of rights) {
    for (const { allow, deny } of [building, ...own]) {
      for (const subject of allow) if (!audience.subjects.has(subject)) wanted.add(subject)
      for (const subject of deny) if (!audience.subjects.has(subject)) wanted.add(subject)
    }
    for (const key of keys) if (!audience.people.has(key.individual_id)) holders.add(key.individual_id)
  }
  if (wanted.size === 0 && holders.size === 0) return
  const members = await membersOf(handle, wanted)
  const strangers = holders.union(new Set([...members.values()].flat())).difference(audience.people)
  const credentials = await usableCredentials(handle, strangers)
  for (const id of strangers) {
    audience.people.set(id, audience.credentialCounts.length)
    audience.credentialCounts.push(credentials.get(id) ?? 0)
  }
  for (const subject of wanted) {
    const bits = new Bitset()
    for (const id of members.get(subject) ?? []) bits.add(audience.people.get(id) as number)
    audience.subjects.set(subject, bits)
  }
}
