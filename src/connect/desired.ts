import { PEOPLE_TABLES } from '../access/counts/numbered-people.ts'
import { everyoneIn, peopleOf } from '../access/counts/rights-in-force.ts'
import { usesOf } from '../access/people.ts'
import { Settings } from '../access/settings.ts'
import { LoopTurn } from '../core/loop-turn.ts'
import { Reads } from '../db/kept/reads.ts'
import type { OrgVersions } from '../db/kept/versions.ts'
import { OrgHandle } from '../db/org.ts'
import { type Entry, type Inexpressible, keyOf } from './entry.ts'
import type { Link } from './link.ts'
import { doorRules, grantRules, type PersonRule, peopleRules, rulesOf, type SomeRules } from './rules.ts'

/**
 * What takes long to work out is worked out again after so many times as long: where doors and grants change all day,
 * the device is told of several changes at once, and whoever asks for something else has most of the time.
 */
const REST = 3
const LONGEST_REST_MS = 30_000
/** What a door is in when it must open or stay shut for everybody, at once. */
const EMERGENCIES = new Reads()
EMERGENCIES.noteLooking('lockdowns', ['released_at', 'expires_at'])
/** How often cards were used, at whichever door. */
const USES = new Reads()
USES.noteLooking('credential_uses', ['use_count'])
/** So many people are looked at one by one; where more were written, it is everybody's turn. */
const FEW = 1000

/** What a device should hold: of everything, or of these keys, where what is not desired is not to be held. */
export interface Worked {
  readonly desired: ReadonlyMap<string, Entry>
  readonly keys?: ReadonlySet<string>
}

/** From what a part of a table was made, and what it gave. */
class Part {
  reads = new Reads()
  /** All changes up to this one are in it, and all that was committed by this moment. */
  since = 0
  at = ''
  /** By the monotonic clock. */
  restsUntil = Number.NEGATIVE_INFINITY
  readonly keys = new Set<string>()
  readonly notes = new Map<string, readonly Inexpressible[]>()
}

/** Who was written, and the cards that were: somebody may not have them any more. */
interface Written {
  readonly people: ReadonlySet<string>
  readonly cards: readonly string[]
}

const NOBODY: Written = { people: new Set(), cards: [] }

/**
 * What a device should hold, worked out in parts: its doors, the grants on them, and the cards of those whom these are
 * for. A part is worked out again where something was written that it was made from; of the cards, those of the people
 * who were written. It is always the same as if all of it were worked out anew.
 */
export class Desired {
  private readonly link: Link
  private readonly turn = new LoopTurn()
  private doors = new Part()
  private grants = new Part()
  private cards = new Part()
  private isMade = false
  private targets: ReadonlySet<string> = new Set()
  private groups: ReadonlySet<string> = new Set()
  private individuals: ReadonlySet<string> = new Set()
  /** Cards that may be used a number of times, with how often they were: whose, and how often, by their ids. */
  private limited = new Map<string, { readonly individual: string; readonly uses: number }>()
  /** All that happened at the doors up to here is counted in them. */
  private live = 0

  constructor(link: Link) {
    this.link = link
  }

  /** Up to which change it is known, and to which moment. */
  get since(): number {
    return Math.min(...this.parts.map(({ since }) => since))
  }

  get at(): string {
    return this.parts.map(({ at }) => at).sort()[0] ?? ''
  }

