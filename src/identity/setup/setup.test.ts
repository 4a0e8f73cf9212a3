import { Writable } from 'node:stream'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openEngine, TestClock } from '../../../test/support/app.ts'
import { allResources } from '../../all-resources.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import type { Engine } from '../../db/engine.ts'
import { createLogger } from '../../http/logger.ts'
import { makeSetupLink } from './queries.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const password = 'correct horse battery staple'

interface Empty {
  app: FastifyInstance
  engine: Engine
  clock: TestClock
  link(): Promise<string>
  setUp(token: string, more?: object): Promise<LightMyRequestResponse>
  log(): string
}

/** A house without an organization. */
async function startEmpty(): Promise<Empty> {
  const { engine, drop } = await openEngine()
  const clock = new TestClock('2027-06-15T12:00:00.000Z')
  const config = readConfig({ BASE_URL: 'http://gatehouse.test' })
  let log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = await buildApp({ config, engine, clock, resources: allResources, logger: createLogger('trace', sink) })
  afterAll(async () => {
    await app.close()
    await engine.close()
    await drop()
  })
  const setUp = (token: string, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/setup',
      payload: {
        token,
        organization: 'ETH Zürich',
        time_zone: 'Europe/Zurich',
        name: 'Ada',
        email: 'ada@example.org',
        password,
        ...more,
      },
    })
  const link = async () => (await makeSetupLink(engine, clock.now(), config.baseUrl)).split('#')[1] ?? ''
  return { app, engine, clock, link, setUp, log: () => log }
}

describe('the set-up link', () => {
  it('makes the organization and its Owner, who is logged in; then neither it nor any other works', async () => {
    const { app, link, setUp, engine } = await startEmpty()
    const [first, second] = [await link(), await link()]
    const look = () =>
      app.inject({ method: 'POST', url: '/api/v1/login/link', payload: { kind: 'setup', token: first } })
    expect((await look()).json().data).toMatchObject({ kind: 'setup', organization: null, email: null, name: null })
    const done = await setUp(first)
    expect((await look()).json().error.reason).toBe('invalid_link')
    expect(done.statusCode, done.body).toBe(200)
    expect(done.json().data).toMatchObject({
      organization: { name: 'ETH Zürich', time_zone: 'Europe/Zurich' },
      user: { name: 'Ada', email: 'ada@example.org' },
    })
    const [cookie = ''] = String(done.headers['set-cookie']).split(';')
    const me = (await app.inject({ url: '/api/v1/me', headers: { cookie } })).json().data
    expect(me).toMatchObject({ kind: 'user', name: 'Ada', roles: [{ name: 'Owner', location_id: null }] })
    for (const token of [first, second]) expect((await setUp(token, { organization: 'Another' })).statusCode).toBe(401)
    expect(await engine.reader.all('select name from organizations', [])).toEqual([{ name: 'ETH Zürich' }])
    const page = { cookie, 'sec-fetch-site': 'same-origin' }
    const invited = await app.inject({
      method: 'POST',
      url: '/api/v1/users',
      headers: page,
      payload: { email: 'bob@example.org', name: 'Bob' },
    })
    expect(invited.statusCode).toBe(201)
  })

  it('works for 15 minutes', async () => {
    const { link, setUp, clock } = await startEmpty()
    const token = await link()
    clock.forward(15 * 60_000)
    expect((await setUp(token)).json().error.reason).toBe('invalid_link')
    const fresh = await link()
    clock.forward(15 * 60_000 - 1)
    expect((await setUp(fresh)).statusCode).toBe(200)
  })

  it('used by 64 at once, and another beside it, makes one organization', async () => {
    const { link, setUp, engine } = await startEmpty()
    const tokens = [await link(), await link()]
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => setUp(tokens[i % 2] as string, { organization: `Organization ${i}` })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    // Too many at once are refused before their link is looked at.
    for (const { statusCode } of answers) expect([200, 401, 429, 503]).toContain(statusCode)
    for (const table of ['organizations', 'users', 'sessions'])
      expect(await engine.reader.all(`select count(*) as n from ${table}`, [])).toEqual([{ n: 1 }])
  })

  it('is spent by nothing but success', async () => {
    const { link, setUp } = await startEmpty()
    const token = await link()
    for (const wrong of [
      { time_zone: 'Mars/Olympus' },
      { password: 'short' },
      { email: 'x' },
      { organization: '' },
      { name: null },
    ])
      expect((await setUp(token, wrong)).statusCode, JSON.stringify(wrong)).toBe(400)
    expect((await setUp(`${token.slice(0, -1)}!`)).statusCode).toBe(401)
    expect((await setUp(token)).statusCode).toBe(200)
  })
})

describe('no password, cookie or token', () => {
  it('is in an answer, a log line or a row', async () => {
    const { app, engine, link, setUp, log } = await startEmpty()
    const token = await link()
    const canaries = [token, password]
    const texts: string[] = []
    const done = await setUp(token)
    let [cookie = ''] = String(done.headers['set-cookie']).split(';')
    canaries.push(cookie.split('=')[1] as string)
    texts.push(done.body)
    const call = async (url: string, payload?: object, method: 'GET' | 'POST' = 'POST') => {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      const body = answer.body.startsWith('{') ? answer.json() : {}
      // Shown this once, to whom it is meant for.
      const shown = body.data?.link ? String(body.data.link).split('#')[1] : undefined
      if (shown) canaries.push(shown)
      texts.push(shown ? answer.body.replace(shown, '') : answer.body)
      return answer
    }
    const { id, link: invitation } = (await call('/api/v1/users', { email: 'bob@example.org', name: 'Bob' })).json()
      .data
    const guess = 'a guess that is wrong'
    const next = 'another horse, another battery'
    canaries.push(guess, next)
    await call('/api/v1/login', { email: 'ada@example.org', password: guess })
    await call('/api/v1/login', { email: 'nobody@example.org', password: guess })
    const accepted = await call('/api/v1/invitations/accept', { token: invitation.split('#')[1], password: next })
    canaries.push(String(accepted.headers['set-cookie']).split(/[=;]/)[1] as string)
    await call(`/api/v1/users/${id}/reset-link`)
    await call('/api/v1/me/confirm-password', { password })
    await call('/api/v1/me/password', { current_password: password, new_password: next })
    const again = await call('/api/v1/login', { email: 'ada@example.org', password: next })
    cookie = String(again.headers['set-cookie']).split(';')[0] as string
    canaries.push(cookie.split('=')[1] as string)
    await call('/api/v1/me', undefined, 'GET')
    await call('/api/v1/sessions', undefined, 'GET')
    await call('/api/v1/users', undefined, 'GET')
    await call('/api/v1/audit-log?limit=100', undefined, 'GET')
    await call('/api/v1/logout')
    expect(canaries.every((canary) => canary.length >= 12)).toBe(true)
    const tables = [
      'users',
      'sessions',
      'user_links',
      'setup_links',
      'login_flows',
      'mails',
      'audit_log',
      'idempotency_keys',
      'login_attempts',
    ]
    for (const table of tables) texts.push(JSON.stringify(await engine.reader.all(`select * from ${table}`, [])))
    expect(log()).toContain('/api/v1/login')
    for (const text of [...texts, log()])
      for (const canary of canaries) expect(text.includes(canary), `${canary} in ${text}`).toBe(false)
  })
})
