import { setImmediate as nextTurn } from 'node:timers/promises'

let turn = 0
let isCounted = false
const count = () => {
  isCounted = false
  turn += 1
}

/** Which turn of the event loop it is, for whatever is asked once in each. Counted only while somebody asks. */
export function whichTurn(): number {
  if (!isCounted) {
    isCounted = true
    setImmediate(count)
  }
  return turn
}

/** After so long the event loop goes on to others before the next step. */
const LONG_MS = 5

/**
 * One turn of the event loop, as far as something that answers at once is concerned, such as an embedded database or a
 * socket with room: whoever awaits it in a loop never lets others have a turn, unless it does. Shared by all who use
 * it, however many they are.
 */
export class LoopTurn {
  private began = 0
  private readonly end = () => {
    this.began = 0
  }

  /** To be awaited before a step, where it gives something to await. */
  take(): Promise<void> | undefined {
    return this.isLong() ? this.waitForNext() : undefined
  }

  private isLong(): boolean {
    const now = performance.now()
    if (this.began !== 0) return now - this.began > LONG_MS
    this.began = now
    setImmediate(this.end)
    return false
  }

  /** Those before us may have made the next turn long too. */
  private async waitForNext(): Promise<void> {
    do await nextTurn()
    while (this.isLong())
  }
}
