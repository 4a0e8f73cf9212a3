import type { Engine, Ride, Sealed, Session } from '../engine.ts'

// What one organization changes is put in order by its row, which a change holds until the disk has taken it in. Those
// that have come meanwhile go along with one that is done: in its transaction, each by itself, behind it. What is
// recorded of them is stored and signed once for all, and the disk is asked once.

/** So many go along at most, and for so long. */
const MOST = 16
const LONGEST_MS = 200

interface Made<T> {
  result: T
  /** Undefined: nothing was changed. */
  sealed: Sealed | undefined
}

/** A change that may be made in the transaction of another. */
export class Companion<T> {
  readonly outcome: Promise<T>
  private readonly settled = Promise.withResolvers<T>()
  private readonly make: (ride: Ride) => Promise<Made<T>>

  constructor(make: (ride: Ride) => Promise<Made<T>>) {
    this.make = make
    this.outcome = this.settled.promise
    // Nobody may wait for it: then it was made in a turn of its own.
    this.outcome.catch(() => undefined)
  }

  /**
   * What fails is taken back and told to whoever asked for it alone: once what it was held against is committed, or is
   * not.
   */
  readonly ride = async (ride: Ride): Promise<void> => {
    const { session } = ride
    try {
      await session.send('savepoint companion', [])
      const { result, sealed } = await this.make(ride)
      await session.run('release savepoint companion', [])
      if (sealed) {
        ride.head = sealed.head
        ride.sealed.push(sealed)
      }
      ride.ended.then(() => this.settled.resolve(result), this.settled.reject)
    } catch (error) {
      const refuse = () => this.settled.reject(error)
      ride.ended.then(refuse, this.settled.reject)
      // Where there is no way back, all that were made in it end by the same.
      await goBack(session).catch(() => Promise.reject(error))
    }
  }
}

/** Called when a change is done and not committed yet; `begin`: there are some that go along. */
export async function takeAlong(
  { writers }: Engine,
  org: number,
  ride: Ride,
  begin: () => Promise<void>,
): Promise<void> {
  if (!writers.hasCompanion(org)) return
  await begin()
  const until = performance.now() + LONGEST_MS
  for (let count = 0; count < MOST && performance.now() < until; count++) {
    const companion = writers.nextCompanion(org)
    if (!companion) return
    await companion(ride)
  }
}

/** What was sent before it, and failed, is told first. */
async function goBack(session: Session): Promise<void> {
  const back = () => session.run('rollback to savepoint companion', [])
  await back().catch(back)
  await session.run('release savepoint companion', [])
}
