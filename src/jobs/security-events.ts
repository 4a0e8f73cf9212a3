import type { FastifyBaseLogger } from 'fastify'
import { boundedMap } from '../core/bounded-map.ts'
import type { Action } from '../core/change-verbs.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sql } from '../db/sql.ts'
import type { TokenRefusal, TokenUse } from '../http/callers/authenticate.ts'
import { recordedName } from '../http/context.ts'
import type { JwtGround, JwtRefusal, JwtUse } from '../identity/oauth/bearer.ts'
import type { ApplicationUse } from '../identity/oauth/provider/provider.ts'
import { networkOf } from '../net/addresses.ts'

/** A token that is refused is recorded at most this often, so that nobody can fill the log with it. */
const REFUSALS_EVERY_MS = 60_000
/** What could not be written yet is kept up to here. */
const MAX_PENDING = 10_000
const RETRY_MS = 5000

/** What was used or refused, and what else is known of it. */
interface Subject {
  kind: 'token' | JwtGround['kind']
  id: string
  about: Record<string, unknown>
}

const resources: Record<Subject['kind'], string> = {
  token: 'tokens',
  oauth_grant: 'oauth-grants',
  oauth_application: 'oauth-applications',
  external_identity: 'external-identities',
}

interface Pending {
  org: number
  at: string
  actor: Actor
  /** Records it, unless the log says already what it would say. */
  record: (tx: Tx) => Promise<void>
}

/**
 * What happens to tokens, to JWTs and to secrets of applications, without anybody changing anything: one used from
 * where it never was before, one refused. Recorded off the request path; the log itself says whether it was recorded
 * before, so that several processes and a restart make no difference.
 */
export class SecurityEvents {
  private pending: Pending[] = []
  /** How many found no room since it was last written. */
  private lost = 0
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  /**
   * Per token, grant, application or identity the network it was last used from: the usual case, and all that a request
   * pays.
   */
  private readonly lastAddress = boundedMap<string>(10_000)
  private readonly knownNetworks = boundedMap<true>(50_000)
  private readonly refusedAt = boundedMap<number>(10_000)
  private readonly engine: Engine
  private readonly logger: FastifyBaseLogger
  private readonly gatherMs: number

  constructor(engine: Engine, logger: FastifyBaseLogger, gatherMs: number) {
    this.engine = engine
    this.logger = logger
    this.gatherMs = gatherMs
  }

  used({ org, tokenId, serviceUserId, serviceUserName, address, reqId, at }: TokenUse): void {
    // The usual case, before anything is made for it.
    if (this.lastAddress.get(tokenId) === address) return
    const actor: Actor = { kind: 'service_user', id: serviceUserId, name: serviceUserName, address, reqId }
    this.noteUse(org, at, actor, address, { kind: 'token', id: tokenId, about: { service_user_id: serviceUserId } })
  }

  refused({ org, tokenId, serviceUserId, address, reqId, at, reason }: TokenRefusal): void {
    const about = { service_user_id: serviceUserId, reason }
    this.noteRefusal(org, at, { address, reqId }, { kind: 'token', id: tokenId, about })
  }

  /** Its secret was good. */
  applicationUsed({ org, applicationId: id, address, reqId, at }: ApplicationUse): void {
    const actor: Actor = { kind: 'system', id: null, name: 'OAuth', address, reqId }
    this.noteUse(org, at, actor, address, { kind: 'oauth_application', id, about: {} })
  }

  /** It was not. */
  applicationRefused({ org, applicationId: id, address, reqId, at }: ApplicationUse): void {
    this.noteRefusal(org, at, { address, reqId }, { kind: 'oauth_application', id, about: { reason: 'wrong_secret' } })
  }

  jwtUsed({ caller, ground, address, reqId, at }: JwtUse): void {
    if (this.lastAddress.get(ground.id) === address) return
    const { org, kind, id } = caller
    const actor: Actor = { kind, id, name: recordedName(caller), address, reqId }
    this.noteUse(org, at, actor, address, { ...ground, about: { [`${kind}_id`]: id } })
  }

  jwtRefused({ org, ground, address, reqId, at }: JwtRefusal): void {
    this.noteRefusal(org, at, { address, reqId }, { ...ground, about: { reason: 'not_active' } })
  }

  private noteUse(org: number, at: string, actor: Actor, address: string, subject: Subject): void {
    this.lastAddress.set(subject.id, address)
    const network = networkOf(address)
    const key = `${subject.id} ${network}`
    if (this.knownNetworks.has(key)) return
    this.knownNetworks.set(key, true)
    this.add({ org, at, actor, record: (tx) => recordNewAddress(tx, subject, network) })
  }

  private noteRefusal(org: number, at: string, from: Pick<Actor, 'address' | 'reqId'>, subject: Subject): void {
    const now = Date.parse(at)
    const last = this.refusedAt.get(subject.id)
    if (last !== undefined && now >= last && now - last < REFUSALS_EVERY_MS) return
    this.refusedAt.set(subject.id, now)
    // Whoever it was has not shown to be who they say.
    const actor: Actor = { kind: 'system', id: null, name: 'Authentication', ...from }
    this.add({ org, at, actor, record: (tx) => recordRefusal(tx, subject) })
  }

  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.writing.then(() => this.store())
    return this.writing
  }

  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.timer)
  }

  private add(event: Pending): void {
    if (this.pending.length >= MAX_PENDING) {
      this.lost += 1
      return
    }
    this.pending.push(event)
    this.timer ??= setTimeout(() => this.flush(), this.gatherMs).unref()
  }

  private async store(): Promise<void> {
    for (let event = this.pending.shift(); event; event = this.pending.shift()) {
      try {
        await change(this.engine, event.org, event.at, event.actor, event.record)
      } catch (err) {
        this.pending.unshift(event)
        this.logger.warn(
          { err, waiting: this.pending.length, lost: this.lost },
          'security events could not be recorded; it is tried again',
        )
        this.timer ??= setTimeout(() => this.flush(), RETRY_MS).unref()
        return
      }
    }
    this.lost = 0
  }
}

async function recordNewAddress(tx: Tx, { kind, id, about }: Subject, network: string): Promise<void> {
  const action: Action = `${kind}.used_from_new_address`
  const seen = await tx.all<{ address: string | null }>(
    sql`select t.address from audit_log t where t.org = :org and t.resource_id = ${id} and t.action = ${action}`,
  )
  if (seen.some(({ address }) => address !== null && networkOf(address) === network)) return
  tx.event({ action, resource: resources[kind], resourceId: id, before: null, after: { ...about, network } })
}

async function recordRefusal(tx: Tx, { kind, id, about }: Subject): Promise<void> {
  const action: Action = `${kind}.refused`
  const last = await tx.one<{ occurred_at: string }>(
    sql`select t.occurred_at from audit_log t where t.org = :org and t.resource_id = ${id} and t.action = ${action}
        order by t.sequence desc limit 1`,
  )
  const age = last ? Date.parse(tx.now) - Date.parse(last.occurred_at) : Number.POSITIVE_INFINITY
  // A clock that was set back does not silence a token.
  if (Math.abs(age) < REFUSALS_EVERY_MS) return
  tx.event({ action, resource: resources[kind], resourceId: id, before: null, after: about })
}
