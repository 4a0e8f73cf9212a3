import { AppError } from '../../core/errors.ts'
import type { OrgHandle } from '../org.ts'
import { type Sql, sql } from '../sql.ts'

export interface StoredAnswer {
  status: number
  location: string | null
  etag: string | null
  body: string
}

/**
 * A request that may be sent twice and is done once: whose it is, by which credential, under which key, and what it
 * asks.
 */
export interface Once extends Asking {
  readonly fingerprint: string
  /** What its caller could do, as text. */
  readonly held: string
}

/** Whose it is and how they know it again. */
export interface Asking {
  readonly principal_id: string
  readonly credential: string
  readonly key: string
}

interface Writer extends Pick<OrgHandle, 'one' | 'instant'> {
  aside(statement: Sql): Promise<void>
}

const LIFE_MS = 24 * 3_600_000

/** What was answered under this key; a key lapses after a day, and is good for one request until then. */
export async function findAnswer(tx: Writer, once: Once): Promise<(StoredAnswer & Pick<Once, 'held'>) | undefined> {
  const found = await tx.one<StoredAnswer & Pick<Once, 'held' | 'fingerprint'> & { created_at: string }>(
    sql`select t.status, t.location, t.etag, t.body, t.fingerprint, t.held, t.created_at from idempotency_keys t
      where ${isThis(once)}`,
  )
  if (!found) return undefined
  if (Date.parse(found.created_at) < Date.parse(tx.instant) - LIFE_MS) {
    await tx.aside(sql`delete from idempotency_keys as t where ${isThis(once)}`)
    return undefined
  }
  if (found.fingerprint !== once.fingerprint) throw keyReused()
  return found
}

/**
 * It stands with what the request did, or not at all. What was done at the same moment under the same key elsewhere
 * keeps it.
 */
export async function keepAnswer(
  tx: Writer,
  once: Once,
  { status, location, etag, body }: StoredAnswer,
): Promise<void> {
  await tx.aside(sql`insert into idempotency_keys (org, principal_id, credential, key, fingerprint, held, status,
    location, etag, body, created_at)
    values (:org, ${once.principal_id}, ${once.credential}, ${once.key}, ${once.fingerprint}, ${once.held}, ${status},
    ${location},
      ${etag}, ${body}, ${tx.instant})
    on conflict (org, principal_id, credential, key) do nothing`)
}

/** Whether something was answered under this key, and has not lapsed, whatever was asked. */
export async function isAnswered(handle: Pick<OrgHandle, 'one' | 'instant'>, asking: Asking): Promise<boolean> {
  const since = new Date(Date.parse(handle.instant) - LIFE_MS).toISOString()
  const found = await handle.one(
    sql`select 1 as one from idempotency_keys t where ${isThis(asking)} and t.created_at >= ${since}`,
  )
  return found !== undefined
}

/** What it came to, where the answer was kept before that. */
export const renewAnswer = (tx: Writer, once: Once, { etag, body }: StoredAnswer): Promise<void> =>
  tx.aside(sql`update idempotency_keys as t set etag = ${etag}, body = ${body} where ${isThis(once)}`)

export const keyReused = (
  msg = 'This Idempotency-Key was used with another request; use a new key for a new request',
) => new AppError('IDEMPOTENCY_KEY_REUSED', msg)

const isThis = ({ principal_id, credential, key }: Asking): Sql =>
  sql`t.org = :org and t.principal_id = ${principal_id} and t.credential = ${credential} and t.key = ${key}`
