import { readFileSync, renameSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, inject, it, vi } from 'vitest'
import { instruments, metricsOf } from '../src/db/metrics.ts'
import { MailSender } from '../src/jobs/notices/mail-sender.ts'
import { startPruning } from '../src/jobs/pruning/prune.ts'
import { startHouse, type TestHouse } from './support/app.ts'
import { MailServer } from './support/peers/smtp.ts'
import { newPerson, page } from './support/people.ts'
import { listen, sendRaw } from './support/raw-http.ts'

// Hashing a password is slow on purpose.
vi.setConfig({ testTimeout: 60_000 })

const isPostgres = process.env.ENGINE === 'postgres'
const mailServer = await MailServer.onFreePort()
const house = await startHouse({ env: { METRICS: 'on', SMTP_URL: mailServer.url, MAIL_FROM: 'gatehouse@example.org' } })
const { engine, clock, owner, app } = house
const silent = pino({ level: 'silent' })

const scrape = async (from: TestHouse = house): Promise<string> => (await from.anonymous.get('/metrics')).text

/** The value of a series such as `gatehouse_ready` or `x_total{job="prune"}`; undefined where there is none. */
async function value(series: string, from: TestHouse = house): Promise<number | undefined> {
  const line = (await scrape(from)).split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

/** By how much a series grows while something is done. */
async function growth(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await value(series)) ?? 0
  await work()
  return ((await value(series)) ?? 0) - before
}

