import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/db/engine.ts'
import { fillDemo } from '../../src/demo/fill.ts'
import { findOrganization } from '../../src/identity/organizations.ts'
import { actor } from '../support/app.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Answer, Caller } from './caller.ts'
import { figure, watch } from './figures.ts'
import { createSite, type Site } from './site.ts'

let postgres: PostgresServer
let operator: pg.Pool
beforeAll(async () => {
  // Whatever a backend is made to do, this machine survives it.
  postgres = await startPostgres({ durable: true, through: ['/usr/bin/prlimit', `--as=${2 * 1024 ** 3}`] })
  operator = new pg.Pool({ connectionString: postgres.url })
  // The server's end ends them too.
  operator.on('error', () => undefined)
  // Known before anything is stopped.
  await operator.query('select 1')
})
afterAll(async () => {
  await operator.end()
  await postgres.stop()
})

/** The backends that work for us, by what they are doing. */
async function backends(condition: string): Promise<number[]> {
  const { rows } = await operator.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname like 'f\\_%' and application_name = 'gatehouse' and
       backend_type = 'client backend' and (${condition})`,
  )
  return rows.map(({ pid }) => pid)
}

const until = async (what: string, isSo: () => Promise<boolean>): Promise<number> => {
  const started = performance.now()
  while (!(await isSo())) {
    if (performance.now() - started > 20_000) throw new Error(`${what}: not within 20 s`)
    await delay(5)
  }
  return performance.now() - started
}

/** Holds the row of an organization as another transaction would, while `work` goes on. */
const whileLocked = <T>(site: Site, organization: string, work: (engine: Engine) => Promise<T>): Promise<T> =>
  site.look((engine) =>
    engine.transaction(
      async (session) => {
        await session.all('select key from organizations where name = $1 for update', [organization])
        return work(engine)
      },
      { isUnhurried: true },
    ),
  )

const timed = async (asked: Promise<Answer>): Promise<Answer & { ms: number }> => {
  const started = performance.now()
  const answer = await asked
  return { ...answer, ms: performance.now() - started }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const namesOf = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/api/v1/locations?limit=100')).body.data.map(({ name }: { name: string }) => name)

async function twoOrganizations() {
  const site = await createSite(postgres)
  const server = await site.serve()
  const held = new Caller(server.url, site.token)
  const other = new Caller(server.url, await site.newToken('Other'))
  for (const caller of [held, other]) expect((await caller.get('/api/v1/locations')).status).toBe(200)
  return { site, server, held, other }
}

/** Sends a request and walks away once `isTime`. */
async function leave(
  server: { url: string },
  token: string,
  [method, path, body]: [string, string, object?],
  isTime: () => Promise<unknown>,
) {
  const request = httpRequest(server.url + path, {
    method,
    headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
  })
  request.on('error', () => undefined)
  request.end(body && JSON.stringify(body))
  await isTime()
  request.destroy()
}

const isWaitingForLock = () => backends(`wait_event_type = 'Lock'`).then(({ length }) => length > 0)

describe('a locked row of one organization', () => {
  it('is 503 to its own writers before their sockets end, nothing to others, and nothing of it is applied later', async () => {
    const { site, server, held, other } = await twoOrganizations()
    const others: Array<Answer & { ms: number }> = []
    const refused = await whileLocked(site, 'Test', async () => {
      let isOver = false
      const asking = (async () => {
        for (let i = 0; !isOver; i++) {
          others.push(await timed(other.get(`/api/v1/locations?name=neq.${i}`)))
          others.push(await timed(other.create('/api/v1/locations', { name: `Other ${i}` }, `other-${i}`)))
          others.push(await timed(other.get('/readyz')))
        }
      })()
      const { result } = await watch('locked row, 40 writers', server, () =>
        Promise.all(
          Array.from({ length: 40 }, (_, i) =>
            timed(held.create('/api/v1/locations', { name: `Held ${i}` }, `held-${i}`)),
          ),
        ),
      )
      isOver = true
      await asking
      return result
    })
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1'])
      expect(['locked', 'too_slow', 'too_many_writers']).toContain(body.error.reason)
    }
    expect([...new Set(others.map(({ status }) => status))].sort()).toEqual([200, 201])
    figure('locked row: last refusal of its own writers', Math.max(...refused.map(({ ms }) => ms)), 'ms')
    figure('locked row: longest wait of another organization', Math.max(...others.map(({ ms }) => ms)), 'ms')

    expect((await held.create('/api/v1/locations', { name: 'After' }, 'after')).status).toBe(201)
    expect(await namesOf(held)).toEqual(['After'])
  })

  it('a write whose caller leaves meanwhile is not applied when the row is free', async () => {
    const { site, server, held } = await twoOrganizations()
    await whileLocked(site, 'Test', async () => {
      const walksAway = () => until('waiting for the row', isWaitingForLock)
      await leave(server, site.token, ['POST', '/api/v1/locations', { name: 'Left' }], walksAway)
      figure(
        'caller leaves a write: backend stops',
        await until('ended', async () => !(await isWaitingForLock())),
        'ms',
      )
    })
    expect((await held.create('/api/v1/locations', { name: 'After' }, 'after')).status).toBe(201)
    expect(await namesOf(held)).toEqual(['After'])
  })
})

describe('32 writers of one organization', () => {
  it('hold no more than two connections, and another organization reads meanwhile', async () => {
    const { held: writer, other, server } = await twoOrganizations()
    const read = async (prefix: string, times: number) => {
      const taken: number[] = []
      for (let i = 0; i < times; i++) {
        const { status, ms } = await timed(other.get(`/api/v1/locations?name=neq.${prefix}${i}`))
        expect(status).toBe(200)
        taken.push(ms)
      }
      return taken
    }
    await read('warm', 50)
    const atRest = median(await read('rest', 200))
    let isOver = false
    let mostInTransaction = 0
    const statuses = new Set<number>()
    const writers = Array.from({ length: 32 }, async (_, n) => {
      for (let i = 0; !isOver; i++) {
        statuses.add((await writer.create('/api/v1/locations', { name: `W ${n} ${i}` }, `w-${n}-${i}`)).status)
      }
    })
    const looking = (async () => {
      while (!isOver) {
        mostInTransaction = Math.max(
          mostInTransaction,
          (await backends(`state like 'idle in transaction%' or wait_event_type = 'Lock'`)).length,
        )
        await delay(5)
      }
    })()
    const { result } = await watch('32 writers', server, () => read('busy', 200))
    isOver = true
    await Promise.all([...writers, looking])
    expect([...statuses]).toEqual([201])
    // Two of the writers, and one who notes when a token was used.
    expect(mostInTransaction).toBeLessThanOrEqual(3)
    figure('32 writers: another organization reads, at rest', atRest, 'ms')
    figure('32 writers: another organization reads, meanwhile', median(result), 'ms')
    figure('32 writers: times as long', median(result) / atRest, '×')
  })
})

describe('a heavy search', () => {
  const words = 'search=a%20e%20i%20o%20r%20n%20t%20s'
  /** Who calls is looked up in less. */
  const searching = `state = 'active' and query_start < clock_timestamp() - interval '50 ms'`

  async function filled() {
    const site = await createSite(postgres)
    await site.look(async (engine) => {
      const organization = await findOrganization(engine, 'Test')
      await fillDemo(engine, organization?.key ?? 0, new Date().toISOString(), actor, { spaces: 150, seed: 1 })
      // No index helps against words of one letter.
      await engine.unhurried.script('drop index spaces_by_search')
      // With an offset the row is made once, and not once for each of its fields.
      await engine.unhurried.script(`insert into spaces select (made.row).* from (
        select jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'external_id', null)) as row
        from spaces s cross join generate_series(1, 1000) offset 0) made`)
    })
    return site
  }
  const isSearching = () => backends(searching).then(({ length }) => length > 0)
  const peakMb = (pid: number) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

  it('ends when its callers leave, and when the process is killed', async () => {
    const site = await filled()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    expect((await caller.get('/api/v1/locations')).status).toBe(200)
    let most = 0
    const begun = async () => {
      await until('searching', isSearching)
      for (const pid of await backends(searching)) most = Math.max(most, peakMb(pid))
    }
    // Each asks for a page of its own, all for the same total: it is counted once, and given up when the last of them
    // has left.
    const round = (n: number) => {
      let seen: Promise<void> | undefined
      const isTime = () => {
        seen ??= begun()
        return seen
      }
      const search = (i: number) =>
        leave(server, site.token, ['GET', `/api/v1/spaces?${words}&limit=${n * 4 + i + 1}`], isTime)
      return Promise.all([0, 1, 2, 3].map(search))
    }
    const { result } = await watch('callers leave a search', server, async () => {
      const stops: number[] = []
      for (let n = 0; n < 5; n++) {
        await round(n)
        stops.push(await until('ended', async () => !(await isSearching())))
      }
      return Math.max(...stops)
    })
    figure('callers leave a search: backends stop', result, 'ms')
    figure('callers leave a search: most memory of a backend', most, 'MB')
    expect((await caller.get('/api/v1/spaces?limit=1')).status).toBe(200)
    expect((await caller.get('/readyz')).status).toBe(200)

    const killed = leave(server, site.token, ['GET', `/api/v1/spaces?${words}&limit=99`], async () => {
      await begun()
      await server.kill()
    })
    await killed
    figure('killed during a search: backends stop', await until('ended', async () => !(await isSearching())), 'ms')
  })
})

describe('backends that say nothing', () => {
  it('are 503 with a body before the socket ends, and it is well again when they speak', async () => {
    const { held: caller } = await twoOrganizations()
    expect((await caller.get('/readyz')).status).toBe(200)
    // And nobody new is let in.
    const stopped = [postgres.pid ?? 0, ...(await backends('true'))]
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    try {
      const answers = await Promise.all([
        timed(caller.get('/api/v1/locations?order=name.desc')),
        timed(caller.create('/api/v1/locations', { name: 'Silent' }, 'silent')),
        timed(caller.get('/readyz')),
      ])
      for (const { status, body } of answers) expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      figure('silent backends: refused after', Math.max(...answers.map(({ ms }) => ms)), 'ms')
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    }
    await until('well again', async () => (await caller.get('/readyz')).status === 200)
    await until(
      'writes',
      async () => (await caller.create('/api/v1/locations', { name: 'Again' }, 'again')).status === 201,
    )
    expect(await namesOf(caller)).toEqual(['Again'])
  })
})
