import { Bitset } from '../core/bitset.ts'
import { Pauses } from '../core/pauses.ts'
import type { Rights, Scope } from '../core/rights.ts'
import type { ChangeRecord } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { sql } from '../db/sql.ts'
import { type AffectedDoor, type Concerned, concernedBy, doorsIn } from './affected.ts'
import { knownPeople } from './counts/audience.ts'
import { everyoneIn, grantsByPlace, grantsOn, holdersOf, keyTypesAt, memberships } from './counts/rights-in-force.ts'
import { type Crowds, DoorRights, Names, OwnRights } from './door-rights.ts'
import { before, type Looked, onBothSides, onOneSide } from './lists/both-sides.ts'

interface Side {
  people: number
  doors: number
  pairs: number
  /** The first hundred, by door and name. */
  first: Array<{ individual_id: string | null; display_name: string; access_point_id: string; name: string }>
}

export interface Impact {
  /** Null: now. */
  at: string | null
  gained: Side
  lost: Side
}

type Sides = Pick<Impact, 'gained' | 'lost'>

const SHOWN = 100
/** So many moments to come are looked at. */
const MOMENTS = 8

/**
 * Who would gain and lose which doors by what the transaction has done so far, as far as the caller may see who can open doors;
 * null: not at all. Whoever may see that alone sees people by name. Where nobody does now, it is told of the first moment at which
 * somebody does, of those at which a window that was written begins or ends.
 */
export async function impactOf(tx: Tx, rights: Rights): Promise<Impact | null> {
  const scope = rights.scopeOf('access-points:audience')
  if (scope === undefined) return null
  const now = await impactAt({ tx, at: tx.now }, rights, scope)
  if (isAny(now)) return { at: null, ...now }
  for (const at of momentsIn(tx).slice(0, MOMENTS)) {
    const then = await impactAt({ tx, at }, rights, scope)
    if (isAny(then)) return { at, ...then }
  }
  return { at: null, ...now }
}

const isAny = ({ gained, lost }: Sides): boolean => gained.pairs + lost.pairs > 0

/** When windows of rows as they were, or as they were written, begin and end, from now on. */
function momentsIn({ records, now }: Tx): string[] {
  const moments = records.flatMap(({ before: was, after: is }) =>
    [was, is].flatMap((row) => {
      const { valid_from, valid_until } = (row ?? {}) as Partial<Record<string, unknown>>
      return [valid_from, valid_until].filter((moment) => typeof moment === 'string' && moment > now) as string[]
    }),
  )
  return [...new Set(moments)].sort()
}

async function impactAt(looked: Looked, rights: Rights, scope: Scope): Promise<Sides> {
  const { tx } = looked
  const seesPeople = rights.can('individuals:read')
  const concerning = concernedBy(tx.records)
  const [doorsBefore, doorsAfter] = await onBothSides(looked, (handle) => doorsIn(handle, concerning, scope))
  const [was, is] = await rightsOf(looked, doorsBefore, doorsAfter)
  const onlyGrants = tx.records.every(({ resource }) => resource === 'access-grants') && looked.at === tx.now
  const crowds = onlyGrants
    ? await knownCrowds(looked, was, is)
    : await crowdsOf(looked, await concernedIn(looked, concerning, was, is), was, is)
  const names = new Map([...doorsBefore, ...doorsAfter].map((door) => [door.id, door]))
  const gained = new Tally()
  const lost = new Tally()
  const known = new Map<string, [gained: Bitset, lost: Bitset]>()
  const pauses = new Pauses()
  for (const door of names.values()) {
    await pauses.take()
    const [a, b] = [was.shapeOf(door.id), is.shapeOf(door.id)]
    // Most doors of a building have the same rights: two that had and have the same differ alike.
    const key = `${a}|${b}`
    let difference = known.get(key)
    if (!difference) {
      const [old, now] = [was.peopleOf(a, crowds.was), is.peopleOf(b, crowds.is)]
      difference = [now.without(old), old.without(now)]
      known.set(key, difference)
    }
    gained.add(door, difference[0])
    lost.add(door, difference[1])
  }
  const { idOf } = crowds
  return { gained: await gained.shown(tx, idOf, seesPeople), lost: await lost.shown(before(looked), idOf, seesPeople) }
}

/** Whom the rights on both sides stand for, and who has which number. */
interface BothCrowds {
  readonly was: Crowds
  readonly is: Crowds
  readonly idOf: (number: number) => string
}

/** So many subjects are looked up in one statement. */
const SUBJECTS = 200

/**
 * Where grants alone have changed, both sides stand for the same people, and those who are known already are not read again. Only those
 * behind what was given or taken can gain or lose: they are numbered anew, since few of them make small sets.
 */
async function knownCrowds(looked: Looked, was: DoorRights, is: DoorRights): Promise<BothCrowds> {
  const handle = before(looked)
  const people = await knownPeople(handle)
  const [{ subjects: old, keyTypes: oldTypes }, { subjects: next, keyTypes: nextTypes }] = [was.subjects(), is.subjects()]
  const subjects = [...old.union(next)]
  for (let from = 0; from < subjects.length; from += SUBJECTS) await people.loadSubjects(subjects.slice(from, from + SUBJECTS))
  const held = await people.numbered(await holdersOf(handle, [...oldTypes.union(nextTypes)]))
  const numbers = new Map<number, number>()
  for (const subject of was.differences(is).subjects)
    people.behind(subject)?.forEach((person) => {
      if (!numbers.has(person)) numbers.set(person, numbers.size)
    })
  const members = new Map<string, Bitset>()
  const pauses = new Pauses()
  for (const subject of subjects) {
    await pauses.take()
    people.behind(subject)?.forEach((person) => {
      put(members, subject, numbers.get(person))
    })
  }
  const holders = new Map<string, Bitset>()
  for (const [type, list] of held) for (const person of list) put(holders, type, numbers.get(person))
  const ids = [...numbers.keys()].map((person) => people.idOf(person))
  const crowds = { members, holders }
  return { was: crowds, is: crowds, idOf: (number) => ids[number] as string }
}

