import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { cpuOfWorkers } from './cpu.ts'
import { makeEstate, pathsOf } from './estate.ts'
import { load, median } from './load.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 32
/** Each process fills a memory of its own. */
const WARM = 4

/** What two processes read in the time of one: the same estate, in turn. */
export async function benchWorkers(spaces: number, seconds: number, scratch: string): Promise<Claim[]> {
  const estate = await makeEstate(scratch, spaces)
  const [one, two] = [await serveGatehouse(estate.env), await serveGatehouse({ ...estate.env, WORKERS: '2' })]
  try {
    const paths = await pathsOf(one.url, estate)
    const claims: Claim[] = []
    for (const [name, list] of [
      ['the first page', paths.repeated],
      ['random pages', paths.random],
      ['single items', paths.item],
    ] as const) {
      const rates = { one: [] as number[], two: [] as number[] }
      const cost = { one: [] as number[], two: [] as number[] }
      const read = async ({ url }: Server, long = seconds) => {
        const result = await load(
          { url, token: estate.token, paths: list, connections: CONNECTIONS, seconds: long },
          scratch,
        )
        if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
        return result.perSecond
      }
      for (const server of [one, two]) await read(server, WARM * seconds)
      for (let round = 0; round < ROUNDS; round++)
        for (const [which, server] of [
          ['one', one],
          ['two', two],
        ] as const) {
          const before = await cpuOfWorkers(server)
          const perSecond = await read(server)
          rates[which].push(perSecond)
          cost[which].push(((await cpuOfWorkers(server)) - before) / (perSecond * seconds))
        }
      claims.push(
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
      )
    }
    return claims
  } finally {
    await one.stop()
    await two.stop()
  }
}

const micros = (seconds: number): string => `${Math.round(seconds * 1e6)} µs`
