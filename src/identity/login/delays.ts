import { AppError } from '../../core/errors.ts'

/** From this failure on, the next attempt has to wait: a second, then two, four, … up to a minute. There is no lock. */
const FREE = 5
const LONGEST_MS = 60_000
/** Failures are forgotten when the last of them is this old. */
const FORGOTTEN_MS = 3_600_000

export interface Failures {
  failures: number
  last_at: string
}

const delayAfter = (failures: number): number =>
  failures < FREE ? 0 : Math.min(1000 * 2 ** (failures - FREE), LONGEST_MS)

const isForgotten = ({ last_at }: Failures, now: string): boolean =>
  Date.parse(now) - Date.parse(last_at) >= FORGOTTEN_MS

/** Of those that still count. */
export const failuresAt = (known: Failures, now: string): number => (isForgotten(known, now) ? 0 : known.failures)

/** How many milliseconds the next attempt has to wait. */
export function waitAfter(known: Failures, now: string): number {
  const age = Date.parse(now) - Date.parse(known.last_at)
  // It failed by a clock that was ahead: until that moment comes, nobody knows how long ago it was.
  if (age < -LONGEST_MS) return 0
  // A clock that was set back must not make anybody wait longer than the longest delay.
  return Math.max(0, delayAfter(failuresAt(known, now)) - Math.max(0, age))
}

export function tooManyFailures(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  return new AppError('RATE_LIMITED', `Too many failed logins; try again in ${seconds} s`, {
    reason: 'failed_logins',
    headers: { 'retry-after': String(seconds) },
  })
}
