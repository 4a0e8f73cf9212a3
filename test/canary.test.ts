import { randomBytes, randomInt } from 'node:crypto'
import { TOTP } from 'otpauth'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { buildApp } from '../src/app.ts'
import { newTokenValue, TOKEN_PREFIX } from '../src/core/token.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { createLogger } from '../src/http/logger.ts'
import { makeSetupLink } from '../src/identity/setup/queries.ts'
import { type Answer, type Client, startHouse } from './support/app.ts'
import { atEnd } from './support/at-end.ts'
import { cookieOf, newPerson, type Person, page, tokenIn } from './support/people.ts'
import { populate } from './support/population.ts'
import { listen, sendRaw } from './support/raw-http.ts'
import { addressOf, type Ids, parametersOf } from './support/route-requests.ts'

/**
 * Secrets of every kind are put where they belong and where they do not, and then looked for wherever they must not be: in the log
 * at its loudest, in errors, in every later answer, in exports, metrics, documentation, and in the database.
 *
 * A new kind of secret is one more `plant`; a new request that carries one is one more line of `carriers`.
 */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const lines: string[] = []
const house = await startHouse({
  env: { METRICS: 'on', TRUST_PROXY: 'on' },
  logger: createLogger('trace', { write: (line) => void lines.push(line) }),
  securityEventsMs: 1,
})
const { app, engine, clock, owner, anonymous } = house
const admin = house.loggedIn(owner.token)

