import { serveGatehouse } from '../test/support/processes.ts'
import { makeEstate, pathsOf } from './estate.ts'
import { load, median } from './load.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 32

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
      for (let round = 0; round <= ROUNDS; round++)
        for (const [which, { url }] of [
          ['one', one],
          ['two', two],
        ] as const) {
          const result = await load(
            { url, token: estate.token, paths: list, connections: CONNECTIONS, seconds },
            scratch,
          )
          if (result.failed > 0) throw new Error(`${result.failed} requests of ${name} failed`)
          // The first round fills the memories.
          if (round > 0) rates[which].push(result.perSecond)
        }
      claims.push({
        name: `Two processes, ${name}`,
        value: median(rates.two) / median(rates.one),
        unit: 'times one',
        atLeast: 1.7,
        detail: `${Math.round(median(rates.two))}/s against ${Math.round(median(rates.one))}/s`,
      })
    }
    return claims
  } finally {
    await one.stop()
    await two.stop()
  }
}
