import type { Engine } from '../db/engine.ts'
import { removeBefore } from './remove-before.ts'

const DAY = 24 * 3_600_000

/** Removes sessions, links and letters that have expired, and failed logins that are forgotten. Gives how many rows went. */
export function pruneLogins(engine: Engine, now: string): Promise<number> {
  const yesterday = new Date(Date.parse(now) - DAY).toISOString()
  return removeBefore(engine, [
    ['delete from sessions where expires_at <= $1', now],
    ['delete from user_links where expires_at <= $1', now],
    ['delete from setup_links where expires_at <= $1', now],
    ['delete from login_flows where expires_at <= $1', now],
    // The job that sends them gives them up in time; these are from when there still was mail.
    ['delete from mails where give_up_at <= $1', yesterday],
    ['delete from login_attempts where last_at <= $1', yesterday],
  ])
}
