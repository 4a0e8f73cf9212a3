import { LRUCache } from 'lru-cache'
import { unlessAborted } from '../../core/unless-aborted.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from '../metrics.ts'
import type { OrgHandle } from '../org.ts'
import { nextBoundary } from './boundary.ts'
import { type Corrected, Reads } from './reads.ts'
import { type Change, OrgVersions, tableOf } from './versions.ts'

interface Entry<T> {
  readonly value: T
  /** How many changes there were before it was made: one that came meanwhile leaves it outdated, never wrong. */
  readonly since: number
  readonly live: number
  readonly reads: Reads
  /** Where it looks at the clock: a grant begins, a card expires, a day ends. A clock may also be set back. */
  readonly from: string
  readonly until: string | undefined
  /** Found up to date after so many changes. */
  checked: number
  checkedLive: number
}

type Made = Pick<Entry<unknown>, 'since' | 'live' | 'reads'>

/** Something that is being made, and who waits for it. */
interface Flight<T> {
  since: number
  live: number
  reads: Reads
  waiting: number
  readonly stop: AbortController
  made: Promise<Entry<T>>
}

interface KeptOptions<T> {
  /** Its name among the metrics. */
  name: string
  max?: number
  maxSize?: number
  sizeOf?: (value: T, key: string) => number
  /** When the clock alone makes it another, where that is not a validity window's begin or end. */
  untilOf?: (value: T) => string | undefined
  /**
   * Made of several statements: so often it is made anew when a change came between them, of whichever process. What is
   * told of others' changes comes late for that: the database is asked.
   */
  attempts?: number
  /** What is made quickly is made anew more often than that, as long as all of it takes no longer than this. */
  againMs?: number
  /** Made anew whatever was written meanwhile of what it is made from: it is stored, and is to be what is so now. */
  isOfNow?: boolean
  /**
   * Makes it from what it was, where few rows of these tables were written since and nothing else; undefined: it is
   * made anew.
   */
  correction?: { readonly tables: readonly string[]; readonly make: Correct<T> }
  /** Given up when everybody who waits for it has left; otherwise it is finished for those who come later. */
  isGivenUp?: boolean
}

type Make<T> = (handle: OrgHandle) => Promise<T>

/** `written`: the ids of rows, by table. What is outdated stays as it is: somebody may be using it. */
type Correct<T> = (
  outdated: T,
  handle: OrgHandle,
  written: ReadonlyMap<string, readonly string[]>,
) => Promise<T | undefined>

/** Makes those that are not known, all of them. */
type MakeAll<T> = (handle: OrgHandle, missing: readonly string[]) => Promise<ReadonlyMap<string, T>>

/**
 * What is kept in memory: made once, whatever number asks at once, and good as long as nothing that it was made from
 * has changed. What that is, the handle it was made with has noted; nobody has to say it.
 */
export class Kept<T extends object | string> {
  private readonly entries: LRUCache<string, Entry<T>>
  private readonly flights = new Map<string, Flight<T>>()
  private readonly asked: { hits: number; misses: number }
  private readonly options: KeptOptions<T>

  constructor(engine: Engine, options: KeptOptions<T>) {
    this.options = options
    const { max, maxSize, sizeOf } = options
    this.entries = new LRUCache<string, Entry<T>>({
      ...(max === undefined ? {} : { max }),
      ...(maxSize !== undefined && sizeOf
        ? { maxSize, sizeCalculation: ({ value }, key) => Math.max(1, sizeOf(value, key)) }
        : { max: max ?? 1 }),
    })
    this.asked = metricsOf(engine).watchCache(options.name, () => this.entries.size)
  }

  /** What is known and up to date. */
  known(key: string, versions: OrgVersions, now: string): T | undefined {
    const entry = this.find(key, versions, now)
    if (entry) this.asked.hits += 1
    return entry?.value
  }

  /** Without a promise where none is needed: mostly it is known. Where the database is away, it throws at once. */
  get(handle: OrgHandle, key: string, make: Make<T>): T | Promise<T> {
    if (handle.isTransaction) return this.inTransaction(handle, key, make)
    const versions = handle.versions()
    const entry = versions instanceof Promise ? undefined : this.find(key, versions, handle.instant)
    if (!entry) return this.getOrMake(handle, key, make, versions)
    this.asked.hits += 1
    return use(entry, handle)
  }

  /** A transaction that has changed something of it works it out for itself: it sees what others may never see. */
  private async inTransaction(handle: OrgHandle, key: string, make: Make<T>): Promise<T> {
    const committed = await handle.committed()
    const entry = committed && this.find(key, committed, handle.instant)
    return entry && !handle.hasWritten(entry.reads) ? use(entry, handle) : make(handle)
  }

