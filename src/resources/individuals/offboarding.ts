import { AppError, invalid } from '../../core/errors.ts'
import type { Rights } from '../../core/rights.ts'
import { instantIn } from '../../core/time/instant.ts'
import { nextDayIn } from '../../core/time/time-zone.ts'
import { firstInstantOf } from '../../core/time/zone.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import type { AnyRow } from '../../db/resource.ts'
import { deleteRow, updateRow } from '../../db/rows.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { belongings } from './belongings.ts'
import { credentialsToEnd, endingOf, grantsToEnd, limitsOfEnding } from './ending.ts'
import { type Individual, individuals } from './schema.ts'
import { statusAfter } from './transitions.ts'

/** Now, or when its time comes; says what it ends, or is going to. */
export async function offboard(
  tx: Tx,
  individual: Individual,
  on: string | undefined,
  rights: Rights,
): Promise<AnyRow> {
  const at = on === undefined ? tx.now : await momentOf(tx, on)
  statusAfter('offboard', individual)
  const told = { ...(await endingOf(tx, individual.id, at, rights)), limited_to: await limitsOfEnding(tx, rights) }
  const row = on === undefined ? await carryOut(tx, individual) : await plan(tx, individual, at)
  return { ...row, ...told }
}

/** A date is its end where the organization is; a point in time is itself. */
async function momentOf(tx: Tx, on: string): Promise<string> {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(on)
  const { organizationZone } = await placesOf(tx)
  const at = isDay
    ? nextDayIn(organizationZone, new Date(firstInstantOf(organizationZone, Date.parse(on))).toISOString())
    : instantIn('on', on)
  if (at > tx.now) return at
  throw invalid('on', 'offboard.past', `on: ${on} is over; leave it out to offboard at once`)
}

/** Until then they are valid, and not a moment longer, whatever becomes of the job. */
async function plan(tx: Tx, individual: Individual, at: string): Promise<AnyRow> {
  const before = untouched(individual)
  const valid_until = before !== null && before < at ? before : at
  if (individual.valid_from !== null && individual.valid_from >= valid_until)
    throw invalid(
      'on',
      'window.empty',
      'on: it is not later than valid_from; offboard them at once, or choose a later day',
    )
  const change = { offboard_at: at, valid_until, valid_until_before: before }
  return updateRow(tx, individuals, individual, change, 'offboarding_planned')
}

/** Until when they would be valid had nobody planned anything. Whoever has changed it since has said so. */
const untouched = ({ offboard_at, valid_until, valid_until_before }: Individual): string | null =>
  offboard_at !== null && valid_until === offboard_at ? valid_until_before : valid_until

export const withoutPlan = (individual: Individual) =>
  individual.offboard_at === null
    ? {}
    : { offboard_at: null, valid_until: untouched(individual), valid_until_before: null }

export async function takeBack(tx: Tx, individual: Individual): Promise<AnyRow> {
  statusAfter('offboard', individual)
  if (individual.offboard_at === null)
    throw new AppError('INVALID_STATE', 'Nobody has planned to offboard this individual', {
      reason: 'offboard.not_planned',
    })
  return updateRow(tx, individuals, individual, withoutPlan(individual), 'offboarding_taken_back')
}

/** Takes back everything that works by electricity. */
export async function carryOut(tx: Tx, individual: Individual): Promise<AnyRow> {
  const status = statusAfter('offboard', individual)
  for (const credential of await belongings(tx, credentials, individual.id, credentialsToEnd))
    await updateRow(tx, credentials, credential, { status_reason: 'revoked' }, 'revoked')
  for (const grant of await belongings(tx, accessGrants, individual.id, grantsToEnd(tx.now)))
    await updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
  for (const member of await belongings(tx, accessGroupMembers, individual.id))
    await deleteRow(tx, accessGroupMembers, member, {})
  return updateRow(tx, individuals, individual, { ...withoutPlan(individual), status }, 'offboarded')
}