/** Enough of a secret to be recognised: also a part of one, as where an error shows a piece of what it could not read. */
const PIECE = 10
function piecesOf(secret: string): string[] {
  const own = secret.replace(TOKEN_PREFIX, '')
  const pieces = Array.from({ length: Math.max(1, own.length - PIECE + 1) }, (_, start) => own.slice(start, start + PIECE))
  return [...pieces, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
}

const canaries = new Map<string, string>()
const pieces = new Map<string, string[]>()
/** Keeps a secret in mind, and gives it. */
function plant(kind: string, value: string): string {
  canaries.set(kind, value)
  pieces.set(kind, piecesOf(value))
  return value
}
const canary = (kind: string): string => plant(kind, `canary${randomBytes(18).toString('hex')}`)

/** The kinds of secret that a text holds. */
const found = (text: string): string[] => [...pieces].filter(([, each]) => each.some((piece) => text.includes(piece))).map(([kind]) => kind)

let network = 0
/** Failures are counted per network. */
const elsewhere = () => ({ 'x-forwarded-for': `10.${++network >> 8}.${network & 255}.1` })

/** What was answered to anything but the one request that makes a secret and shows it. */
const answers: Array<{ to: string; text: string }> = []
function heard(to: string, { status, text, headers }: Pick<Answer, 'status' | 'text' | 'headers'>): void {
  answers.push({ to: `${to}: ${status}`, text: `${JSON.stringify(headers)}\n${text}` })
}
async function ask(client: Client, method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
  const answer = await client.request(method, url, body, { ...elsewhere(), ...headers })
  heard(`${method} ${url}`, answer)
  return answer
}

/** Requests that carry a secret where it belongs, but are refused, or where it does not belong. */
let carriers: Array<() => Promise<Answer>>
let port: number
let ada: Person
let ids: Ids

beforeAll(async () => {
  port = await listen(app)
  ids = await populate(house, owner, 'A')
  ada = await newPerson(house, 'Owner')
  plant('the token that asks', owner.token)
  plant('session cookie', ada.cookie.split('=')[1] ?? '')

  // Made by the service, and shown once.
  const again = (key: string) => ({ 'idempotency-key': key })
  const tokens = `/api/v1/service-users/${ids.service_users}/tokens`
  const newToken = { name: 'Canary', expires_at: '2027-12-31' }
  plant('token', (await admin.post(tokens, newToken, again('token'))).body.data.value)
  await ask(admin, 'POST', tokens, newToken, again('token'))
  const invited = { email: 'canary@example.org', name: 'Canary' }
  const invitation = await admin.post('/api/v1/users', invited, again('invitation'))
  plant('invitation', tokenIn(invitation.body.data.link))
  await ask(admin, 'POST', '/api/v1/users', invited, again('invitation'))
  plant('reset link', tokenIn((await admin.post(`/api/v1/users/${ada.id}/reset-link`, undefined, again('reset'))).body.data.link))
  await ask(admin, 'POST', `/api/v1/users/${ada.id}/reset-link`, undefined, again('reset'))
  plant('set-up link', tokenIn(await makeSetupLink(engine, clock.now(), 'http://gatehouse.test')))
  const { secret } = (await ada.post('/api/v1/me/totp', undefined, again('totp'))).body.data
  plant('TOTP secret', secret)
  await ask(ada, 'POST', '/api/v1/me/totp', undefined, again('totp'))
  const code = new TOTP({ secret }).generate({ timestamp: Date.parse(clock.now()) })
  const confirmed = await ada.post('/api/v1/me/totp/confirm', { code }, again('confirm'))
  for (const [index, value] of confirmed.body.data.recovery_codes.entries()) plant(`recovery code ${index}`, value)
  await ask(ada, 'POST', '/api/v1/me/totp/confirm', { code }, again('confirm'))

  // Chosen by people.
  const password = canary('password')
  const changed = await ada.post('/api/v1/me/password', { current_password: ada.password, new_password: password })
  expect(changed.status, changed.text).toBe(200)
  const usedCode = confirmed.body.data.recovery_codes[0]
  const login = await anonymous.post('/api/v1/login', { email: ada.email, password, code: usedCode }, page)
  expect(login.status, login.text).toBe(200)
  plant('session cookie of a login', cookieOf(login).split('=')[1] ?? '')
  const pin = plant('PIN', String(randomInt(10 ** 11, 10 ** 12)))
  const withPin = { type: 'card', number: 'canary', pin }
  for (const _ of [1, 2]) expect((await ask(admin, 'POST', '/api/v1/credentials', withPin, again('pin'))).status).toBe(201)
  await ask(admin, 'PATCH', `/api/v1/credentials/${ids.credentials}`, { pin: plant('PIN, changed', String(randomInt(10 ** 11, 10 ** 12))) })
  const settings = { address: '10.0.0.1', api_key: canary('secret setting'), login: { password: canary('secret setting, nested') } }
  await ask(admin, 'PATCH', `/api/v1/access-control-systems/${ids.access_control_systems}`, { settings })
  const system = await ask(admin, 'POST', '/api/v1/access-control-systems', { name: 'Canary', settings }, again('settings'))
  expect(system.status, system.text).toBe(201)

  // Where they do not belong.
  const somebody = () => `${randomBytes(8).toString('hex')}@example.org`
  const stray = canary('stray')
  const strayToken = plant('stray token', newTokenValue())
  const wrong = canary('wrong password')
  const raw = (bytes: string) => async (): Promise<Answer> => {
    const [first] = await sendRaw(port, bytes)
    if (!first) throw new Error('no answer')
    heard(bytes.slice(0, 40), { ...first, headers: first.headers })
    return { ...first, body: first.text }
  }
  const post =
    (url: string, body: unknown, headers = {}) =>
    () =>
      ask(anonymous, 'POST', url, body, { ...page, ...headers })
  const malformed = (body: string) =>
    raw(
      `POST /api/v1/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  const header = (value: string) => () => ask(anonymous, 'GET', '/api/v1/me', undefined, { authorization: value })
  carriers = [
    ...[stray, strayToken].flatMap((value) => [
      ...['Token', 'Bearer', 'Basic', 'Digest'].map((scheme) => header(`${scheme} ${value}`)),
      header(value),
      header(`Token ${value} ${value}`),
      () => ask(anonymous, 'GET', '/api/v1/me', undefined, { cookie: `__Host-gatehouse_session=${value}`, ...page }),
      ...['token', 'access_token', 'password', 'api_key', 'code', 'client_secret', 'pin'].flatMap((name) => [
        () => ask(owner, 'GET', `/api/v1/spaces?${name}=${value}`),
        () => ask(owner, 'GET', `/api/v1/locations?limit=1&${name}=eq.${value}&page=2`),
        () => ask(anonymous, 'GET', `/api/v1/nowhere?x=1&${name}=${value}`),
      ]),
      post('/api/v1/login', { email: somebody(), password: value, remember: value }),
      post('/api/v1/login', { email: somebody(), password: [value] }),
      post('/api/v1/login', { email: somebody(), password: value.repeat(50) }),
      post('/api/v1/login', { email: somebody(), password: value }, { 'content-type': 'text/plain' }),
      post('/api/v1/setup', { token: value, password: value }),
      post('/api/v1/setup', { token: value, organization: 'x', name: 'x', email: 'x@example.org', password: value }),
      post('/api/v1/invitations/accept', { token: value, password: value }),
      post('/api/v1/password-reset', { token: value, password: value }),
      post('/api/v1/tokens/report-leaked', { token: value, more: value }),
      post('/api/v1/tokens/report-leaked', { token: value }),
      () => ask(owner, 'POST', '/api/v1/credentials', { type: 'pin', pin: value }),
      () => ask(owner, 'POST', '/api/v1/credentials', { type: 'pin', number: 7, pin: [value] }),
      () => ask(owner, 'POST', '/api/v1/access-control-systems', { settings: { api_key: value } }),
      () => ask(owner, 'POST', '/api/v1/access-control-systems', { name: 'x', settings: { list: [{ api_key: value }] } }),
      () => ask(ada, 'POST', '/api/v1/me/totp/confirm', { code: value.slice(0, 40) }),
      () => ask(ada, 'POST', '/api/v1/me/confirm-password', { password: value }),
      malformed(`{"email":"a@example.org","password":"${value}"`),
      malformed(`{"email":"a@example.org","password":${value}}`),
      malformed(`{"password":"${value}","constructor":{}}`),
      raw(
        `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Token ${value}\r\nAuthorization: Token ${value}\r\n\r\n`,
      ),
      raw(`GET /api/v1/me HTTP/9.9\r\nAuthorization: Token ${value}\r\n\r\n`),
      raw(`GET /api/v1/%zz?token=${value} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Token ${value}\r\n\r\n`),
    ]),
    ...['limit', 'page', 'order', 'select', 'name', 'location_id', 'nonsense'].map(
      (name) => () => ask(owner, 'GET', `/api/v1/buildings?${name}=${strayToken}`),
    ),
    // What is right, with something else that is wrong.
    post('/api/v1/login', { email: ada.email, password: wrong }),
    post('/api/v1/login', { email: ada.email, password }),
    post('/api/v1/login', { email: ada.email, password, code: canaries.get('recovery code 0') }),
    post('/api/v1/invitations/accept', { token: canaries.get('invitation'), password: 'short' }),
    post('/api/v1/invitations/accept', { token: canaries.get('invitation'), password: `${password} too` }),
    post('/api/v1/password-reset', { token: canaries.get('reset link'), password: 'short' }),
    post('/api/v1/setup', {
      token: canaries.get('set-up link'),
      organization: 'x',
      name: 'x',
      email: 'x@example.org',
      password: `${password} too`,
    }),
    () =>
      ask(anonymous, 'GET', '/api/v1/me', undefined, {
        cookie: `__Host-gatehouse_session=${canaries.get('session cookie')}`,
        'sec-fetch-site': 'cross-site',
      }),
    () => ask(admin, 'POST', '/api/v1/credentials', withPin),
    () => ask(admin, 'POST', '/api/v1/credentials', { ...withPin, label: 'x' }, again('another-pin')),
    () => ask(admin, 'PATCH', `/api/v1/access-control-systems/${ids.access_control_systems}`, { settings, location_id: ids.spaces }),
    () => ask(house.client(canaries.get('token') ?? ''), 'GET', '/api/v1/me'),
  ]
})

/** Every address that can be read, with every item that there is in its place. */
async function* readable(): AsyncGenerator<{ client: Client; url: string }> {
  for (const route of app.routeTable) {
    if (route.method !== 'GET' || route.url.includes('*')) continue
    if (route.open !== undefined) {
      yield { client: anonymous, url: route.url.replace(/:\w+/g, 'INTERNAL') }
      continue
    }
    const parameters = parametersOf(app, route)
    const last = parameters.at(-1)
    const address = (id?: string) =>
      addressOf(
        route.url,
        Object.fromEntries(parameters.map(({ name, table }) => [name, id !== undefined && name === last?.name ? id : (ids[table] ?? '')])),
      )
    const clients = route.permission === 'self' ? [ada, admin] : [admin]
    for (const client of clients) {
      yield { client, url: `${address()}${route.doc?.list ? '?limit=100' : ''}` }
      if (route.doc?.success.files) for (const format of ['ndjson', 'csv']) yield { client, url: `${address()}?format=${format}` }
      const list = last && app.routeTable.find(({ url, method }) => method === 'GET' && route.url === `${url}/:${last.name}`)
      if (!list || list.url.includes(':')) continue
      const { body } = await client.get(`${list.url}?limit=100`)
      for (const { id } of body.data) yield { client, url: address(id) }
    }
  }
}

async function readEverything(): Promise<void> {
  for await (const { client, url } of readable()) {
    const answer = await client.get(url)
    heard(`GET ${url}`, answer)
    expect(answer.status, url).toBeLessThan(500)
  }
}

const sendAll = async (): Promise<number[]> => {
  const statuses: number[] = []
  for (const send of carriers) {
    statuses.push((await send()).status)
  }
  return statuses
}

/** In what was answered and logged since it was last looked at. */
function expectSilence(): void {
  const leaks = [
    ...answers.splice(0).map(({ to, text }) => ({ where: `the answer to ${to}`, kinds: found(text) })),
    ...lines.splice(0).map((line) => ({ where: `the log: ${line.slice(0, 400)}`, kinds: found(line) })),
  ].filter(({ kinds }) => kinds.length > 0)
  expect(leaks.slice(0, 10).map(({ where, kinds }) => `${kinds} in ${where}`)).toEqual([])
}

describe('no secret', () => {
  it('is looked for in vain because nothing was sent: each is known to the service, which logs at its loudest', () => {
    expect(found(`x ${canaries.get('PIN')} ${encodeURIComponent(canaries.get('password') ?? '')}`)).toEqual(['password', 'PIN'])
    expect([...canaries.values()].filter((value) => value.length < 12)).toEqual([])
  })

  it('appears in the log or in an answer to a request that carries it and is refused', async () => {
    const statuses = await sendAll()
    expect(new Set(statuses)).toEqual(new Set([200, 201, 400, 401, 403, 404, 409, 415].filter((status) => statuses.includes(status))))
    expect(lines.some((line) => line.includes('"level":20'))).toBe(true)
    expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(statuses.length * 0.8)
    expectSilence()
  })

  it('appears in any later answer, export, metric or page', async () => {
    await readEverything()
    const asked = answers.map(({ to }) => to).join('\n')
    for (const url of ['/metrics', '/api/v1/openapi.json', '/api/v1/audit-log/export?format=csv', '/api/v1/sessions', '/docs'])
      expect(asked).toContain(`GET ${url}`)
    expectSilence()
  })

  it('lies in the database as it is', async () => {
    const tables = [
      'organizations',
      'setup_links',
      'login_attempts',
      'seal_key',
      ...new Set(Object.keys(ids)),
      'audit_log',
      'outbox',
      'idempotency_keys',
      'recovery_codes',
      'user_links',
      'sessions',
    ]
    for (const table of new Set(tables)) {
      const rows = await engine.reader.all(`select * from ${table}`, [])
      expect({ table, kinds: found(JSON.stringify(rows)).filter((kind) => kind !== 'TOTP secret') }).toEqual({ table, kinds: [] })
    }
  })

  it.each(['tokens', 'users', 'sessions', 'credentials', 'access_control_systems', 'user_links', 'idempotency_keys'])(
    'appears when the database fails at %s (500)',
    async (table) => {
      const run = (statement: string) => engine.transaction((session) => session.script(statement))
      await run(`alter table ${table} rename to ${table}_away`)
      try {
        await sendAll()
      } finally {
        await run(`alter table ${table}_away rename to ${table}`)
      }
      expect(answers.map(({ to }) => to.slice(-5))).toContain(': 500')
      expect(lines.some((line) => line.includes(table) && line.includes('"level":50'))).toBe(true)
      expectSilence()
    },
  )

  it.runIf(process.env.ENGINE === 'postgres')('appears when the database is away (503), its password in the URL included', async () => {
    const password = canary('password of the database')
    const role = `canary_${randomBytes(8).toString('hex')}`
    const server = new pg.Client({ connectionString: inject('postgresUrl') })
    await server.connect()
    await server.query(`create role ${role} login superuser password '${password}'`)
    const [database] = await engine.reader.all<{ name: string }>('select current_database() as name', [])
    const url = new URL(inject('postgresUrl'))
    Object.assign(url, { pathname: `/${database?.name}`, username: role, password })
    const logger = createLogger('trace', { write: (line) => void lines.push(line) })
    const other = await openPostgres(url.href, { poolSize: 2, onError: (err) => logger.warn({ err }, 'a database connection was lost') })
    const separate = await buildApp({ config: { ...app.house.config, databaseUrl: url.href }, engine: other, clock, logger })
    await separate.ready()
    atEnd(async () => {
      await separate.close()
      await other.close()
      await server.query(`drop role ${role}`)
      await server.end()
    })
    const client = house.client(owner.token, separate)
    expect((await client.get('/api/v1/locations')).status).toBe(200)
    await server.query(`alter role ${role} nologin`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
    const statuses = new Set<number>()
    for (let i = 0; i < 10; i++) statuses.add((await ask(client, 'GET', `/api/v1/locations?page=${i + 1}`)).status)
    expect(statuses).toContain(503)
    expectSilence()
  })
})
