import { secretHash } from '../../core/secrets/secret.ts'
import type { Engine } from '../../db/engine.ts'
import { sealForAll, unsealForAll } from '../../db/sealing.ts'

/** What is begun in one request and ended in another, by whoever holds the secret: a challenge, a `state`. */
type FlowKind = 'passkey_login' | 'passkey_registration' | 'sign_on'

/** Long enough to find one's key, or to log in at the provider. */
const LIFE_MS: Record<FlowKind, number> = {
  passkey_login: 5 * 60_000,
  passkey_registration: 5 * 60_000,
  sign_on: 10 * 60_000,
}

/** A payload moved to another flow does not open there. */
const contextOf = (kind: FlowKind, hash: string): string => `${kind} ${hash}`

/** The payload is sealed: of single sign-on it holds what proves to the provider that it was us who began. */
export async function beginFlow(
  engine: Engine,
  now: string,
  kind: FlowKind,
  secret: string,
  payload: object = {},
): Promise<void> {
  const expiresAt = new Date(Date.parse(now) + LIFE_MS[kind]).toISOString()
  const hash = secretHash(secret)
  await engine.transaction(async (session) => {
    const sealed = await sealForAll(engine, session, JSON.stringify(payload), contextOf(kind, hash))
    await session.run('insert into login_flows (hash, kind, payload, expires_at) values ($1, $2, $3, $4)', [
      hash,
      kind,
      sealed,
      expiresAt,
    ])
  })
}

/**
 * Uses it up, whatever comes of it. Of any number at once one gets the payload; undefined: unknown, used or expired.
 */
export async function redeemFlow<T>(
  engine: Engine,
  now: string,
  kind: FlowKind,
  secret: string,
): Promise<T | undefined> {
  const hash = secretHash(secret)
  const [row] = await engine.transaction((session) =>
    session.all<{ payload: string }>(
      'delete from login_flows where hash = $1 and kind = $2 and expires_at > $3 returning payload',
      [hash, kind, now],
    ),
  )
  return row && JSON.parse(unsealForAll(engine, row.payload, contextOf(kind, hash)))
}
