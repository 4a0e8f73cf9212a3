import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { startWriting, type Write } from './changing.ts'
import { type Estate, makeEstate } from './estate.ts'
import { fillEvents } from './fill-events.ts'
import { besideBusy, cpuDuring } from './load/cpu.ts'
import { askOnce, load, median, type Result } from './load/load.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const CONNECTIONS = 16
/** Senders of events: none waits for another. */
const SENDERS = 64
const ROUNDS = 3
/** So long V8 goes on compiling what events run, in threads of its own: beside readers who have the same cores. */
const WARM_MS = 15_000
const PATH = '/api/v1/access-events'
const BATCH = 100
/** As many as one call takes. */
const FILL = 1000
const FEW = 2000
const ASKED = 40
/** So many are read back at most, and so many before, by a server that was just started. */
const READ = 1_000_000
const FIRST = 20_000

interface Way {
  name: string
  write: Write
  /** Calls a second, and events with each. */
  calls: number
  events: number
}

interface Page<T> {
  data: T[]
  meta: { last: number; has_more: boolean }
}

/**
 * What is taken in a second beside repeated reads, what the feed gives back, and what many events cost the first page
 * of a filter.
 */
export async function benchEvents(
  total: number,
  seconds: number,
  scratch: string,
  databaseUrl?: string,
): Promise<Claim[]> {
  const where = databaseUrl ? 'PostgreSQL' : 'SQLite'
  const estate = await makeEstate(scratch, 1000, databaseUrl)
  let server = await serveGatehouse(estate.env)
  try {
    const list = async <T>(path: string) => ((await ask(server, estate.token, { method: 'GET', path })) as Page<T>).data
    const doors = await list<{ id: string }>('/api/v1/access-points?limit=100')
    const cards = await list<Card>('/api/v1/credentials?limit=100&type=eq.card&number=not.is.null')
    let next = 0
    const event = (n: number) => ({
      type: n % 9 === 0 ? 'access.denied' : 'access.granted',
      result: n % 9 === 0 ? 'denied' : 'granted',
      ...(n % 100 === 17 ? { reason: 'rare' } : {}),
      access_point_id: doors[n % doors.length]?.id,
      ...cardOf(n, cards),
      direction: n % 2 === 0 ? 'in' : 'out',
      source_id: `bench ${n}`,
    })
    const many = (count: number) => ({ events: Array.from({ length: count }, () => event(next++)) })
    const ways: Way[] = [
      {
        name: `in batches of ${BATCH}`,
        calls: 20,
        events: BATCH,
        write: { path: `${PATH}/batch`, method: 'POST', body: () => many(BATCH) },
      },
      { name: 'one by one', calls: 300, events: 1, write: { path: PATH, method: 'POST', body: () => event(next++) } },
    ]
    const claims: Claim[] = []
    for (const way of ways) claims.push(...(await besideReads(where, server, estate, way, seconds, scratch)))
    const stored = async () =>
      ((await ask(server, estate.token, { method: 'GET', path: `${PATH}?limit=1` })) as CountedPage).meta.pagination
        .total
    while ((await stored()) < FEW)
      await ask(server, estate.token, { method: 'POST', path: `${PATH}/batch`, body: many(FILL) })
    const paths = pathsOf(doors[0]?.id ?? '')
    const few = await timesOf(server, estate, paths)
    const before = await stored()
    await server.stop()
    await fillEvents(estate, total)
    server = await serveGatehouse(estate.env)
    for (const limit of [100, 1000]) claims.push(await readBack(where, server, estate, limit))
    const lots = await timesOf(server, estate, paths)
    for (const [path, ms] of lots) {
      const was = few.get(path) ?? 0
      claims.push({
        name: `${where}: ${path}, ${await stored()} events against ${before}`,
        value: ms / was,
        unit: 'times as long',
        atMost: 1.5,
        detail: `${ms.toFixed(2)} ms against ${was.toFixed(2)} ms`,
      })
    }
    return claims
  } finally {
    await server.stop()
  }
}

