import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller } from './caller.ts'
import { figure } from './figures.ts'
import { createSite } from './site.ts'

/** Several processes behind one port: `CHECKS=1000000` looks a million times. */
const CHECKS = Number(process.env.CHECKS ?? 16_000)
const WRITERS = 4
const PAIRS = 5

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
    .toString()
    .split('\n')
    .map(Number)
    .filter((child) => child > 0)

/** A connection of its own each: they are given to the processes in turn. */
const several = (url: string, token: string): Caller[] => Array.from({ length: 6 }, () => new Caller(url, token, 1))

interface Person {
  id: string
  external_id: string
  department: string
}

describe.each(['sqlite', 'postgres'])('three processes behind one port, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  const serve = async () => {
    const site = await createSite(postgres)
    const server = await site.serve({ env: { WORKERS: '3' } })
    await expect.poll(() => childrenOf(server.pid).length).toBe(3)
    return { site, server }
  }

  it('one that is killed is replaced, the others serve meanwhile, and a signal ends them all', async () => {
    const { site, server } = await serve()
    const others = childrenOf(server.pid).sort((a, b) => a - b)
    const before = others.pop() ?? 0
    process.kill(before, 'SIGKILL')
    // A connection that was just being given to it ends with it.
    await expect.poll(() => childrenOf(server.pid).includes(before)).toBe(false)
    const answers = await Promise.all(several(server.url, site.token).map((caller) => caller.get('/api/v1/me')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await expect.poll(() => childrenOf(server.pid).length).toBe(3)
    expect(childrenOf(server.pid)).toEqual(expect.arrayContaining(others))
    expect(await server.stop()).toEqual({ code: 0, signal: null })
    for (const child of others) expect(() => process.kill(child, 0)).toThrow()
  })

  it('whoever names the version that their change left reads it at once, through whichever process; no answer mixes two', async () => {
    const { site, server } = await serve()
    const operations = Array.from({ length: WRITERS * PAIRS * 2 }, (_, index) => ({
      op: 'create',
      external_id: `p${index}`,
      body: { display_name: `Anna ${index}`, department: '0' },
    }))
    const callers = several(server.url, site.token)
    const made = await (callers[0] as Caller).call('POST', '/api/v1/individuals/batch', { operations, atomic: true })
    expect(made.status).toBe(200)
    let checks = 0
    let writes = 0
    let isOver = false

    /** Both of a pair get the same number, in one transaction. */
    const write = async (writer: number): Promise<void> => {
      const turn = { at: 0, floor: Array<number>(PAIRS).fill(0), version: String(made.headers['data-version']) }
      const reading = [0, 1].map((nth) => read(writer, nth, turn))
      for (let n = 1; !isOver; n++) {
        const pair = n % PAIRS
        const body = (offset: number) => ({
          op: 'update',
          external_id: `p${2 * (writer * PAIRS + pair) + offset}`,
          body: { department: String(n) },
        })
        const caller = callers[n % callers.length] as Caller
        const answer = await caller.call('POST', '/api/v1/individuals/batch', {
          operations: [body(0), body(1)],
          atomic: true,
        })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        // Together, as one moment: what is read from now on names the version that holds it.
        turn.floor = turn.floor.with(pair, n)
        turn.version = String(answer.headers['data-version'])
        writes += 1
      }
      await Promise.all(reading)
    }

    const read = async (
      writer: number,
      nth: number,
      turn: { floor: readonly number[]; version: string },
    ): Promise<void> => {
      for (let n = nth; !isOver; n++) {
        const { floor, version } = turn
        const caller = callers[(n * 7 + writer) % callers.length] as Caller
        const path = n % 3 === 0 ? '/api/v1/individuals?limit=100&search=Anna' : '/api/v1/individuals?limit=100'
        const answer = await caller.call('GET', path, undefined, { 'data-version': version })
        expect(answer.status).toBe(200)
        const found = new Map(
          (answer.body.data as Person[]).map((person) => [person.external_id, Number(person.department)]),
        )
        expect(found.size).toBe(operations.length)
        for (let pair = 0; pair < WRITERS * PAIRS; pair++)
          expect(found.get(`p${2 * pair}`), `both of pair ${pair}`).toBe(found.get(`p${2 * pair + 1}`))
        for (const [pair, least] of floor.entries())
          expect(
            found.get(`p${2 * (writer * PAIRS + pair)}`),
            `pair ${pair} of writer ${writer}`,
          ).toBeGreaterThanOrEqual(least)
        checks += found.size
        if (checks >= CHECKS) isOver = true
      }
    }

    const work = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    await Promise.all(work).finally(() => {
      isOver = true
    })
    expect(writes).toBeGreaterThan(WRITERS)
    figure(`three processes on ${engine}: rows read and right`, checks, 'rows')
    figure(`three processes on ${engine}: pairs written meanwhile`, writes, 'changes')
    for (const caller of callers) caller.close()
  }, 600_000)

  it('metrics are of all of them together, whichever is asked', async () => {
    const site = await createSite(postgres)
    const server = await site.serve({ env: { WORKERS: '2', METRICS: 'on' } })
    await expect.poll(() => childrenOf(server.pid).length).toBe(2)
    const callers = several(server.url, site.token)
    const answered = async (caller: Caller): Promise<number> => {
      const { body } = await caller.get('/metrics')
      const counts = [...String(body).matchAll(/duration_seconds_count\{route="\/api\/v1\/me"[^}]*\} (\d+)/g)]
      return counts.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (const caller of callers) expect((await caller.get('/api/v1/me')).status).toBe(200)
    for (const caller of callers) await expect.poll(() => answered(caller)).toBe(callers.length)
    for (const caller of callers) caller.close()
  })

  it('without naming it, the others have it soon', async () => {
    const { site, server } = await serve()
    const callers = several(server.url, site.token)
    const { id } = (await (callers[0] as Caller).create('/api/v1/locations', { name: 'First' }, 'one')).body.data
    for (const name of ['Second', 'Third']) {
      expect((await (callers[0] as Caller).call('PATCH', `/api/v1/locations/${id}`, { name })).status).toBe(200)
      for (const caller of callers)
        await expect
          .poll(async () => (await caller.get(`/api/v1/locations/${id}`)).body.data.name, { timeout: 1000 })
          .toBe(name)
    }
    // A version of somebody else is none: what is read is what there is.
    const asked = await (callers[0] as Caller).call('GET', `/api/v1/locations/${id}`, undefined, {
      'data-version': 'sealed.x.y',
    })
    expect(asked.body.data.name).toBe('Third')
    for (const caller of callers) caller.close()
  })
})
