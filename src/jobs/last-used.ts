import type { FastifyBaseLogger } from 'fastify'
import type { Engine } from '../db/engine.ts'
import { Gatherer } from './gatherer.ts'

interface Use {
  org: number
  /** Null: by OAuth. */
  tokenId: string | null
  serviceUserId: string
  address: string
  at: string
}

/** When and from where a token was last used; no version moves. */
export class LastUsed extends Gatherer<Use> {
  constructor(engine: Engine, logger: FastifyBaseLogger) {
    super(
      (use) => use.tokenId ?? use.serviceUserId,
      (uses) => store(engine, logger, uses),
    )
  }
}

/**
 * All tokens first, then all service users, each in one order: processes that write the same rows do not block each
 * other.
 */
async function store(engine: Engine, logger: FastifyBaseLogger, uses: readonly Use[]): Promise<void> {
  const users = new Map(uses.map((use) => [use.serviceUserId, use]))
  try {
    await engine.transaction(async (session) => {
      for (const { org, tokenId, address, at } of sorted(
        uses.filter((use) => use.tokenId !== null),
        'tokenId',
      )) {
        await session.run('update tokens set last_used_at = $1, last_used_ip = $2 where org = $3 and id = $4', [
          at,
          address,
          org,
          tokenId,
        ])
      }
      for (const { org, serviceUserId, at } of sorted([...users.values()], 'serviceUserId')) {
        await session.run('update service_users set last_used_at = $1 where org = $2 and id = $3', [
          at,
          org,
          serviceUserId,
        ])
      }
    })
  } catch (err) {
    logger.warn({ err }, 'the last use of some tokens was not noted')
  }
}

const sorted = (uses: readonly Use[], by: 'tokenId' | 'serviceUserId'): Use[] =>
  uses.toSorted((a, b) => ((a[by] ?? '') < (b[by] ?? '') ? -1 : 1))