interface Card {
  number: string
  facility_code: string | null
}

/**
 * Most people come with a card of the house; one in ten with one that nobody knows: few numbers, so that each fills its
 * first page.
 */
const cardOf = (n: number, cards: readonly Card[]) => {
  const { number = '', facility_code = null } = cards[n % cards.length] ?? {}
  return n % 10 === 0 ? { credential_number: String(n % 200) } : { credential_number: number, facility_code }
}

interface CountedPage {
  meta: { pagination: { total: number } }
}

async function besideReads(
  where: string,
  server: Server,
  estate: Estate,
  { name, write, calls, events }: Way,
  seconds: number,
  scratch: string,
): Promise<Claim[]> {
  const asked = {
    url: server.url,
    token: estate.token,
    paths: ['/api/v1/spaces?limit=10'],
    connections: CONNECTIONS,
    seconds,
  }
  await load({ ...asked, seconds: 1 }, scratch)
  const send = async <T>(meanwhile: () => Promise<T>) => {
    const writer = startWriting(server.url, estate.token, [write], calls, SENDERS)
    const began = performance.now()
    const read = await meanwhile()
    const { done, failed, why } = await writer.stop()
    return { read, stored: done * events, failed, why, seconds: (performance.now() - began) / 1000 }
  }
  // The first events start a thread and compile what they run: that counts for how long a read waits, not for the rate.
  const { read: first } = await send(() => load(asked, scratch))
  await send(() => pause(WARM_MS))
  // In turns: what else the machine does is the same for both.
  const rounds: Array<{ rest: Result; busy: Result; stored: number; seconds: number }> = []
  let [failed, why] = [0, '']
  for (let round = 0; round < ROUNDS; round++) {
    const rest = await load(asked, scratch)
    const { read: busy, stored, seconds: took, ...sent } = await send(() => load(asked, scratch))
    rounds.push({ rest, busy, stored, seconds: took })
    failed += sent.failed
    why ||= sent.why
  }
  const each = (of: (round: (typeof rounds)[number]) => number) => rounds.map(of)
  const restMs = Math.max(...each(({ rest }) => rest.longestMs))
  const busyMs = Math.max(...each(({ busy }) => busy.longestMs))
  const perSecond = median(each(({ stored, seconds: took }) => stored / took))
  // By themselves: what they cost does not hang on how many cores are left beside those who read.
  let alone = 0
  const sender = process.cpuUsage()
  const cpu = await cpuDuring(server, async () => {
    alone = (await send(() => pause(seconds * 1000))).stored
  })
  const { user, system } = process.cpuUsage(sender)
  // Senders and readers, the service and its threads have the same cores: what any program leaves that takes as much.
  const share = cpu.all / seconds + (user + system) / 1e6 / seconds
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const rest = await load(asked, scratch)
    const busy = await besideBusy(share, calls, () => load(asked, scratch))
    plain.push(busy.perSecond / rest.perSecond)
  }
  const ofOne = (cpuSeconds: number) => `${Math.round((cpuSeconds / alone) * 1e6)} µs`
  return [
    {
      name: `${where}: events ${name}, durable`,
      value: perSecond,
      unit: 'a second',
      atLeast: calls * events * 0.97,
      ...(failed > 0 ? { detail: `${failed} calls failed: ${why}` } : {}),
    },
    {
      name: `${where}: repeated first page beside events ${name}`,
      value: median(each(({ rest, busy }) => busy.perSecond / rest.perSecond)),
      unit: 'of the rate at rest',
      atLeast: 0.85,
      detail: rounds
        .map(({ rest, busy }) => `${Math.round(busy.perSecond)}/s against ${Math.round(rest.perSecond)}/s`)
        .join(', '),
    },
    {
      name: `${where}: the same beside a program that takes as much of the processor and does nothing`,
      value: median(plain),
      unit: 'of the rate at rest',
      detail: `${Math.round(share * 100)} % of a core, the senders' part included`,
    },
    {
      name: `${where}: repeated first page beside events ${name}: longest wait`,
      value: Math.max(first.longestMs, busyMs) - restMs,
      unit: 'ms above rest',
      atMost: 50,
      detail:
        `${Math.round(first.longestMs)} ms with the first ` +
        `events, ${Math.round(busyMs)} later, ${Math.round(restMs)} at rest`,
    },
    {
      name: `${where}: the loop's time that events ${name} leave, by CPU time`,
      value: 1 - (cpu.loop / alone) * calls * events,
      unit: 'of it',
      atLeast: 0.85,
      detail: `an event takes ${ofOne(cpu.loop)} on the loop, ${ofOne(cpu.all)} in all`,
    },
  ]
}

