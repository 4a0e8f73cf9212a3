import { AppError, notFound } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { getRow } from '../../db/rows.ts'
import { noSuch } from '../../db/scope.ts'
import type { KeyHandover } from '../key-handovers/schema.ts'
import { type HandedOver, type IssueBody, issueKey, type StepBody, takeBack } from './queries.ts'
import { type Key, keys } from './schema.ts'

/** As many as a ring, or a whole house's set, has. */
export const MAX_KEYS = 100

export interface Ring extends Record<string, unknown> {
  keys: Key[]
  handovers: KeyHandover[]
}

/** Gives several keys to somebody at once, all or none, on one receipt. */
export function issueRing(tx: Tx, ids: readonly string[], body: IssueBody, scope: Scope): Promise<Ring> {
  let receipt: string | undefined
  return each(tx, ids, scope, async (key) => {
    const given = await issueKey(tx, key, body, scope, receipt)
    receipt ??= given.handover.receipt_id
    return given
  })
}

/** Takes several keys back at once, whoever held them, all or none. */
export const returnRing = (tx: Tx, ids: readonly string[], body: StepBody, scope: Scope): Promise<Ring> =>
  each(tx, ids, scope, (key) => takeBack(tx, key, body))

async function each(
  tx: Tx,
  ids: readonly string[],
  scope: Scope,
  step: (key: Key) => Promise<HandedOver>,
): Promise<Ring> {
  const ring: Ring = { keys: [], handovers: [] }
  for (const [index, id] of ids.entries()) {
    const path = `key_ids[${index}]`
    const key = await keyOf(tx, path, id, scope)
    const { key: moved, handover } = await ofKey(path, key, () => step(key))
    ring.keys.push(moved)
    ring.handovers.push(handover)
  }
  return ring
}

/** A key that is not seen is not told from one that is not there. */
export async function keyOf(tx: Tx, path: string, id: string, scope: Scope): Promise<Key> {
  try {
    return await getRow(tx, keys, id, scope)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== notFound().code) throw error
    throw noSuch(path, keys, id, scope)
  }
}

/** Of many keys, the one that stands in the way is named. */
async function ofKey<T>(path: string, key: Key, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || (error.reason !== 'key.transition' && error.reason !== 'handover.order'))
      throw error
    const message = `Key ${key.key_type_code} ${key.number}: ${error.message}`
    throw new AppError(error.code, message, { reason: error.reason, details: [{ path, rule: error.reason, message }] })
  }
}
