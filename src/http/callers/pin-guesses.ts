import { matchKeyOf } from '../../core/cards/match-key.ts'
import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { isSeen } from '../../db/rows.ts'
import { FailureWindow } from './failure-window.ts'

const MINUTE_MS = 60_000

/** A person at a door mistypes now and then; of ten thousand PINs nobody finds one like this (docs/decisions/0025). */
const guesses = perEngine(() => ({
  ofCaller: new FailureWindow('wrong-pins', 60, 60 * MINUTE_MS),
  ofCard: new FailureWindow('wrong-pins', 5, 15 * MINUTE_MS),
}))

/** What a reader has read; a PIN with a card's number is that card's, one without says by itself whose it is. */
interface ReadAtDoor {
  readonly access_point_id: string
  readonly pin?: string | null | undefined
  readonly type?: string | undefined
  readonly number?: string | null | undefined
  readonly facility_code?: string | null | undefined
}

interface Told {
  readonly reason: string
  /** All that stands in the way, where that is told. */
  readonly reasons?: readonly string[]
}

/**
 * Does what tells whether a PIN is right, for somebody who may ask that, so many times. Each counts before it is
 * decided, and not if the PIN was right or nothing was told: however many are asked at once, no more are told. `toldBy`
 * says what the caller learns of what was done.
 */
export async function withPinGuarded<T>(
  handle: OrgHandle,
  caller: Caller,
  read: ReadAtDoor,
  work: () => Promise<T>,
  toldBy: (done: T) => Told | null,
): Promise<T> {
  if (!read.pin) return work()
  const scope = caller.rights.scopeOf('access-decisions:check-pin')
  const doors = resourcesOf(handle.engine).of('access_points') as Resource
  if (!scope || !(await isSeen(handle, doors, read.access_point_id, scope))) throw notForYou()
  const { ofCaller, ofCard } = guesses(handle.engine)
  const who = `${handle.org} ${caller.id}`
  const counted: Array<[FailureWindow, string]> = [[ofCaller, who]]
  if (read.number) counted.push([ofCard, `${who} ${cardOf(read)}`])
  const forgiven: typeof counted = []
  try {
    for (const [window, key] of counted) {
      forgiven.push([window, key])
      const seconds = window.count(key, handle.now)
      if (seconds > 0) throw tooMany(window, seconds)
    }
    const done = await work()
    const told = toldBy(done)
    if (told && isWrong(read, told)) forgiven.length = 0
    return done
  } finally {
    for (const [window, key] of forgiven) window.forgive(key)
  }
}

/** A card is one card, whatever zeros and separators its number is written with. */
const cardOf = ({ type = 'card', number = null, facility_code = null }: ReadAtDoor): string | null =>
  matchKeyOf({ type, number, facility_code, format: null })

/** A PIN by itself that nobody has is as wrong as one that is not the card's. */
const isWrong = ({ number }: ReadAtDoor, { reason, reasons = [reason] }: Told): boolean =>
  reasons.includes('incorrect_pin') || (!number && reason === 'unknown_credential')

const notForYou = () =>
  new AppError(
    'UNAUTHORIZED',
    'Whether a PIN is right is told to those who may ask that (access-decisions:check-pin); ask without it',
    {
      status: 403,
      reason: 'insufficient_permissions',
    },
  )

const tooMany = (window: FailureWindow, seconds: number) =>
  new AppError('RATE_LIMITED', `Too many wrong PINs were asked about; try again in ${seconds} s`, {
    reason: 'wrong_pins',
    headers: window.headers(seconds),
  })
