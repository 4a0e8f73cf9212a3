import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { benchPostgres } from './against-driver.ts'
import { benchBefore } from './before.ts'
import { benchChanging } from './changing.ts'
import { benchDecisions } from './decisions.ts'
import { type Estate, makeEstate, pathsOf } from './estate.ts'
import { benchEvents } from './events.ts'
import { benchExport } from './exporting.ts'
import { benchFeeds } from './feeds.ts'
import { benchGrowth } from './growth.ts'
import { load, median, requireWrk } from './load/load.ts'
import { startBare } from './load/reference.ts'
import { type Claim, report } from './report.ts'
import { benchSustained } from './sustained.ts'
import { benchWorkers } from './workers.ts'
import { benchBatches, benchImport } from './writes.ts'

const { values: options } = parseArgs({
  options: {
    spaces: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    people: { type: 'string', default: '100000' },
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
    against: { type: 'string' },
    'skip-large': { type: 'boolean', default: false },
    'skip-sqlite': { type: 'boolean', default: false },
    'skip-postgres': { type: 'boolean', default: false },
  },
})
const seconds = Number(options.seconds)
const ROUNDS = 3
const CONNECTIONS = 16
const REST_MS = 12_000

/** Our calls against a bare node:http server that sends the same bytes. */
async function againstBare(estate: Estate, scratch: string): Promise<Claim[]> {
  const server = await serveGatehouse(estate.env)
  // After the start, and when nobody asks for anything.
  await pause(REST_MS)
  const atRest = await server.rss()
  const paths = await pathsOf(server.url, estate)
  const calls: Array<[string, readonly string[], number]> = [
    ['GET /api/v1/spaces?limit=10, repeated', paths.repeated, 0.8],
    ['GET /api/v1/spaces?limit=10, random pages', paths.random, 0.35],
    ['GET /api/v1/spaces/{id}, random', paths.item, 0.7],
    ['GET /v1/core/locking-system?limit=10&order=name.desc.nullslast', paths.lockingSystems, 0.8],
  ]
  const claims: Claim[] = []
  for (const [name, list, target] of calls)
    claims.push({ ...(await ratioOf(server, estate, name, list, scratch)), atLeast: target })
  await server.stop()
  claims.push({ name: 'Ready after the start', value: server.readyMs / 1000, unit: 's', atMost: 0.7 })
  claims.push({ name: 'Memory at rest', value: atRest, unit: 'MB', atMost: 130 })
  const forgetful = await serveGatehouse({ ...estate.env, ANSWERS_MB: '1' })
  claims.push(await ratioOf(forgetful, estate, 'The same random pages, hardly any of them kept', paths.random, scratch))
  await forgetful.stop()
  return claims
}

/** Interleaved rounds, medians. */
async function ratioOf(
  server: Server,
  { token }: Estate,
  name: string,
  paths: readonly string[],
  scratch: string,
): Promise<Claim> {
  const reference = await startBare(server, token, paths[Math.floor(paths.length / 2)] as string, scratch)
  const asked = { token, paths, connections: CONNECTIONS }
  const ours: number[] = []
  const theirs: number[] = []
  await load({ ...asked, url: server.url, seconds: 1 }, scratch)
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push((await load({ ...asked, url: reference.url, seconds }, scratch)).perSecond)
    const result = await load({ ...asked, url: server.url, seconds }, scratch)
    if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
    ours.push(result.perSecond)
  }
  await reference.stop()
  return {
    name,
    value: median(ours) / median(theirs),
    unit: 'of bare node:http',
    detail: `${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s`,
  }
}

await requireWrk()
const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
/** Pages and items of a large estate, on both engines, and what a thousand times the spaces costs. */
async function benchLists(): Promise<Claim[]> {
  const claims: Claim[] = []
  const estate = await makeEstate(scratch, Number(options.spaces))
  claims.push(...(await againstBare(estate, scratch)))
  if (!options['skip-postgres']) claims.push(...(await benchPostgres(Number(options.spaces), seconds, scratch)))
  if (!options['skip-large']) {
    const small = await makeEstate(scratch, 1000)
    const large = await makeEstate(scratch, Number(options.large))
    claims.push(...(await benchGrowth({ large, small }, seconds, scratch)))
  }
  return claims
}

/** Reads while the organization is written to, on both engines, in a large estate and a very large one. */
async function benchWhileChanging(): Promise<Claim[]> {
  const claims: Claim[] = []
  for (const spaces of [options.spaces, ...(options['skip-large'] ? [] : [options.large])].map(Number)) {
    if (!options['skip-sqlite']) claims.push(...(await benchChanging(spaces, seconds, scratch)))
    if (options['skip-postgres']) continue
    const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
    try {
      claims.push(...(await benchChanging(spaces, seconds, scratch, postgres.url)))
    } finally {
      await postgres.stop()
    }
  }
  return claims
}

/**
 * What happens at the doors: how much of it is taken in and read back, and how soon it is known elsewhere, on both
 * engines.
 */
async function benchAtDoors(): Promise<Claim[]> {
  const ways = [
    (databaseUrl?: string) => benchEvents(Number(options.events), seconds, scratch, databaseUrl),
    (databaseUrl?: string) => benchFeeds(seconds, scratch, databaseUrl),
  ]
  const claims: Claim[] = []
  if (!options['skip-sqlite']) for (const bench of ways) claims.push(...(await bench()))
  if (options['skip-postgres']) return claims
  for (const bench of ways) {
    const postgres = await startPostgres({ durable: true })
    try {
      claims.push(...(await bench(postgres.url)))
    } finally {
      await postgres.stop()
    }
  }
  return claims
}

/** Whole lists as files, on both engines. */
async function benchExports(): Promise<Claim[]> {
  const claims = await benchExport(Number(options.spaces), scratch)
  if (options['skip-postgres']) return claims
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
  try {
    return [...claims, ...(await benchExport(Number(options.spaces), scratch, postgres.url))]
  } finally {
    await postgres.stop()
  }
}

/** Many written at once, on both engines. */
async function benchWritten(bench: (scratch: string, databaseUrl?: string) => Promise<Claim[]>): Promise<Claim[]> {
  const claims = await bench(scratch)
  if (options['skip-postgres']) return claims
  const postgres = await startPostgres({ durable: true })
  try {
    return [...claims, ...(await bench(scratch, postgres.url))]
  } finally {
    await postgres.stop()
  }
}

const parts = {
  export: benchExports,
  batch: () => benchWritten(benchBatches),
  import: () => benchWritten((folder, databaseUrl) => benchImport(Number(options.people), folder, databaseUrl)),
  lists: benchLists,
  writes: () =>
    benchWritten((folder, databaseUrl) => benchSustained(Number(options.spaces), seconds, folder, databaseUrl)),
  changing: benchWhileChanging,
  workers: () => benchWorkers(Number(options.spaces), seconds, scratch),
  events: benchAtDoors,
  before: async () =>
    options.against === undefined ? [] : benchBefore(options.against, Number(options.spaces), seconds, scratch),
  decisions: () => benchDecisions(Number(options.people), seconds, scratch),
}
try {
  if (options.only === 'before' && options.against === undefined)
    throw new Error('--against the folder of another checkout, installed')
  if (options.only !== undefined && !(options.only in parts))
    throw new Error(`--only ${Object.keys(parts).join(' or ')}`)
  const claims: Claim[] = []
  for (const [name, run] of Object.entries(parts)) if ((options.only ?? name) === name) claims.push(...(await run()))
  process.exitCode = report(claims) ? 0 : 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}
