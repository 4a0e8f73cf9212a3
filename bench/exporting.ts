import { get } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { type Estate, makeEstate } from './estate.ts'
import { median } from './load/load.ts'
import { read } from './load/watched.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const COLUMNS = 'id,building_id,name,slug,area,department,floor,description,external_id,created_at,updated_at,version'
const PATH = '/api/v1/spaces/records'

/**
 * Every space as a file, against the same columns of the same rows read by the driver alone; and how long the loop
 * stood still.
 */
export async function benchExport(spaces: number, scratch: string, databaseUrl?: string): Promise<Claim[]> {
  const estate = await makeEstate(scratch, spaces, databaseUrl)
  const raw = median(await times(ROUNDS, () => rowsByDriver(estate)))
  const server = await serveGatehouse({ ...estate.env, METRICS: 'on' })
  const where = `${databaseUrl ? 'PostgreSQL' : 'SQLite'}, ${spaces} spaces`
  const claims: Claim[] = []
  try {
    for (const format of ['ndjson', 'csv', 'xlsx']) {
      await read(server, { method: 'GET', route: PATH })
      const one = () => rowsByExport(server, estate, `${PATH}?select=${COLUMNS}&format=${format}`)
      // The first starts a thread and compiles what it runs: that counts for how long the loop stands still, not for
      // the rate.
      await one()
      const ours = median(await times(ROUNDS, one))
      const { stallSeconds } = await read(server, { method: 'GET', route: PATH })
      claims.push({
        name: `${where}: export as ${format}`,
        value: ours / raw,
        unit: 'of the rows a second that the driver alone reads',
        atLeast: 0.3,
        detail: `${Math.round(ours)}/s against ${Math.round(raw)}/s`,
      })
      claims.push({
        name: `${where}: the loop's longest stall during it`,
        value: stallSeconds * 1000,
        unit: 'ms',
        atMost: 50,
      })
    }
    await rowsByExport(server, estate, `${PATH}?select=${COLUMNS}&order=description.desc,department&format=csv`)
    const { stallSeconds } = await read(server, { method: 'GET', route: PATH })
    claims.push({
      name: `${where}: the same in an order without an index`,
      value: stallSeconds * 1000,
      unit: 'ms',
      atMost: 50,
    })
    claims.push({ name: `${where}: memory after all of that`, value: await server.rss(), unit: 'MB', atMost: 300 })
  } finally {
    await server.stop()
  }
  return claims
}

async function times(count: number, run: () => Promise<number>): Promise<number[]> {
  const results: number[] = []
  for (let i = 0; i < count; i++) results.push(await run())
  return results
}

/** Rows a second. */
async function rowsByDriver({ env, spaces }: Estate): Promise<number> {
  const text = `select ${COLUMNS} from spaces where org = 1 order by created_at, id`
  const began = performance.now()
  let rows = 0
  if (env.DATABASE_URL) {
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    rows = (await client.query(text)).rows.length
    await client.end()
  } else {
    const db = new DatabaseSync(join(env.DATA_DIR as string, 'gatehouse.db'), { readOnly: true })
    for (const _ of db.prepare(text).iterate()) rows++
    db.close()
  }
  if (rows < spaces) throw new Error(`the driver read ${rows} of ${spaces} rows`)
  return (rows * 1000) / (performance.now() - began)
}

async function rowsByExport(server: Server, { token, spaces }: Estate, path: string): Promise<number> {
  const began = performance.now()
  const bytes = await new Promise<number>((resolve, reject) => {
    get(server.url + path, { headers: { authorization: `Token ${token}` } }, async (response) => {
      let count = 0
      for await (const chunk of response) count += (chunk as Buffer).length
      if (response.statusCode === 200 && response.complete) resolve(count)
      else reject(new Error(`${path} answered ${response.statusCode}`))
    }).on('error', reject)
  })
  if (bytes < spaces) throw new Error(`${path} gave ${bytes} bytes for ${spaces} rows`)
  return (spaces * 1000) / (performance.now() - began)
}
