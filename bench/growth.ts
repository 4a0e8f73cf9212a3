import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { questions, type Read, type Write } from './changing.ts'
import { type Estate, type Paths, pathsOf } from './estate.ts'
import { askOnce, load, median } from './load/load.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 16
/** So often it is written and then read. */
const WRITES = 40

export interface Sizes<T> {
  large: T
  small: T
}

const sizes = ['small', 'large'] as const

/** What a thousand times the spaces costs: time per call, one caller, small and large in turn. */
export async function benchGrowth(estates: Sizes<Estate>, seconds: number, scratch: string): Promise<Claim[]> {
  const { large, small } = estates
  const servers = { large: await serveGatehouse(large.env), small: await serveGatehouse(small.env) }
  const paths = { large: await pathsOf(servers.large.url, large), small: await pathsOf(servers.small.url, small) }
  const calls: Array<[string, keyof Paths]> = [
    ['first page', 'repeated'],
    ['one item, random', 'item'],
    ['search by slug, random', 'search'],
  ]
  const claims: Claim[] = [await searchedOnce(servers, estates, paths)]
  for (const [name, key] of calls) {
    const times: Sizes<number[]> = { large: [], small: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of sizes) {
        const { token } = estates[size]
        const asked = { url: servers[size].url, token, paths: paths[size][key], connections: 1, seconds }
        const result = await load(asked, scratch)
        if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
        times[size].push(result.meanMs)
      }
    }
    claims.push({ ...compared(name, estates, times), atMost: 1.5 })
  }
  claims.push(...(await rightAfterWrites(servers, estates)))
  const random = { url: servers.large.url, token: large.token, paths: paths.large.random }
  await load({ ...random, connections: CONNECTIONS, seconds }, scratch)
  claims.push({
    name: `Memory with ${large.spaces} spaces, after all of the above`,
    value: await servers.large.rss(),
    unit: 'MB',
    atMost: 300,
  })
  await servers.large.stop()
  await servers.small.stop()
  return claims
}

function compared(name: string, { large, small }: Sizes<Estate>, times: Sizes<number[]>): Claim {
  const [many, few] = [median(times.large), median(times.small)]
  return {
    name: `${name}: ${large.spaces} spaces against ${small.spaces}`,
    value: many / few,
    unit: 'times as long',
    detail: `${many.toFixed(3)} ms against ${few.toFixed(3)} ms`,
  }
}

/**
 * Searches whose answer no server has in memory: every word is asked once, after as many others to warm up. It has no
 * goal: at a thousand spaces a code names one row, at a million a hundred in as many buildings, and those are read.
 */
async function searchedOnce(servers: Sizes<Server>, estates: Sizes<Estate>, paths: Sizes<Paths>): Promise<Claim> {
  const each = Math.floor(Math.min(paths.small.search.length, paths.large.search.length) / (ROUNDS + 1))
  const times: Sizes<number[]> = { small: [], large: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const size of sizes) {
      const words = paths[size].search.slice(round * each, (round + 1) * each)
      const time = await askOnce(servers[size].url, estates[size].token, words)
      if (round > 0) times[size].push(time)
    }
  }
  return compared('search never asked before', estates, times)
}

/** The first answer after each write: to what is listed, and to what is not. */
async function rightAfterWrites(servers: Sizes<Server>, estates: Sizes<Estate>): Promise<Claim[]> {
  const asked = {
    small: await questions(servers.small, estates.small),
    large: await questions(servers.large, estates.large),
  }
  const claims: Claim[] = []
  for (const [index, { name }] of asked.small.reads.entries()) {
    for (const kind of ['others', 'itself'] as const) {
      const times: Sizes<number[]> = { small: [], large: [] }
      // The first round compiles, and has what was never asked for made.
      for (let round = 0; round <= ROUNDS; round++)
        for (const size of sizes) {
          const read = asked[size].reads[index] as Read
          const writes = kind === 'others' ? asked[size].others : [read.itself]
          const time = await afterEach(servers[size], estates[size], read, writes, round)
          if (round > 0) times[size].push(time)
        }
      const what = kind === 'others' ? 'other resources' : 'what is listed'
      claims.push({ ...compared(`${name}, right after a write to ${what}`, estates, times), atMost: 1.5 })
    }
  }
  return claims
}

function afterEach(
  server: Server,
  { token }: Estate,
  { paths: [path = ''] }: Read,
  writes: readonly Write[],
  round: number,
): Promise<number> {
  const write = (n: number) => {
    const { path: written, body } = writes[n % writes.length] as Write
    return ask(server, token, { method: 'PATCH', path: written, body: body(round * WRITES + n) })
  }
  return askOnce(
    server.url,
    token,
    Array.from({ length: WRITES }, () => path),
    write,
  )
}
