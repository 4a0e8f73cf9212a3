import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { serveGatehouse } from '../test/support/processes.ts'
import { barePostgres, bareSqlite, transactionsOf, type Written } from './bare-writes.ts'
import { startWriting, type Write } from './changing.ts'
import { makeEstate } from './estate.ts'
import { cpuDuring } from './load/cpu.ts'
import { median } from './load/load.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CALLERS = 16
/** Transactions that are noted, and replayed by the driver in as many rounds. */
const NOTED = 3000
const WARM_MS = 4000
/** More than anybody keeps up with. */
const ALL = 100_000

/** Changes by HTTP, as many as there can be, against the driver alone that commits the same rows. */
export async function benchSustained(
  spaces: number,
  seconds: number,
  scratch: string,
  databaseUrl?: string,
): Promise<Claim[]> {
  const where = databaseUrl ? 'PostgreSQL' : 'SQLite'
  const { env, token } = await makeEstate(scratch, spaces, databaseUrl)
  const [forNoting, forBare] = databaseUrl ? await twinsOf(databaseUrl) : await copiesOf(env.DATA_DIR ?? '')
  const server = await serveGatehouse(env)
  try {
    const ids = async (path: string) =>
      ((await ask(server, token, { method: 'GET', path })) as { data: Array<{ id: string }> }).data.map(({ id }) => id)
    const writes: Write[] = [
      ...(await ids('/api/v1/individuals?limit=100')).map((id) => ({
        path: `/api/v1/individuals/${id}`,
        body: (n: number) => ({ phone: `+41 44 ${n}` }),
      })),
      ...(await ids('/api/v1/spaces?limit=100')).map((id) => ({
        path: `/api/v1/spaces/${id}`,
        body: (n: number) => ({ department: `Department ${n}` }),
      })),
    ]
    const engine = databaseUrl
      ? await openPostgres(forNoting, { poolSize: 4, onError: () => undefined })
      : openSqlite(forNoting)
    const noted = await transactionsOf(engine, token, writes, NOTED)
    await engine.close()
    const bare = (some: readonly Written[]) =>
      databaseUrl ? barePostgres(forBare, some, CALLERS) : bareSqlite(forBare, some)
    const rates = { ours: [] as number[], bare: [] as number[] }
    let cpu = 0
    await written(WARM_MS)
    for (let round = 0; round < ROUNDS; round++) {
      const part = NOTED / ROUNDS
      rates.bare.push(await bare(noted.slice(round * part, (round + 1) * part)))
      let done = 0
      const took = await cpuDuring(server, async () => {
        done = await written(seconds * 1000)
      })
      rates.ours.push(done / seconds)
      cpu = took.loop / done
    }
    const statements = noted.reduce((sum, { length }) => sum + length, 0) / noted.length
    return [
      {
        name: `${where}, ${spaces} spaces: changes by HTTP, durable, by ${CALLERS} callers`,
        value: median(rates.ours) / median(rates.bare),
        unit: 'of the bare transaction with the same rows',
        atLeast: 0.5,
        detail:
          `${Math.round(median(rates.ours))}/s against ${Math.round(median(rates.bare))}/s with ` +
          `${statements.toFixed(1)} statements each; ${Math.round(cpu * 1e6)} µs of the loop a change`,
      },
    ]

    async function written(forMs: number): Promise<number> {
      const began = performance.now()
      const writer = startWriting(server.url, token, writes, ALL, CALLERS)
      await pause(forMs)
      const { done, failed, why } = await writer.stop()
      if (failed > 0) throw new Error(`${failed} changes failed: ${why}`)
      return (done * forMs) / (performance.now() - began)
    }
  } finally {
    await server.stop()
  }
}

/** Two files as the estate's is, nobody having it open. */
async function copiesOf(folder: string): Promise<[string, string]> {
  const copy = async (name: string) => {
    await cp(folder, `${folder}-${name}`, { recursive: true })
    return join(`${folder}-${name}`, 'gatehouse.db')
  }
  return [await copy('noted'), await copy('bare')]
}

async function twinsOf(databaseUrl: string): Promise<[string, string]> {
  const name = new URL(databaseUrl).pathname.slice(1)
  return [(await createDatabase(databaseUrl, name)).url, (await createDatabase(databaseUrl, name)).url]
}
