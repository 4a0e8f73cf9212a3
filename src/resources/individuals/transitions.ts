import { AppError } from '../../core/errors.ts'
import {
  type IndividualAction,
  type IndividualStatus,
  individualAfter,
  statusesFor,
} from '../../core/people/individual-states.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type Individual, individuals } from './schema.ts'

/** Refuses what cannot follow. */
export function statusAfter(action: IndividualAction, { status }: Individual): IndividualStatus {
  const next = individualAfter(action, status)
  if (next) return next
  const from = statusesFor(action).join(' or ')
  throw new AppError('INVALID_STATE', `This individual is ${status}; ${action} needs one that is ${from}`, {
    reason: `individual.${status}`,
  })
}

export async function suspend(tx: Tx, individual: Individual): Promise<AnyRow> {
  return updateRow(tx, individuals, individual, { status: statusAfter('suspend', individual) }, 'suspended')
}

/** Whoever suspended them before, a later suspension is not an identity provider's, and not its to end. */
export async function reactivate(tx: Tx, individual: Individual): Promise<AnyRow> {
  await tx.run(
    sql`update scim_users as t set has_suspended = ${false} where t.org = :org and t.individual_id = ${individual.id}`,
  )
  return updateRow(tx, individuals, individual, { status: statusAfter('reactivate', individual) }, 'reactivated')
}
