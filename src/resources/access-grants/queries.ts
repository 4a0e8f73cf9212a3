import { AppError } from '../../core/errors.ts'
import { exactlyOne, TARGETS } from '../../core/one-place.ts'
import { checkWindow } from '../../core/time/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { type AccessGrant, accessGrants } from './schema.ts'

const SUBJECTS = ['individual_id', 'access_group_id'] as const

const refuse = (reason: string, message: string) => new AppError('INVALID_STATE', message, { reason })

export function prepareGrant(_tx: Tx, next: AccessGrant, current: AccessGrant | undefined): undefined {
  checkWindow(next)
  if (!current) {
    exactlyOne(next, SUBJECTS, 'subject')
    exactlyOne(next, TARGETS, 'target')
    return
  }
  if (current.status === 'revoked') throw refuse('grant.revoked', 'A revoked grant cannot be changed; make a new one')
  // What once was in force stays on record as it was: whoever looks back must find it.
  if (current.status !== 'scheduled' && next.valid_from !== current.valid_from)
    throw refuse('grant.begun', 'The grant has begun, so valid_from cannot be moved; revoke it and make a new one')
}

/** Only what never let anybody through may vanish. */
export async function keepHistory(_tx: Tx, grant: AccessGrant): Promise<void> {
  if (grant.status === 'scheduled') return
  const instead = grant.status === 'active' ? ': revoke it instead' : ''
  throw refuse('grant.kept', `This grant is ${grant.status} and is kept as history${instead}`)
}

export function revokeGrant(tx: Tx, grant: AccessGrant): Promise<AnyRow> {
  if (grant.status === 'revoked' || grant.status === 'expired')
    throw refuse(`grant.${grant.status}`, `The grant is ${grant.status} already`)
  return updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
}
