import { AppError, invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { countFor } from './measure.ts'
import { type Lockdown, lockdowns } from './schema.ts'

export const TARGETS = ['location_id', 'building_id', 'space_id', 'access_point_id'] as const

const over = (lockdown: Lockdown) =>
  new AppError('INVALID_STATE', `This ${lockdown.kind} is ${lockdown.status} already`, {
    reason: `lockdown.${lockdown.status}`,
  })

export async function prepareLockdown(
  tx: Tx,
  next: Lockdown,
  current: Lockdown | undefined,
): Promise<AnyRow | undefined> {
  if (current && current.status !== 'active') throw over(current)
  if (!current) {
    const [, second] = TARGETS.filter((name) => next[name] !== null)
    if (second) throw invalid(second, 'lockdown.target', `Give at most one of ${TARGETS.join(', ')}`)
    next.started_by = tx.actor.name
  }
  if (next.expires_at !== null && next.expires_at <= tx.now)
    throw invalid(
      'expires_at',
      'lockdown.expires_at',
      'expires_at must be later than now; release it to end it at once',
    )
  return current ? undefined : { present_at_start: await countFor(tx, next) }
}

/** Ends it at once; it is kept. */
export async function releaseLockdown(tx: Tx, lockdown: Lockdown): Promise<Lockdown> {
  if (lockdown.status !== 'active') throw over(lockdown)
  const present_at_end = await countFor(tx, lockdown)
  return updateRow(
    tx,
    lockdowns,
    lockdown,
    { released_at: tx.now, released_by: tx.actor.name, present_at_end },
    'released',
  )
}
