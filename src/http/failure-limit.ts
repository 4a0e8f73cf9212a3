import { boundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { networkOf } from '../net/addresses.ts'

const WINDOW_MS = 60_000
const ALLOWED = 30

/**
 * Failed authentications per address (IPv6: per /64). Only failures are counted and only failures are refused: whoever
 * shares an address with a guesser and has a good token does not notice.
 */
export class FailureLimit {
  private readonly counts = boundedMap<{ from: number; failures: number }>(50_000)
  private readonly clock: Clock
  private readonly allowed: number

  constructor(clock: Clock, allowed = ALLOWED) {
    this.clock = clock
    this.allowed = allowed
  }

  /** Counts one failure; gives RATE_LIMITED to answer with instead when there were too many. */
  count(address: string): AppError | undefined {
    const now = Date.parse(this.clock.now())
    const key = networkOf(address)
    let entry = this.counts.get(key)
    if (!entry || now - entry.from >= WINDOW_MS || now < entry.from) {
      entry = { from: now, failures: 0 }
      this.counts.set(key, entry)
    }
    entry.failures += 1
    if (entry.failures <= this.allowed) return undefined
    const seconds = Math.ceil((entry.from + WINDOW_MS - now) / 1000)
    return new AppError('RATE_LIMITED', `Too many failed authentications from this address; try again in ${seconds} s`, {
      reason: 'failed_authentications',
      headers: {
        'retry-after': String(seconds),
        'ratelimit-policy': `"failed-authentications";q=${this.allowed};w=${WINDOW_MS / 1000}`,
        ratelimit: `"failed-authentications";r=0;t=${seconds}`,
      },
    })
  }
}
