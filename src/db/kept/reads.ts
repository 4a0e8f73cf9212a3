import type { Reading } from './statement.ts'

/** Everything that an answer was made from: statements, the clock, and what others had made before. */
export class Reads {
  readonly readings = new Set<Reading>()
  /** Readings of single rows, by their ids. */
  readonly rows = new Map<Reading, Set<unknown>>()
  readonly included = new Set<Reads>()
  private sawClock = false

  note(reading: Reading, values: readonly unknown[] = []): void {
    const id = reading.row && values[reading.row.value]
    if (id === undefined) {
      this.readings.add(reading)
      return
    }
    const ids = this.rows.get(reading)
    if (ids) ids.add(id)
    else this.rows.set(reading, new Set([id]))
  }

  /** Something was made from these columns, or from how many rows there are, that no statement names. */
  noteLooking(table: string, columns: readonly string[]): void {
    const looked = { columns: ` ${columns.join(' ')} `, isWide: false }
    this.readings.add({ tables: new Map([[table, looked]]), usesClock: false, row: undefined, isLive: false })
  }

  noteClock(): void {
    this.sawClock = true
  }

  /** What was made from those reads was used; they may yet become more. */
  include(others: Reads): void {
    if (others !== this) this.included.add(others)
  }

  get usesClock(): boolean {
    return this.sawClock || this.some(({ usesClock }) => usesClock) || this.included.values().some(({ usesClock }) => usesClock)
  }

  /** Whether any statement, here or in what is included, is such; with the ids of the rows where it reads single ones. */
  some(test: (reading: Reading, ids?: ReadonlySet<unknown>) => boolean): boolean {
    for (const reading of this.readings) if (test(reading)) return true
    for (const [reading, ids] of this.rows) if (test(reading, ids)) return true
    for (const others of this.included) if (others.some(test)) return true
    return false
  }
}
