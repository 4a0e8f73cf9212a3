import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { startWriting } from './changing.ts'
import { type Estate, makeEstate, type Paths, pathsOf } from './estate.ts'
import { load, median } from './load/load.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const ROUNDS = 3
const CONNECTIONS = 16
/** More than anybody answers: as many as there are connections are always under way. */
const UNBOUNDED = 1e6
/** Two runs of the same differ by as much. */
const SAME = 0.95

interface Side {
  server: Server
  estate: Estate
  paths: Paths
}

/**
 * The calls of every day, ours and those of another checkout in turn, each with an estate of its own: what has become
 * slower since.
 */
export async function benchBefore(folder: string, spaces: number, seconds: number, scratch: string): Promise<Claim[]> {
  const sides = { ours: await open(scratch, spaces), theirs: await open(scratch, spaces, join(folder, 'src/main.ts')) }
  const claims: Claim[] = []
  const compare = async (name: string, rateOf: (side: Side) => Promise<number>) => {
    const rates = { ours: [] as number[], theirs: [] as number[] }
    for (const side of ['ours', 'theirs'] as const) await rateOf(sides[side])
    for (let round = 0; round < ROUNDS; round++)
      for (const side of ['theirs', 'ours'] as const) rates[side].push(await rateOf(sides[side]))
    const [ours, theirs] = [median(rates.ours), median(rates.theirs)]
    const detail = `${Math.round(ours)}/s against ${Math.round(theirs)}/s`
    claims.push({
      name: `Against the other checkout: ${name}`,
      value: ours / theirs,
      unit: 'of its rate',
      atLeast: SAME,
      detail,
    })
  }
  for (const kind of ['repeated', 'random', 'item', 'search', 'lockingSystems'] as const)
    await compare(`reads, ${kind}`, async ({ server, estate, paths }) => {
      const asked = { url: server.url, token: estate.token, paths: paths[kind], connections: CONNECTIONS, seconds }
      return (await load(asked, scratch)).perSecond
    })
  await compare('a person’s phone', (side) => writesOf(side, seconds))
  for (const { server } of Object.values(sides)) await server.stop()
  return claims
}

async function open(scratch: string, spaces: number, entry?: string): Promise<Side> {
  const estate = await makeEstate(scratch, spaces, undefined, entry)
  const server = await serveGatehouse(estate.env, entry === undefined ? {} : { entry })
  return { server, estate, paths: await pathsOf(server.url, estate) }
}

async function writesOf({ server, estate: { token } }: Side, seconds: number): Promise<number> {
  const { data } = (await ask(server, token, { method: 'GET', path: '/api/v1/individuals?limit=1' })) as {
    data: Array<{ id: string }>
  }
  const write = { path: `/api/v1/individuals/${data[0]?.id}`, body: (n: number) => ({ phone: `+41 44 ${n}` }) }
  const began = performance.now()
  const writer = startWriting(server.url, token, [write], UNBOUNDED)
  await pause(seconds * 1000)
  const { done, failed, why } = await writer.stop()
  if (failed > 0) throw new Error(`${failed} writes failed: ${why}`)
  return (done * 1000) / (performance.now() - began)
}
