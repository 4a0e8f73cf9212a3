import { setTimeout } from 'node:timers/promises'
import { type Server, serveGatehouse } from '../test/support/processes.ts'
import { type Estate, makeEstate } from './estate.ts'
import { ask, type Watched, watch } from './load/watched.ts'
import type { Claim } from './report.ts'

const PEOPLE = 1000
const INDIVIDUALS = '/api/v1/individuals'
const BATCH = `${INDIVIDUALS}/batch`
const IMPORTS = '/api/v1/imports'
/** As often as a page looks. */
const POLL_MS = 500

const person = (mark: string, n: number) => ({
  given_name: `Given ${n}`,
  family_name: `Family ${mark}`,
  external_id: `${mark}-${n}`,
})
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A thousand people by single calls, one after the other, against one batch; interleaved, by wall clock. */
async function batches(server: Server, { token }: Estate, where: string): Promise<Claim[]> {
  const times = { single: 0, batch: 0 }
  const stalls: number[] = []
  for (const round of [0, 1, 2]) {
    const begun = performance.now()
    for (const n of numbers(PEOPLE))
      await ask(server, token, { method: 'POST', path: INDIVIDUALS, body: person(`single-${round}`, n) })
    times.single += performance.now() - begun
    const operations = numbers(PEOPLE).map((n) => ({ op: 'create', body: person(`batch-${round}`, n) }))
    const started = performance.now()
    const { stallMs }: Watched = await watch(server, token, {
      method: 'POST',
      path: BATCH,
      route: BATCH,
      body: { operations },
    })
    times.batch += performance.now() - started
    stalls.push(stallMs)
  }
  const rate = (ms: number) => `${Math.round((3 * PEOPLE * 1000) / ms)}/s`
  return [
    {
      name: `${where}: 1,000 people in a batch against single calls`,
      value: times.single / times.batch,
      unit: 'times the rate',
      atLeast: 5,
      detail: `${rate(times.batch)} against ${rate(times.single)}`,
    },
    {
      name: `${where}: the longest stall of the loop during a batch`,
      value: Math.max(...stalls),
      unit: 'ms',
      atMost: 50,
    },
  ]
}

interface Progress {
  data: { id: string; status: string; row_done: number; created: number }
}

/** A file of people, sent as a form and followed until it is in. */
async function imported(server: Server, { token }: Estate, where: string, rows: number): Promise<Claim[]> {
  const lines = numbers(rows).map((n) => `Given ${n};Family ${n % 997};${String(n).padStart(6, '0')};file-${n}`)
  const form = new FormData()
  form.set('resource', 'individuals')
  form.set('file', new Blob([`Vorname;Nachname;Personalnummer;external_id\n${lines.join('\n')}\n`]), 'people.csv')
  const before = await server.rss()
  const started = performance.now()
  const sent = await fetch(server.url + IMPORTS, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: form,
  })
  if (sent.status !== 201) throw new Error(`${sent.status} ${await sent.text()}`)
  let { data } = (await sent.json()) as Progress
  const route = `${IMPORTS}/:id`
  let [stall, memory] = [0, before]
  while (data.status === 'running') {
    const seen = await watch(server, token, { method: 'GET', path: `${IMPORTS}/${data.id}`, route })
    data = (seen.body as Progress).data
    stall = Math.max(stall, seen.stallMs)
    memory = Math.max(memory, await server.rss())
    await setTimeout(POLL_MS)
  }
  const seconds = (performance.now() - started) / 1000
  if (data.created !== rows) throw new Error(`${data.created} of ${rows} people are in: ${data.status}`)
  const name = `${where}: an import of ${rows} people`
  return [
    { name, value: seconds, unit: 's', atMost: 300, detail: `${Math.round(rows / seconds)}/s` },
    { name: `${name}: the longest stall of the loop`, value: stall, unit: 'ms', atMost: 50 },
    { name: `${name}: memory`, value: memory - before, unit: 'MB above rest', atMost: 150 },
  ]
}

async function served(scratch: string, databaseUrl: string | undefined, bench: Bench): Promise<Claim[]> {
  const estate = await makeEstate(scratch, 1000, databaseUrl)
  const server = await serveGatehouse({ ...estate.env, METRICS: 'on' })
  try {
    return await bench(server, estate, databaseUrl ? 'PostgreSQL' : 'SQLite')
  } finally {
    await server.stop()
  }
}

type Bench = (server: Server, estate: Estate, where: string) => Promise<Claim[]>

export const benchBatches = (scratch: string, databaseUrl?: string): Promise<Claim[]> =>
  served(scratch, databaseUrl, batches)

export const benchImport = (rows: number, scratch: string, databaseUrl?: string): Promise<Claim[]> =>
  served(scratch, databaseUrl, (server, estate, where) => imported(server, estate, where, rows))
