import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Engine } from '../db/engine.ts'

interface Seen {
  org: number
  sessionId: string
  at: string
}

const EVERY_MS = 60_000
const GATHER_MS = 200

/** Notes when a session was last used: at most once a minute, off the request path, no version moved. */
export class SessionSeen {
  private pending = new Map<string, Seen>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()
  private readonly noted = new LRUCache<string, number>({ max: 10_000 })
  private readonly engine: Engine
  private readonly logger: FastifyBaseLogger

  constructor(engine: Engine, logger: FastifyBaseLogger) {
    this.engine = engine
    this.logger = logger
  }

  note(seen: Seen): void {
    const at = Date.parse(seen.at)
    const last = this.noted.get(seen.sessionId)
    // A clock that was set back does not silence a session.
    if (last !== undefined && at >= last && at - last < EVERY_MS) return
    this.noted.set(seen.sessionId, at)
    this.pending.set(seen.sessionId, seen)
    this.timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const seen = [...this.pending.values()].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
    this.pending = new Map()
    if (seen.length > 0) this.writing = this.writing.then(() => this.store(seen))
    return this.writing
  }

  private async store(seen: readonly Seen[]): Promise<void> {
    try {
      await this.engine.transaction(async (session) => {
        for (const { org, sessionId, at } of seen)
          await session.run('update sessions set last_seen_at = $1 where org = $2 and id = $3 and last_seen_at < $1', [at, org, sessionId])
      })
    } catch (err) {
      this.logger.warn({ err }, 'the last use of some sessions was not noted')
    }
  }
}
