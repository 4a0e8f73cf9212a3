import type { Reading } from './statement.ts'

/** How many changes are known, of the register and of what is live. */
export interface Known {
  readonly data: number
  readonly live: number
}

/**
 * What answers are made from and what is corrected after a change, row by row, where it would otherwise be made anew.
 */
export interface Corrected {
  /** All that it was made from, as if it were not corrected. */
  readonly reads: Reads
  /** Another as soon as it is another. */
  readonly serial: number
  /** Whether every change up to there has been looked at. */
  isGoodAt(known: Known): boolean
  correct(): Promise<void>
}

/** Everything that an answer was made from: statements, the clock, and what others had made before. */
export class Reads {
  readonly readings = new Set<Reading>()
  /** Readings of single rows, by their ids. */
  readonly rows = new Map<Reading, Set<unknown>>()
  readonly included = new Set<Reads>()
  /** What is corrected by itself, and which it was when it was used. */
  readonly corrected = new Map<Corrected, number>()
  /** What was asked more than once: each time of another moment. */
  private readonly again = new Set<Reading>()
  private sawClock = false
  private wasCorrectedLate = false
  private asked = 0

  /** Of one statement and nothing else: others may have written before it or after it, and not in between. */
  get isOfOneMoment(): boolean {
    return this.asked <= 1 && this.included.size === 0 && this.corrected.size === 0
  }

  note(reading: Reading, values: readonly unknown[] = []): void {
    this.asked += 1
    const id = reading.row && values[reading.row.value]
    if (id !== undefined) this.addRows(reading, [id])
    else if (this.readings.has(reading)) this.again.add(reading)
    else this.readings.add(reading)
  }

  /** Rows of a table, by ids that the text does not name one by one. */
  noteRows(reading: Reading, rows: Iterable<unknown>): void {
    this.asked += 1
    this.addRows(reading, rows)
  }

  private addRows(reading: Reading, rows: Iterable<unknown>): void {
    const known = this.rows.get(reading)
    if (!known) {
      this.rows.set(reading, new Set(rows))
      return
    }
    this.again.add(reading)
    for (const id of rows) known.add(id)
  }

  noteCorrected(one: Corrected): void {
    this.wasCorrectedLate ||= this.asked > 0
    if (!this.corrected.has(one)) this.corrected.set(one, one.serial)
  }

  /** Something was made from these columns, or from how many rows there are, that no statement names. */
  noteLooking(table: string, columns: readonly string[]): void {
    const looked = { columns: ` ${columns.join(' ')} `, isWide: false }
    this.readings.add({ tables: new Map([[table, looked]]), usesClock: false, row: undefined, isLive: false })
  }

  noteClock(): void {
    this.sawClock = true
  }

  /** What was made from those reads goes on in something else; those may yet become more, or be forgotten. */
  takeOver({ readings, rows, included, corrected, sawClock }: Reads): void {
    for (const reading of readings) this.readings.add(reading)
    for (const [reading, ids] of rows) this.noteRows(reading, ids)
    for (const reading of [...readings, ...rows.keys()]) this.again.add(reading)
    for (const others of included) this.include(others)
    for (const [one, serial] of corrected) this.corrected.set(one, serial)
    this.sawClock ||= sawClock
  }

  /** What was made from those reads was used; they may yet become more. */
  include(others: Reads): void {
    if (others !== this) this.included.add(others)
  }

  get usesClock(): boolean {
    return (
      this.sawClock ||
      this.some(({ usesClock }) => usesClock) ||
      this.included.values().some(({ usesClock }) => usesClock)
    )
  }

  /**
   * Whether any statement, here or in what is included, is such; with the ids of the rows where it reads single ones.
   * `isBesideCorrected`: those of what is corrected by itself are not asked.
   */
  some(test: (reading: Reading, ids?: ReadonlySet<unknown>) => boolean, isBesideCorrected = false): boolean {
    for (const reading of this.readings) if (test(reading)) return true
    for (const [reading, ids] of this.rows) if (test(reading, ids)) return true
    for (const others of this.included) if (others.some(test, isBesideCorrected)) return true
    if (!isBesideCorrected) for (const one of this.corrected.keys()) if (one.reads.some(test)) return true
    return false
  }

  /**
   * Whether what was read is of one moment, though such statements would say something else by now: none, or a single
   * one that was asked once. What is corrected by itself is not asked: it may be of a later moment than what was asked
   * before it.
   */
  isOfOneMomentBeside(test: (reading: Reading, ids?: ReadonlySet<unknown>) => boolean): boolean {
    let found: Reading | undefined
    const isFurther = (reading: Reading, ids?: ReadonlySet<unknown>): boolean => {
      if (!test(reading, ids)) return false
      if (found || this.again.has(reading)) return true
      found = reading
      return false
    }
    for (const reading of this.readings) if (isFurther(reading)) return false
    for (const [reading, ids] of this.rows) if (isFurther(reading, ids)) return false
    for (const others of this.included) if (others.some(test, true)) return false
    // Of what nobody numbers nobody knows whether it was written together with that.
    return !found || !(this.isCorrectedLate || this.some((reading) => reading.isLive && reading !== found))
  }

  private get isCorrectedLate(): boolean {
    return this.wasCorrectedLate || this.included.values().some((others) => !others.allCorrected().next().done)
  }

  /** Everything that is corrected by itself, here and in what is included. */
  *allCorrected(): Generator<[Corrected, number]> {
    yield* this.corrected
    for (const others of this.included) yield* others.allCorrected()
  }
}
