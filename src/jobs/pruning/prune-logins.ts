import type { Engine } from '../../db/engine.ts'
import { KNOWN_NETWORK_MS } from '../../identity/login/attempts.ts'
import { removeBefore } from './remove-before.ts'

const DAY = 24 * 3_600_000

/**
 * Removes sessions, links and letters that have expired, and failed logins that are forgotten. Gives how many rows
 * went.
 */
export function pruneLogins(engine: Engine, now: string): Promise<number> {
  const yesterday = new Date(Date.parse(now) - DAY).toISOString()
  return removeBefore(
    engine,
    ['sessions', 'expires_at <= $1', now],
    ['user_links', 'expires_at <= $1', now],
    ['setup_links', 'expires_at <= $1', now],
    ['login_flows', 'expires_at <= $1', now],
    // The job that sends them gives them up in time; these are from when there still was mail.
    ['mails', 'give_up_at <= $1', yesterday],
    ['login_attempts', 'last_at <= $1', yesterday],
    ['login_networks', 'seen_at <= $1', new Date(Date.parse(now) - KNOWN_NETWORK_MS).toISOString()],
  )
}
