import { setImmediate as nextTurn } from 'node:timers/promises'
import { Bitset } from '../../core/bitset.ts'
import { boundedMap } from '../../core/bounded-map.ts'
import { sure } from '../../core/typed.ts'
import { Kept } from '../../db/kept/kept.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { type Places, placesOf } from '../../db/places.ts'
import { PEOPLE_TABLES, People, type Rights } from './numbered-people.ts'
import { countOwnRights, type Grant, grantsByPlace, grantsOn, holdersOf, keyTypesAt } from './rights-in-force.ts'

/**
 * How many people may pass into a space, and with how many credentials and keys.
 *
 * Most spaces of a building have the same rights, so whom a building lets in is worked out once, as a set of bits, and
 * a space adds what it has of its own. What a page needs and is not known yet is loaded for the whole page at once.
 * Everything here is forgotten when something changes that decides who may open what, when a place moves, or when the
 * clock reaches the next validity boundary. A transaction that has written something of it works it out for itself: it
 * sees what others may never see.
 */
export interface Counts {
  readonly individuals: number
  readonly credentials: number
}

export interface SpaceRef {
  id: string
  building_id: string
  /** Its access points. One without a system to read cards is opened by keys alone: grants on it open nothing. */
  points: ReadonlyArray<{ id: string; access_control_system_id: string | null }>
}

/** Whom a set of rights lets in. */
interface Crowd {
  readonly people: Bitset
  readonly counts: Counts
}

/** What is given at places. It changes with every grant, and is little; whom it is given to is much, and stays. */
class Audience {
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  /** Grants in force on the locations and buildings that were asked about, by the place they stand on. */
  readonly byPlace = new Map<string, readonly Grant[]>()
  /** Who holds the keys of a type: an id for each key. */
  readonly holders = boundedMap<readonly string[]>(20_000)
  /** How much was asked for; the rights of all single spaces and doors, once that is worth their memory. */
  asked = 0
  all: Own | undefined
  private readonly views = new WeakMap<People, View>()

  constructor(handle: OrgHandle) {
    this.handle = handle
  }

  async loadPlaces(ids: readonly string[]): Promise<void> {
    const missing = new Set(ids.filter((id) => !this.byPlace.has(id)))
    const found = await grantsByPlace(this.handle, missing)
    for (const id of missing) this.byPlace.set(id, found.get(id) ?? NO_GRANTS)
  }

  /** What it comes to for these people: their numbers are theirs alone. */
  viewOf(people: People): View {
    let view = this.views.get(people)
    if (!view) {
      view = { audience: this, people, byBuilding: new Map() }
      this.views.set(people, view)
    }
    return view
  }
}

interface View {
  readonly audience: Audience
  readonly people: People
  readonly byBuilding: Map<string, Crowd & { rights: Rights }>
}

const audiences = perEngine((engine) => new Kept<Audience>(engine, { name: 'audiences', max: 20 }))
const crowds = perEngine(
  (engine) =>
    new Kept<People>(engine, {
      name: 'crowds',
      max: 40,
      correction: { tables: PEOPLE_TABLES, make: (people, handle, written) => people.corrected(handle, written) },
    }),
)

/** They read later, and by the clock: they are good up to the next boundary from the beginning. */
const load = async (handle: OrgHandle): Promise<Audience> => {
  handle.reads.noteClock()
  return new Audience(handle)
}

/** The counts for a page of spaces, with a fixed number of look-ups whatever its size. */
export const countAudience = (asking: OrgHandle, page: readonly SpaceRef[]): Promise<Map<string, Counts>> =>
  counted(asking, page, true)

/** The people alone: a card that is given to somebody changes nothing about how many they are. */
export async function countPeople(asking: OrgHandle, space: SpaceRef): Promise<number> {
  return (await counted(asking, [space], false)).get(space.id)?.individuals ?? 0
}

/** The people who are known by numbers, as they are now: what somebody has asked about them need not be read again. */
export const knownPeople = (asking: OrgHandle, hasCredentials = false): People | Promise<People> =>
  crowds(asking.engine).get(asking, `${asking.org} ${hasCredentials}`, (handle) => numbering(handle, hasCredentials))

const numbering = async (handle: OrgHandle, hasCredentials: boolean): Promise<People> => {
  handle.reads.noteClock()
  return new People(handle, hasCredentials)
}

async function counted(
  asking: OrgHandle,
  page: readonly SpaceRef[],
  hasCredentials: boolean,
): Promise<Map<string, Counts>> {
  const looking = await beside(asking)
  const people = await knownPeople(looking, hasCredentials)
  const audience = await audiences(asking.engine).get(looking, `${asking.org}`, load)
  const counts = await countWith(audience.viewOf(people), page)
  // What they have read by now may be more than they had when they were found untouched.
  const isOther = [audience.handle, people.handle].some(
    (handle) => handle !== asking && asking.hasWritten(handle.reads),
  )
  return isOther ? countWith((await load(asking)).viewOf(await numbering(asking, hasCredentials)), page) : counts
}

