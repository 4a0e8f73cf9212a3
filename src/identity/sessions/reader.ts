import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { type Caller, Rights } from '../../core/rights.ts'
import { isSecret, secretHash } from '../../core/secrets/secret.ts'
import { type Clock, neverBack } from '../../core/time/clock.ts'
import { rightsOf } from '../../db/assignments.ts'
import type { Engine } from '../../db/engine.ts'
import type { Reads } from '../../db/kept/reads.ts'
import { OrgHandle } from '../../db/org.ts'
import type { CredentialReader } from '../../http/callers/authenticate.ts'
import { type Asking, foundBy, type KnownCaller, type KnownCallers } from '../../http/callers/known-callers.ts'
import { awaitedBy, factorDemand } from '../demanded-factor.ts'
import { readSessionCookie } from './cookie.ts'
import { requireSameOrigin } from './same-origin.ts'
import { IDLE_MS, lastEnd, type SessionFactor } from './schema.ts'

/** Told of every request with a session, to note it off the request path. */
type OnSeen = (use: { org: number; sessionId: string; at: string }) => void

interface Found {
  caller: Caller & { session: NonNullable<Caller['session']> }
  since: number
  reads: Reads
  expiresAt: string
  lastSeen: number
}

interface SessionRecord {
  org: number
  changes: number
  organization_id: string
  session_id: string
  confirmed_at: string
  last_seen_at: string
  expires_at: string
  factor: SessionFactor | null
  user_id: string
  user_name: string
}

/** Unknown, expired, ended, its user suspended: all the same to the caller. */
const invalidSession = () =>
  new AppError('UNAUTHORIZED', 'You are not logged in any more: the session has ended', {
    reason: 'invalid_credential',
  })

/** A session as this process knows it: another may have seen it later. */
class KnownSession implements KnownCaller {
  readonly caller: Found['caller']
  readonly since: number
  readonly reads: Reads
  lastSeen: number
  private readonly expiresAt: string
  private readonly clock: Clock
  private readonly onSeen: () => void

  constructor({ caller, since, reads, expiresAt, lastSeen }: Found, clock: Clock, onSeen: () => void) {
    this.caller = caller
    this.since = since
    this.reads = reads
    this.expiresAt = expiresAt
    this.lastSeen = lastSeen
    this.clock = clock
    this.onSeen = onSeen
  }

  admit(request?: Asking): Caller | undefined {
    const at = this.clock.now()
    const now = Date.parse(at)
    if (this.expiresAt <= at || this.expiresAt > lastEnd(at) || now - this.lastSeen >= IDLE_MS) return undefined
    // Who leaves a page open that listens has not done anything.
    if (request?.isRecheck) return this.caller
    this.lastSeen = Math.max(this.lastSeen, now)
    this.onSeen()
    return this.caller
  }
}

interface Parts {
  engine: Engine
  callers: KnownCallers
  clock: Clock
  onSeen: OnSeen
}

/** Who has logged in. As with tokens, nothing is asked of the database while nothing has changed. */
export function createSessionReader({ engine, callers, clock, onSeen }: Parts): CredentialReader {
  // A session that has ended stays so, though the clock is set back.
  const latest = neverBack(clock)

  const note = ({ org, session }: Found['caller']) => onSeen({ org, sessionId: session.id, at: clock.now() })

  const load = async (digest: string, request: FastifyRequest): Promise<Caller> => {
    const found = await loadSession(engine, latest.now(), digest)
    const before = callers.peek(digest)
    // What this process has seen and not yet written counts too.
    if (found && before instanceof KnownSession) found.lastSeen = Math.max(found.lastSeen, before.lastSeen)
    const session = found && new KnownSession(found, latest, () => note(found.caller))
    const caller = session?.admit(request)
    if (!session || !caller) {
      callers.forget(digest)
      throw invalidSession()
    }
    callers.remember(digest, session)
    return caller
  }

  return (request: FastifyRequest): Caller | Promise<Caller> | undefined => {
    // Who sends a header means it; a cookie comes along by itself.
    if (request.headers.authorization !== undefined) return undefined
    const value = readSessionCookie(request)
    if (value === undefined) return undefined
    requireSameOrigin(request)
    if (!isSecret(value)) throw invalidSession()
    const digest = secretHash(value)
    return callers.find(digest, request, () => load(digest, request))
  }
}

/** The session is what tells us the organization. */
const FIND = `select o.key as org, o.data_version as changes, o.id as organization_id, s.id as session_id,
  s.confirmed_at, s.last_seen_at,
   s.expires_at, s.factor, u.id as user_id, u.name as user_name
 from sessions s join organizations o on o.key = s.org join users u on u.org = s.org and u.id = s.user_id
 where s.hash = $1 and u.status = 'active' and o.status = 'active'`

async function loadSession(engine: Engine, now: string, hash: string): Promise<Found | undefined> {
  const [row] = await engine.reader.all<SessionRecord>(FIND, [hash])
  if (!row) return undefined
  const handle = new OrgHandle(engine, row.org, now)
  const since = await foundBy(handle, FIND, row.changes)
  const awaitedFactor = awaitedBy(await factorDemand(handle, row.user_id), row.factor)
  return {
    since,
    reads: handle.reads,
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
      awaitedFactor,
      rights: awaitedFactor ? new Rights([]) : await rightsOf(handle, row.user_id),
      // With the count: what is answered by rights that have changed meanwhile is for nobody who comes later.
      cacheKey: `${row.session_id}@${since}`,
    },
  }
}
