import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import type { Server } from '../support/processes.ts'
import { type Answer, Caller } from './caller.ts'
import { Ledger, writeSideBySide } from './ledger.ts'
import { createSite } from './site.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres({ durable: true })
})
afterAll(() => postgres.stop())

/** A statement of the operator's, past the service. */
async function operate<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<Row>(statement)
  await client.end()
  return rows
}

const OURS = `datname like 'f\\_%'`
const terminateAll = () => operate(`select pg_terminate_backend(pid) from pg_stat_activity where ${OURS}`)

/** Readers side by side: an answer from memory, a list, one item, until `isOver`. */
async function readSideBySide(
  isOver: () => boolean,
  ledger: Ledger,
  caller: Caller,
  paths: readonly string[],
): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      for (let i = 0; i < 20_000 && !isOver(); i++) {
        await ledger.note(caller.get(path))
        await delay(5)
      }
    }),
  )
}

const until = async (what: string, isSo: () => Promise<boolean>, ms: number): Promise<void> => {
  const deadline = performance.now() + ms
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${ms} ms`)
    await delay(20)
  }
}

const outages: Array<[what: string, times: number, fail: () => Promise<unknown>]> = [
  ['its backends are ended', 5, terminateAll],
  ['it is restarted', 2, () => postgres.restart('fast')],
  ['it is killed with -9 and started again', 1, () => postgres.restart('kill')],
]

describe('PostgreSQL fails under load', () => {
  it.each(outages)(
    '%s: only successes and 503 with Retry-After, no exit, healthy by itself, nothing acknowledged lost',
    async (_, times, fail) => {
      const site = await createSite(postgres)
      const server = await site.serve()
      const caller = new Caller(server.url, site.token)
      const ledger = new Ledger()
      await ledger.write(caller, 'first')
      const first = ledger.created.get('first')

      let isOver = false
      const load = Promise.all([
        writeSideBySide({ writers: 4, limit: 2000, prefix: 'load', isOver: () => isOver }, ledger, caller),
        readSideBySide(() => isOver, ledger, caller, [
          '/api/v1/locations?limit=5',
          '/api/v1/locations?order=name.desc&limit=3',
          `/api/v1/locations/${first}`,
          '/api/v1/roles',
        ]),
      ])
      for (let round = 0; round < times; round++) {
        await delay(200 + Math.random() * 200)
        await fail()
      }
      // Nobody touches the server: it finds its way back.
      await until(
        'writing again',
        async () => (await caller.create('/api/v1/buildings', {}, 'probe')).status === 400,
        15_000,
      )
      const acknowledged = ledger.created.size
      await until('writers getting through', async () => ledger.created.size > acknowledged, 15_000)
      isOver = true
      await load

      expect(server.isRunning()).toBe(true)
      expect(ledger.faults).toEqual([])
      expect(ledger.unanswered).toBe(0)
      expect(ledger.statuses[503], 'the outage did hit requests').toBeGreaterThan(0)
      expect(
        Object.keys(ledger.statuses)
          .map(Number)
          .filter((status) => ![200, 201, 503].includes(status)),
      ).toEqual([])
      expect((await caller.get('/readyz')).status).toBe(200)
      await ledger.settle(caller)
      caller.close()
      await ledger.expectKept(site)
    },
  )

  it('while it is down everything is 503, health says so, and the first answers after it are good', async () => {
    const site = await createSite(postgres)
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    expect((await caller.get('/api/v1/locations')).status).toBe(200)
    await postgres.shutdown('kill')
    try {
      // After kill -9 its backends live on for a moment.
      await until('down', async () => (await caller.get('/readyz')).status === 503, 10_000)
      const answers = await Promise.all([
        caller.get('/api/v1/locations'),
        caller.get('/readyz'),
        caller.create('/api/v1/locations', { name: 'While down' }, 'down'),
      ])
      for (const { status, headers, body } of answers) {
        expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1'])
      }
      expect((await caller.get('/livez')).status).toBe(200)
    } finally {
      await postgres.start()
    }
    await until('ready again', async () => (await caller.get('/readyz')).status === 200, 10_000)
    expect((await caller.create('/api/v1/locations', { name: 'While down' }, 'down')).status).toBe(201)
    caller.close()
  })
})

describe('two processes, and one of them does not hear the other', () => {
  const rename = async (caller: Caller, id: string, name: string): Promise<void> => {
    let answer: Answer | undefined
    for (let tries = 0; tries < 50 && answer?.status !== 200; tries++) {
      if (answer) await delay(50)
      answer = await caller.call('PATCH', `/api/v1/locations/${id}`, { name })
    }
    expect(answer?.status).toBe(200)
  }

  /** 503 is no answer about the name; asked again until there is one. */
  const nameAt = async (caller: Caller, id: string): Promise<string> => {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await caller.get(`/api/v1/locations/${id}`)
      if (answer.status === 200) return answer.body.data.name
      expect(answer.status).toBe(503)
      await delay(50)
    }
    throw new Error('never answered')
  }

  const pair = async () => {
    const site = await createSite(postgres)
    const servers: Server[] = await Promise.all([site.serve(), site.serve()])
    const [here, there] = servers.map(({ url }) => new Caller(url, site.token)) as [Caller, Caller]
    const { id } = (await here.create('/api/v1/locations', { name: 'Before' }, 'one')).body.data
    // Both have it in memory.
    for (const caller of [here, there]) {
      for (let i = 0; i < 3; i++) expect(await nameAt(caller, id)).toBe('Before')
    }
    return { here, there, id }
  }

  it('a change made during its outage is seen after it', async () => {
    const { here, there, id } = await pair()
    for (const [round, fail] of [
      terminateAll,
      () => postgres.restart('fast'),
      terminateAll,
      () => postgres.restart('kill'),
    ].entries()) {
      await fail()
      await rename(there, id, `Round ${round}`)
      await delay(1000)
      expect(await nameAt(here, id)).toBe(`Round ${round}`)
      expect(await nameAt(here, id)).toBe(`Round ${round}`)
    }
    here.close()
    there.close()
  })

  it('a connection that has gone silent serves nothing old for longer than 1 s', async () => {
    const { here, there, id } = await pair()
    const listeners = await operate<{ pid: number }>(
      `select pid from pg_stat_activity where ${OURS} and application_name = 'gatehouse listener'`,
    )
    expect(listeners).toHaveLength(2)
    // As a network does that swallows every packet: open, and nothing comes.
    for (const { pid } of listeners) process.kill(pid, 'SIGSTOP')
    try {
      for (let round = 0; round < 3; round++) {
        await rename(there, id, `Silent ${round}`)
        await delay(1000)
        expect(await nameAt(here, id)).toBe(`Silent ${round}`)
      }
    } finally {
      for (const { pid } of listeners) process.kill(pid, 'SIGCONT')
    }
    await rename(there, id, 'Heard again')
    await delay(1000)
    expect(await nameAt(here, id)).toBe('Heard again')
    here.close()
    there.close()
  })
})
