import type { FastifyBaseLogger } from 'fastify'
import type { Engine } from '../db/engine.ts'

interface Use {
  org: number
  tokenId: string
  serviceUserId: string
  address: string
  at: string
}

const EVERY_MS = 60_000

/** Notes when and from where a token was last used: at most once a minute, off the request path, no version moved. */
export class LastUsed {
  private pending = new Map<string, Use>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private readonly noted = new Map<string, string>()
  private readonly engine: Engine
  private readonly logger: FastifyBaseLogger

  constructor(engine: Engine, logger: FastifyBaseLogger) {
    this.engine = engine
    this.logger = logger
  }

  note(use: Use): void {
    // Within the same minute the last note stands.
    const minute = use.at.slice(0, 16)
    if (this.noted.get(use.tokenId) === minute) return
    if (this.noted.size > 10_000) this.noted.clear()
    this.noted.set(use.tokenId, minute)
    this.pending.set(use.tokenId, use)
    this.timer ??= setTimeout(() => this.flush(), Math.min(EVERY_MS, 200)).unref()
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

  private async store(uses: Use[]): Promise<void> {
    try {
      await this.engine.transaction(async (session) => {
        for (const { org, tokenId, serviceUserId, address, at } of uses) {
          await session.run('update tokens set last_used_at = $1, last_used_ip = $2 where org = $3 and id = $4', [
            at,
            address,
            org,
            tokenId,
          ])
          await session.run('update service_users set last_used_at = $1 where org = $2 and id = $3', [at, org, serviceUserId])
        }
      })
    } catch (err) {
      this.logger.warn({ err }, 'the last use of some tokens was not noted')
    }
  }
}
