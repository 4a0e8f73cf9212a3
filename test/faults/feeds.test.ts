import { setTimeout as delay } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isVerified, startReceiver } from '../support/peers/receiver.ts'
import { makeWebhook, webhookEnv } from '../support/peers/webhook.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import type { Server } from '../support/processes.ts'
import { Caller } from './caller.ts'
import { createSite } from './site.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 2)
/** Slower than messages are delivered, or what waits grows with every round. */
const BETWEEN_WRITES_MS = 20

/** Follows the changes by an EventSource, which comes again by itself with the id of the last event it has had. */
function follow(url: string, token: string): { sequences: number[]; names: string[] } {
  const seen: { sequences: number[]; names: string[] } = { sequences: [], names: [] }
  const source = new EventSource(`${url}/api/v1/changes/stream?after=0&type=location.created`, {
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...init.headers, authorization: `Token ${token}` } }),
  })
  source.addEventListener('message', ({ data }) => {
    const item = JSON.parse(data)
    seen.sequences.push(item.sequence)
    seen.names.push(item.data.name)
  })
  onTestFinished(() => source.close())
  return seen
}

/** Writes until told to stop; who gets no answer goes on with the next. */
async function write(
  servers: () => readonly Server[],
  token: string,
  prefix: string,
  isOver: () => boolean,
): Promise<string[]> {
  const acknowledged: string[] = []
  for (let n = 0; !isOver(); n++) {
    const server = servers()[n % servers().length]
    if (!server?.isRunning()) {
      await delay(20)
      continue
    }
    const caller = new Caller(server.url, token)
    const name = `${prefix} ${n}`
    const answer = await caller.call('POST', '/api/v1/locations', { name }).catch(() => undefined)
    if (answer?.status === 201) acknowledged.push(name)
    caller.close()
    await delay(BETWEEN_WRITES_MS)
  }
  return acknowledged
}

describe.each(['sqlite', 'postgres'])('kill -9 in the middle of streaming and delivery, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres({ durable: true })
  })
  afterAll(() => postgres?.stop())

  it('a stream has no gap and no repeat, and every webhook message arrives, verified and in order', {
    timeout: 1_200_000,
  }, async () => {
    const site = await createSite(postgres)
    // Of PostgreSQL several processes are promised.
    let servers = await Promise.all(Array.from({ length: postgres ? 2 : 1 }, () => site.serve({ env: webhookEnv })))
    const me = await new Caller(servers[0]?.url ?? '', site.token).get('/api/v1/me')
    const receiver = await startReceiver((response) => setTimeout(() => response.end(), 2))
    const { secret } = await site.look((at) => makeWebhook(at, 'Test', me.body.data.id, receiver.url, ['location.*']))
    const streams = servers.map(({ url }) => follow(url, site.token))
    let isOver = false
    const writing = Promise.all(
      [0, 1].map((n) =>
        write(
          () => servers,
          site.token,
          `w${n}`,
          () => isOver,
        ),
      ),
    )
    for (let round = 0; round < ROUNDS; round++) {
      const before = receiver.received.length
      await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBeGreaterThan(before)
      await delay(Math.random() * 300)
      const victim = servers[round % servers.length] as Server
      await victim.kill()
      const again = await site.serve({ port: victim.port, env: webhookEnv })
      servers = servers.map((server) => (server === victim ? again : server))
    }
    isOver = true
    const acknowledged = (await writing).flat()

    const rows = await site.look(({ reader }) =>
      reader.all<{ sequence: number }>(
        `select sequence from audit_log where action = 'location.created' order by sequence`,
        [],
      ),
    )
    const sequences = rows.map(({ sequence }) => sequence)
    expect(sequences.length).toBeGreaterThanOrEqual(acknowledged.length)
    for (const seen of streams) {
      await expect.poll(() => seen.sequences.length, { timeout: 60_000 }).toBe(sequences.length)
      expect(seen.sequences).toEqual(sequences)
      expect(acknowledged.filter((name) => !seen.names.includes(name))).toEqual([])
    }
    const delivered = () => new Set(receiver.received.map(({ body }) => body.data.sequence))
    await expect.poll(() => delivered().size, { timeout: 90_000 }).toBe(sequences.length)
    expect(receiver.received.every((one) => isVerified(one, secret))).toBe(true)
    // In order, but for what was sent again after a crash.
    const first = [...delivered()]
    expect(first).toEqual(first.toSorted((a, b) => a - b))
  })
})
