import { Bitset } from '../../core/bitset.ts'
import type { OrgHandle } from '../../db/org.ts'
import { membersOf, usableCredentials } from './rights-in-force.ts'

/** Groups and individuals that are allowed in and kept out. */
export interface Rights {
  allow: readonly string[]
  deny: readonly string[]
}

/** People by numbers, so that crowds of them are sets of bits: who is behind groups and individuals, and what they carry. */
export class People {
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  private readonly hasCredentials: boolean
  /** The people of a group, or the one person, whom a grant to this subject lets in. */
  private readonly subjects = new Map<string, Bitset>()
  private readonly numbers = new Map<string, number>()
  private readonly credentialCounts: number[] = []

  constructor(handle: OrgHandle, hasCredentials: boolean) {
    this.handle = handle
    this.hasCredentials = hasCredentials
  }

  credentialsOf(number: number): number {
    return this.credentialCounts[number] ?? 0
  }

  /** Deny wins, at each access point by itself. */
  allowed({ allow, deny }: Rights): Bitset {
    const people = new Bitset()
    for (const subject of allow) people.addAll(this.subjects.get(subject) as Bitset)
    for (const subject of deny) people.removeAll(this.subjects.get(subject) as Bitset)
    return people
  }

  /** Makes the people behind these groups and individuals known, as bits. */
  async loadSubjects(subjects: readonly string[]): Promise<void> {
    const missing = new Set(subjects.filter((subject) => !this.subjects.has(subject)))
    if (missing.size === 0) return
    const members = await membersOf(this.handle, missing)
    await this.number(new Set([...members.values()].flat()))
    for (const subject of missing) {
      const bits = new Bitset()
      for (const id of members.get(subject) ?? []) bits.add(this.numbers.get(id) as number)
      this.subjects.set(subject, bits)
    }
  }

  /** People by their numbers instead of their ids. */
  async numbered(lists: ReadonlyMap<string, readonly string[]>): Promise<Map<string, number[]>> {
    await this.number(new Set([...lists.values()].flat()))
    return new Map([...lists].map(([key, ids]) => [key, ids.map((id) => this.numbers.get(id) as number)]))
  }

  /** Gives each person a number, and keeps how many usable credentials they have. */
  private async number(ids: ReadonlySet<string>): Promise<void> {
    const strangers = ids.difference(this.numbers)
    if (strangers.size === 0) return
    const credentials = this.hasCredentials ? await usableCredentials(this.handle, strangers) : new Map<string, number>()
    for (const id of strangers) {
      // Two pages may meet the same person at once.
      if (this.numbers.has(id)) continue
      this.numbers.set(id, this.credentialCounts.length)
      this.credentialCounts.push(credentials.get(id) ?? 0)
    }
  }
}