  private async getOrMake(
    handle: OrgHandle,
    key: string,
    make: Make<T>,
    asked: OrgVersions | Promise<OrgVersions>,
  ): Promise<T> {
    for (let known: typeof asked | undefined = asked; ; known = undefined) {
      const versions: OrgVersions = await (known ?? handle.versions())
      const entry = this.find(key, versions, handle.instant) ?? (await this.corrected(key, versions, handle))
      if (entry) {
        this.asked.hits += 1
        return use(entry, handle)
      }
      this.asked.misses += 1
      const flight = this.flights.get(key)
      // What it has read so far is as it would be read now, and what it has not read yet is yet to be read.
      const isShared = flight !== undefined && !versions.hasMoved(flight.reads, flight.since, flight.live)
      const made = await this.wait(
        key,
        isShared ? flight : this.begin(handle, key, versions, this.correcting(key, versions, make)),
        handle.signal,
      )
      if (!isShared || isInTime(made, handle.instant)) return use(made, handle)
    }
  }

  /**
   * Many at once: what is not known is made together, and each is good as long as nothing that they were made from has
   * changed.
   */
  async getAll(handle: OrgHandle, keys: Iterable<string>, make: MakeAll<T>): Promise<Map<string, T>> {
    const found = new Map<string, T>()
    const missing: string[] = []
    const versions = await handle.versions()
    for (const key of new Set(keys)) {
      const entry = this.find(key, versions, handle.instant)
      if (entry) found.set(key, use(entry, handle))
      else missing.push(key)
    }
    this.asked.hits += found.size
    this.asked.misses += missing.length
    if (missing.length === 0) return found
    const made = { since: versions.data, live: versions.live, reads: new Reads() }
    const own = handle.recording(made.reads)
    const values = await make(own, missing)
    const boundary = await boundaryOf(own)
    for (const [key, value] of values) {
      const entry = this.entryOf(value, made, handle.instant, boundary)
      this.keep(key, entry)
      found.set(key, use(entry, handle))
    }
    return found
  }

  /** Whether this very one is kept. */
  keeps(key: string, value: T): boolean {
    return this.entries.peek(key)?.value === value
  }

  /** Its size has changed. */
  measure(key: string, value: T): void {
    const entry = this.entries.peek(key)
    if (entry?.value === value) this.entries.set(key, entry)
  }

  some(test: (value: T) => boolean): boolean {
    return this.entries.values().some(({ value }) => test(value))
  }

  /**
   * What is up to date of those that belong to one organization, whose versions these are; lately used ones first. What
   * looks at the clock is not among them: a change may bring a moment that nobody knows of yet.
   */
  *current(isOwn: (value: T) => boolean, versions: OrgVersions): Generator<[string, T]> {
    for (const [key, entry] of this.entries.entries())
      if (isOwn(entry.value) && entry.until === undefined && isUpToDate(entry, versions)) yield [key, entry.value]
  }

  /**
   * It was up to date before a change, and has followed what that wrote of a table: as if it were made after it. False:
   * it is outdated, since more of it was written.
   */
  moveAlong(key: string, value: T, table: string, { data, moved, before = [] }: Change): boolean {
    const entry = this.entries.peek(key)
    if (entry?.value !== value || entry.since >= data) return false
    const others = new OrgVersions()
    for (const one of before) if (one.data > entry.since) others.apply({ ...one, data: 1 })
    others.apply({ data: 1, moved: moved.filter((name) => tableOf(name) !== table) })
    if (others.hasMoved(entry.reads, 0)) return false
    this.entries.set(key, { ...entry, since: data, checked: data })
    return true
  }

  private find(key: string, versions: OrgVersions, now: string): Entry<T> | undefined {
    const entry = this.entries.get(key)
    return entry && isInTime(entry, now) && isUpToDate(entry, versions) ? entry : undefined
  }

  /**
   * Found good after all: what it was made from is corrected by itself, and is the same as it was when this was asked.
   */
  private async corrected(key: string, versions: OrgVersions, handle: OrgHandle): Promise<Entry<T> | undefined> {
    const entry = this.entries.peek(key)
    if (!entry || !isInTime(entry, handle.instant)) return undefined
    const parts = [...entry.reads.allCorrected()]
    if (parts.length === 0 || versions.hasMoved(entry.reads, entry.since, entry.live, true)) return undefined
    const isSame = await areSame(parts, versions)
    return isSame && !(await handle.versions()).hasMoved(entry.reads, entry.since, entry.live, true) ? entry : undefined
  }

  private correcting(key: string, versions: OrgVersions, make: Make<T>): Make<T> {
    const { correction } = this.options
    const outdated = this.entries.peek(key)
    if (!correction || !outdated) return make
    const { value, reads, since, live } = outdated
    const written = versions.rowsWritten(reads, correction.tables, since, live)
    if (!written) return make
    return async (handle) => {
      if (!isInTime(outdated, handle.instant)) return make(handle)
      handle.reads.takeOver(reads)
      return (await correction.make(value, handle, written)) ?? make(handle)
    }
  }

