import { AppError } from '../../core/errors.ts'
import { refuseTwoPlaces } from '../../core/one-place.ts'
import { isWellFormedToken, newTokenValue, TOKEN_PREFIX, tokenHash } from '../../core/secrets/token.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, findRow, type Made, updateRow } from '../../db/rows.ts'
import { refuseGivingAllOf, refuseMoreThanOwn } from '../giving.ts'
import { checkExpiry, LAST_WARNING_DAYS, noticeAt } from './expiry.ts'
import { type Token, tokens } from './schema.ts'

interface MadeToken {
  row: Token
  /** Goes to whoever asked for it, and is stored nowhere. */
  value: string
}

/** A token for a service user; `expires_at` as an instant. */
export async function insertToken(tx: Tx, body: Partial<Token>): Promise<MadeToken> {
  const value = newTokenValue()
  const row = await createRow(tx, tokens, body, 'all', {
    prepare: async (_tx, next: Token) => {
      await checkToken(tx, next)
      // Whoever makes a token for a day need not be told that it ends within a month.
      const notice_days = noticeAt(tx.now, next.expires_at)
      return { hash: tokenHash(value), prefix: TOKEN_PREFIX, last_four: value.slice(-4), notice_days }
    },
  })
  return { row, value }
}

export async function createToken(tx: Tx, body: AnyRow): Promise<Made> {
  const { row, value } = await insertToken(tx, body)
  return { row, secret: { value }, msg: 'Created token; its value is shown this once' }
}

async function checkToken(tx: Tx, next: Token): Promise<void> {
  await checkExpiry(tx, next.expires_at)
  refuseTwoPlaces(next)
  const nowhere = { locations: new Set<string>(), buildings: new Set<string>() }
  refuseMoreThanOwn(
    tx.actor,
    (next.permissions ?? []).map((permission) => [permission, nowhere]),
  )
  await refuseGivingAllOf(tx, { user_id: null, service_user_id: next.service_user_id }, next)
}

export async function revokeToken(tx: Tx, token: Token): Promise<AnyRow> {
  if (token.revoked_at !== null) throw ended(`The token is revoked already, since ${token.revoked_at}`)
  return updateRow(tx, tokens, token, { revoked_at: tx.now }, 'revoked')
}

/** A new token like the old one, which ends when the grace period does, at once if there is none. */
export async function rotateToken(
  tx: Tx,
  old: Token,
  expiresAt: string,
  graceSeconds: number,
): Promise<MadeToken & { endsAt: string }> {
  if (old.status !== 'active') throw ended(`A token that is ${old.status} cannot be rotated; create a new one`)
  const { service_user_id, name, permissions, addresses, location_id, building_id } = old
  const made = await insertToken(tx, {
    service_user_id,
    name,
    permissions,
    addresses,
    location_id,
    building_id,
    expires_at: expiresAt,
  })
  const endsAt = new Date(Math.min(Date.parse(tx.now) + graceSeconds * 1000, Date.parse(old.expires_at))).toISOString()
  // It was replaced: nobody needs a warning that it will end, only word that it has.
  const end = graceSeconds === 0 ? { revoked_at: tx.now } : { expires_at: endsAt, notice_days: LAST_WARNING_DAYS }
  await updateRow(tx, tokens, old, end, 'rotated')
  return { ...made, endsAt }
}

const ended = (msg: string) => new AppError('INVALID_STATE', msg, { reason: 'token.ended' })

/** Revokes those of the values that are tokens of any organization here. */
export async function revokeLeaked(
  engine: Engine,
  now: string,
  from: Pick<Actor, 'address' | 'reqId'>,
  values: readonly string[],
): Promise<void> {
  const actor: Actor = { kind: 'system', id: null, name: 'Leak report', ...from }
  for (const value of new Set(values.map((text) => text.trim()))) {
    if (!isWellFormedToken(value)) continue
    // As in authentication, the value is what tells us the organization.
    const [found] = await engine.reader.all<{ org: number; id: string }>(
      'select k.org, k.id from tokens k where k.hash = $1 and k.revoked_at is null',
      [tokenHash(value)],
    )
    if (!found) continue
    await change(engine, found.org, now, actor, async (tx) => {
      const token = await findRow(tx, tokens, found.id, 'all')
      if (token && token.revoked_at === null) await revokeToken(tx, token)
    })
  }
}
