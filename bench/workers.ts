import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { type Estate, makeEstate, pathsOf } from './estate.ts'
import { cpuOfWorkers } from './load/cpu.ts'
import { load, median } from './load/load.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 32
/** Each process fills a memory of its own: it is asked until it has gained less than this for so many rounds. */
const GAIN = 1.05
const STILL = 3
const MOST_ROUNDS = 24

interface Asked {
  name: string
  paths: readonly string[]
}

/** What two processes read in the time of one: the same estate, in turn. */
export async function benchWorkers(spaces: number, seconds: number, scratch: string): Promise<Claim[]> {
  const estate = await makeEstate(scratch, spaces)
  const compared = async (env: Record<string, string>, choose: (paths: Paths) => readonly Asked[]) => {
    const pair = await startPair({ ...estate, env: { ...estate.env, ...env } })
    try {
      const claims: Claim[] = []
      for (const asked of choose(await pathsOf(pair.one.url, estate)))
        claims.push(...(await compare(pair, estate.token, asked, seconds, scratch)))
      return claims
    } finally {
      await pair.one.stop()
      await pair.two.stop()
    }
  }
  return [
    ...(await compared({}, ({ repeated, random, item }) => [
      { name: 'the first page', paths: repeated },
      { name: 'random pages', paths: random },
      { name: 'single items', paths: item },
    ])),
    // What is kept is sent so quickly that who asks takes as much of the two cores as the service does.
    ...(await compared({ ANSWERS_MB: '1' }, ({ random }) => [
      { name: 'random pages that are made anew', paths: random },
    ])),
  ]
}

type Paths = Awaited<ReturnType<typeof pathsOf>>
type Pair = Record<'one' | 'two', Server>

const startPair = async ({ env }: Estate): Promise<Pair> => ({
  one: await serveGatehouse(env),
  two: await serveGatehouse({ ...env, WORKERS: '2' }),
})

async function compare(
  pair: Pair,
  token: string,
  { name, paths }: Asked,
  seconds: number,
  scratch: string,
): Promise<Claim[]> {
  const rates = { one: [] as number[], two: [] as number[] }
  const cost = { one: [] as number[], two: [] as number[] }
  const read = async ({ url }: Server) => {
    const result = await load({ url, token, paths, connections: CONNECTIONS, seconds }, scratch)
    if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
    return result.perSecond
  }
  for (const server of Object.values(pair)) {
    let [best, still] = [0, 0]
    for (let round = 0; still < STILL && round < MOST_ROUNDS; round++) {
      const now = await read(server)
      still = now > best * GAIN ? 0 : still + 1
      best = Math.max(best, now)
    }
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const which of ['one', 'two'] as const) {
      const server = pair[which]
      const before = await cpuOfWorkers(server)
      const perSecond = await read(server)
      rates[which].push(perSecond)
      cost[which].push(((await cpuOfWorkers(server)) - before) / (perSecond * seconds))
    }
  return [
    {
      name: `Two processes, ${name}`,
      value: median(rates.two) / median(rates.one),
      unit: 'times one',
      atLeast: 1.7,
      detail: `${Math.round(median(rates.two))}/s against ${Math.round(median(rates.one))}/s`,
    },
    {
      // Where who asks takes a part of the same cores, two cannot show it by their rate.
      name: `Two processes, ${name}, by CPU time`,
      value: (2 * median(cost.one)) / median(cost.two),
      unit: 'times one',
      atLeast: 1.7,
      detail: `${micros(median(cost.two))} a request against ${micros(median(cost.one))}`,
    },
  ]
}

const micros = (seconds: number): string => `${Math.round(seconds * 1e6)} µs`
