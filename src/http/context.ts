import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Permission } from '../core/permissions.ts'
import type { Caller, Rights, Scope } from '../core/rights.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Actor } from '../db/audit.ts'
import type { Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import type { MailOutbox } from '../db/mails.ts'
import { OrgHandle } from '../db/org.ts'
import type { ResponseCache } from './answers/response-cache.ts'
import type { FailureLimit } from './callers/failure-limit.ts'
import type { Asking } from './callers/known-callers.ts'
import type { RateLimit } from './callers/rate-limit.ts'
import type { AwaitedFactor } from './callers/second-factor.ts'
import type { Arrivals } from './connections/arrivals.ts'
import type { Streams } from './feeds/streams.ts'
import type { RouteDoc } from './route-doc.ts'
import { signalOf } from './signal.ts'
import type { Writable } from './writes/writable.ts'

/** What the whole house shares. */
export interface House {
  readonly config: Config
  readonly engine: Engine
  readonly clock: Clock
  readonly cache: ResponseCache
  readonly rateLimit: RateLimit
  /** Failed authentications and whatever else a guesser might try, per address. */
  readonly failures: FailureLimit
  readonly mail: MailOutbox
  readonly streams: Streams
  /** Who would gain and lose which doors by what a transaction has done so far. */
  readonly impactOf: (tx: Tx, rights: Rights) => Promise<object | null>
  readonly authenticate: (request: FastifyRequest) => Caller | Promise<Caller>
  /** The same of a request that is known to carry a personal access token. */
  readonly authenticateToken: (asking: Asking) => Caller | Promise<Caller>
}

/** `self`: whoever is authenticated, whatever its roles; for what concerns the caller alone. */
export type RoutePermission = Permission | 'self'

export interface RouteEntry {
  method: string
  url: string
  permission: RoutePermission | undefined
  open: string | undefined
  doc: RouteDoc | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    house: House
    arrivals: Arrivals
    routeTable: RouteEntry[]
    /** What is created and changed by anybody with the permission, by noun: what files can be taken in for. */
    writables: Map<string, Writable>
    /** Answers what is asked for at an address that no route has; undefined: there is nothing. */
    answerUnclaimed: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined) | undefined
    /** Whether people are spoken to by the portal; otherwise by plain pages. */
    hasPortal: () => boolean
  }
  interface FastifyRequest {
    /** Set on every route that declares a permission. */
    caller: Caller
    /** Where the route's permission holds for this caller. */
    scope: Scope
    /** Why it was refused, for the log and the metrics. */
    failure: { readonly code: string; readonly reason: string | undefined } | undefined
    /** What it shows is looked at before each answer. */
    isBroughtUpToDate: boolean
    /** Everything is checked and answered as it would be, and nothing is kept. */
    isDryRun: boolean
  }
  interface FastifyContextConfig {
    /** Who may call it. */
    permission?: RoutePermission
    /** By whom it may be called before the second factor that is demanded of them. */
    beforeFactor?: readonly AwaitedFactor[]
    /** Why everybody may call it. A route has one or the other, or the server does not start. */
    open?: string
    doc?: RouteDoc
    /** It logs somebody in, by this method: it is counted by its result. */
    login?: 'password' | 'passkey' | 'single_sign_on' | 'link'
    /** What is behind "?" is nobody else's business: it is not logged. */
    isQuerySecret?: boolean
  }
}

/** The caller's organization, to read from. */
export const reading = (request: FastifyRequest): OrgHandle => {
  const { engine, clock } = request.server.house
  return new OrgHandle(engine, request.caller.org, clock.now(), engine.reader, () => signalOf(request))
}

/** The same for a file that is sent as it is read. */
export const exporting = (request: FastifyRequest): OrgHandle => {
  const { engine, clock } = request.server.house
  return new OrgHandle(engine, request.caller.org, clock.now(), engine.unhurried, signalOf(request))
}

/** Under which name a caller is on the record. */
export const recordedName = ({ name, application }: Caller): string =>
  application ? `${name} (through ${application.name})` : name

export const actorOf = (request: FastifyRequest): Actor => ({
  kind: request.caller.kind,
  id: request.caller.id,
  name: recordedName(request.caller),
  address: request.ip,
  reqId: request.id,
  rights: request.caller.rights,
  credential: request.caller.credential,
  ...byOf(request.caller),
})

function byOf({ tokenId, application, identityId }: Caller): Pick<Actor, 'by'> {
  if (tokenId !== null) return { by: { token: tokenId } }
  if (application) return { by: { application: application.id } }
  return identityId ? { by: { identity: identityId } } : {}
}
