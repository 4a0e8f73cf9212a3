import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'

interface Parts {
  app: FastifyInstance
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  config: Config
  /** The organization that somebody walks about in. */
  demo: string | undefined
}

interface Job {
  stop(): Promise<void>
}

/** What runs beside requests, in the order in which it is stopped. */
const jobsOf = ({ app, engine, clock, logger, config, demo }: Parts): ReadonlyArray<() => Promise<Job>> => [
  ...(demo === undefined
    ? []
    : [async () => (await import('../../jobs/demo-traffic.ts')).startDemoTraffic({ engine, clock, logger }, demo)]),
  async () => (await import('../../jobs/supervision.ts')).startSupervision({ engine, clock, logger }),
  async () =>
    (await import('../../jobs/pruning/prune.ts')).startPruning(engine, clock, logger, {
      historyDays: config.historyRetentionDays,
      events: config.eventRetention,
    }),
  async () => (await import('../../jobs/judging.ts')).startJudging(engine, clock, logger),
  async () =>
    (await import('../../jobs/notices/mail-sender.ts')).startMail({
      engine,
      clock,
      logger,
      config,
      mail: app.house.mail,
    }),
  async () =>
    (await import('../../jobs/notices/token-notices.ts')).startTokenNotices(engine, clock, logger, app.house.mail),
  async () => (await import('../../jobs/notices/calendar-notices.ts')).startCalendarNotices(engine, clock, logger),
  async () => (await import('../../jobs/clock-changes.ts')).startClockChanges(engine, clock, logger),
  async () => (await import('../../jobs/door-modes.ts')).startDoorModes(engine, clock, logger),
  async () =>
    (await import('../../jobs/webhooks/sender.ts')).startWebhooks({
      engine,
      clock,
      logger,
      mail: app.house.mail,
      call: (await import('../../net/calls.ts')).createCalls(config.outgoingAllow),
    }),
  async () => (await import('../../jobs/offboardings.ts')).startOffboardings(engine, clock, logger),
  async () => (await import('../../jobs/imports.ts')).startImports(engine, app.imports, logger),
  async () => (await import('../../jobs/audit-checkpoints.ts')).startCheckpoints({ engine, clock, logger, config }),
]

/** Whoever waited for the port to open is answered before anything is loaded. */
const FIRST_ANSWERS_MS = 100

/**
 * Started once requests are answered, one after the other: each is loaded only then, and whoever asks meanwhile need
 * not wait for all of them. `fault`: why one of them could not be.
 */
export function startJobs(parts: Parts): Job & { readonly fault: Promise<unknown> } {
  const running: Job[] = []
  let isStopping = false
  const start = async () => {
    await pause(FIRST_ANSWERS_MS)
    if (isStopping) return
    // Until it is written, Node keeps all of it in memory a second time.
    flushCompileCache()
    for (const job of jobsOf(parts)) {
      await new Promise(setImmediate)
      if (isStopping) return
      running.push(await job())
    }
  }
  const failed = Promise.withResolvers<unknown>()
  const started = start().catch(failed.resolve)
  return {
    fault: failed.promise,
    async stop() {
      isStopping = true
      await started
      for (const job of running) await job.stop()
    },
  }
}
