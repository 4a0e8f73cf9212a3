import { isFoundTooFast } from '../../core/credential-state.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { checkWindow } from '../../core/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { type Credential, credentials } from './schema.ts'

/** `pin` comes hashed already; it is there only when the request gave it. */
export function prepareCredential(
  _tx: Tx,
  next: Credential & { pin?: string | null },
  current: Credential | undefined,
): AnyRow | undefined {
  checkWindow(next)
  if (current && isFoundTooFast(current.status_reason, next.status_reason)) {
    throw new AppError(
      'INVALID_STATE',
      `A ${current.status_reason} credential does not become usable in one step: POST …/${current.id}/found suspends it, then set status_reason to ${next.status_reason}`,
      { reason: 'credential.found_first' },
    )
  }
  const { pin } = next
  if (typeof pin === 'string' && next.type !== 'pin' && next.type !== 'card')
    throw invalid('pin', 'credential.pin_type', 'pin: only credentials of the types pin and card have one')
  return pin === undefined ? undefined : { pin_hash: pin }
}

/** What was lost turns up: suspended, until somebody has looked at it. */
export function findCredential(tx: Tx, credential: Credential): Promise<AnyRow> {
  if (credential.status_reason !== 'lost' && credential.status_reason !== 'stolen')
    throw new AppError('INVALID_STATE', `Only a lost or stolen credential can be found; this one is ${credential.status_type}`, {
      reason: 'credential.not_lost',
    })
  return updateRow(tx, credentials, credential, { status_reason: 'forgotten' }, 'found')
}
