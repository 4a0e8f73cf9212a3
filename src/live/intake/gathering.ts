/**
 * After a commit what comes is gathered for so long, since a commit costs about the same for one as for twenty, and
 * what many events write lies close together: where one sender waits for each answer, where several came together, and
 * where batch follows batch.
 */
const GATHER_MS = { one: 10, several: 80, batches: 150 }
/** Where nothing came for so long, all who wait for each answer have sent their next. */
const QUIET_MS = { one: 10, several: 25, batches: 60 }
/** So many are a batch. */
const BATCH = 100
/** So many events are committed together at most. */
export const TOGETHER = 1000
/** A sender who waits for each answer before the next batch is not made to wait again for so many. */
const SPARED = 50

interface Came {
  readonly senders: number
  readonly events: number
}

export interface Gathered extends Came {
  /** When the last of them came. */
  readonly last: number
}

type Kind = keyof typeof GATHER_MS

/** How long it is worth to wait for more events before a commit. By the monotonic clock. */
export class Gathering {
  private committed = Number.NEGATIVE_INFINITY
  private senders = 0
  private spared = 0

  /** Milliseconds, after which it is asked again, until it is 0; whoever comes first after a while waits for nobody. */
  patience(now: number, waiting: Gathered): number {
    const kind = this.kindOf(waiting)
    if (!kind) return 0
    return Math.max(0, Math.min(this.committed + GATHER_MS[kind], waiting.last + QUIET_MS[kind]) - now)
  }

  /** Undefined: nothing is gathered. */
  private kindOf({ senders, events }: Gathered): Kind | undefined {
    if (events >= TOGETHER) return undefined
    if (events < BATCH) return this.senders > 1 || senders > 1 ? 'several' : 'one'
    if (senders > 1 || this.spared === 0) return 'batches'
    this.spared -= 1
    return undefined
  }

  /** What has come by the end of it. */
  waited({ senders, events }: Came): void {
    this.spared = events >= BATCH && senders === 1 ? SPARED : 0
  }

  done(now: number, { senders }: Came): void {
    this.committed = now
    this.senders = senders
  }
}
