import type { Reading } from './statement.ts'

/** Everything that an answer was made from: statements, the clock, and what others had made before. */
export class Reads {
  readonly readings = new Set<Reading>()
  readonly included = new Set<Reads>()
  private sawClock = false

  note(reading: Reading): void {
    this.readings.add(reading)
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

  /** Whether any statement, here or in what is included, is such. */
  some(test: (reading: Reading) => boolean): boolean {
    for (const reading of this.readings) if (test(reading)) return true
    for (const others of this.included) if (others.some(test)) return true
    return false
  }
}
