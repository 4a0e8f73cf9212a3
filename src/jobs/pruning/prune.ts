import type { FastifyBaseLogger } from 'fastify'
import { type Clock, neverAhead } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import { type EventRetention, pruneEvents } from '../../live/retention.ts'
import { type Later, repeat } from '../repeat.ts'
import { pruneHistory } from './prune-history.ts'
import { pruneImports } from './prune-imports.ts'
import { pruneLogins } from './prune-logins.ts'
import { pruneOauth } from './prune-oauth.ts'
import { removeBefore } from './remove-before.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const KEEP_IDEMPOTENCY_KEYS = DAY
const KEEP_DELIVERIES = 7 * DAY

/** Removes what has had its time. Gives how many rows went. */
export async function prune(
  engine: Engine,
  now: string,
): Promise<{ idempotencyKeys: number; webhookDeliveries: number }> {
  const before = (age: number) => new Date(Date.parse(now) - age).toISOString()
  return {
    idempotencyKeys: await removeBefore(engine, ['idempotency_keys', 'created_at < $1', before(KEEP_IDEMPOTENCY_KEYS)]),
    webhookDeliveries: await removeBefore(engine, ['webhook_deliveries', 'attempted_at < $1', before(KEEP_DELIVERIES)]),
  }
}

/** Every hour, the first time a minute after the start. */
export function startPruning(
  engine: Engine,
  clock: Clock,
  logger: FastifyBaseLogger,
  { historyDays = 0, events, schedule }: { historyDays?: number; events?: EventRetention; schedule?: Later } = {},
): { stop: () => Promise<void> } {
  const steady = neverAhead(clock)
  // What is counted from now on tells a clock that was set from time that passed.
  steady.now()
  const run = async () => {
    const now = steady.now()
    const removed = await prune(engine, now)
    const logins = await pruneLogins(engine, now)
    const history = await pruneHistory(engine, now, historyDays)
    const imports = await pruneImports(engine, now)
    const gone = events ? await pruneEvents(engine, now, events) : 0
    logger.debug({ ...removed, events: gone, logins, history, imports, oauth: await pruneOauth(engine, now) }, 'pruned')
  }
  const failed = (err: unknown) => logger.warn({ err }, 'pruning failed; the next hour tries again')
  return repeat({ name: 'prune', engine, run, failed }, { firstMs: MINUTE, everyMs: HOUR }, schedule)
}
