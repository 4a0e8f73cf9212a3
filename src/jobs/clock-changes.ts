import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { recordClockChanges } from '../live/changes/clock.ts'
import { type Later, repeat } from './repeat.ts'

const SECOND = 1000

/** Every second: what begins or ends by itself is told within that time. */
export function startClockChanges(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    const told = await recordClockChanges(engine, clock.now())
    if (told > 0) logger.info({ told }, 'told of what has begun or ended by itself')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not tell of what has begun or ended by itself; it is tried again')
  return repeat({ name: 'clock_changes', engine, run, failed }, { firstMs: SECOND, everyMs: SECOND }, schedule)
}
