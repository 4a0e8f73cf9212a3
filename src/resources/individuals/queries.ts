import { AppError, invalid } from '../../core/errors.ts'
import { refuseTwoPlaces } from '../../core/one-place.ts'
import { displayNameOf, nextDisplayName } from '../../core/people/display-name.ts'
import { checkWindow } from '../../core/time/window.ts'
import type { Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import type { Individual } from './schema.ts'

export async function prepareIndividual(tx: Tx, next: Individual, current: Individual | undefined): Promise<undefined> {
  if (current?.status === 'anonymised')
    throw new AppError('INVALID_STATE', 'An anonymised individual cannot be changed; create a new one', {
      reason: 'individual.anonymised',
    })
  if (current) next.display_name = nextDisplayName(current, next)
  else prepareNew(next)
  if (current) keepEnd(next, current)
  checkWindow(next)
  refuseTwoPlaces(next)
  if (next.manager_id !== null && next.manager_id !== current?.manager_id) await refuseCycle(tx, next)
}

/**
 * Whoever is to leave on a day is not valid beyond it: their cards would work until the last moment, and be promised to
 * work after it.
 */
function keepEnd({ id, valid_until }: Individual, current: Individual): void {
  const { offboard_at } = current
  if (
    offboard_at === null ||
    valid_until === current.valid_until ||
    (valid_until !== null && valid_until <= offboard_at)
  )
    return
  throw new AppError(
    'INVALID_STATE',
    `This individual is to leave on ${offboard_at}, so valid_until cannot be later: POST ` +
      `…/${id}/take-back-offboarding first, or offboard on another day`,
    { reason: 'offboard.planned' },
  )
}

function prepareNew(next: Individual): void {
  if (next.display_name) return
  for (const field of ['given_name', 'family_name'] as const) {
    if (next[field].trim() === '')
      throw invalid(field, 'body.required', `${field} is required: give given_name and family_name, or display_name`)
  }
  next.display_name = displayNameOf(next)
}

async function refuseCycle(tx: Tx, next: Individual): Promise<void> {
  const cycle = await tx.one(sql`with recursive up as (
      select t.id, t.manager_id from individuals t where t.org = :org and t.id = ${next.manager_id}
      union
      select t.id, t.manager_id from up join individuals t on t.org = :org and t.id = up.manager_id
    ) select up.id from up where up.id = ${next.id}`)
  if (cycle)
    throw invalid(
      'manager_id',
      'reference.cycle',
      'manager_id: an individual cannot be their own manager, directly or by a chain',
    )
}
