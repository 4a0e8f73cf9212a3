import { pino } from 'pino'
import { allResources } from '../src/all-resources.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { serveGatehouse } from '../test/support/processes.ts'
import { type Estate, makeEstate, pathsOf } from './estate.ts'
import { load, median } from './load/load.ts'
import { rawDriver, type Statement, statementsOf } from './raw-driver.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CALLERS = 16
const POOL = 10
/** Calls whose statements the raw driver repeats. */
const SAMPLE = 200

/** On PostgreSQL: our calls against the raw driver doing the same SQL. */
export async function benchPostgres(spaces: number, seconds: number, scratch: string): Promise<Claim[]> {
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
  try {
    const estate = await makeEstate(scratch, spaces, postgres.url)
    const server = await serveGatehouse({ ...estate.env, DATABASE_POOL: String(POOL) })
    const paths = await pathsOf(server.url, estate)
    const claims: Claim[] = []
    for (const [name, list] of [
      ['random pages of spaces', paths.random],
      ['random single spaces', paths.item],
    ] as const) {
      const calls = await sqlOf(postgres.url, estate, list.slice(0, SAMPLE))
      const ours: number[] = []
      const raw: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        raw.push(await rawDriver(postgres.url, calls, CALLERS, POOL, seconds))
        ours.push(
          (await load({ url: server.url, token: estate.token, paths: list, connections: CALLERS, seconds }, scratch))
            .perSecond,
        )
      }
      claims.push({
        name: `PostgreSQL, ${name}`,
        value: median(ours) / median(raw),
        unit: 'of the raw driver',
        atLeast: 0.5,
        detail: `${Math.round(median(ours))}/s against ${Math.round(median(raw))}/s`,
      })
    }
    await server.stop()
    return claims
  } finally {
    await postgres.stop()
  }
}

/**
 * The statements behind each path once everything that is kept is kept: what a call costs the database from then on.
 */
async function sqlOf(url: string, { token }: Estate, paths: readonly string[]): Promise<Statement[][]> {
  const engine = await openPostgres(url, { poolSize: POOL, onError: () => undefined })
  const app = await buildApp({
    config: readConfig({}),
    engine,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    resources: allResources,
  })
  const ask = (path: string) => app.inject({ url: path, headers: { authorization: `Token ${token}` } })
  // The deepest page first: it leaves the marks that all others start from.
  const pageOf = (path: string) => Number(/page=(\d+)/.exec(path)?.[1] ?? 0)
  const [deepest = '', ...others] = paths.toSorted((a, b) => pageOf(b) - pageOf(a))
  await ask(deepest)
  const calls: Statement[][] = []
  for (const path of others) calls.push(await statementsOf(engine, () => ask(path)))
  await app.close()
  await engine.close()
  return calls.filter((call) => call.length > 0)
}
