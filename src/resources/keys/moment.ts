import { AppError, invalid } from '../../core/errors.ts'
import { instantIn } from '../../core/time/instant.ts'
import type { Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import type { Key } from './schema.ts'

/**
 * When a key changed hands: now, or the moment that is named by whoever records later what happened before. The
 * handovers of a key are recorded in their order. What was known when does not move with it: history and audit log say
 * when it was recorded.
 */
export async function momentOf(tx: Tx, key: Key, path: string, at: string | undefined): Promise<string> {
  if (at === undefined) return tx.now
  if (at > tx.now)
    throw invalid(
      path,
      'handover.future',
      `${path}: ${at} is yet to come; name a moment that has been, or none for now`,
    )
  const last = await lastMoment(tx, key)
  if (last !== undefined && at < last)
    throw new AppError(
      'INVALID_STATE',
      `${path}: ${at} is before ${last}, when the key last changed hands or state; record what happened in its order`,
      {
        reason: 'handover.order',
        details: [{ path, rule: 'handover.order', message: `at the earliest ${last}` }],
      },
    )
  return at
}

/** Whether it is a moment at all comes before anything that depends on the key. */
export const namedMoment = (path: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : instantIn(path, value)

/** A key that nothing has happened to since it was entered here may have been handed over before. */
async function lastMoment(tx: Tx, key: Key): Promise<string | undefined> {
  const handovers = await tx.one<{ last: string | null }>(
    sql`select max(coalesce(t.ended_at, t.issued_at)) as last from key_handovers t where t.org = :org
      and t.key_id = ${key.id}`,
  )
  const moved = key.status_since === key.created_at ? '' : key.status_since
  const last = [handovers?.last ?? '', moved].sort().at(-1)
  return last === '' ? undefined : last
}
