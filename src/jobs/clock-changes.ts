import type { FastifyBaseLogger } from 'fastify'
import { type Clock, neverAhead } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { recordClockChanges } from '../live/changes/clock.ts'
import { type Later, repeat } from './repeat.ts'

const SECOND = 1000

/**
 * Every second: what begins or ends by itself is told within that time. A clock that jumps ahead is not believed at
 * once: nobody can take back that something has ended, and what ends in between would not be told of any more.
 */
export function startClockChanges(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const steady = neverAhead(clock)
  // What is counted from now on tells a clock that was set from time that passed.
  steady.now()
  const run = async () => {
    const told = await recordClockChanges(engine, steady.now())
    if (told > 0) logger.info({ told }, 'told of what has begun or ended by itself')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not tell of what has begun or ended by itself; it is tried again')
  return repeat({ name: 'clock_changes', engine, run, failed }, { firstMs: SECOND, everyMs: SECOND }, schedule)
}
