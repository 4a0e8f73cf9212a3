import { Bitset } from '../core/bitset.ts'
import { boundedMap } from '../core/bounded-map.ts'
import { Kept } from '../db/kept.ts'
import type { OrgHandle } from '../db/org.ts'
import { perEngine } from '../db/per-engine.ts'
import { type Places, placesOf } from '../db/places.ts'
import {
  countOwnRights,
  type Grant,
  grantsByPlace,
  grantsOn,
  holdersOf,
  keyTypesAt,
  membersOf,
  usableCredentials,
} from './rights-in-force.ts'

/**
 * How many people may pass into a space, and with how many credentials and keys.
 *
 * Most spaces of a building have the same rights, so whom a building lets in is worked out once, as a set of bits, and a
 * space adds what it has of its own. What a page needs and is not known yet is loaded for the whole page at once.
 * Everything here is forgotten when something changes that decides who may open what, when a place moves, or when the
 * clock reaches the next validity boundary. A transaction works it out for itself: it may see what others never will.
 */
export interface Counts {
  individuals: number
  credentials: number
}

export interface SpaceRef {
  id: string
  building_id: string
  /** Its access points. One without a system to read cards is opened by keys alone: grants on it open nothing. */
  points: ReadonlyArray<{ id: string; hasReader: boolean }>
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
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  /** Grants in force on locations and buildings, by the place they stand on. */
  readonly byPlace: Map<string, Grant[]>
  readonly byBuilding = new Map<string, Crowd & { rights: Rights }>()
  /** Who holds the keys of a type: one number for each key. */
  readonly holders = boundedMap<number[]>(20_000)
  /** How many pages were asked for; the rights of all single spaces and doors, once that is worth their memory. */
  pages = 0
  all: Own | undefined
  /** The people of a group, or the one person, whom a grant to this subject lets in. */
  readonly subjects = new Map<string, Bitset>()
  readonly people = new Map<string, number>()
  readonly credentialCounts: number[] = []

  constructor(handle: OrgHandle, byPlace: Map<string, Grant[]>) {
    this.handle = handle
    this.byPlace = byPlace
  }
}

const audiences = perEngine((engine) => new Kept<Audience>(engine, { name: 'audiences', max: 20 }))

const load = async (handle: OrgHandle): Promise<Audience> => new Audience(handle, await grantsByPlace(handle))

