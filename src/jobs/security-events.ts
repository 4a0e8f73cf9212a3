import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sql } from '../db/sql.ts'
import { networkOf } from '../http/addresses.ts'
import type { TokenRefusal, TokenUse } from '../http/authenticate.ts'

/** A token that is refused is recorded at most this often, so that nobody can fill the log with it. */
const REFUSALS_EVERY_MS = 60_000
/** What could not be written yet is kept up to here. */
const MAX_PENDING = 10_000
const RETRY_MS = 5000

const NEW_ADDRESS = 'token.used_from_new_address'
const REFUSED = 'token.refused'

interface Pending {
  org: number
  at: string
  actor: Actor
  /** Records it, unless the log says already what it would say. */
  record: (tx: Tx) => Promise<void>
}

/**
 * What happens to tokens without anybody changing anything: one used from where it never was before, one refused. Recorded off the
 * request path; the log itself says whether it was recorded before, so that several processes and a restart make no difference.
 */
export class SecurityEvents {
  private pending: Pending[] = []
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  /** Per token the network it was last used from: the usual case, and all that a request pays. */
  private readonly lastAddress = new LRUCache<string, string>({ max: 10_000 })
  private readonly knownNetworks = new LRUCache<string, true>({ max: 50_000 })
  private readonly refusedAt = new LRUCache<string, number>({ max: 10_000 })
  private readonly engine: Engine
  private readonly logger: FastifyBaseLogger
  private readonly gatherMs: number

  constructor(engine: Engine, logger: FastifyBaseLogger, gatherMs: number) {
    this.engine = engine
    this.logger = logger
    this.gatherMs = gatherMs
  }

  used({ org, tokenId, serviceUserId, serviceUserName, address, reqId, at }: TokenUse): void {
    if (this.lastAddress.get(tokenId) === address) return
    this.lastAddress.set(tokenId, address)
    const network = networkOf(address)
    const key = `${tokenId} ${network}`
    if (this.knownNetworks.has(key)) return
    this.knownNetworks.set(key, true)
    const actor: Actor = { kind: 'service_user', id: serviceUserId, name: serviceUserName, address, reqId }
    this.add({ org, at, actor, record: (tx) => recordNewAddress(tx, tokenId, serviceUserId, network) })
  }

  refused({ org, tokenId, serviceUserId, address, reqId, at, reason }: TokenRefusal): void {
    const now = Date.parse(at)
    const last = this.refusedAt.get(tokenId)
    if (last !== undefined && now >= last && now - last < REFUSALS_EVERY_MS) return
    this.refusedAt.set(tokenId, now)
    // Whoever it was has not shown to be the service user.
    const actor: Actor = { kind: 'system', id: null, name: 'Authentication', address, reqId }
    this.add({ org, at, actor, record: (tx) => recordRefusal(tx, tokenId, serviceUserId, reason) })
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
    if (this.pending.length >= MAX_PENDING) return
    this.pending.push(event)
    this.timer ??= setTimeout(() => this.flush(), this.gatherMs).unref()
  }

  private async store(): Promise<void> {
    for (let event = this.pending.shift(); event; event = this.pending.shift()) {
      try {
        await change(this.engine, event.org, event.at, event.actor, event.record)
      } catch (err) {
        this.pending.unshift(event)
        this.logger.warn({ err, waiting: this.pending.length }, 'security events could not be recorded; it is tried again')
        this.timer ??= setTimeout(() => this.flush(), RETRY_MS).unref()
        return
      }
    }
  }
}

async function recordNewAddress(tx: Tx, tokenId: string, serviceUserId: string, network: string): Promise<void> {
  const seen = await tx.all<{ address: string | null }>(
    sql`select t.address from audit_log t where t.org = :org and t.resource_id = ${tokenId} and t.action = ${NEW_ADDRESS}`,
  )
  if (seen.some(({ address }) => address !== null && networkOf(address) === network)) return
  const after = { service_user_id: serviceUserId, network }
  tx.event({ action: NEW_ADDRESS, resource: 'tokens', resourceId: tokenId, before: null, after })
}

async function recordRefusal(tx: Tx, tokenId: string, serviceUserId: string, reason: string): Promise<void> {
  const last = await tx.one<{ occurred_at: string }>(
    sql`select t.occurred_at from audit_log t where t.org = :org and t.resource_id = ${tokenId} and t.action = ${REFUSED}
        order by t.sequence desc limit 1`,
  )
  const age = last ? Date.parse(tx.now) - Date.parse(last.occurred_at) : Number.POSITIVE_INFINITY
  // A clock that was set back does not silence a token.
  if (Math.abs(age) < REFUSALS_EVERY_MS) return
  const after = { service_user_id: serviceUserId, reason }
  tx.event({ action: REFUSED, resource: 'tokens', resourceId: tokenId, before: null, after })
}