/**
 * A transaction looks at what everybody sees: what has to be made first is then made for all who come later, and not by
 * every change anew. Where it has written something of that, it counts for itself afterwards.
 */
const beside = async (asking: OrgHandle): Promise<OrgHandle> =>
  asking.isTransaction && (await asking.committed())
    ? new OrgHandle(asking.engine, asking.org, asking.instant, asking.engine.reader, asking.signal)
    : asking

async function countWith(view: View, page: readonly SpaceRef[]): Promise<Map<string, Counts>> {
  const { audience } = view
  if (isWorthwhile(audience, page)) void loadAll(view)
  const own = audience.all ?? (await loadOwnOf(audience, page))
  const known = countKnown(view, page, own)
  if (known) return known
  await loadMissing(view, missingFor(view, page, own))
  return sure(countKnown(view, page, own))
}

/** Undefined: something that it takes was not looked up yet. */
function countKnown(view: View, page: readonly SpaceRef[], own: Own): Map<string, Counts> | undefined {
  const counts = new Map<string, Counts>()
  for (const space of page) {
    const known = count(view, space, own)
    if (!known) return undefined
    counts.set(space.id, known)
  }
  return counts
}

/** What a page needs and nobody has asked for yet. */
interface Missing {
  readonly subjects: ReadonlySet<string>
  readonly held: ReadonlyArray<readonly string[]>
  readonly buildings: ReadonlySet<string>
}

function missingFor({ people, byBuilding }: View, page: readonly SpaceRef[], own: Own): Missing {
  const buildings = new Set(page.map((space) => space.building_id).filter((id) => !byBuilding.has(id)))
  const points = page.flatMap((space) => space.points.map((point) => point.id))
  const targets = [...page.map((space) => space.id), ...points]
  const subjects = new Set(subjectsIn(targets.map((id) => own.grants.get(id) ?? NO_GRANTS)))
  const types = new Set(points.flatMap((id) => own.keyTypes.get(id) ?? NO_TYPES))
  const held = [...types].map((type) => own.held.get(type) ?? NO_HOLDERS).filter((list) => !people.numbersOf(list))
  return { subjects, held, buildings }
}

async function loadMissing(view: View, { subjects, held, buildings }: Missing): Promise<void> {
  await view.people.loadSubjects([...subjects])
  await view.people.numberLists(held)
  await loadBuildings(view, buildings)
}

const subjectsIn = (lists: Iterable<readonly Grant[]>): string[] =>
  [...lists].flatMap((list) => list.map(({ subject }) => subject))

/**
 * After so many single spaces, or a tenth as many pages, under the same rights all rights of single spaces and doors
 * are loaded, if they are not too many.
 */
const WORTHWHILE = 200
const PAGE = 10

/** Once, as it becomes so. */
function isWorthwhile(audience: Audience, page: readonly SpaceRef[]): boolean {
  if (audience.handle.isTransaction || audience.asked >= WORTHWHILE) return false
  audience.asked += page.length > 1 ? PAGE : 1
  return audience.asked >= WORTHWHILE
}

const KEPT_RIGHTS = 100_000
/** The people of so many groups are looked up at once; then others have their turn. */
const SLICE = 200

/** Nobody waits for it: until it is there, and where it fails, each page is asked for by itself. */
async function loadAll({ audience, people }: View): Promise<void> {
  try {
    if ((await countOwnRights(audience.handle)) > KEPT_RIGHTS) return
    const all = await loadOwn(audience, 'all', 'all')
    const subjects = [...new Set(subjectsIn(all.grants.values()))]
    for (let from = 0; from < subjects.length; from += SLICE) {
      await people.loadSubjects(subjects.slice(from, from + SLICE))
      await nextTurn()
    }
    audience.all = all
  } catch {}
}

const loadOwnOf = (audience: Audience, page: readonly SpaceRef[]): Promise<Own> => {
  const points = page.flatMap((space) => space.points.map((point) => point.id))
  return loadOwn(audience, [...page.map((space) => space.id), ...points], points)
}

async function loadOwn(
  audience: Audience,
  targets: readonly string[] | 'all',
  points: readonly string[] | 'all',
): Promise<Own> {
  const { handle } = audience
  const [grants, keyTypes] = await Promise.all([grantsOn(handle, targets), keyTypesAt(handle, points)])
  const held =
    points === 'all' ? await holdersOf(handle, 'all') : await keysOf(audience, new Set([...keyTypes.values()].flat()))
  return { grants, keyTypes, held }
}