  private begin(handle: OrgHandle, key: string, { data: since, live }: OrgVersions, make: Make<T>): Flight<T> {
    const flight = { since, live, reads: new Reads(), waiting: 0, stop: new AbortController() } as Flight<T>
    flight.made = this.make(flight, handle, make)
    this.flights.set(key, flight)
    const end = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    // Before whoever waits for it hears of it.
    flight.made.then((entry) => {
      end()
      this.keep(key, entry)
    }, end)
    return flight
  }

  private async make(flight: Flight<T>, handle: OrgHandle, make: Make<T>): Promise<Entry<T>> {
    const { attempts = 1, againMs = 0, isOfNow, isGivenUp } = this.options
    const begun = performance.now()
    for (let attempt = 1; ; attempt++) {
      const own = handle.recording(flight.reads, isGivenUp ? flight.stop.signal : undefined)
      const value = await make(own)
      const versions = await (attempts > 1 && !flight.reads.isOfOneMoment ? own.latest() : own.versions())
      const isLast = attempt >= attempts && performance.now() - begun >= againMs
      const isRight = () =>
        isOfNow ? !versions.hasMoved(flight.reads, flight.since, flight.live) : isOfOneMoment(flight, versions)
      if (!isLast && !(await isRight())) {
        flight.since = versions.data
        flight.live = versions.live
        flight.reads = new Reads()
        continue
      }
      return this.entryOf(value, flight, handle.instant, await boundaryOf(own))
    }
  }

  private entryOf(value: T, { since, live, reads }: Made, from: string, boundary: string | undefined): Entry<T> {
    const until = earlier(boundary, this.options.untilOf?.(value))
    return { value, since, live, reads, from, until, checked: since, checkedLive: live }
  }

  private keep(key: string, entry: Entry<T>): void {
    const known = this.entries.peek(key)
    if (known && (known.since > entry.since || known.live > entry.live)) return
    if (entry.reads.some(({ isLive }) => isLive)) return
    this.entries.set(key, entry)
  }

  private wait(key: string, flight: Flight<T>, signal: AbortSignal | undefined): Promise<Entry<T>> {
    signal?.throwIfAborted()
    flight.waiting += 1
    return unlessAborted(flight.made, signal, () => {
      flight.waiting -= 1
      if (flight.waiting > 0 || !this.options.isGivenUp) return
      if (this.flights.get(key) === flight) this.flights.delete(key)
      flight.stop.abort(signal?.reason)
    })
  }
}

/** When the clock alone makes it another, where it looks at the clock. */
const boundaryOf = (handle: OrgHandle): Promise<string> | undefined =>
  handle.reads.usesClock ? nextBoundary(handle) : undefined

function use<T>({ value, reads }: Entry<T>, handle: OrgHandle): T {
  handle.reads.include(reads)
  return value
}

const isInTime = ({ from, until }: Entry<unknown>, now: string): boolean =>
  until === undefined || (from <= now && now < until)

function isUpToDate(entry: Entry<unknown>, versions: OrgVersions): boolean {
  if (entry.checked === versions.data && entry.checkedLive === versions.live) return true
  if (versions.hasMoved(entry.reads, entry.since, entry.live) && !isCorrected(entry, versions)) return false
  entry.checked = versions.data
  entry.checkedLive = versions.live
  return true
}

/**
 * Whether what was made of several statements is as it was at one moment. Most of what is written meanwhile, one of
 * them alone reads.
 */
async function isOfOneMoment({ reads, since, live }: Made, versions: OrgVersions): Promise<boolean> {
  const isSo = versions.isOfOneMoment(reads, since, live)
  return isSo && (await areSame(reads.allCorrected(), versions))
}

/** Whether what is corrected by itself is the same as it was, after all that is known by now. */
async function areSame(parts: Iterable<[Corrected, number]>, { data, live }: OrgVersions): Promise<boolean> {
  const now = { data, live }
  for (const [part, serial] of parts) {
    await part.correct()
    if (part.serial !== serial || !part.isGoodAt(now)) return false
  }
  return true
}

/** Whether all that was written is of what is corrected by itself, and that is the same as it was. */
function isCorrected({ reads, since, live }: Entry<unknown>, versions: OrgVersions): boolean {
  let isAny = false
  for (const [part, serial] of reads.allCorrected()) {
    if (part.serial !== serial || !part.isGoodAt(versions)) return false
    isAny = true
  }
  return isAny && !versions.hasMoved(reads, since, live, true)
}

const earlier = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a
