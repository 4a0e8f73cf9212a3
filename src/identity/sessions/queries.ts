import { randomUUIDv7 } from 'node:crypto'
import { newSecret, secretHash } from '../../core/secrets/secret.ts'
import type { Tx } from '../../db/change.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { IDLE_MS, lastEnd, SESSION_SECONDS, type SessionFactor } from './schema.ts'

export interface From {
  address: string
  userAgent: string | undefined
}

export interface OpenedSession {
  id: string
  expires_at: string
  /** For the cookie; stored nowhere. */
  value: string
}

/** Logs somebody in. The caller has made sure who it is. */
export async function openSession(
  tx: Tx,
  userId: string,
  { address, userAgent }: From,
  factor: SessionFactor | null = null,
): Promise<OpenedSession> {
  const id = randomUUIDv7()
  const value = newSecret()
  const expires_at = new Date(Date.parse(tx.now) + SESSION_SECONDS * 1000).toISOString()
  await tx.insert('sessions', {
    id,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
    user_id: userId,
    hash: secretHash(value),
    confirmed_at: tx.now,
    last_seen_at: tx.now,
    expires_at,
    address,
    user_agent: userAgent?.slice(0, 500) ?? null,
    factor,
  })
  // No new version: a login does not change who somebody is.
  await tx.update('users', userId, { last_login_at: tx.now })
  tx.record({
    action: 'session.created',
    resource: 'sessions',
    resourceId: id,
    before: null,
    after: { id, user_id: userId, expires_at },
  })
  return { id, expires_at, value }
}

/** Row `t` can still be used. */
export const isLive = (now: string): Sql =>
  sql`t.expires_at > ${now} and t.expires_at <= ${lastEnd(now)} and t.last_seen_at >
    ${new Date(Date.parse(now) - IDLE_MS).toISOString()}`

/** Ends sessions of somebody: one, all, or all but one. Gives which. */
export async function endSessions(
  tx: Tx,
  userId: string,
  which: { only?: string; but?: string } = {},
): Promise<string[]> {
  // Those that are over by the clock too: it may be wrong, and they would be good again once it is right.
  const rows = await tx.all<{ id: string; live: boolean | number }>(
    sql`select t.id, case when ${isLive(tx.now)} then 1 else 0 end as live from sessions t
      where t.org = :org and t.user_id = ${userId} order by t.id`,
  )
  const meant = rows.filter(({ id }) => (which.only === undefined || id === which.only) && id !== which.but)
  for (const { id } of meant) await tx.remove('sessions', id)
  const ended = meant.filter(({ live }) => live).map(({ id }) => id)
  for (const id of ended)
    tx.record({
      action: 'session.ended',
      resource: 'sessions',
      resourceId: id,
      before: { id, user_id: userId },
      after: null,
    })
  return ended
}
