import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller } from './caller.ts'
import { Ledger, writeSideBySide } from './ledger.ts'
import { createSite } from './site.ts'

const ROUNDS = 3
const READY_MS = 3000

describe.each(['sqlite', 'postgres'])('kill -9 of the server during writes, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres({ durable: true })
  })
  afterAll(() => postgres?.stop())

  it('every acknowledged write is there exactly once, a retry makes no second one, and it is ready again in 3 s', async () => {
    const site = await createSite(postgres)
    const ledger = new Ledger()
    let server = await site.serve()
    // On a machine too busy for its usual start, a start after a crash may take as much longer.
    const allowedMs = Math.max(READY_MS, 2 * server.readyMs)
    const readyMs: number[] = []

    for (let round = 0; round < ROUNDS; round++) {
      const caller = new Caller(server.url, site.token)
      const acknowledged = ledger.created.size
      const writing = writeSideBySide(
        { writers: 6, limit: 300, prefix: `r${round}`, isOver: () => !server.isRunning() },
        ledger,
        caller,
      )
      for (let waited = 0; ledger.created.size === acknowledged && waited < 10_000; waited += 20) await delay(20)
      await delay(50 + Math.random() * 500)
      const { signal } = await server.kill()
      expect(signal).toBe('SIGKILL')
      await writing
      caller.close()
      expect(ledger.created.size).toBeGreaterThan(acknowledged)

      server = await site.serve({ port: server.port })
      readyMs.push(server.readyMs)
      const survivor = new Caller(server.url, site.token)
      await ledger.settle(survivor)
      survivor.close()
    }

    // The middle one: every start follows a crash, and one of them may have met a machine busy with something else.
    expect(
      readyMs.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)],
      `ready after ${readyMs.map(Math.round)} ms`,
    ).toBeLessThan(allowedMs)
    // The kills did hit writes under way.
    expect(ledger.unanswered).toBeGreaterThan(0)
    expect(ledger.faults).toEqual([])
    await ledger.expectKept(site)
  })
})
