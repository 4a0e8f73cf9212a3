import { unavailable } from '../../core/errors.ts'

/** So long a change waits for those before it. */
const WAIT_MS = 5000
/** So many changes of one organization wait. */
const WAITING_LIMIT = 250

interface Waiter<Ride> {
  readonly companion: Companion<Ride, unknown> | undefined
  begin: () => void
  goAlong: () => void
}

/** What may be done in the turn of somebody else. */
interface Companion<Ride, T> {
  readonly ride: (ride: Ride) => Promise<void>
  readonly outcome: Promise<T>
}

interface TurnOptions<Ride, T> {
  signal?: AbortSignal | undefined
  /** Waits as long as it takes. */
  isUnhurried?: boolean
  companion?: Companion<Ride, T> | undefined
}

const busy = () =>
  unavailable('too_many_writers', 'Too many changes of your organization are waiting; send them one after the other')
const waitedTooLong = () =>
  unavailable(
    'too_many_writers',
    `The changes before this one took longer than ${WAIT_MS / 1000} s; nothing was changed. Try again shortly`,
  )

/**
 * Changes take turns before they take a connection: so many at once, so many of them of one organization, and those
 * that wait by organization in rotation. One that writes a lot, or whose rows are held by somebody, holds up itself
 * alone.
 */
export class Turns<Ride = never> {
  private readonly atOnce: number
  private readonly perOrganization: number
  private readonly running = new Map<number, number>()
  /** The organization whose turn comes next is first. */
  private readonly waiting = new Map<number, Set<Waiter<Ride>>>()
  private taken = 0

  constructor(atOnce: number, perOrganization: number) {
    this.atOnce = atOnce
    this.perOrganization = perOrganization
  }

  /** `leave`: the turn is over though the work goes on, such as waiting for the disk. */
  async take<T>(org: number, work: (leave: () => void) => Promise<T>, options: TurnOptions<Ride, T> = {}): Promise<T> {
    if (this.isFree(org)) this.begin(org)
    else if ((await this.wait(org, options)) === 'goes along') return options.companion?.outcome as Promise<T>
    let isOver = false
    const leave = () => {
      if (!isOver) this.end(org)
      isOver = true
    }
    try {
      return await work(leave)
    } finally {
      leave()
    }
  }

  get waitingCount(): number {
    let count = 0
    for (const waiters of this.waiting.values()) count += waiters.size
    return count
  }

  hasCompanion(org: number): boolean {
    return (
      this.waiting
        .get(org)
        ?.values()
        .some(({ companion }) => companion !== undefined) ?? false
    )
  }

  /** Of those who wait the first that may be done in the turn of somebody else: it waits no longer. */
  nextCompanion(org: number): ((ride: Ride) => Promise<void>) | undefined {
    const waiter = this.waiting
      .get(org)
      ?.values()
      .find(({ companion }) => companion !== undefined)
    waiter?.goAlong()
    return waiter?.companion?.ride
  }

  private isFree(org: number): boolean {
    return this.taken < this.atOnce && (this.running.get(org) ?? 0) < this.perOrganization
  }

  private begin(org: number): void {
    this.taken += 1
    this.running.set(org, (this.running.get(org) ?? 0) + 1)
  }

  private end(org: number): void {
    this.taken -= 1
    const left = (this.running.get(org) ?? 1) - 1
    if (left === 0) this.running.delete(org)
    else this.running.set(org, left)
    this.beginNext()
  }

  private beginNext(): void {
    for (const [org, waiters] of this.waiting) {
      if (!this.isFree(org)) continue
      const [next] = waiters
      this.waiting.delete(org)
      // Behind the others.
      this.waiting.set(org, waiters)
      this.begin(org)
      next?.begin()
      return
    }
  }

  private wait<T>(
    org: number,
    { signal, isUnhurried = false, companion }: TurnOptions<Ride, T>,
  ): Promise<'begins' | 'goes along'> {
    signal?.throwIfAborted()
    const waiters = this.waiting.get(org) ?? new Set<Waiter<Ride>>()
    if (waiters.size >= WAITING_LIMIT) throw busy()
    this.waiting.set(org, waiters)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        waiters.delete(waiter)
        if (waiters.size === 0 && this.waiting.get(org) === waiters) this.waiting.delete(org)
      }
      const giveUp = (error: unknown) => {
        leave()
        reject(error)
      }
      const onAbort = () => giveUp(signal?.reason)
      const goOn = (how: 'begins' | 'goes along') => {
        leave()
        resolve(how)
      }
      const waiter: Waiter<Ride> = { companion, begin: () => goOn('begins'), goAlong: () => goOn('goes along') }
      const timer = isUnhurried ? undefined : setTimeout(() => giveUp(waitedTooLong()), WAIT_MS)
      signal?.addEventListener('abort', onAbort, { once: true })
      waiters.add(waiter)
    })
  }
}