/** The counts for a page of spaces, with a fixed number of look-ups whatever its size. */
export async function countAudience(asking: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, Counts>> {
  const audience = await audiences(asking.engine).get(asking, `${asking.org}`, load)
  const counts = await countWith(audience, page)
  // What it has read by now may be more than it had when it was found untouched.
  return audience.handle !== asking && asking.hasWritten(audience.handle.reads) ? countWith(await load(asking), page) : counts
}

async function countWith(audience: Audience, page: readonly SpaceRef[]): Promise<Map<string, Counts>> {
  const { handle } = audience
  audience.pages += 1
  if (audience.pages === WORTHWHILE && (await countOwnRights(handle)) <= KEPT_RIGHTS)
    audience.all = await loadOwn(handle, audience, 'all', 'all')
  const points = page.flatMap((space) => space.points.map((point) => point.id))
  const own = audience.all ?? (await loadOwn(handle, audience, [...page.map((space) => space.id), ...points], points))
  await loadBuildings(handle, audience, new Set(page.map((space) => space.building_id)))
  return new Map(page.map((space) => [space.id, count(audience, space, own)]))
}

/** After so many pages under the same rights, all rights of single spaces and doors are loaded, if they are not too many. */
const WORTHWHILE = 20
const KEPT_RIGHTS = 100_000

async function loadOwn(
  handle: OrgHandle,
  audience: Audience,
  targets: readonly string[] | 'all',
  points: readonly string[] | 'all',
): Promise<Own> {
  const grants = await grantsOn(handle, targets)
  const keyTypes = await keyTypesAt(handle, points)
  const held = points === 'all' ? await allKeys(handle, audience) : await keysOf(handle, audience, new Set([...keyTypes.values()].flat()))
  await loadSubjects(
    handle,
    audience,
    [...grants.values()].flatMap((list) => list.map((grant) => grant.subject)),
  )
  return { grants, keyTypes, held }
}

async function allKeys(handle: OrgHandle, audience: Audience): Promise<Map<string, number[]>> {
  return numbered(handle, audience, await holdersOf(handle, 'all'))
}

const NO_GRANTS: Grant[] = []
const NO_TYPES: string[] = []
const NO_HOLDERS: number[] = []

/** What a page's spaces and access points have of their own. */
interface Own {
  grants: ReadonlyMap<string, Grant[]>
  keyTypes: ReadonlyMap<string, string[]>
  held: ReadonlyMap<string, number[]>
}

function count(audience: Audience, space: SpaceRef, { grants, keyTypes, held }: Own): Counts {
  const building = audience.byBuilding.get(space.building_id) as Crowd & { rights: Rights }
  const ofSpace = grants.get(space.id) ?? NO_GRANTS
  const types = new Set<string>()
  let asBuilding = false
  let further: Bitset | undefined
  for (const { id: point, hasReader } of space.points) {
    const ofPoint = grants.get(point) ?? NO_GRANTS
    if (hasReader && ofSpace.length === 0 && ofPoint.length === 0) asBuilding = true
    else if (hasReader) {
      further ??= new Bitset()
      further.addAll(peopleOf(audience, extended(building.rights, [...ofSpace, ...ofPoint])))
    }
    for (const type of keyTypes.get(point) ?? NO_TYPES) types.add(type)
  }
  // A key is of one type, so the keys of different types are different keys.
  let keys = 0
  for (const type of types) {
    const holders = held.get(type) ?? NO_HOLDERS
    keys += holders.length
    further ??= new Bitset()
    for (const holder of holders) further.add(holder)
  }
  const base = asBuilding ? building : NOBODY
  let { individuals, credentials } = base
  further?.forEach((index) => {
    if (base.people.has(index)) return
    individuals += 1
    credentials += audience.credentialCounts[index] as number
  })
  return { individuals, credentials: credentials + keys }
}

const NOBODY: Crowd = { people: new Bitset(), individuals: 0, credentials: 0 }

const extended = (base: Rights, grants: readonly Grant[]): Rights => ({
  allow: [...base.allow, ...subjectsOf(grants, 'allow')],
  deny: [...base.deny, ...subjectsOf(grants, 'deny')],
})

const subjectsOf = (grants: readonly Grant[], effect: Grant['effect']): string[] =>
  grants.filter((grant) => grant.effect === effect).map((grant) => grant.subject)

/** Deny wins, at each access point by itself. */
function peopleOf(audience: Audience, { allow, deny }: Rights): Bitset {
  const people = new Bitset()
  for (const subject of allow) people.addAll(audience.subjects.get(subject) as Bitset)
  for (const subject of deny) people.removeAll(audience.subjects.get(subject) as Bitset)
  return people
}

/** Whom the grants on a building and on the places above it let in. */
async function loadBuildings(handle: OrgHandle, audience: Audience, ids: ReadonlySet<string>): Promise<void> {
  const places = await placesOf(handle)
  const missing = [...ids].filter((id) => !audience.byBuilding.has(id)).map((id) => ({ id, rights: rightsAt(id, places, audience) }))
  await loadSubjects(
    handle,
    audience,
    missing.flatMap(({ rights }) => [...rights.allow, ...rights.deny]),
  )
  for (const { id, rights } of missing) {
    const people = peopleOf(audience, rights)
    let individuals = 0
    let credentials = 0
    people.forEach((index) => {
      individuals += 1
      credentials += audience.credentialCounts[index] as number
    })
    audience.byBuilding.set(id, { rights, people, individuals, credentials })
  }
}

function rightsAt(buildingId: string, places: Places, audience: Audience): Rights {
  const above = places.above(buildingId)
  const grants = [...above.locations, ...above.buildings].flatMap((id) => audience.byPlace.get(id) ?? NO_GRANTS)
  return extended({ allow: [], deny: [] }, grants)
}

/** The held keys of these types, and their holders made known. What is remembered may be forgotten meanwhile, so it is handed over. */
async function keysOf(handle: OrgHandle, audience: Audience, types: ReadonlySet<string>): Promise<Map<string, number[]>> {
  const held = new Map<string, number[]>()
  const missing: string[] = []
  for (const type of types) {
    const known = audience.holders.get(type)
    if (known) held.set(type, known)
    else missing.push(type)
  }
  if (missing.length === 0) return held
  const found = await numbered(handle, audience, await holdersOf(handle, missing))
  for (const type of missing) {
    const holders = found.get(type) ?? NO_HOLDERS
    held.set(type, holders)
    audience.holders.set(type, holders)
  }
  return held
}

/** People by their numbers instead of their ids. */
async function numbered(handle: OrgHandle, audience: Audience, lists: Map<string, string[]>): Promise<Map<string, number[]>> {
  await loadPeople(handle, audience, new Set([...lists.values()].flat()))
  return new Map([...lists].map(([key, ids]) => [key, ids.map((id) => audience.people.get(id) as number)]))
}

/** Makes the people behind these groups and individuals known, as bits. */
async function loadSubjects(handle: OrgHandle, audience: Audience, subjects: readonly string[]): Promise<void> {
  const missing = new Set(subjects.filter((subject) => !audience.subjects.has(subject)))
  if (missing.size === 0) return
  const members = await membersOf(handle, missing)
  await loadPeople(handle, audience, new Set([...members.values()].flat()))
  for (const subject of missing) {
    const bits = new Bitset()
    for (const id of members.get(subject) ?? []) bits.add(audience.people.get(id) as number)
    audience.subjects.set(subject, bits)
  }
}

/** Gives each person a number, and keeps how many usable credentials they have. */
async function loadPeople(handle: OrgHandle, audience: Audience, ids: ReadonlySet<string>): Promise<void> {
  const strangers = ids.difference(audience.people)
  if (strangers.size === 0) return
  const credentials = await usableCredentials(handle, strangers)
  for (const id of strangers) {
    // Two pages may meet the same person at once.
    if (audience.people.has(id)) continue
    audience.people.set(id, audience.credentialCounts.length)
    audience.credentialCounts.push(credentials.get(id) ?? 0)
  }
}
