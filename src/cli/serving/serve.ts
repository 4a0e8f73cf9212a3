import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { allResources } from '../../all-resources.ts'
import { buildApp } from '../../app.ts'
import { findAuditKey } from '../../audit/key.ts'
import type { Config } from '../../config.ts'
import type { Engine } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { mendPrivate, privatePaths } from '../../db/private-files.ts'
import { checkSealKey, knownSealKey, sealWith } from '../../db/sealing.ts'
import { createLogger } from '../../http/logger.ts'
import { refreshBuiltInRoles } from '../../identity/built-in-roles.ts'
import { isEmpty, makeSetupLink } from '../../identity/setup/queries.ts'
import { giveCanonicalNumbers } from '../../jobs/canonical-numbers.ts'
import { sealKeysOf } from '../../jobs/seal-key.ts'
import { sealStored } from '../../jobs/seal-stored.ts'
import { openPortal } from '../../portal-build/keeper.ts'
import { version } from '../../version.ts'
import { type Context, defineCommand } from '../command.ts'
import { openDatabase } from '../database.ts'
import { tokenCommand } from '../organization.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { startJobs } from './jobs.ts'
import { listen, localAddress, settlePort } from './listen.ts'
import { startRest } from './rest.ts'
import { siblingsOf } from './worker-metrics.ts'
import { serveInWorkers, startsWorkers } from './workers.ts'

/**
 * By itself V8 lets the heap grow to several times of what is in use before it looks through it; once the start is
 * over, by this much.
 */
const HEAP_GROWTH = '--heap-growing-percent=25'

/**
 * By itself V8 makes quick code of what was called thousands of times, which at the start is sparing; from then on what
 * is called is called again, and whoever comes in the first seconds waits less.
 */
const QUICK_CODE = ['--invocation-count-for-maglev=100', '--invocation-count-for-turbofan=1000']

/** Loaded where it is asked for alone. */
type Demonstration = typeof import('../demo.ts')

/** Ten seconds are promised, and whoever started us may kill us then: the rest is for closing the database. */
const DRAIN_MS = 9000

export const serve = defineCommand({
  name: 'serve',
  summary: 'Serves the portal, the API and its documentation (what happens without a command).',
  details: `Logs go to standard output as JSON lines, words for people to standard error.
SIGTERM and SIGINT let requests under way finish, for at most 10 seconds; a second one ends at once.`,
  positionals: [],
  options: {
    demo: { type: 'boolean', description: 'Fills an organization "Demo" once, and prints a token and a login for it' },
  },
  async run(context, { demo = false }) {
    const { clock, say } = context
    const config = await settlePort(context.config)
    if (startsWorkers(config)) return serveInWorkers(context, config)
    const isFirst = !config.isFurtherWorker
    // Lines are written off the request path, and flushed when the process ends.
    const destination = pino.destination({ dest: 1, sync: false })
    // Nobody reads the log any more (a closed pipe): the service goes on.
    destination.on('error', () => undefined)
    context.atExit(() => destination.flushSync())
    const logger = createLogger(config.logLevel, destination)

    // A key that was named and does not serve stops the start; without one, it is made at first need.
    if (config.auditSigningKeyFile !== undefined) findAuditKey(config)
    const lock = lockDataFolder(config, 'shared')
    const mended = mendPrivate([
      ...privatePaths(config.dataDir),
      ...(config.auditSigningKeyFile === undefined ? [] : [config.auditSigningKeyFile]),
    ])
    if (mended.length > 0) logger.warn({ mended }, 'others could read what is ours: it is for its owner alone now')
    const engine = await openDatabase(config, {
      onError: (err) => logger.warn({ err }, 'a database connection was lost'),
    })
    sealWith(engine, sealKeysOf(config))
    // Before anything is written. Where there is no such table yet, nothing was sealed.
    if (await hasSealed(engine))
      await checkSealKey(engine).catch(async (error) => {
        await engine.close()
        throw error
      })
    const { applied } = await migrate(engine)
    if (applied.length > 0) logger.info({ applied }, 'migrated')
    await refreshBuiltInRoles(engine, clock.now())
    const keeper = config.portal ? openPortal() : undefined
    const portal = keeper && { portal: keeper.portal }
    const app = await buildApp({
      config,
      engine,
      clock,
      logger,
      resources: allResources,
      siblings: siblingsOf(),
      ...portal,
    })
    await sealStored(engine, clock.now())
    await giveCanonicalNumbers(engine, clock.now())
    const demonstration = demo && isFirst ? await import('../demo.ts') : undefined
    await demonstration?.fillDemoOnce(context, engine)
    // From the first request on, a signal lets requests finish.
    const stopped = context.untilStopped()
    await listen(app, config)
    for (const flag of [HEAP_GROWTH, ...QUICK_CODE]) setFlagsFromString(flag)
    const rest = startRest(() => engine.giveBack?.())
    if (isFirst) await greet(context, engine, config, demonstration)
    const jobs = startJobs({ app, engine, clock, logger, config, demo: demonstration?.ORGANIZATION })
    void keeper?.build(isFirst ? say : () => undefined)

    const fault = await Promise.race([stopped, jobs.fault])
    logger.info('stopping')
    rest.stop()
    await Promise.all([drain(app), keeper?.stop()])
    await jobs.stop()
    await engine.close()
    lock.release()
    logger.info('stopped')
    // What runs beside requests could not be started: that is not a service.
    if (fault) throw fault
    return undefined
  },
})

const hasSealed = (engine: Engine): Promise<boolean> =>
  knownSealKey(engine.reader).then(
    (known) => known !== undefined,
    () => false,
  )

/** No new requests; those under way finish, or are cut off when their time is up. */
async function drain(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close()
  clearTimeout(cutOff)
}

async function greet(context: Context, engine: Engine, config: Config, demonstration?: Demonstration): Promise<void> {
  context.say(`Gatehouse ${version} is ready at ${config.baseUrl}`)
  if (demonstration)
    await demonstration.announceDemo(context, engine, { address: localAddress(config), baseUrl: config.baseUrl })
  else await hintIfEmpty(context, engine, config.baseUrl)
}

async function hintIfEmpty({ say, clock }: Context, engine: Engine, baseUrl: string): Promise<void> {
  if (!(await isEmpty(engine.reader))) return
  say(`The database is empty. Set it up with this link, which works once, for 15 minutes
(a fresh one: gatehouse setup-link):
  ${await makeSetupLink(engine, clock.now(), baseUrl)}
What follows "#" is also the "token" of POST /api/v1/setup. Or make an organization, and a token for it, here:
  npm run -s gatehouse -- organization create 'My organization' --time-zone Europe/Zurich
  ${tokenCommand('My organization')}`)
}
