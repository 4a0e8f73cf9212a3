import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../core/time/clock.ts'
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
export async function prune(engine: Engine, now: string): Promise<{ idempotencyKeys: number; webhookDeliveries: number }> {
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
  const run = async () => {
    const removed = await prune(engine, clock.now())
    const logins = await pruneLogins(engine, clock.now())
    const history = await pruneHistory(engine, clock.now(), historyDays)
    const imports = await pruneImports(engine, clock.now())
    const gone = events ? await pruneEvents(engine, clock.now(), events) : 0
    logger.debug({ ...removed, events: gone, logins, history, imports, oauth: await pruneOauth(engine, clock.now()) }, 'pruned')
  }
  const failed = (err: unknown) => logger.warn({ err }, 'pruning failed; the next hour tries again')
  return repeat({ name: 'prune', engine, run, failed }, { firstMs: MINUTE, everyMs: HOUR }, schedule)
}
