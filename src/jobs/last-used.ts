import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Engine } from '../db/engine.ts'

interface Use {
  org: number
  tokenId: string
  serviceUserId: string
  address: string
  at: string
}

/** A token's use is noted at most this often. */
const EVERY_MS = 60_000
/** How long uses are gathered before they are written together. */
const GATHER_MS = 200

/** Notes when and from where a token was last used: at most once a minute, off the request path, no version moved. */
export class LastUsed {
  private pending = new Map<string, Use>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private readonly noted = new LRUCache<string, number>({ max: 10_000 })
  private readonly engine: Engine
  private readonly logger: FastifyBaseLogger

  constructor(engine: Engine, logger: FastifyBaseLogger) {
    this.engine = engine
    this.logger = logger
  }

  note(use: Use): void {
    const at = Date.parse(use.at)
    const last = this.noted.get(use.tokenId)
    // A clock that was set back does not silence a token.
    if (last !== undefined && at >= last && at - last < EVERY_MS) return
    this.noted.set(use.tokenId, at)
    this.pending.set(use.tokenId, use)
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const uses = [...this.pending.values()]
    this.pending = new Map()
    if (uses.length > 0) this.writing = this.writing.then(() => this.store(uses))
    return this.writing
  }

  async close(): Promise<void> {
    await this.flush()
  }

  /** All tokens first, then all service users, each in one order: processes that write the same rows do not block each other. */
  private async store(uses: Use[]): Promise<void> {
    const users = new Map(uses.map((use) => [use.serviceUserId, use]))
    try {
      await this.engine.transaction(async (session) => {
        for (const { org, tokenId, address, at } of sorted(uses, 'tokenId')) {
          await session.run('update tokens set last_used_at = $1, last_used_ip = $2 where org = $3 and id = $4', [
            at,
            address,
            org,
            tokenId,
          ])
        }
        for (const { org, serviceUserId, at } of sorted([...users.values()], 'serviceUserId')) {
          await session.run('update service_users set last_used_at = $1 where org = $2 and id = $3', [at, org, serviceUserId])
        }
      })
    } catch (err) {
      this.logger.warn({ err }, 'the last use of some tokens was not noted')
    }
  }
}

const sorted = (uses: readonly Use[], by: 'tokenId' | 'serviceUserId'): Use[] => uses.toSorted((a, b) => (a[by] < b[by] ? -1 : 1))
