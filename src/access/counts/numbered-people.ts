import { Bitset } from '../../core/bitset.ts'
import { Pauses } from '../../core/pauses.ts'
import { sure } from '../../core/typed.ts'
import type { OrgHandle } from '../../db/org.ts'
import { memberships, membersOf, peopleOf, usableCredentials } from './rights-in-force.ts'

/** Groups and individuals that are allowed in and kept out. */
export interface Rights {
  allow: readonly string[]
  deny: readonly string[]
}

/** So many people are looked at again one by one. */
const FEW = 100

/** Whom or what they carry is written in them. */
export const PEOPLE_TABLES = ['individuals', 'access_group_members', 'credentials'] as const

/**
 * People by numbers, so that crowds of them are sets of bits: who is behind groups and individuals, and what they
 * carry.
 */
export class People {
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  private readonly hasCredentials: boolean
  /** The people of a group, or the one person, whom a grant to this subject lets in. */
  private readonly subjects: Map<string, Bitset>
  /** Whoever has a number keeps it. */
  private readonly numbers: Map<string, number>
  private readonly ids: string[]
  private readonly lists = new WeakMap<readonly string[], readonly number[]>()
  private readonly credentialCounts: number[]

  constructor(handle: OrgHandle, hasCredentials: boolean, before?: People) {
    this.handle = handle
    this.hasCredentials = hasCredentials
    this.numbers = before?.numbers ?? new Map()
    this.ids = before?.ids ?? []
    this.subjects = new Map(before?.subjects)
    this.credentialCounts = before?.credentialCounts.slice() ?? []
  }

  /**
   * As they are after these rows were written, in a copy; undefined: too many, or nobody can say whose rows they were.
   */
  async corrected(handle: OrgHandle, written: ReadonlyMap<string, readonly string[]>): Promise<People | undefined> {
    const touched = await peopleOf(handle, written, FEW)
    if (!touched) return undefined
    const people = new People(handle, this.hasCredentials, this)
    await people.lookAgain(touched)
    return people
  }

  private async lookAgain(touched: ReadonlySet<string>): Promise<void> {
    const found = await memberships(this.handle, [...touched])
    const groups = new Map<string, Set<string | null>>()
    for (const { id, group } of found) groups.set(id, (groups.get(id) ?? new Set([id])).add(group))
    const credentials = await this.usable(touched)
    for (const id of touched) this.credentialCounts[this.numberOf(id)] = credentials.get(id) ?? 0
    const pauses = new Pauses()
    for (const [subject, bits] of this.subjects) {
      const pause = pauses.take()
      if (pause) await pause
      let now = bits
      for (const id of touched) {
        const number = sure(this.numbers.get(id))
        const isIn = groups.get(id)?.has(subject) ?? false
        if (now.has(number) === isIn) continue
        if (now === bits) now = bits.copy()
        if (isIn) now.add(number)
        else now.remove(number)
      }
      if (now !== bits) this.subjects.set(subject, now)
    }
  }

  credentialsOf(number: number): number {
    return this.credentialCounts[number] ?? 0
  }

  idOf(number: number): string {
    return sure(this.ids[number])
  }

  /** Whom a grant to this subject lets in; undefined: it was not looked up. */
  behind(subject: string): Bitset | undefined {
    return this.subjects.get(subject)
  }

  /** Deny wins, at each access point by itself. */
  allowed({ allow, deny }: Rights): Bitset {
    const people = new Bitset()
    for (const subject of allow) people.addAll(sure(this.subjects.get(subject)))
    for (const subject of deny) people.removeAll(sure(this.subjects.get(subject)))
    return people
  }

  /** Makes the people behind these groups and individuals known, as bits. */
  async loadSubjects(subjects: readonly string[]): Promise<void> {
    const missing = new Set(subjects.filter((subject) => !this.subjects.has(subject)))
    if (missing.size === 0) return
    const members = await membersOf(this.handle, missing)
    await this.number(members.values())
    const pauses = new Pauses()
    for (const subject of missing) {
      await pauses.take()
      const bits = new Bitset()
      for (const id of members.get(subject) ?? []) bits.add(sure(this.numbers.get(id)))
      this.subjects.set(subject, bits)
    }
  }

  /** These people by their numbers instead of their ids; undefined: the list was not numbered. */
  numbersOf(ids: readonly string[]): readonly number[] | undefined {
    return this.lists.get(ids)
  }

  async numberLists(lists: ReadonlyArray<readonly string[]>): Promise<void> {
    await this.number(lists)
    const pauses = new Pauses()
    for (const ids of lists) {
      const pause = pauses.take()
      if (pause) await pause
      this.lists.set(
        ids,
        ids.map((id) => sure(this.numbers.get(id))),
      )
    }
  }

  /** Gives each person a number, and keeps how many usable credentials they have. */
  private async number(lists: Iterable<readonly string[]>): Promise<void> {
    const strangers = new Set<string>()
    const pauses = new Pauses()
    for (const ids of lists) {
      const pause = pauses.take()
      if (pause) await pause
      for (const id of ids) if (this.credentialCounts[this.numberOf(id)] === undefined) strangers.add(id)
    }
    if (strangers.size === 0) return
    const credentials = await this.usable(strangers)
    for (const id of strangers) this.credentialCounts[this.numberOf(id)] = credentials.get(id) ?? 0
  }

  private numberOf(id: string): number {
    let number = this.numbers.get(id)
    if (number === undefined) {
      number = this.numbers.size
      this.numbers.set(id, number)
      this.ids.push(id)
    }
    return number
  }

  private async usable(ids: ReadonlySet<string>): Promise<Map<string, number>> {
    return this.hasCredentials ? usableCredentials(this.handle, ids) : new Map()
  }
}
