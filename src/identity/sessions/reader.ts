import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Clock, neverBack } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import { isSecret, secretHash } from '../../core/secret.ts'
import { rightsOf } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import type { CredentialReader } from '../../http/authenticate.ts'
import { readSessionCookie } from './cookie.ts'
import { requireSameOrigin } from './same-origin.ts'
import { IDLE_MS } from './schema.ts'

/** Told of every request with a session, to note it off the request path. */
type OnSeen = (use: { org: number; sessionId: string; at: string }) => void

interface Remembered {
  caller: Caller & { session: NonNullable<Caller['session']> }
  version: number
  expiresAt: string
  /** As far as this process knows; another may have seen it later. */
  lastSeen: number
}

interface SessionRecord {
  org: number
  version: number
  organization_id: string
  session_id: string
  confirmed_at: string
  last_seen_at: string
  expires_at: string
  user_id: string
  user_name: string
}

/** Unknown, expired, ended, its user suspended: all the same to the caller. */
const invalidSession = () =>
  new AppError('UNAUTHORIZED', 'You are not logged in any more: the session has ended', { reason: 'invalid_credential' })

/** Who has logged in. As with tokens, nothing is asked of the database while nothing has changed. */
export function createSessionReader(parts: { engine: Engine; clock: Clock; onSeen: OnSeen }): CredentialReader {
  const { engine, clock, onSeen } = parts
  // A session that has ended stays so, though the clock is set back.
  const latest = neverBack(clock)
  const known = new LRUCache<string, Remembered>({ max: 10_000 })

  const accept = (found: Remembered, now: string): Caller => {
    const { caller } = found
    found.lastSeen = Math.max(found.lastSeen, Date.parse(now))
    onSeen({ org: caller.org, sessionId: caller.session.id, at: clock.now() })
    return caller
  }

  const load = async (hash: string): Promise<Caller> => {
    const now = latest.now()
    const found = await loadSession(engine, now, hash)
    const before = known.get(hash)
    // What this process has seen and not yet written counts too.
    if (found && before) found.lastSeen = Math.max(found.lastSeen, before.lastSeen)
    if (!found || isOver(found, now)) {
      known.delete(hash)
      throw invalidSession()
    }
    known.set(hash, found)
    return accept(found, now)
  }

  const check = (hash: string, found: Remembered, version: number): Caller | Promise<Caller> => {
    const now = latest.now()
    return version !== found.version || isOver(found, now) ? load(hash) : accept(found, now)
  }

  return (request: FastifyRequest): Caller | Promise<Caller> | undefined => {
    // Who sends a header means it; a cookie comes along by itself.
    if (request.headers.authorization !== undefined) return undefined
    const value = readSessionCookie(request)
    if (value === undefined) return undefined
    requireSameOrigin(request)
    if (!isSecret(value)) throw invalidSession()
    const hash = secretHash(value)
    const found = known.get(hash)
    if (!found) return load(hash)
    const versions = engine.versions(found.caller.org)
    if (versions instanceof Promise) return versions.then(({ data }) => check(hash, found, data))
    return check(hash, found, versions.data)
  }
}

const isOver = ({ expiresAt, lastSeen }: Remembered, now: string): boolean => expiresAt <= now || Date.parse(now) - lastSeen >= IDLE_MS

async function loadSession(engine: Engine, now: string, hash: string): Promise<Remembered | undefined> {
  // The session is what tells us the organization.
  const [row] = await engine.reader.all<SessionRecord>(
    `select o.key as org, o.data_version as version, o.id as organization_id, s.id as session_id, s.confirmed_at, s.last_seen_at, s.expires_at,
       u.id as user_id, u.name as user_name
     from sessions s join organizations o on o.key = s.org join users u on u.org = s.org and u.id = s.user_id
     where s.hash = $1 and u.status = 'active' and o.status = 'active'`,
    [hash],
  )
  if (!row) return undefined
  const handle = new OrgHandle(engine, row.org, now)
  const { data } = await handle.versions()
  // The older of the row's own version and what this process has heard of: a change meanwhile makes it outdated, never wrong.
  const version = Math.min(row.version, data)
  return {
    version,
    expiresAt: row.expires_at,
    lastSeen: Date.parse(row.last_seen_at),
    caller: {
      org: row.org,
      organizationId: row.organization_id,
      kind: 'user',
      id: row.user_id,
      name: row.user_name,
      credential: 'session',
      tokenId: null,
      session: { id: row.session_id, confirmedAt: row.confirmed_at },
      rights: await rightsOf(handle, row.user_id),
      // With the version: what is answered by rights that have changed meanwhile is for nobody who comes later.
      cacheKey: `${row.session_id}@${version}`,
    },
  }
}
