import { noteSynced } from '../live/system-states.ts'
import type { Observed, Operation } from './connector.ts'
import { Desired, type Worked } from './desired.ts'
import {
  countHeld,
  type EntryRow,
  forgetEntries,
  heldIn,
  loadEntries,
  noteObserved,
  notePut,
  noteSending,
  noteWanted,
  slices,
} from './entries.ts'
import type { Entry } from './entry.ts'
import type { Link } from './link.ts'
import { believed } from './plan.ts'
import { concernsOne } from './removals.ts'

/** So many entries go to the device with one transfer. */
const TRANSFER = 100
/** What a device holds is looked at again after so long, though nothing is known to have changed. */
const LOOK_AGAIN_MS = 600_000
/** What a device refused is offered to it again after so long. */
const OFFER_AGAIN_MS = 60_000
/** That it is as it should be after a change that concerns nothing in it is written down after so long. */
const KNOWN_MS = 10_000
/** So many sentences about what a device cannot express are kept; the number of all is told. */
const NOTES = 100

export interface SyncResult {
  /** How many entries would have been removed, had somebody agreed. */
  readonly asks: number
  readonly refused: number
  /** Cut short by an emergency: the rest of it follows. */
  readonly isCut: boolean
}

/** What it should hold, with all of that as it is noted. */
interface Wanted extends Worked {
  readonly entries: ReadonlyMap<string, EntryRow>
}

/** Keeps one device's table as the rules have it. */
export class Sync {
  private readonly link: Link
  private readonly desired: Desired
  private readonly between: () => Promise<unknown>
  private lookedAt = Number.NEGATIVE_INFINITY
  private offeredAt = Number.NEGATIVE_INFINITY
  private isDone = false
  private notedSince = 0
  private noteAgainAt = Number.NEGATIVE_INFINITY
  private result: SyncResult = { asks: 0, refused: 0, isCut: false }

  /** `between`: what does not wait until a long table has been transferred. */
  constructor(link: Link, between: () => Promise<unknown> = async () => undefined) {
    this.link = link
    this.between = between
    this.desired = new Desired(link)
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
    const isWhole = !this.isDone || isLookDue || isOfferDue || (await this.isAnswered())
    // Whatever else is not as it should be is looked at together with what has changed.
    const isLeft = this.result.asks > 0 || this.result.refused > 0
    if (!isWhole && isLeft && !(await this.desired.hasMoved())) return this.result
    const wanted = await this.want(isWhole || isLeft ? () => this.desired.whole() : () => this.desired.changed())
    if (!wanted) return this.result
    this.isDone = false
    if (isLookDue) {
      const observed = await this.look()
      const known = new Map(
        [...wanted.entries].flatMap(([key, { held }]) => (held === null ? [] : [[key, held] as const])),
      )
      await noteObserved(link, wanted, believed(known, observed))
      this.lookedAt = now
    }
    this.result = await this.transfer(wanted)
    this.offeredAt = now
    const { asks, refused, isCut } = this.result
    this.isDone = !isCut
    if (this.isDone && asks === 0 && refused === 0) {
      await link.note({ synced_at: link.now })
      await link.live((tx) => noteSynced(tx, link.system))
    }
    return this.result
  }

  /** A device that is away is told nothing, but what it should hold by now is known, and so what it lacks. */
  async prepare(): Promise<void> {
    await this.want(() => this.desired.changed())
  }

  /** Notes what the device should hold; undefined: it is noted already. */
  private async want(work: () => Promise<Worked | undefined>): Promise<Wanted | undefined> {
    const { link, desired } = this
    try {
      const worked = await work()
      if (!worked) {
        if (desired.since > this.notedSince && link.elapsed >= this.noteAgainAt) await this.noteCompiled()
        return undefined
      }
      const entries = await noteWanted(link, worked.desired, worked.keys)
      const { notes } = desired
      await this.noteCompiled({ inexpressible: JSON.stringify({ total: notes.length, some: notes.slice(0, NOTES) }) })
      return { ...worked, entries }
    } catch (error) {
      desired.forget()
      throw error
    }
  }

  /** Up to where it is known: whoever asks about a change before that is told that it is in it. */
  private async noteCompiled(more: { readonly inexpressible?: string } = {}): Promise<void> {
    const { link, desired } = this
    await link.note({ compiled_at: desired.at, compiled_change: desired.since, ...more })
    this.notedSince = desired.since
    this.noteAgainAt = link.elapsed + KNOWN_MS
  }

  /** Somebody has agreed to what was asked. */
  private async isAnswered(): Promise<boolean> {
    return this.result.asks > 0 && (await this.link.row()).removals_confirmed !== null
  }

  private async look(): Promise<Observed> {
    const observed = await this.link.connector.read()
    await this.link.note({ read_at: this.link.now })
    return observed
  }

  /** An emergency comes before the rest of it. */
  private async transfer({ desired, keys }: Worked): Promise<SyncResult> {
    const { link } = this
    const known = await loadEntries(link.reading(), link.system, keys)
    const held = new Map(
      [...known].flatMap(([key, row]) => {
        const one = heldIn(row)
        return one === null ? [] : [[key, one] as const]
      }),
    )
    // How much that is of all matters where something is to be removed.
    const isLess = keys !== undefined && held.keys().some((key) => !desired.has(key))
    const of = isLess ? await countHeld(link.reading(), link.system) : held.size
    const { remove, put, asksFirst } = link.connector.plan(desired, held, of)
    const { removals_confirmed } = await link.row()
    const isConfirmed = removals_confirmed !== null && remove.length <= removals_confirmed
    const isAgreed = !asksFirst || isConfirmed || (await concernsOne(link.reading(), link.system, remove))
    let refused = 0
    if (isAgreed) for (const keys of slices(remove, TRANSFER)) refused += await this.remove(keys)
    if (isAgreed && removals_confirmed !== null) await link.note({ removals_confirmed: null })
    const asks = isAgreed ? 0 : remove.length
    for (const entries of slices(put, TRANSFER)) {
      if (await this.desired.isPressed()) return { asks, refused, isCut: true }
      refused += await this.put(entries)
      await this.between()
    }
    return { asks, refused, isCut: false }
  }

  /** Gives how many it would not let go of: by those it still opens. */
  private async remove(keys: readonly string[]): Promise<number> {
    const { link } = this
    await link.check()
    const refusals = await this.apply({ remove: keys })
    const kept = new Set(refusals.map(({ key }) => key))
    await link.live(async (tx) => {
      await forgetEntries(
        tx,
        link.system,
        keys.filter((key) => !kept.has(key)),
      )
      await notePut(tx, link.system, [], refusals)
    })
    return refusals.length
  }

  private async put(entries: readonly Entry[]): Promise<number> {
    const { system } = this.link
    await this.link.live((tx) => noteSending(tx, system, entries))
    const refusals = await this.apply({ put: entries })
    await this.link.live((tx) => notePut(tx, system, entries, refusals))
    return refusals.length
  }

  private apply(operation: Operation) {
    return this.link.connector.apply(operation)
  }
}
