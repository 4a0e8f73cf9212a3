import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'

/** What somebody must do first of whom a second factor is demanded: set one up, or give the one they have. */
export type AwaitedFactor = NonNullable<Caller['awaitedFactor']>

const refused = (reason: string, msg: string) => new AppError('UNAUTHORIZED', msg, { status: 403, reason })

export const factorRequired = (awaited: AwaitedFactor): AppError =>
  awaited === 'set_up'
    ? refused(
        'second_factor_set_up_required',
        'A second factor is demanded of you, and you have none: set up an authenticator app (POST /api/v1/me/totp) ' +
          'or a passkey (POST /api/v1/me/passkeys/options) first',
      )
    : refused(
        'second_factor_required',
        'A second factor is demanded of you: give a code of your app (POST /api/v1/me/confirm-code) or use a passkey ' +
          '(POST /api/v1/me/confirm-passkey) first',
      )
