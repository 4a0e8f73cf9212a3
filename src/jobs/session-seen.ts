import type { FastifyBaseLogger } from 'fastify'
import type { Engine } from '../db/engine.ts'
import { Gatherer } from './gatherer.ts'

interface Seen {
  org: number
  sessionId: string
  at: string
}

/** When a session was last used; no version moves. */
export class SessionSeen extends Gatherer<Seen> {
  constructor(engine: Engine, logger: FastifyBaseLogger) {
    super(
      (seen) => seen.sessionId,
      (seen) => store(engine, logger, seen),
    )
  }
}

/** In one order: processes that write the same rows do not block each other. */
async function store(engine: Engine, logger: FastifyBaseLogger, seen: readonly Seen[]): Promise<void> {
  try {
    await engine.transaction(async (session) => {
      for (const { org, sessionId, at } of seen.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1)))
        await session.run('update sessions set last_seen_at = $1 where org = $2 and id = $3 and last_seen_at < $1', [
          at,
          org,
          sessionId,
        ])
    })
  } catch (err) {
    logger.warn({ err }, 'the last use of some sessions was not noted')
  }
}