describe('each metric moves when what it measures happens', () => {
  it('commits, and changes that wait', async () => {
    expect(
      await growth('gatehouse_db_commit_seconds_count', () => owner.create('/api/v1/locations', { name: 'Zürich' })),
    ).toBeGreaterThan(0)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    // As many as can be let in at most, and one more.
    const taken = Array.from({ length: 20 }, () => engine.writers.take(1, () => held))
    expect(await value('gatehouse_db_writers_waiting')).toBeGreaterThan(0)
    release()
    await Promise.all(taken)
    expect(await value('gatehouse_db_writers_waiting')).toBe(0)
  })

  it('answers, callers, places, totals and short lists in memory', async () => {
    const get =
      (cache: string, more = '') =>
      () =>
        owner.get(`/api/v1/buildings?limit=1&name=neq.${cache}${more}`)
    const { id } = await owner.create('/api/v1/locations', { name: 'Bern' })
    const { id: building_id } = await owner.create('/api/v1/buildings', { location_id: id, name: 'House' })
    await owner.create('/api/v1/spaces', { building_id, name: 'Hall' })
    const caches = ['answers', 'callers', 'places', 'totals', 'short_lists']
    for (const cache of caches) {
      for (const wing of ['a', 'b'])
        await owner.create('/api/v1/buildings', { location_id: id, name: `${cache} ${wing}` })
      // Whoever is limited to no place is known, whatever becomes of places.
      if (cache === 'callers') await house.member('Auditor')
      const ask = cache === 'places' ? () => owner.get('/api/v1/spaces?limit=1') : get(cache)
      const misses = await growth(`gatehouse_cache_misses_total{cache="${cache}"}`, ask)
      expect([cache, misses > 0]).toEqual([cache, true])
      expect([cache, ((await value(`gatehouse_cache_entries{cache="${cache}"}`)) ?? 0) > 0]).toEqual([cache, true])
    }
    expect(await growth('gatehouse_cache_hits_total{cache="answers"}', get('short_lists'))).toBe(1)
    expect(await growth('gatehouse_cache_hits_total{cache="callers"}', get('short_lists'))).toBe(1)
    expect(
      await growth('gatehouse_cache_hits_total{cache="totals"}', get('short_lists', '&order=name.desc')),
    ).toBeGreaterThan(0)
    await get('short_lists', '&page=2')()
    expect(await growth('gatehouse_cache_hits_total{cache="short_lists"}', get('short_lists', '&page=3'))).toBe(1)
    const [building] = (await get('nothing')()).body.data
    await owner.create('/api/v1/spaces', { building_id: building.id, name: 'Laboratory' })
    const spaces = (limit: number) => owner.get(`/api/v1/spaces?limit=${limit}`)
    await spaces(1)
    expect(await growth('gatehouse_cache_hits_total{cache="places"}', () => spaces(2))).toBeGreaterThan(0)
  })

  it('jobs that run, and jobs that fail', async () => {
    const steps: Array<() => void> = []
    const schedule = (run: () => void) => {
      steps.push(run)
      return { cancel: () => undefined }
    }
    const own = await startHouse({ env: { METRICS: 'on' } })
    startPruning(own.engine, own.clock, silent, { schedule })
    steps.shift()?.()
    await expect.poll(() => value('gatehouse_job_runs_total{job="prune",result="done"}', own)).toBe(1)
    expect(await value('gatehouse_job_seconds_count{job="prune"}', own)).toBe(1)
    await own.engine.transaction((session) => session.script('drop table idempotency_keys'))
    steps.shift()?.()
    await expect.poll(() => value('gatehouse_job_runs_total{job="prune",result="failed"}', own)).toBe(1)
    expect(await value('gatehouse_job_runs_total{job="prune",result="done"}', own)).toBe(1)
  })

  it('logins, by result', async () => {
    const { email, password } = await newPerson(house, 'Auditor')
    const logIn = (given: string) => house.anonymous.post('/api/v1/login', { email, password: given }, page)
    expect(
      await growth('gatehouse_logins_total{method="password",result="login_failed"}', () => logIn('not that one, no')),
    ).toBe(1)
    expect(await growth('gatehouse_logins_total{method="password",result="ok"}', () => logIn(password))).toBe(1)
  })

  it('letters, by result', async () => {
    const { config, mail } = app.house
    const sender = new MailSender({ engine, clock, logger: silent, config, mail, timeoutMs: 20_000 })
    const send = async (mood: typeof mailServer.mood) => {
      mailServer.mood = mood
      await owner.create('/api/v1/users', { email: `${mood}@example.org`, name: mood })
      await sender.run()
    }
    // What waits of earlier tests is out of the way first.
    await mailServer.start()
    clock.forward(3_600_000)
    while ((await sender.run()) > 0);
    expect(await growth('gatehouse_mail_deliveries_total{result="sent"}', () => send('take'))).toBe(1)
    expect(await growth('gatehouse_mail_deliveries_total{result="given_up"}', () => send('refuse'))).toBe(1)
    expect(await growth('gatehouse_mail_deliveries_total{result="put_off"}', () => send('later'))).toBe(1)
    await sender.close()
  })

  it('the event loop that stands still', async () => {
    const stall = async () => {
      const until = performance.now() + 300
      while (performance.now() < until);
      return value('nodejs_eventloop_lag_max_seconds')
    }
    // What measures it begins anew with each look, and needs a moment for that.
    await expect.poll(stall, { interval: 50 }).toBeGreaterThan(0.1)
  })

  it('readiness', async () => {
    expect(await value('gatehouse_ready')).toBe(1)
  })

  it.skipIf(isPostgres)('the size of the database and of its log, and a database that is gone', async () => {
    const own = await startHouse({ env: { METRICS: 'on' } })
    const before = (await value('gatehouse_sqlite_bytes{file="wal"}', own)) as number
    await own.owner.create('/api/v1/locations', { name: 'Longer' })
    expect(await value('gatehouse_sqlite_bytes{file="wal"}', own)).toBeGreaterThan(before)
    const bytes = () => value('gatehouse_sqlite_bytes{file="database"}', own)
    expect(await bytes()).toBeGreaterThan(0)
    const [row] = await own.engine.reader.all<{ file: string }>(
      `select file from pragma_database_list where name = 'main'`,
      [],
    )
    const file = row?.file ?? ''
    renameSync(file, `${file}.away`)
    expect([await bytes(), await value('gatehouse_ready', own)]).toEqual([0, 0])
    renameSync(`${file}.away`, file)
    expect(await bytes()).toBeGreaterThan(0)
    expect(await value('gatehouse_ready', own)).toBe(1)
  })

  it.runIf(isPostgres)('connections and the listener', async () => {
    const own = await startHouse({ env: { METRICS: 'on' } })
    const [row] = await own.engine.reader.all<{ name: string }>('select current_database() as name', [])
    const used = 'gatehouse_db_connections{lane="requests",state="used"}'
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const holding = own.engine.transaction(() => held)
    await expect.poll(() => value(used, own)).toBe(1)
    release()
    await holding
    expect(await value(used, own)).toBe(0)
    expect(await value('gatehouse_db_connections{lane="requests",state="idle"}', own)).toBeGreaterThan(0)
    expect(await value('gatehouse_db_connections_limit{lane="requests"}', own)).toBe(5)
    const connected = () => value('gatehouse_db_listener_connected', own)
    await expect.poll(connected).toBe(1)
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1
        and application_name = 'gatehouse listener'`,
      [row?.name],
    )
    await client.end()
    await expect.poll(connected, { interval: 10 }).toBe(0)
    await expect.poll(connected).toBe(1)
  })
})

it('4xx lines of the log carry code and reason', async () => {
  const lines: Array<Record<string, unknown>> = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const logged = await startHouse({ logger })
  await logged.owner.get('/api/v1/spaces?limit=1000')
  await logged.anonymous.get('/api/v1/spaces')
  await logged.owner.get('/api/v1/nothing')
  await logged.owner.get('/api/v1/spaces')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await logged.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers,
    payload: 'grant_type=client_credentials&client_id=nobody',
  })
  await logged.app.inject({ url: '/oauth/auth?client_id=nobody' })
  const answered = lines
    .filter(({ msg }) => msg === 'answered')
    .map(({ status, code, reason }) => ({ status, code, reason }))
  expect(answered).toEqual([
    { status: 400, code: 'VALIDATION_ERROR', reason: 'limit.out_of_range' },
    { status: 401, code: 'UNAUTHORIZED', reason: 'missing_credential' },
    { status: 404, code: 'NOT_FOUND', reason: 'not_found' },
    { status: 200, code: undefined, reason: undefined },
    { status: 401, code: 'invalid_client', reason: 'invalid_client' },
    { status: 400, code: 'invalid_client', reason: 'invalid_client' },
  ])
  const [raw] = await sendRaw(await listen(logged.app), 'HELLO\r\n\r\n')
  const refused = {
    req_id: raw?.headers['x-request-id'],
    status: 400,
    code: 'MALFORMED_REQUEST',
    reason: 'malformed_request',
    ip: '127.0.0.1',
  }
  expect(lines.at(-1)).toMatchObject(refused)
})

it('without METRICS nothing is served and nothing collected', async () => {
  const off = await startHouse()
  expect((await off.anonymous.get('/metrics')).status).toBe(404)
  expect(metricsOf(off.engine).sink).toBeUndefined()
})

describe('what is ready to use in docs/monitoring', () => {
  const read = (name: string) => readFileSync(new URL(`../docs/monitoring/${name}`, import.meta.url), 'utf8')
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: Array<{ title: string; targets?: Array<{ expr: string }> }>
  }
  const alerts = [...read('alerts.yaml').matchAll(/^\s+expr: (.+)$/gm)].map(([, expr]) => expr as string)
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const namesIn = (expr: string) => expr.match(/\b(gatehouse|nodejs|process)_[a-z0-9_]+/g) ?? []

  it('names only metrics that /metrics has', async () => {
    const typed = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const known = new Set(
      typed.flatMap(([, name, kind]) =>
        kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    expect(alerts.length).toBeGreaterThan(8)
    expect(shown.length).toBeGreaterThan(12)
    for (const expr of [...alerts, ...shown]) {
      expect(namesIn(expr).length, expr).toBeGreaterThan(0)
      expect(namesIn(expr).filter((name) => !known.has(name))).toEqual([])
    }
  })

  it('shows and explains every metric of ours', () => {
    const readme = read('README.md')
    for (const name of Object.keys(instruments)) {
      expect(readme).toContain(`\`${name}\``)
      expect(
        [...alerts, ...shown].some((expr) => expr.includes(name)),
        name,
      ).toBe(true)
    }
  })
})
