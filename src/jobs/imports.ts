import type { FastifyBaseLogger } from 'fastify'
import type { Engine } from '../db/engine.ts'
import type { ImportRunner } from '../resources/imports/runner.ts'
import { type Later, repeat } from './repeat.ts'

const MINUTE = 60_000

/** Every minute: what another process began and left is taken up. */
export function startImports(
  engine: Engine,
  runner: ImportRunner,
  logger: FastifyBaseLogger,
  schedule?: Later,
): { stop: () => Promise<void> } {
  const run = async () => {
    const taken = await runner.takeUp()
    if (taken > 0) logger.info({ taken }, 'took up imports that were left')
  }
  const failed = (err: unknown) =>
    logger.warn({ err }, 'could not take up imports that were left; it is tried again in a minute')
  return repeat({ name: 'imports', engine, run, failed }, { firstMs: MINUTE / 20, everyMs: MINUTE }, schedule)
}
