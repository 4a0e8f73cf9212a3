import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long one turn of the event loop may take. */
const LONG_MS = 5

/** For loops that ask nobody: whoever else waits has a turn between two of their steps. */
export class Pauses {
  private since = performance.now()
  private readonly stop: AbortSignal | undefined

  /** Once `stop` is aborted a pause throws its reason. */
  constructor(stop?: AbortSignal) {
    this.stop = stop
  }

  /** To be awaited where it gives something to await. */
  take(): Promise<void> | undefined {
    return performance.now() - this.since > LONG_MS ? this.pause() : undefined
  }

  private async pause(): Promise<void> {
    await nextTurn()
    this.stop?.throwIfAborted()
    this.since = performance.now()
  }
}

/** What is made in steps, so that whoever else waits has a turn between two of them. */
export type Steps<T> = Generator<undefined, T>

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  const pauses = new Pauses()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await pauses.take()
  }
}

/** The same where nobody else waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
