import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { allResources } from '../src/all-resources.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { declareResources } from '../src/db/resources.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import { makeWebhook, webhookEnv } from '../test/support/peers/webhook.ts'
import { serveGatehouse } from '../test/support/processes.ts'
import { makeEstate } from './estate.ts'
import { ask } from './load/watched.ts'
import type { Claim } from './report.ts'

const RATE = 200
const GOAL_MS = 250

/** From the moment something is reported to when an open stream and a webhook receiver have it. */
export async function benchFeeds(seconds: number, scratch: string, databaseUrl?: string): Promise<Claim[]> {
  const estate = await makeEstate(scratch, 1000, databaseUrl)
  const server = await serveGatehouse({ ...estate.env, ...webhookEnv })
  const arrived = { stream: new Map<string, number>(), webhook: new Map<string, number>() }
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    arrived.webhook.set(JSON.parse(body).data.source_id, performance.now())
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const me = (await ask(server, estate.token, { method: 'GET', path: '/api/v1/me' })) as { data: { id: string } }
  const engine = databaseUrl
    ? await openPostgres(databaseUrl, { poolSize: 2, onError: () => undefined })
    : openSqlite(`${estate.env.DATA_DIR}/gatehouse.db`)
  declareResources(engine, allResources)
  await makeWebhook(engine, 'Demo', me.data.id, url, ['door.*'])
  await engine.close()
  const source = new EventSource(`${server.url}/api/v1/access-events/stream?type=door.*`, {
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...init.headers, authorization: `Token ${estate.token}` } }),
  })
  source.addEventListener(
    'message',
    ({ data }) => void arrived.stream.set(JSON.parse(data).source_id, performance.now()),
  )
  // Until the stream is open and the webhook is taken on.
  await pause(3000)
  const sent = await report(server.url, estate.token, seconds)
  await pause(2000)
  source.close()
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
  const where = databaseUrl ? 'PostgreSQL' : 'SQLite'
  return (['stream', 'webhook'] as const).map((way) =>
    claimOf(
      `${where}: from a report to ${way === 'stream' ? 'an open stream' : 'a webhook receiver'}`,
      sent,
      arrived[way],
    ),
  )
}

/** One event after the other, at an even rate, whatever the answers take. Gives when each was sent. */
async function report(url: string, token: string, seconds: number): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  const answers: Promise<unknown>[] = []
  const began = performance.now()
  for (let n = 0; n < RATE * seconds; n++) {
    await pause(Math.max(0, began + (n * 1000) / RATE - performance.now()))
    const source_id = `bench ${n}`
    sent.set(source_id, performance.now())
    answers.push(
      fetch(`${url}/api/v1/access-events`, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'door.opened', source_id }),
      }).then(async (answer) => {
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.arrayBuffer()
      }),
    )
  }
  await Promise.all(answers)
  return sent
}

function claimOf(name: string, sent: ReadonlyMap<string, number>, arrived: ReadonlyMap<string, number>): Claim {
  const times = [...sent].map(([id, at]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at).sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.POSITIVE_INFINITY
  const missing = times.filter((time) => time === Number.POSITIVE_INFINITY).length
  return {
    name: `${name}, 99th percentile at ${RATE} events a second`,
    value: at(0.99),
    unit: 'ms',
    atMost: GOAL_MS,
    detail: `median ${at(0.5).toFixed(1)} ms, longest ${at(1).toFixed(1)} ms, ${missing} of ${times.length} missing`,
  }
}