/** Every filter there is an index for, and the orders. */
const pathsOf = (door: string): string[] =>
  [
    '',
    '&type=eq.access.denied',
    '&result=eq.denied',
    `&access_point_id=eq.${door}`,
    '&credential_number=eq.20',
    '&direction=eq.in',
    '&verdict=eq.agreed',
    '&verdict=eq.unexpected_denial',
    '&verdict_reason=eq.rare',
    '&reason=eq.rare',
    '&reason=ilike.*RAR*',
    '&credential_id=is.null&reason=not.is.null',
    `&type=eq.access.denied&access_point_id=eq.${door}`,
    '&occurred_at=gte.2026-01-01T00:00:00Z',
    '&order=sequence.desc',
    '&order=occurred_at.desc',
    '&order=received_at.desc',
  ].map((filter) => `${PATH}?limit=10${filter}`)

async function timesOf(server: Server, { token }: Estate, paths: readonly string[]): Promise<Map<string, number>> {
  const timeOf = (path: string) =>
    askOnce(
      server.url,
      token,
      Array.from({ length: ASKED }, () => path),
    )
  // The one server has just started and the other has not: both are asked before it counts.
  for (const path of paths) await timeOf(path)
  const times = new Map<string, number>()
  for (const path of paths) times.set(path, await timeOf(path))
  return times
}

/** By one reader on one connection, which takes what comes and looks at nothing but how far it goes. */
async function readBack(where: string, server: Server, { token }: Estate, limit: number): Promise<Claim> {
  await readOn(server, token, limit, FIRST)
  let read = 0
  const began = performance.now()
  const cpu = await cpuDuring(server, async () => {
    read = await readOn(server, token, limit, READ)
  })
  const perSecond = (read * 1000) / (performance.now() - began)
  return {
    name: `${where}: the feed of events read back, ${limit} at a time`,
    value: perSecond,
    unit: 'events a second',
    atLeast: 50_000,
    detail: `${read} events, ${((cpu.loop / read) * 1e6).toFixed(1)} µs each on the loop`,
  }
}

/** Reads from the beginning until so many have been read, or the end. */
async function readOn({ url }: Server, token: string, limit: number, most: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let read = 0
  for (let after = 0, isMore = true; isMore && read < most; ) {
    const end = await endOf(`${url}${PATH}?after=${after}&limit=${limit}`, token, agent)
    const [, last = '', more = ''] = /"last":(\d+),"has_more":(\w+)/.exec(end) ?? []
    if (last === '') throw new Error(`a page of the feed ends with ${end}`)
    read += Number(last) - after
    after = Number(last)
    isMore = more === 'true'
  }
  agent.destroy()
  return read
}

/** The last bytes of an answer, where its `meta` is. */
const endOf = (url: string, token: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Token ${token}` } }, (response) => {
      let end = ''
      response
        .setEncoding('latin1')
        .on('data', (piece: string) => {
          end = (end + piece).slice(-200)
        })
        .on('end', () => resolve(end))
    }).on('error', reject)
  })
