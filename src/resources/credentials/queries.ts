import { isMissing, isRevivedTooFast, terminating } from '../../core/cards/credential-state.ts'
import { HIDDEN, matchKeyOf } from '../../core/cards/match-key.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { checkWindow } from '../../core/time/window.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { updateRow } from '../../db/rows.ts'
import { bindToKey } from '../../db/sealing.ts'
import { sql } from '../../db/sql.ts'
import { type Credential, credentials } from './schema.ts'
import { refuseTakenPin, storedPin } from './taken-pin.ts'

/** `pin` comes as its digests already, of which the first is stored; it is there only when the request gave it. */
export async function prepareCredential(
  tx: Tx,
  next: Credential & { pin?: string | null },
  current: Credential | undefined,
): Promise<AnyRow | undefined> {
  checkWindow(next)
  const isNumberedAnew = !current || NUMBERING.some((name) => next[name] !== current[name])
  if (isNumberedAnew && !isHidden(next)) next.match_key = matchKeyOf(next)
  if (current && current.max_uses !== next.max_uses) await countAgain(tx, next)
  if (current && isRevivedTooFast(current.status_reason, next.status_reason)) throw revivedTooFast(current, next)
  const { pin } = next
  if (typeof pin === 'string' && next.type !== 'pin' && next.type !== 'card')
    throw invalid('pin', 'credential.pin_type', 'pin: only credentials of the types pin and card have one')
  if (pin === undefined) {
    if (current && isOver(current) && !isOver(next)) await refuseTakenPin(tx, next, await storedPin(tx, next.id))
    return undefined
  }
  const keys = pin?.split(' ') ?? []
  await refuseTakenPin(tx, next, keys)
  if (pin !== null) await bindToKey(tx)
  // The slow hash of an earlier version has had its time.
  return { pin_key: keys[0] ?? null, pin_hash: null }
}

/** A code that is not stored is still the one it has, unless it is given a number. */
const isHidden = ({ number, match_key }: Credential): boolean =>
  number === null && match_key !== null && match_key.startsWith(HIDDEN)

const isOver = ({ status_reason }: Credential): boolean => terminating.some((one) => one === status_reason)

/** With another limit, as many uses as before are fewer or more than it. */
const countAgain = (tx: Tx, { id, max_uses }: Credential): Promise<number> =>
  tx.run(
    sql`update credential_uses as t set is_used_up = coalesce(t.use_count >= ${max_uses}, false) where t.org = :org
      and t.id = ${id}`,
  )

const NUMBERING = ['type', 'facility_code', 'number', 'format'] as const

function revivedTooFast({ id, status_reason }: Credential, next: Credential): AppError {
  const missing = isMissing(status_reason)
  const first = missing ? `POST …/${id}/found suspends it` : 'set status_reason to forgotten, which suspends it'
  return new AppError(
    'INVALID_STATE',
    `A ${status_reason} credential does not become usable in one step: ${first}, then set status_reason to ` +
      `${next.status_reason}`,
    { reason: missing ? 'credential.found_first' : 'credential.suspend_first' },
  )
}

/** What was lost turns up: suspended, until somebody has looked at it. */
export async function findCredential(tx: Tx, credential: Credential): Promise<AnyRow> {
  if (!isMissing(credential.status_reason))
    throw new AppError(
      'INVALID_STATE',
      `Only a lost or stolen credential can be found; this one is ${credential.status_type}`,
      {
        reason: 'credential.not_lost',
      },
    )
  await refuseTakenPin(tx, { ...credential, status_reason: 'forgotten' }, await storedPin(tx, credential.id))
  return updateRow(tx, credentials, credential, { status_reason: 'forgotten' }, 'found')
}
