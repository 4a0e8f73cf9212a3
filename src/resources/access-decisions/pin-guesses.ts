import type { Decision } from '../../core/decide/decide.ts'
import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { isSeen } from '../../db/rows.ts'
import { FailureWindow } from '../../http/callers/failure-window.ts'
import { accessPoints } from '../access-points/schema.ts'
import type { AccessQuestion } from './schema.ts'

const MINUTE_MS = 60_000

/** A person at a door mistypes now and then; of ten thousand PINs nobody finds one like this (docs/decisions/0025). */
const guesses = perEngine(() => ({
  ofCaller: new FailureWindow('wrong-pins', 60, 60 * MINUTE_MS),
  ofCard: new FailureWindow('wrong-pins', 5, 15 * MINUTE_MS),
}))

/**
 * Decides a question with a PIN for somebody who may ask that, so many times. Each counts before it is decided, and not
 * if the PIN was right: however many are asked at once, no more are told.
 */
export async function withPinGuarded(
  handle: OrgHandle,
  caller: Caller,
  question: AccessQuestion,
  decide: () => Promise<Decision>,
): Promise<Decision> {
  const { credential, access_point_id } = question
  if (!credential?.pin) return decide()
  const scope = caller.rights.scopeOf('access-decisions:check-pin')
  if (!scope || !(await isSeen(handle, accessPoints, access_point_id, scope))) throw notForYou()
  const { ofCaller, ofCard } = guesses(handle.engine)
  const who = `${handle.org} ${caller.id}`
  const counted: Array<[FailureWindow, string]> = [[ofCaller, who]]
  if (credential.number)
    counted.push([ofCard, `${who} ${credential.type} ${credential.facility_code ?? ''} ${credential.number}`])
  for (const [window, key] of counted) {
    const seconds = window.count(key, handle.now)
    if (seconds > 0) throw tooMany(window, seconds)
  }
  const decision = await decide()
  if (!isWrong(credential, decision)) for (const [window, key] of counted) window.forgive(key)
  return decision
}

/** A PIN by itself that nobody has is as wrong as one that is not the card's. */
const isWrong = ({ number }: NonNullable<AccessQuestion['credential']>, { reason, obstacles }: Decision): boolean =>
  obstacles.some((obstacle) => obstacle.reason === 'incorrect_pin') || (!number && reason === 'unknown_credential')

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