  /** What the device cannot express. */
  get notes(): Inexpressible[] {
    return this.parts.flatMap(({ notes }) => [...notes].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, of]) => of))
  }

  /** What was worked out last may have reached nobody. */
  forget(): void {
    this.isMade = false
  }

  async whole(): Promise<Worked> {
    this.isMade = false
    const now = await this.look()
    this.limited = new Map()
    this.live = now.versions.live
    const desired = new Map<string, Entry>()
    this.doors = await this.made(now, (part) => this.workOutDoors(part, desired))
    this.grants = await this.made(now, (part) => this.workOutGrants(part, desired))
    this.cards = await this.made(now, (part) => this.workOutCards(part, desired))
    this.isMade = true
    return { desired }
  }

  /** Whether all of it is to be worked out again by now. */
  async hasMoved(): Promise<boolean> {
    if (!this.isMade) return true
    const now = await this.look()
    if ((await this.used(now)).size > 0) return true
    return this.moved(now).length > 0 && (this.isPressing(now) || this.areRested(this.parts))
  }

  /** Whether there is an emergency that is not in it, or one that is over: everything else waits for that. */
  async isPressed(): Promise<boolean> {
    return this.isPressing({ versions: await this.link.engine.versions(this.link.org) })
  }

  /**
   * What has changed; undefined: nothing, or it rests. Whatever was written by then is in it together: somebody's new
   * card beside a grant that was taken away before would open what nobody ever gave.
   */
  async changed(): Promise<Worked | undefined> {
    if (!this.isMade) return this.whole()
    const now = await this.look()
    const moved = this.moved(now)
    const written = await this.written(now)
    // Those who were written do not wait: a card may have been lost.
    const rests = (written === NOBODY || written === 'anybody') && !this.isPressing(now) && !this.areRested(moved)
    if ((moved.length === 0 && written === NOBODY) || rests) return undefined
    if (written === 'anybody') return this.whole()
    this.isMade = false
    const desired = new Map<string, Entry>()
    const concerned = new Set(written.people)
    const cards = new Set(written.cards)
    for (const key of cards) this.cards.notes.delete(key)
    const { doors, grants, targets, groups, individuals } = this
    if (moved.includes(doors)) this.doors = await this.made(now, (part) => this.workOutDoors(part, desired))
    if (moved.includes(grants) || this.targets.symmetricDifference(targets).size > 0) {
      this.grants = await this.made(now, (part) => this.workOutGrants(part, desired))
      const others = await everyoneIn(this.handle(this.cards), this.groups.symmetricDifference(groups))
      for (const id of others.union(this.individuals.symmetricDifference(individuals))) concerned.add(id)
    }
    this.forgetUses(concerned, cards)
    for await (const people of peopleRules(this.handle(this.cards), concerned)) {
      for (const key of people.flatMap(({ credentials }) => credentials.map(({ id }) => keyOf('card', id)))) {
        cards.add(key)
        this.cards.notes.delete(key)
      }
      await this.takePeople(this.cards, people, desired)
    }
    Object.assign(this.cards, { since: now.data, at: now.at })
    const gone = doors.keys.union(grants.keys).difference(this.doors.keys).difference(this.grants.keys)
    this.isMade = true
    return { desired, keys: new Set([...desired.keys(), ...cards, ...gone]) }
  }

  private get parts(): readonly Part[] {
    return [this.doors, this.grants, this.cards]
  }

  /** How far the organization is; what has not moved by then is known up to there. */
  private async look(): Promise<Now> {
    const at = this.link.now
    const versions = await this.link.engine.versions(this.link.org)
    const { data } = versions
    for (const part of this.isMade ? this.parts : [])
      if (!versions.hasMoved(part.reads, part.since)) Object.assign(part, { since: data, at })
    return { versions, data, at }
  }

  private moved({ versions }: Now): Part[] {
    return this.parts.filter(({ reads, since }) => versions.hasMoved(reads, since))
  }

  private isPressing({ versions }: Pick<Now, 'versions'>): boolean {
    return versions.hasMoved(EMERGENCIES, this.doors.since)
  }

  private areRested(parts: readonly Part[]): boolean {
    return parts.every(({ restsUntil }) => this.link.elapsed >= restsUntil)
  }

  private async made({ data, at }: Now, work: (part: Part) => Promise<void>): Promise<Part> {
    const began = this.link.elapsed
    const part = new Part()
    await work(part)
    part.since = data
    part.at = at
    part.restsUntil = this.link.elapsed + Math.min(REST * (this.link.elapsed - began), LONGEST_REST_MS)
    return part
  }

  private async written({ versions }: Now): Promise<Written | 'anybody'> {
    const { reads, since } = this.cards
    const used = await this.used({ versions })
    if (!versions.hasMoved(reads, since)) return used.size === 0 ? NOBODY : { people: used, cards: [] }
    const rows = versions.rowsWritten(reads, PEOPLE_TABLES, since, versions.live)
    const people = rows && (await peopleOf(this.handle(this.cards), rows, FEW))
    if (!people) return 'anybody'
    return { people: people.union(used), cards: (rows.get('credentials') ?? []).map((id) => keyOf('card', id)) }
  }

  /** Whose cards were used since, at whichever system: what happens at the doors is no change of the register. */
  private async used({ versions }: Pick<Now, 'versions'>): Promise<ReadonlySet<string>> {
    const people = new Set<string>()
    const { data, live } = versions
    if (this.limited.size === 0 || !versions.hasMoved(USES, data, this.live)) return people
    const uses = await usesOf(new Settings(new OrgHandle(this.link.engine, this.link.org, this.link.now)), [
      ...this.limited.keys(),
    ])
    for (const [id, { individual, uses: known }] of this.limited)
      if ((uses.get(id) ?? 0) !== known) people.add(individual)
    if (people.size === 0) this.live = live
    return people
  }

  private noteUses({ person, credentials }: PersonRule): void {
    for (const { id, max_uses, use_count } of credentials)
      if (max_uses !== null) this.limited.set(id, { individual: person.id, uses: use_count })
  }

  private forgetUses(people: ReadonlySet<string>, cards: ReadonlySet<string>): void {
    for (const [id, { individual }] of this.limited)
      if (people.has(individual) || cards.has(keyOf('card', id))) this.limited.delete(id)
  }

  private handle({ reads }: Part): OrgHandle {
    const { engine, org, now } = this.link
    return new OrgHandle(engine, org, now, engine.unhurried, undefined, reads)
  }

  private async workOutDoors(part: Part, desired: Map<string, Entry>): Promise<void> {
    const targets = new Set<string>()
    for await (const doors of doorRules(this.handle(part), this.link.system)) {
      for (const door of doors) for (const { id } of door.targets) targets.add(id)
      await this.take(part, { doors }, desired)
    }
    this.targets = targets
  }

  private async workOutGrants(part: Part, desired: Map<string, Entry>): Promise<void> {
    const [groups, individuals] = [new Set<string>(), new Set<string>()]
    for await (const grants of grantRules(this.handle(part), this.targets)) {
      for (const { access_group_id, individual_id } of grants) {
        if (access_group_id !== null) groups.add(access_group_id)
        if (individual_id !== null) individuals.add(individual_id)
      }
      await this.take(part, { grants }, desired)
    }
    this.groups = groups
    this.individuals = individuals
  }

  private async workOutCards(part: Part, desired: Map<string, Entry>): Promise<void> {
    const handle = this.handle(part)
    const everybody = (await everyoneIn(handle, this.groups)).union(this.individuals)
    for await (const people of peopleRules(handle, everybody)) await this.takePeople(part, people, desired)
  }

  private takePeople(part: Part, people: readonly PersonRule[], desired: Map<string, Entry>): Promise<void> {
    const isFor = ({ person, groups }: PersonRule) =>
      this.individuals.has(person.id) || groups.keys().some((id) => this.groups.has(id))
    const those = people.filter(isFor)
    for (const one of those) this.noteUses(one)
    return this.take(part, { people: those }, desired)
  }

  private async take(part: Part, some: SomeRules, desired: Map<string, Entry>): Promise<void> {
    await this.turn.take()
    const { connector, system, now } = this.link
    const { entries, inexpressible } = connector.compile(rulesOf(system, now, some))
    for (const entry of entries) {
      desired.set(entry.key, entry)
      // Of cards there are many, and they are found by whose they are.
      if (entry.kind !== 'card') part.keys.add(entry.key)
    }
    for (const [key, notes] of Map.groupBy(inexpressible, ({ key }) => key)) part.notes.set(key, notes)
  }
}

interface Now {
  readonly versions: OrgVersions
  readonly data: number
  readonly at: string
}
