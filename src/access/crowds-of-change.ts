import { Bitset } from '../core/bitset.ts'
import { Pauses } from '../core/pauses.ts'
import { at, sure } from '../core/typed.ts'
import type { Concerned } from './affected.ts'
import { knownPeople } from './counts/audience.ts'
import { everyoneIn, holdersOf, memberships } from './counts/rights-in-force.ts'
import type { Crowds, DoorRights } from './door-rights.ts'
import { before, type Looked, onBothSides } from './lists/both-sides.ts'

/** Whom the rights on both sides stand for, and who has which number. */
interface BothCrowds {
  readonly was: Crowds
  readonly is: Crowds
  readonly idOf: (number: number) => string
}

/** Whom rights stand for on both sides of a change, of those who can gain or lose by it. */
export async function crowdsOf(
  looked: Looked,
  concerning: Concerned,
  was: DoorRights,
  is: DoorRights,
): Promise<BothCrowds> {
  const { tx, at } = looked
  const onlyGrants = at === tx.now && tx.records.every(({ resource }) => resource === 'access-grants')
  return onlyGrants
    ? knownCrowds(looked, was, is)
    : readCrowds(looked, await concernedIn(looked, concerning, was, is), was, is)
}

/** So many subjects are looked up in one statement. */
const SUBJECTS = 200

/**
 * Where grants alone have changed, both sides stand for the same people, and those who are known already are not read
 * again. Only those behind what was given or taken can gain or lose: they are numbered anew, since few of them make
 * small sets.
 */
async function knownCrowds(looked: Looked, was: DoorRights, is: DoorRights): Promise<BothCrowds> {
  const handle = before(looked)
  const people = await knownPeople(handle)
  const [{ subjects: old, keyTypes: oldTypes }, { subjects: next, keyTypes: nextTypes }] = [
    await was.subjects(),
    await is.subjects(),
  ]
  const subjects = [...old.union(next)]
  for (let from = 0; from < subjects.length; from += SUBJECTS)
    await people.loadSubjects(subjects.slice(from, from + SUBJECTS))
  const held = await holdersOf(handle, [...oldTypes.union(nextTypes)])
  await people.numberLists([...held.values()])
  const numbers = new Map<number, number>()
  const pauses = new Pauses()
  for (const subject of (await was.differences(is)).subjects) {
    await pauses.take()
    people.behind(subject)?.forEach((person) => {
      if (!numbers.has(person)) numbers.set(person, numbers.size)
    })
  }
  const members = new Map<string, Bitset>()
  for (const subject of subjects) {
    await pauses.take()
    people.behind(subject)?.forEach((person) => {
      put(members, subject, numbers.get(person))
    })
  }
  const holders = new Map<string, Bitset>()
  for (const [type, list] of held) {
    await pauses.take()
    for (const person of sure(people.numbersOf(list))) put(holders, type, numbers.get(person))
  }
  const ids = [...numbers.keys()].map((person) => people.idOf(person))
  const crowds = { members, holders }
  return { was: crowds, is: crowds, idOf: (number) => at(ids, number) }
}

/** Only whom the change concerns can gain or lose: by what was given or taken, or by what they are or belong to. */
async function concernedIn(looked: Looked, { crowd }: Concerned, was: DoorRights, is: DoorRights): Promise<string[]> {
  const differences = await was.differences(is)
  const concerned = new Set<string>()
  for (const some of await onBothSides(looked, (handle) => everyoneIn(handle, crowd.union(differences.subjects))))
    for (const id of some) concerned.add(id)
  for (const some of await onBothSides(looked, (handle) => holdersOf(handle, [...differences.keyTypes])))
    for (const holders of some.values()) for (const id of holders) concerned.add(id)
  return [...concerned]
}

/** So many people are looked at in one statement. */
const PEOPLE = 250

/**
 * Whom the subjects and key types of these rights stand for, of those whom the change concerns: nobody else is looked
 * at.
 */
async function readCrowds(
  looked: Looked,
  ids: readonly string[],
  was: DoorRights,
  is: DoorRights,
): Promise<BothCrowds> {
  const numbers = new Map(ids.map((id, index) => [id, index]))
  const [{ subjects: old, keyTypes: oldTypes }, { subjects: next, keyTypes: nextTypes }] = [
    await was.subjects(),
    await is.subjects(),
  ]
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
    for (const [type, list] of await holdersOf(handle, types))
      for (const id of list) put(holders, type, numbers.get(id))
    return holders
  })
  return {
    was: { members: membersBefore, holders: holdersBefore },
    is: { members: membersAfter, holders: holdersAfter },
    idOf: (number) => at(ids, number),
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
