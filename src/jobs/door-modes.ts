import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { keepModes } from '../live/modes.ts'
import { type Later, repeat } from './repeat.ts'

const SECOND = 1000

/** Every second: a door whose mode the clock has changed says so within that time, though nobody looks at it. */
export function startDoorModes(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    const rows = await engine.reader.all<{ org: number }>(
      `select key as org from organizations where status = 'active'`,
      [],
    )
    for (const { org } of rows) await keepModes(new OrgHandle(engine, org, clock.now()))
  }
  const failed = (err: unknown) => logger.warn({ err }, 'the modes of doors could not be kept; it is tried again')
  return repeat({ name: 'door_modes', engine, run, failed }, { firstMs: SECOND, everyMs: SECOND }, schedule)
}