/** Only whom the change concerns can gain or lose: by what was given or taken, or by what they are or belong to. */
async function concernedIn(looked: Looked, { subjects }: Concerned, was: DoorRights, is: DoorRights): Promise<string[]> {
  const differences = was.differences(is)
  const concerned = new Set<string>()
  for (const some of await onBothSides(looked, (handle) => everyoneIn(handle, subjects.union(differences.subjects))))
    for (const id of some) concerned.add(id)
  for (const some of await onBothSides(looked, (handle) => holdersOf(handle, [...differences.keyTypes])))
    for (const holders of some.values()) for (const id of holders) concerned.add(id)
  return [...concerned]
}

/** What the doors have before and after. */
async function rightsOf(
  looked: Looked,
  before: readonly AffectedDoor[],
  after: readonly AffectedDoor[],
): Promise<[DoorRights, DoorRights]> {
  const points = [...new Set([...before, ...after].map(({ id }) => id))]
  const targets = [...new Set([...points, ...[...before, ...after].map(({ space_id }) => space_id)])]
  const [placesBefore, placesAfter] = await onBothSides(looked, placesOf)
  const around = new Set(
    [placesBefore, placesAfter].flatMap((places) =>
      [...new Set([...before, ...after].map(({ building_id }) => building_id))].flatMap((id) => Object.values(places.above(id)).flat()),
    ),
  )
  const [wideBefore, wideAfter] = await onBothSides(looked, (handle) => grantsByPlace(handle, around))
  // A grant on a building or a location leaves those on single spaces and doors as they were: they are read once.
  const reading = looked.tx.records.every(isWideGrant) ? onOneSide : onBothSides
  const [ownBefore, ownAfter] = await reading(looked, (handle) => grantsOn(handle, targets))
  const [typesBefore, typesAfter] = await onBothSides(looked, (handle) => keyTypesAt(handle, points))
  const names = new Names()
  const was = new OwnRights(names, ownBefore, typesBefore)
  const is = ownAfter === ownBefore && typesAfter === typesBefore ? was : new OwnRights(names, ownAfter, typesAfter)
  return [
    await DoorRights.of({ doors: before, places: placesBefore, wide: wideBefore, own: was }),
    await DoorRights.of({ doors: after, places: placesAfter, wide: wideAfter, own: is }),
  ]
}

/** What was written is a grant, and stands on nothing smaller than a building. */
const isWideGrant = ({ resource, before, after }: ChangeRecord): boolean =>
  resource === 'access-grants' && [before, after].every((row) => row === null || isWide(row as Partial<Record<string, unknown>>))

const isWide = ({ building_id, location_id }: Partial<Record<string, unknown>>): boolean => typeof (building_id ?? location_id) === 'string'

/** So many people are looked at in one statement. */
const PEOPLE = 250

/** Whom the subjects and key types of these rights stand for, of those whom the change concerns: nobody else is looked at. */
async function crowdsOf(looked: Looked, ids: readonly string[], was: DoorRights, is: DoorRights): Promise<BothCrowds> {
  const numbers = new Map(ids.map((id, index) => [id, index]))
  const [{ subjects: old, keyTypes: oldTypes }, { subjects: next, keyTypes: nextTypes }] = [was.subjects(), is.subjects()]
  const [subjects, types] = [old.union(next), [...oldTypes.union(nextTypes)]]
  const [membersBefore, membersAfter] = await onBothSides(looked, async (handle) => {
    const members = new Map<string, Bitset>()
    for (let from = 0; from < ids.length; from += PEOPLE)
      for (const { id, group } of await memberships(handle, ids.slice(from, from + PEOPLE))) {
        // Who is in several groups comes several times.
        if (subjects.has(id)) put(members, id, numbers.get(id))
        if (group !== null && subjects.has(group)) put(members, group, numbers.get(id))
      }
    return members
  })
  const [holdersBefore, holdersAfter] = await onBothSides(looked, async (handle) => {
    const holders = new Map<string, Bitset>()
    for (const [type, list] of await holdersOf(handle, types)) for (const id of list) put(holders, type, numbers.get(id))
    return holders
  })
  return {
    was: { members: membersBefore, holders: holdersBefore },
    is: { members: membersAfter, holders: holdersAfter },
    idOf: (number) => ids[number] as string,
  }
}

function put(into: Map<string, Bitset>, key: string, number: number | undefined): void {
  if (number === undefined) return
  let bits = into.get(key)
  if (!bits) {
    bits = new Bitset()
    into.set(key, bits)
  }
  bits.add(number)
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

  async shown(handle: OrgHandle, idOf: (number: number) => string, seesPeople: boolean): Promise<Side> {
    const people = new Set(this.first.map(({ person }) => idOf(person)))
    const rows = await handle.all<{ id: string; display_name: string }>(
      sql`select t.id, t.display_name from ${handle.dialect.ids(people, 'l')} cross join individuals t where t.org = :org and t.id = l.id`,
    )
    const names = new Map(rows.map((row) => [row.id, row.display_name]))
    const first = this.first.map(({ door, person }) => {
      const id = idOf(person)
      return { individual_id: seesPeople ? id : null, display_name: names.get(id) ?? '', access_point_id: door.id, name: door.name }
    })
    return { people: this.everybody.size, doors: this.doors, pairs: this.pairs, first }
  }
}
