import { AppError } from '../../core/errors.ts'
import type { Clock } from '../../core/time/clock.ts'
import { networkOf } from '../../net/addresses.ts'
import { FailureWindow } from './failure-window.ts'

const WINDOW_MS = 60_000
const ALLOWED = 30

/**
 * Failed authentications per address (IPv6: per /64). Only failures are counted and only failures are refused: whoever
 * shares an address with a guesser and has a good token does not notice.
 */
export class FailureLimit {
  private readonly window: FailureWindow
  private readonly clock: Clock

  constructor(clock: Clock, allowed = ALLOWED) {
    this.clock = clock
    this.window = new FailureWindow('failed-authentications', allowed, WINDOW_MS)
  }

  /** Counts one failure; gives RATE_LIMITED to answer with instead when there were too many. */
  count(address: string): AppError | undefined {
    const seconds = this.window.count(networkOf(address), this.clock.now())
    if (seconds === 0) return undefined
    return new AppError(
      'RATE_LIMITED',
      `Too many failed authentications from this address; try again in ${seconds} s`,
      {
        reason: 'failed_authentications',
        headers: this.window.headers(seconds),
      },
    )
  }
}
