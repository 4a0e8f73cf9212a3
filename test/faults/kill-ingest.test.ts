import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller, NoAnswer } from './caller.ts'
import { createSite } from './site.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const PATH = '/api/v1/access-events'

interface Stored {
  sequence: number
  source_id: string
}

/** What senders were told, to be held against the feed. */
class Sent {
  readonly acknowledged = new Map<string, number>()
  readonly open = new Set<string>()
  unanswered = 0

  /** Batches of ten and single ones; what is not acknowledged is sent again later, with the same source_id. */
  async send(caller: Caller, ids: readonly string[]): Promise<void> {
    for (const id of ids) this.open.add(id)
    const events = ids.map((source_id) => ({ type: 'system.restarted', source_id }))
    try {
      const isOne = ids.length === 1
      const answer = await caller.call('POST', isOne ? PATH : `${PATH}/batch`, isOne ? events[0] : { events })
      if (answer.status >= 300) return
      const results: Array<{ sequence: number }> = isOne ? [answer.body.data] : answer.body.data.results
      for (const [index, { sequence }] of results.entries()) {
        const id = ids[index] as string
        // Told twice, it is told the same.
        expect(this.acknowledged.get(id) ?? sequence).toBe(sequence)
        this.acknowledged.set(id, sequence)
        this.open.delete(id)
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.unanswered += 1
    }
  }
}

async function feedOf(caller: Caller): Promise<Stored[]> {
  const items: Stored[] = []
  for (let after = 0; ; ) {
    const { body } = await caller.call('GET', `${PATH}?after=${after}&limit=1000`)
    items.push(...body.data)
    after = body.meta.last
    if (!body.meta.has_more) return items
  }
}

describe.each([
  ['sqlite', 1],
  ['postgres', 2],
] as const)('kill -9 in the middle of ingest, on %s with %i processes', (engine, processes) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres({ durable: true })
  })
  afterAll(() => postgres?.stop())

  it('every acknowledged event is in the feed exactly once, at the place that was told, and one sent again is no second one', {
    timeout: 1_200_000,
  }, async () => {
    const site = await createSite(postgres)
    const sent = new Sent()
    const servers = await Promise.all(Array.from({ length: processes }, () => site.serve()))
    for (let round = 0; round < ROUNDS; round++) {
      const victim = round % processes
      const before = sent.acknowledged.size
      const senders = servers.flatMap((server, process) =>
        [1, 10, 1, 10].map(async (size, sender) => {
          const caller = new Caller(server.url, site.token)
          for (let n = 0; n < 400 && server.isRunning() && (process === victim || servers[victim]?.isRunning()); n++)
            await sent.send(
              caller,
              Array.from({ length: size }, (_, index) => `r${round}-${process}-${sender}-${n}-${index}`),
            )
          caller.close()
        }),
      )
      for (let waited = 0; sent.acknowledged.size === before && waited < 10_000; waited += 20) await delay(20)
      await delay(50 + Math.random() * 500)
      const port = servers[victim]?.port as number
      expect((await servers[victim]?.kill())?.signal).toBe('SIGKILL')
      await Promise.all(senders)
      expect(sent.acknowledged.size).toBeGreaterThan(before)

      servers[victim] = await site.serve({ port })
      const survivor = new Caller(servers[victim].url, site.token)
      const open = [...sent.open]
      for (let at = 0; at < open.length; at += 10) await sent.send(survivor, open.slice(at, at + 10))
      expect(sent.open.size).toBe(0)
      const feed = await feedOf(survivor)
      expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, index) => index + 1))
      expect(new Map(feed.map(({ source_id, sequence }) => [source_id, sequence]))).toEqual(sent.acknowledged)
      expect(feed.length).toBe(sent.acknowledged.size)
      survivor.close()
    }
    // The kills did hit ingests under way.
    expect(sent.unanswered).toBeGreaterThan(0)
  })
})
