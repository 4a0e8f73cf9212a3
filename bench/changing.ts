import { setTimeout as pause } from 'node:timers/promises'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { type Estate, makeEstate, pathsOf } from './estate.ts'
import { load, median, type Result } from './load/load.ts'
import { Sender } from './load/sender.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const CONNECTIONS = 16
const ROUNDS = 3
const RATES = [1, 10, 50, 200]

/** What must be left of the rate at rest, by writes a second, where a goal is set. */
const goals = { others: { 10: 0.9, 50: 0.8 }, itself: { 10: 0.7, 50: 0.4 } } as const
type Kind = keyof typeof goals

export interface Write {
  path: string
  /** PATCH unless said. */
  method?: 'POST'
  body: (n: number) => object
}

export interface Read {
  name: string
  paths: readonly string[]
  /** A write to what is listed. */
  itself: Write
}

/** Reads while the organization is written to, against the same reads at rest just before. */
export async function benchChanging(
  spaces: number,
  seconds: number,
  scratch: string,
  databaseUrl?: string,
): Promise<Claim[]> {
  const estate = await makeEstate(scratch, spaces, databaseUrl)
  const server = await serveGatehouse(estate.env)
  const where = `${databaseUrl ? 'PostgreSQL' : 'SQLite'}, ${spaces} spaces`
  const claims: Claim[] = []
  const { reads, others } = await questions(server, estate)
  for (const read of reads) {
    for (const kind of ['others', 'itself'] as const) {
      const writes = kind === 'others' ? others : [read.itself]
      for (const rate of RATES)
        claims.push(...(await measure({ where, server, estate, read, kind, writes, rate, seconds, scratch })))
    }
  }
  await server.stop()
  return claims
}

interface Measured {
  where: string
  server: Server
  estate: Estate
  read: Read
  kind: Kind
  writes: readonly Write[]
  rate: number
  seconds: number
  scratch: string
}

async function measure({
  where,
  server,
  estate,
  read,
  kind,
  writes,
  rate,
  seconds,
  scratch,
}: Measured): Promise<Claim[]> {
  const asked = { url: server.url, token: estate.token, paths: read.paths, connections: CONNECTIONS, seconds }
  await load({ ...asked, seconds: 1 }, scratch)
  // In turns: what else the machine does is the same for both.
  const rounds: Array<{ rest: Result; busy: Result }> = []
  const total = { done: 0, due: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const rest = await load(asked, scratch)
    const writer = startWriting(server.url, estate.token, writes, rate)
    const busy = await load(asked, scratch)
    const { done, due, failed, why } = await writer.stop()
    if (failed > 0) throw new Error(`${failed} writes of ${read.name} failed: ${why}`)
    total.done += done
    total.due += due
    rounds.push({ rest, busy })
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const goal = goals[kind][rate as 10 | 50]
  const name =
    `${where}: ${read.name}, ${rate} writes a ` +
    `second to ${kind === 'others' ? 'other resources' : 'what is listed'}`
  const claims: Claim[] = [
    {
      name,
      value: middle(({ rest, busy }) => busy.perSecond / rest.perSecond),
      unit: 'of the rate at rest',
      ...(goal === undefined ? {} : { atLeast: goal }),
      detail:
        `${Math.round(middle(({ busy }) => busy.perSecond))}/s ` +
        `against ${Math.round(middle(({ rest }) => rest.perSecond))}/s, ${total.done} of ${total.due} writes`,
    },
    {
      name: `${name}: 99th percentile`,
      value: middle(({ rest, busy }) => busy.p99Ms - rest.p99Ms),
      unit: 'ms above rest',
      ...(goal === undefined ? {} : { atMost: 10 }),
    },
  ]
  return claims
}

/**
 * Writes at an even pace, each as due by the clock; what cannot be kept up with is told. `connections`: so many are
 * under way at most.
 */
export function startWriting(url: string, token: string, writes: readonly Write[], rate: number, connections = 8) {
  const sender = new Sender(url, token, connections)
  const stop = new AbortController()
  const begun = performance.now()
  const under = new Set<Promise<void>>()
  let sent = 0
  let done = 0
  let failed = 0
  let why = ''
  const fail = (reason: string) => {
    failed += 1
    why ||= reason
  }
  const send = (n: number) => {
    const { path, method = 'PATCH', body } = writes[n % writes.length] as Write
    const promise = sender.send({ method, path, body: body(n) }).then(
      (status) => {
        if (status === 200 || status === 201) done += 1
        else fail(`answered ${status}`)
      },
      (error) => fail(String(error)),
    )
    under.add(promise)
    void promise.finally(() => under.delete(promise))
  }
  const running = (async () => {
    while (!stop.signal.aborted) {
      while (sent < ((performance.now() - begun) / 1000) * rate && under.size < 64) send(sent++)
      await pause(2)
    }
  })()
  return {
    stop: async () => {
      const due = Math.floor(((performance.now() - begun) / 1000) * rate)
      stop.abort()
      await running
      await Promise.all(under)
      sender.close()
      return { due, done, failed, why }
    },
  }
}

interface Listed {
  data: Array<{ id: string }>
}

export async function questions(server: Server, estate: Estate): Promise<{ reads: Read[]; others: Write[] }> {
  const someId = async (path: string) => {
    const { data } = (await ask(server, estate.token, { method: 'GET', path })) as Listed
    const [first] = data
    if (!first) throw new Error(`${path} is empty`)
    return first.id
  }
  const space = await someId('/api/v1/spaces?limit=1')
  const door = await someId('/api/v1/access-points?limit=1&order=label')
  const department: Write = { path: `/api/v1/spaces/${space}`, body: (n) => ({ department: `Department ${n}` }) }
  const label: Write = { path: `/api/v1/access-points/${door}`, body: (n) => ({ label: `A-${n}` }) }
  const paths = await pathsOf(server.url, estate)
  return {
    reads: [
      { name: 'first page', paths: paths.repeated, itself: department },
      { name: 'search', paths: paths.search.slice(0, 20), itself: department },
      { name: 'one item', paths: paths.item.slice(0, 100), itself: department },
      { name: 'doors by label', paths: ['/api/v1/access-points?order=label&limit=50'], itself: label },
      { name: 'overview', paths: ['/api/v1/overview'], itself: label },
    ],
    others: [
      {
        path: `/api/v1/individuals/${await someId('/api/v1/individuals?limit=1')}`,
        body: (n) => ({ phone: `+41 44 ${n}` }),
      },
      {
        path: `/api/v1/locations/${await someId('/api/v1/locations?limit=1')}`,
        body: (n) => ({ address: `Street ${n}` }),
      },
    ],
  }
}
