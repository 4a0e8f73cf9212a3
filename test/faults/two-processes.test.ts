import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller } from './caller.ts'
import { Ledger, writeSideBySide } from './ledger.ts'
import { createSite } from './site.ts'

describe.each(['sqlite', 'postgres'])('two processes on one database, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  /** Writers of one SQLite file share its pages; PostgreSQL tells its listeners, which takes a moment. */
  const hearsay = () => (engine === 'postgres' ? delay(1000) : undefined)

  it('started at the same moment on an empty database, all come up', async () => {
    const site = await createSite(postgres, { isEmpty: true })
    const servers = await Promise.all([site.serve(), site.serve(), site.serve()])
    for (const { url } of servers) expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const [applied] = await site.look(({ reader }) =>
      reader.all<{ n: number; different: number }>(
        'select count(*) as n, count(distinct number) as different from migrations',
        [],
      ),
    )
    expect(applied?.n).toBeGreaterThan(0)
    expect(applied?.n).toBe(applied?.different)
  })

  it('what one writes the other sees; a revoked token is refused in the other within 1 s', async () => {
    const site = await createSite(postgres)
    const [one, two] = await Promise.all([site.serve(), site.serve()])
    const here = new Caller(one.url, site.token)
    const there = new Caller(two.url, site.token)

    const { id } = (await here.create('/api/v1/locations', { name: 'First' }, 'one')).body.data
    await hearsay()
    expect((await there.get(`/api/v1/locations/${id}`)).body.data.name).toBe('First')
    for (const [writer, reader, name] of [
      [here, there, 'Second'],
      [there, here, 'Third'],
      [here, there, 'Fourth'],
    ] as const) {
      expect((await writer.call('PATCH', `/api/v1/locations/${id}`, { name })).status).toBe(200)
      await hearsay()
      expect((await reader.get(`/api/v1/locations/${id}`)).body.data.name).toBe(name)
      // Whoever wrote it sees it at once, always.
      expect((await writer.get(`/api/v1/locations/${id}`)).body.data.name).toBe(name)
    }

    const victim = await site.newToken()
    const at = [new Caller(one.url, victim), new Caller(two.url, victim)] as const
    for (const caller of at) expect((await caller.get('/api/v1/me')).status).toBe(200)
    const me = (await at[0].get('/api/v1/me')).body.data
    const revoked = await here.call('POST', `/api/v1/service-users/${me.id}/tokens/${me.token.id}/revoke`)
    expect(revoked.status).toBe(200)
    expect((await at[0].get('/api/v1/me')).status).toBe(401)
    await hearsay()
    expect((await at[1].get('/api/v1/me')).status).toBe(401)
    for (const caller of [here, there, ...at]) caller.close()
  })

  it('the same Idempotency-Key in both at once makes one row; writers in both lose nothing', async () => {
    const site = await createSite(postgres)
    const servers = await Promise.all([site.serve(), site.serve()])
    const callers = servers.map(({ url }) => new Caller(url, site.token))
    const ledger = new Ledger()
    // Both processes are asked for the very same rows.
    await Promise.all(
      callers.map((caller) =>
        writeSideBySide({ writers: 3, limit: 25, prefix: 'same', isOver: () => false }, ledger, caller),
      ),
    )
    await ledger.settle(callers[0] as Caller)
    expect(ledger.created.size).toBe(75)
    expect(ledger.unanswered).toBe(0)
    // 409: the other process is at it right now.
    expect(
      Object.keys(ledger.statuses)
        .map(Number)
        .filter((status) => ![200, 201, 409].includes(status)),
    ).toEqual([])
    for (const caller of callers) caller.close()
    await ledger.expectKept(site)
  })
})
