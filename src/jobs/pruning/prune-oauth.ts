import type { Engine } from '../../db/engine.ts'
import { KEEP_PREVIOUS_MS } from '../../identity/oauth/keys.ts'
import { removeBefore } from './remove-before.ts'

/** A refresh token that comes again this long after it was used is still seen to be a second use. */
const KEEP_CONSUMED_MS = 7 * 24 * 3_600_000

/**
 * Removes what has expired, what was used up a while ago, and keys that nothing good is signed with. Gives how many
 * rows went.
 */
export function pruneOauth(engine: Engine, now: string): Promise<number> {
  const before = (age: number) => new Date(Date.parse(now) - age).toISOString()
  return removeBefore(
    engine,
    ['oauth_records', 'expires_at <= $1', now],
    ['oauth_records', 'consumed_at <= $1', before(KEEP_CONSUMED_MS)],
    ['oauth_grants', 'expires_at <= $1', now],
    ['oauth_keys', `status = 'previous' and changed_at <= $1`, before(KEEP_PREVIOUS_MS)],
  )
}
