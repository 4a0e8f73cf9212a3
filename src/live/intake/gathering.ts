/**
 * After a commit what comes is gathered for so long, since a commit costs about the same for one as for twenty, and
 * what many events write lies close together: where one sender waits for each answer, where several came together, and
 * where batch follows batch.
 */
const GATHER_MS = { one: 10, several: 50, batches: 75 }
/** So many are a batch. */
const BATCH = 100
/** So many events are committed together at most. */
export const TOGETHER = 1000
/** A sender who waits for each answer before the next batch is not made to wait again for so many. */
const SPARED = 50

export interface Gathered {
  readonly senders: number
  readonly events: number
}

/** How long it is worth to wait for more events before a commit. By the monotonic clock. */
export class Gathering {
  private committed = Number.NEGATIVE_INFINITY
  private senders = 0
  private spared = 0

  /** Milliseconds; whoever comes first after a while waits for nobody. */
  patience(now: number, waiting: Gathered): number {
    return Math.max(0, this.committed + this.window(waiting) - now)
  }

  private window({ senders, events }: Gathered): number {
    if (events >= TOGETHER) return 0
    if (events < BATCH) return GATHER_MS[this.senders > 1 || senders > 1 ? 'several' : 'one']
    if (senders > 1 || this.spared === 0) return GATHER_MS.batches
    this.spared -= 1
    return 0
  }

  /** What has come by the end of it. */
  waited({ senders, events }: Gathered): void {
    this.spared = events >= BATCH && senders === 1 ? SPARED : 0
  }

  done(now: number, { senders }: Gathered): void {
    this.committed = now
    this.senders = senders
  }
}
