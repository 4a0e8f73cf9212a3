import { Reads } from '../db/kept/reads.ts'
import { OrgHandle } from '../db/org.ts'
import { noteSynced } from '../live/system-states.ts'
import type { Observed, Operation } from './connector.ts'
import { forgetEntries, loadEntries, noteObserved, notePut, noteSending, noteWanted, slices } from './entries.ts'
import type { Entry, Inexpressible } from './entry.ts'
import type { Link } from './link.ts'
import { believed } from './plan.ts'
import { concernsOne } from './removals.ts'
import { loadRules } from './rules.ts'

/** So many entries go to the device with one transfer. */
const TRANSFER = 100
/** What a device holds is looked at again after so long, though nothing is known to have changed. */
const LOOK_AGAIN_MS = 600_000
/** What a device refused is offered to it again after so long. */
const OFFER_AGAIN_MS = 60_000
/**
 * A table that takes long to work out is worked out again after so many times as long: where people come and go all
 * day, the doors are told of several changes at once, and whoever asks for something else has most of the time.
 */
const REST = 3
const LONGEST_REST_MS = 30_000
/** So many sentences about what a device cannot express are kept; the number of all is told. */
const NOTES = 100

/** What a device should hold, and from what that was made. */
interface Compilation {
  readonly desired: ReadonlyMap<string, Entry>
  readonly inexpressible: readonly Inexpressible[]
  readonly reads: Reads
  readonly since: number
}

export interface SyncResult {
  /** How many entries would have been removed, had somebody agreed. */
  readonly asks: number
  readonly refused: number
}

/** Keeps one device's table as the rules have it. */
export class Sync {
  private readonly link: Link
  private made: Pick<Compilation, 'reads' | 'since'> | undefined
  private lookedAt = Number.NEGATIVE_INFINITY
  private offeredAt = Number.NEGATIVE_INFINITY
  private isDone = false
  private result: SyncResult = { asks: 0, refused: 0 }
  /** By the monotonic clock. */
  private restsUntil = Number.NEGATIVE_INFINITY

  constructor(link: Link) {
    this.link = link
  }

  /** It was away, or somebody agreed to something: look at it anew. */
  lookAgain(): void {
    this.lookedAt = Number.NEGATIVE_INFINITY
    this.isDone = false
  }

  /** Throws what the device's connector throws; whatever was done by then is kept, and the rest is tried again. */
  async run(): Promise<SyncResult> {
    const { link } = this
    const now = Date.parse(link.now)
    const isLookDue = now - this.lookedAt >= LOOK_AGAIN_MS
    const isOfferDue = this.result.refused > 0 && now - this.offeredAt >= OFFER_AGAIN_MS
    if (this.isDone && !isLookDue && !isOfferDue && !(await this.isAnswered()) && !(await this.hasMoved()))
      return this.result
    this.isDone = false
    const { desired, wanted } = await this.want()
    if (isLookDue) {
      const observed = await this.look()
      const known = new Map([...wanted].flatMap(([key, { held }]) => (held === null ? [] : [[key, held] as const])))
      await noteObserved(link, wanted, believed(known, observed).entries)
      this.lookedAt = now
    }
    this.result = await this.transfer(desired)
    this.offeredAt = now
    this.isDone = true
    if (this.result.asks === 0 && this.result.refused === 0) {
      await link.note({ synced_at: link.now })
      await link.live((tx) => noteSynced(tx, link.system))
    }
    return this.result
  }

  /** A device that is away is told nothing, but what it should hold by now is known, and so what it lacks. */
  async prepare(): Promise<void> {
    if (await this.hasMoved()) await this.want()
  }

  private async want() {
    const { link } = this
    const began = link.elapsed
    const compilation = await this.compile()
    const took = link.elapsed - began
    const wanted = await noteWanted(link, compilation.desired)
    await link.note({
      compiled_at: link.now,
      compiled_change: compilation.since,
      inexpressible: JSON.stringify({
        total: compilation.inexpressible.length,
        some: compilation.inexpressible.slice(0, NOTES),
      }),
    })
    this.made = compilation
    this.restsUntil = link.elapsed + Math.min(REST * took, LONGEST_REST_MS)
    return { desired: compilation.desired, wanted }
  }

  /** Somebody has agreed to what was asked. */
  private async isAnswered(): Promise<boolean> {
    return this.result.asks > 0 && (await this.link.row()).removals_confirmed !== null
  }

  private async hasMoved(): Promise<boolean> {
    if (!this.made) return true
    if (this.link.elapsed < this.restsUntil) return false
    return (await this.link.engine.versions(this.link.org)).hasMoved(this.made.reads, this.made.since)
  }

  private async compile(): Promise<Compilation> {
    const { engine, org, system, connector, now } = this.link
    const reads = new Reads()
    const handle = new OrgHandle(engine, org, now, engine.unhurried, undefined, reads)
    const since = (await handle.versions()).data
    const desired = new Map<string, Entry>()
    const inexpressible: Inexpressible[] = []
    for await (const rules of loadRules(handle, system)) {
      const compiled = connector.compile(rules)
      for (const entry of compiled.entries) desired.set(entry.key, entry)
      inexpressible.push(...compiled.inexpressible)
    }
    return { desired, inexpressible, reads, since }
  }

  private async look(): Promise<Observed> {
    const observed = await this.link.connector.read()
    await this.link.note({ read_at: this.link.now })
    return observed
  }

  private async transfer(desired: ReadonlyMap<string, Entry>): Promise<SyncResult> {
    const { link } = this
    const known = await loadEntries(link.reading(), link.system)
    const held = new Map([...known].flatMap(([key, row]) => (row.held === null ? [] : [[key, row.held] as const])))
    const { remove, put, asksFirst } = link.connector.plan(desired, held)
    const { removals_confirmed } = await link.row()
    const isConfirmed = removals_confirmed !== null && remove.length <= removals_confirmed
    const isAgreed = !asksFirst || isConfirmed || (await concernsOne(link.reading(), remove))
    if (isAgreed) for (const keys of slices(remove, TRANSFER)) await this.remove(keys)
    if (isAgreed && removals_confirmed !== null) await link.note({ removals_confirmed: null })
    let refused = 0
    for (const entries of slices(put, TRANSFER)) refused += await this.put(entries)
    return { asks: isAgreed ? 0 : remove.length, refused }
  }

  private async remove(keys: readonly string[]): Promise<void> {
    await this.apply({ remove: keys })
    await this.link.live((tx) => forgetEntries(tx, this.link.system, keys))
  }

  private async put(entries: readonly Entry[]): Promise<number> {
    const { system } = this.link
    const keys = entries.map(({ key }) => key)
    await this.link.live((tx) => noteSending(tx, system, keys))
    const refusals = await this.apply({ put: entries })
    await this.link.live((tx) => notePut(tx, system, entries, refusals))
    return refusals.length
  }

  private apply(operation: Operation) {
    return this.link.connector.apply(operation)
  }
}
