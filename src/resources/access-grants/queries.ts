import { AppError, invalid } from '../../core/errors.ts'
import { checkWindow } from '../../core/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { type AccessGrant, accessGrants } from './schema.ts'

const SUBJECTS = ['individual_id', 'access_group_id'] as const
const TARGETS = ['access_point_id', 'space_id', 'building_id', 'location_id'] as const

const refuse = (reason: string, message: string) => new AppError('INVALID_STATE', message, { reason })

export function prepareGrant(_tx: Tx, next: AccessGrant, current: AccessGrant | undefined): undefined {
  checkWindow(next)
  if (!current) {
    exactlyOne(next, SUBJECTS, 'subject')
    exactlyOneTarget(next)
    return
  }
  if (current.status === 'revoked') throw refuse('grant.revoked', 'A revoked grant cannot be changed; make a new one')
  // What once was in force stays on record as it was: whoever looks back must find it.
  if (current.status !== 'scheduled' && next.valid_from !== current.valid_from)
    throw refuse('grant.begun', 'The grant has begun, so valid_from cannot be moved; revoke it and make a new one')
}

type Named = Readonly<Record<(typeof TARGETS)[number], unknown>>

/** What somebody gets access to, by a grant or by asking for one. */
export const exactlyOneTarget = (row: Named): void => exactlyOne(row, TARGETS, 'target')

function exactlyOne<Name extends string>(grant: Readonly<Record<Name, unknown>>, names: readonly Name[], what: string): void {
  const given = names.filter((name) => grant[name] !== null)
  if (given.length === 1) return
  const message = `Give exactly one ${what}: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}; ${given.length === 0 ? 'none is given' : `${given.join(' and ')} are given`}`
  throw invalid(given[1] ?? (names[0] as string), `grant.${what}`, message)
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
