import { terminating } from '../../core/credential-state.ts'
import { AppError } from '../../core/errors.ts'
import { type IndividualAction, type IndividualStatus, individualAfter, statusesFor } from '../../core/individual-states.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { deleteRow, updateRow } from '../../db/rows.ts'
import { limitsOf } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { belongings, type HeldKey, keysHeldBy } from './belongings.ts'
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

export async function reactivate(tx: Tx, individual: Individual): Promise<AnyRow> {
  return updateRow(tx, individuals, individual, { status: statusAfter('reactivate', individual) }, 'reactivated')
}

/** Takes back everything that works by electricity, and says what must be taken back by hand. */
export async function offboard(tx: Tx, individual: Individual, scope: Scope): Promise<AnyRow & { keys_to_recover: HeldKey[] }> {
  const status = statusAfter('offboard', individual)
  // One that is terminated already keeps its reason: a stolen card must stay known as stolen.
  const ended = raw(terminating.map((reason) => `'${reason}'`).join(', '))
  for (const credential of await belongings(tx, credentials, individual.id, sql`t.status_reason not in (${ended})`))
    await updateRow(tx, credentials, credential, { status_reason: 'revoked' }, 'revoked')
  const inForceOrAhead = sql`t.revoked_at is null and (t.valid_until is null or t.valid_until > :now)`
  for (const grant of await belongings(tx, accessGrants, individual.id, inForceOrAhead))
    await updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
  for (const member of await belongings(tx, accessGroupMembers, individual.id)) await deleteRow(tx, accessGroupMembers, member, {})
  const row = await updateRow(tx, individuals, individual, { status }, 'offboarded')
  return { ...row, keys_to_recover: await keysHeldBy(tx, individual.id, scope), limited_to: await limitsOf(tx, scope) }
}
