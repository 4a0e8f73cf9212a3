import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long one turn of the event loop may take. */
const LONG_MS = 5

/** For loops that ask nobody: whoever else waits has a turn between two of their steps. */
export class Pauses {
  private since = performance.now()

  /** To be awaited where it gives something to await. */
  take(): Promise<void> | undefined {
    return performance.now() - this.since > LONG_MS ? this.pause() : undefined
  }

  private async pause(): Promise<void> {
    await nextTurn()
    this.since = performance.now()
  }
}