const NO_GRANTS: Grant[] = []
const NO_TYPES: string[] = []
const NO_HOLDERS: never[] = []

/** What spaces and access points have of their own; who holds the keys of a type, one for each key. */
interface Own {
  readonly grants: ReadonlyMap<string, Grant[]>
  readonly keyTypes: ReadonlyMap<string, string[]>
  readonly held: ReadonlyMap<string, readonly string[]>
}

/** Mostly as of its building, which is known: few spaces have any rights of their own. */
function count({ people, byBuilding }: View, space: SpaceRef, { grants, keyTypes, held }: Own): Counts | undefined {
  const building = byBuilding.get(space.building_id)
  if (!building) return undefined
  const ofSpace = grants.get(space.id) ?? NO_GRANTS
  let types: Set<string> | undefined
  let asBuilding = false
  let further: Bitset | undefined
  for (const { id: point, access_control_system_id: reader } of space.points) {
    const ofPoint = grants.get(point) ?? NO_GRANTS
    if (reader !== null && ofSpace.length === 0 && ofPoint.length === 0) asBuilding = true
    else if (reader !== null) {
      const own = [...ofSpace, ...ofPoint]
      if (!own.every(({ subject }) => people.behind(subject))) return undefined
      further ??= new Bitset()
      further.addAll(people.allowed(extended(building.rights, own)))
    }
    for (const type of keyTypes.get(point) ?? NO_TYPES) types = (types ?? new Set()).add(type)
  }
  const base = asBuilding ? building : NOBODY
  if (!types && !further) return base.counts
  // A key is of one type, so the keys of different types are different keys.
  let keys = 0
  further ??= new Bitset()
  for (const type of types ?? NO_TYPES) {
    const holders = people.numbersOf(held.get(type) ?? NO_HOLDERS)
    if (!holders) return undefined
    keys += holders.length
    for (const holder of holders) further.add(holder)
  }
  let { individuals, credentials } = base.counts
  further.forEach((index) => {
    if (base.people.has(index)) return
    individuals += 1
    credentials += people.credentialsOf(index)
  })
  return { individuals, credentials: credentials + keys }
}

const NOBODY: Crowd = { people: new Bitset(), counts: { individuals: 0, credentials: 0 } }

const extended = (base: Rights, grants: readonly Grant[]): Rights => ({
  allow: [...base.allow, ...subjectsOf(grants, 'allow')],
  deny: [...base.deny, ...subjectsOf(grants, 'deny')],
})

const subjectsOf = (grants: readonly Grant[], effect: Grant['effect']): string[] =>
  grants.filter((grant) => grant.effect === effect).map((grant) => grant.subject)

/** Whom the grants on a building and on the places above it let in. */
async function loadBuildings({ audience, people, byBuilding }: View, ids: ReadonlySet<string>): Promise<void> {
  const places = await placesOf(audience.handle)
  const unknown = [...ids].filter((id) => !byBuilding.has(id))
  await audience.loadPlaces(unknown.flatMap((id) => Object.values(places.above(id)).flat()))
  const missing = unknown.map((id) => ({ id, rights: rightsAt(id, places, audience) }))
  await people.loadSubjects(missing.flatMap(({ rights }) => [...rights.allow, ...rights.deny]))
  for (const { id, rights } of missing) {
    const allowed = people.allowed(rights)
    let individuals = 0
    let credentials = 0
    allowed.forEach((index) => {
      individuals += 1
      credentials += people.credentialsOf(index)
    })
    byBuilding.set(id, { rights, people: allowed, counts: { individuals, credentials } })
  }
}

function rightsAt(buildingId: string, places: Places, audience: Audience): Rights {
  const above = places.above(buildingId)
  const grants = [...above.locations, ...above.buildings].flatMap((id) => audience.byPlace.get(id) ?? NO_GRANTS)
  return extended({ allow: [], deny: [] }, grants)
}

/** The held keys of these types. What is remembered may be forgotten meanwhile, so it is handed over. */
async function keysOf(
  { handle, holders: remembered }: Audience,
  types: ReadonlySet<string>,
): Promise<Map<string, readonly string[]>> {
  const held = new Map<string, readonly string[]>()
  const missing: string[] = []
  for (const type of types) {
    const known = remembered.get(type)
    if (known) held.set(type, known)
    else missing.push(type)
  }
  if (missing.length === 0) return held
  const found = await holdersOf(handle, missing)
  for (const type of missing) {
    const holders = found.get(type) ?? NO_HOLDERS
    held.set(type, holders)
    remembered.set(type, holders)
  }
  return held
}
