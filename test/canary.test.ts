import { randomBytes, randomInt } from 'node:crypto'
import * as openid from 'openid-client'
import { TOTP } from 'otpauth'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { allResources } from '../src/all-resources.ts'
import { buildApp } from '../src/app.ts'
import { newTokenValue, TOKEN_PREFIX } from '../src/core/secrets/token.ts'
import { change } from '../src/db/change.ts'
import { MailOutbox } from '../src/db/mails.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { raw as rawSql } from '../src/db/sql.ts'
import { createLogger } from '../src/http/logger.ts'
import { SigningKeys } from '../src/identity/oauth/keys.ts'
import { makeSetupLink } from '../src/identity/setup/queries.ts'
import { MailSender } from '../src/jobs/notices/mail-sender.ts'
import { codeOf } from '../src/resources/visits/code.ts'
import { type Answer, actor, type Client, startHouse } from './support/app.ts'
import { atEnd } from './support/at-end.ts'
import { freePort } from './support/free-port.ts'
import { Authenticator } from './support/peers/authenticator.ts'
import { IdentityProvider } from './support/peers/identity-provider.ts'
import { ask as askFor, authorize, discover, REDIRECT } from './support/peers/oauth.ts'
import { MailServer } from './support/peers/smtp.ts'
import { cookieOf, newPerson, type Person, page, tokenIn } from './support/people.ts'
import { populate } from './support/population.ts'
import { sendRaw } from './support/raw-http.ts'
import { addressOf, type Ids, parametersOf } from './support/route-requests.ts'

/**
 * Secrets of every kind are put where they belong and where they do not, and then looked for wherever they must not be:
 * in the log at its loudest, in errors, in every later answer, in exports, metrics, documentation, and in the database.
 *
 * A new kind of secret is one more `plant`; a new request that carries one is one more line of `carriers`.
 */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/**
 * Enough of a secret to be recognised: also a part of one, as where an error shows a piece of what it could not read.
 */
const PIECE = 10
function piecesOf(secret: string): string[] {
  const own = secret.replace(TOKEN_PREFIX, '')
  const pieces = Array.from({ length: Math.max(1, own.length - PIECE + 1) }, (_, start) =>
    own.slice(start, start + PIECE),
  )
  return [...pieces, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
}

const canaries = new Map<string, string>()
/** Every piece with its kind, by how it begins: a text is gone through once, not once for each of a thousand pieces. */
const pieces = new Map<string, Array<{ piece: string; kind: string }>>()
/** Which marks some piece has: most places of a text have none of them, and need no closer look. */
const marks = new Uint8Array(2 ** 16)
const markOf = (text: string, at: number): number =>
  (text.charCodeAt(at) +
    31 * text.charCodeAt(at + 3) +
    997 * text.charCodeAt(at + 6) +
    4099 * text.charCodeAt(at + 9)) %
  marks.length

/** Keeps a secret in mind, and gives it. */
function plant(kind: string, value: string): string {
  canaries.set(kind, value)
  for (const piece of piecesOf(value)) {
    const begin = piece.slice(0, PIECE)
    pieces.set(begin, [...(pieces.get(begin) ?? []), { piece, kind }])
    marks[markOf(piece, 0)] = 1
  }
  return value
}
const canary = (kind: string): string => plant(kind, `canary${randomBytes(18).toString('hex')}`)

/** The kinds of secret that a text holds, in the order in which they were planted. */
function found(text: string): string[] {
  const kinds = new Set<string>()
  for (let at = 0; at + PIECE <= text.length; at++) {
    if (marks[markOf(text, at)] === 0) continue
    for (const { piece, kind } of pieces.get(text.slice(at, at + PIECE)) ?? [])
      if (text.startsWith(piece, at)) kinds.add(kind)
  }
  return [...canaries.keys()].filter((kind) => kinds.has(kind))
}

const lines: string[] = []
const port = await freePort()
const url = `http://localhost:${port}`
const corp = await IdentityProvider.start(`${url}/login/sso/corp/callback`)
const house = await startHouse({
  env: {
    METRICS: 'on',
    TRUST_PROXY: 'on',
    BASE_URL: url,
    OUTGOING_ALLOW: '127.0.0.1',
    SSO_PROVIDERS: 'corp',
    ...corp.settings('corp'),
    // Not the one that the provider knows: it refuses us.
    SSO_CORP_CLIENT_SECRET: canary('client secret of single sign-on'),
  },
  logger: createLogger('trace', { write: (line) => void lines.push(line) }),
  securityEventsMs: 1,
})
const { app, engine, clock, owner, anonymous } = house
const admin = house.loggedIn(owner.token)
// The provider of OAuth goes by the machine's clock.
vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(clock.now()) })

let network = 0
/** Failures are counted per network. */
const elsewhere = () => ({ 'x-forwarded-for': `10.${++network >> 8}.${network & 255}.1` })

/** What was answered to anything but the one request that makes a secret and shows it. */
const answers: Array<{ to: string; text: string }> = []
function heard(to: string, { status, text, headers }: Pick<Answer, 'status' | 'text' | 'headers'>): void {
  answers.push({ to: `${to}: ${status}`, text: `${JSON.stringify(headers)}\n${text}` })
}
async function ask(
  client: Client,
  method: string,
  url: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> {
  const answer = await client.request(method, url, body, { ...elsewhere(), ...headers })
  heard(`${method} ${url}`, answer)
  return answer
}

/** Requests that carry a secret where it belongs, but are refused, or where it does not belong. */
let carriers: Array<() => Promise<Answer>>
let ada: Person
let ids: Ids

beforeAll(async () => {
  await app.listen({ port, host: '127.0.0.1' })
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
  plant(
    'reset link',
    tokenIn((await admin.post(`/api/v1/users/${ada.id}/reset-link`, undefined, again('reset'))).body.data.link),
  )
  await ask(admin, 'POST', `/api/v1/users/${ada.id}/reset-link`, undefined, again('reset'))
  plant('set-up link', tokenIn(await makeSetupLink(engine, clock.now(), 'http://gatehouse.test')))
  const { secret } = (await ada.post('/api/v1/me/totp', undefined, again('totp'))).body.data
  plant('TOTP secret', secret)
  await ask(ada, 'POST', '/api/v1/me/totp', undefined, again('totp'))
  const code = new TOTP({ secret }).generate({ timestamp: Date.parse(clock.now()) })
  const confirmed = await ada.post('/api/v1/me/totp/confirm', { code }, again('confirm'))
  for (const [index, value] of confirmed.body.data.recovery_codes.entries()) plant(`recovery code ${index}`, value)
  await ask(ada, 'POST', '/api/v1/me/totp/confirm', { code }, again('confirm'))

  // What opens a door: of a visit it is read by its image alone.
  const { credential_id } = (await owner.get(`/api/v1/visits/${ids.visits}`)).body.data
  const { data: badge } = (await owner.get(`/api/v1/credentials/${credential_id}`)).body
  const number = plant('QR code of a visit', (await codeOf(engine, 1, badge)) ?? '')
  const access_point_id = ids.access_points
  const swiped = { type: 'access.denied', access_point_id, credential_type: 'qr', credential_number: number }
  expect((await ask(owner, 'POST', '/api/v1/access-events', swiped)).body.data.credential_id).toBe(credential_id)
  for (const credential_type of ['card', undefined])
    await ask(owner, 'POST', '/api/v1/access-events', { ...swiped, credential_type })
  await ask(owner, 'POST', '/api/v1/access-decisions', { access_point_id, credential: { type: 'qr', number } })

  // Of OAuth, of passkeys, and of the service itself.
  const application = {
    name: 'Canary',
    redirect_uris: [REDIRECT],
    permissions: ['spaces:read'],
    service_user_id: ids.service_users,
  }
  const made = (await admin.post('/api/v1/oauth-applications', application, again('application'))).body.data
  await ask(admin, 'POST', '/api/v1/oauth-applications', application, again('application'))
  const rotate = `/api/v1/oauth-applications/${made.id}/rotate-secret`
  plant('client secret, before', made.client_secret)
  const client_secret = plant('client secret', (await admin.post(rotate, {}, again('secret'))).body.data.client_secret)
  await ask(admin, 'POST', rotate, {}, again('secret'))
  const client_id = made.id as string
  const config = await discover(url, { client_id, client_secret })
  const asked = await askFor(config, 'openid spaces:read')
  const callback = new URL(await authorize({ ...house, url }, ada, asked))
  const oauthCode = plant('authorization code', callback.searchParams.get('code') ?? '')
  const first = await openid.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: asked.verifier,
    expectedState: asked.state,
  })
  const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '')
  plant('refresh token, used', first.refresh_token ?? '')
  plant('refresh token', second.refresh_token ?? '')
  // What makes a JWT one is its signature; the rest is no secret.
  const signatureOf = (jwt = ''): string => jwt.split('.')[2] ?? ''
  plant('access token', signatureOf(second.access_token))
  plant('access token of a service user', signatureOf((await openid.clientCredentialsGrant(config)).access_token))
  plant('ID token', signatureOf(first.id_token))
  plant('key that signs', (await new SigningKeys(engine, clock).load()).keys[0]?.privateJwk.d ?? '')
  plant('key that seals', app.house.config.secretKeys[0]?.toString('base64') ?? '')
  const authenticator = new Authenticator(url)
  const begun = (await ada.post('/api/v1/me/passkeys/options')).body.data.options
  plant('challenge of a new passkey', begun.challenge)
  expect(
    (await ask(ada, 'POST', '/api/v1/me/passkeys', { name: 'Canary', response: authenticator.create(begun) })).status,
  ).toBe(201)
  const challenged = (await anonymous.post('/api/v1/login/passkey/options', undefined, page)).body.data.options
  plant('challenge of a login', challenged.challenge)

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
  for (const _ of [1, 2])
    expect((await ask(admin, 'POST', '/api/v1/credentials', withPin, again('pin'))).status).toBe(201)
  await ask(admin, 'PATCH', `/api/v1/credentials/${ids.credentials}`, {
    pin: plant('PIN, changed', String(randomInt(10 ** 11, 10 ** 12))),
  })
  const settings = {
    address: '10.0.0.1',
    api_key: canary('secret setting'),
    login: { password: canary('secret setting, nested') },
  }
  await ask(admin, 'PATCH', `/api/v1/access-control-systems/${ids.access_control_systems}`, { settings })
  const system = await ask(
    admin,
    'POST',
    '/api/v1/access-control-systems',
    { name: 'Canary', settings },
    again('settings'),
  )
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
      `POST /api/v1/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ` +
        `application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  const form = (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString()
    const from = Object.entries({ ...elsewhere(), ...page }).map(([name, value]) => `${name}: ${value}\r\n`)
    return raw(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${from.join('')}Content-Type: ` +
        `application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
  }
  const oauth = (path: string, fields: Record<string, string>) =>
    form(`/oauth${path}`, { client_id, client_secret, ...fields })
  const signed = (value: string) => ({
    id: value,
    rawId: value,
    type: 'public-key',
    response: { clientDataJSON: value, signature: value },
  })
  const header = (value: string) => () => ask(anonymous, 'GET', '/api/v1/me', undefined, { authorization: value })
  carriers = [
    ...[stray, strayToken].flatMap((value) => [
      ...['Token', 'Bearer', 'Basic', 'Digest'].map((scheme) => header(`${scheme} ${value}`)),
      header(value),
      header(`Token ${value} ${value}`),
      () => ask(anonymous, 'GET', '/api/v1/me', undefined, { cookie: `gatehouse_session=${value}`, ...page }),
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
      () =>
        ask(owner, 'POST', '/api/v1/access-control-systems', { name: 'x', settings: { list: [{ api_key: value }] } }),
      () => ask(ada, 'POST', '/api/v1/me/totp/confirm', { code: value.slice(0, 40) }),
      () => ask(ada, 'POST', '/api/v1/me/confirm-password', { password: value }),
      oauth('/token', { grant_type: 'client_credentials', client_secret: value }),
      oauth('/token', { grant_type: 'authorization_code', code: value, code_verifier: value, redirect_uri: REDIRECT }),
      oauth('/token', { grant_type: 'refresh_token', refresh_token: value }),
      oauth('/token', { grant_type: value }),
      oauth('/token/introspection', { token: value }),
      oauth('/token/introspection', { token: value, client_secret: value }),
      oauth('/token/revocation', { token: value, token_type_hint: value }),
      oauth('/request', { client_secret: value, response_type: 'code' }),
      form('/login', { email: somebody(), password: value, code: value.slice(0, 40) }),
      ...['id_token_hint', 'request', 'client_secret', 'code_challenge', 'nonce'].map(
        (name) => () => ask(ada, 'GET', `/oauth/auth?client_id=${client_id}&response_type=code&${name}=${value}`),
      ),
      () => ask(anonymous, 'GET', `/login/sso/corp/callback?state=${value}&code=${value}`),
      post('/api/v1/login/sso', { provider: 'corp', invitation: value }),
      post('/api/v1/login/passkey', { response: signed(value) }),
      () => ask(ada, 'POST', '/api/v1/me/confirm-passkey', { response: signed(value) }),
      () => ask(ada, 'POST', '/api/v1/me/passkeys', { name: 'x', response: signed(value) }),
      malformed(`{"email":"a@example.org","password":"${value}"`),
      malformed(`{"email":"a@example.org","password":${value}}`),
      malformed(`{"password":"${value}","constructor":{}}`),
      raw(
        `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: ` +
          `close\r\nAuthorization: Token ${value}\r\nAuthorization: Token ${value}\r\n\r\n`,
      ),
      raw(`GET /api/v1/me HTTP/9.9\r\nAuthorization: Token ${value}\r\n\r\n`),
      raw(
        `GET /api/v1/%zz?token=${value} HTTP/1.1\r\nHost: x\r\nConnection: ` +
          `close\r\nAuthorization: Token ${value}\r\n\r\n`,
      ),
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
        cookie: `gatehouse_session=${canaries.get('session cookie')}`,
        'sec-fetch-site': 'cross-site',
      }),
    () => ask(admin, 'POST', '/api/v1/credentials', withPin),
    () => ask(admin, 'POST', '/api/v1/credentials', { ...withPin, label: 'x' }, again('another-pin')),
    () =>
      ask(admin, 'PATCH', `/api/v1/access-control-systems/${ids.access_control_systems}`, {
        settings,
        location_id: ids.spaces,
      }),
    () => ask(house.client(canaries.get('token') ?? ''), 'GET', '/api/v1/me'),
    oauth('/token', { grant_type: 'client_credentials', scope: 'nonsense' }),
    oauth('/token', { grant_type: 'refresh_token', refresh_token: second.refresh_token ?? '', scope: 'users:write' }),
    oauth('/token/introspection', { token: second.refresh_token ?? '' }),
    () => ask(anonymous, 'GET', '/api/v1/spaces', undefined, { authorization: `Bearer ${second.access_token}` }),
    () => ask(anonymous, 'GET', `/api/v1/spaces?access_token=${second.access_token}`),
    () => ask(ada, 'GET', `/oauth/auth?client_id=${client_id}&response_type=code&id_token_hint=${first.id_token}`),
    post('/api/v1/login/passkey', { response: authenticator.get(challenged, { origin: 'https://evil.example' }) }),
    signOnRefused,
    // A second use ends the grant.
    oauth('/token', {
      grant_type: 'authorization_code',
      code: oauthCode,
      code_verifier: asked.verifier,
      redirect_uri: REDIRECT,
    }),
    oauth('/token', { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }),
  ]
})

/** To the provider and back, where our secret is refused. */
async function signOnRefused(): Promise<Answer> {
  corp.account = { sub: 'ada' }
  const begun = await anonymous.post('/api/v1/login/sso', { provider: 'corp' }, { ...page, ...elsewhere() })
  if (begun.status !== 200) {
    heard('POST /api/v1/login/sso', begun)
    return begun
  }
  const back = new URL(await corp.visit(begun.body.data.url))
  plant('code of another provider', back.searchParams.get('code') ?? '')
  plant('state of a sign-on', back.searchParams.get('state') ?? '')
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? ''
  return ask(anonymous, 'GET', `${back.pathname}${back.search}`, undefined, { cookie })
}

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
        Object.fromEntries(
          parameters.map(({ name, table }) => [
            name,
            id !== undefined && name === last?.name ? id : (ids[table] ?? ''),
          ]),
        ),
      )
    const clients = route.permission === 'self' ? [ada, admin] : [admin]
    for (const client of clients) {
      yield { client, url: `${address()}${route.doc?.list ? '?limit=100' : ''}` }
      if (route.doc?.success.files)
        for (const format of ['ndjson', 'csv']) yield { client, url: `${address()}?format=${format}` }
      const list =
        last && app.routeTable.find(({ url, method }) => method === 'GET' && route.url === `${url}/:${last.name}`)
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

async function expectNothingStored(): Promise<void> {
  const tables = await engine.reader.all<{ name: string }>(
    process.env.ENGINE === 'postgres'
      ? 'select table_name as name from information_schema.tables where table_schema = current_schema()'
      : `select name from sqlite_master where type = 'table'`,
    [],
  )
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['users', 'tokens', 'login_flows', 'oauth_records', 'audit_log']),
  )
  for (const { name: table } of tables) {
    const rows = await engine.reader.all(`select * from ${table}`, [])
    expect({ table, kinds: found(JSON.stringify(rows)) }).toEqual({ table, kinds: [] })
  }
}

describe('no secret', () => {
  it('is looked for in vain because nothing was sent: each is known to the service, which logs at its loudest', () => {
    expect(found(`x ${canaries.get('PIN')} ${encodeURIComponent(canaries.get('password') ?? '')}`)).toEqual([
      'password',
      'PIN',
    ])
    expect([...canaries.values()].filter((value) => value.length < 12)).toEqual([])
  })

  it('lies in the database as it is, while it is good', expectNothingStored)

  it('appears in the log or in an answer to a request that carries it and is refused', async () => {
    const statuses = await sendAll()
    expect(new Set(statuses)).toEqual(
      new Set([200, 201, 303, 400, 401, 403, 404, 409, 415].filter((status) => statuses.includes(status))),
    )
    expect(lines.some((line) => line.includes('"level":20'))).toBe(true)
    expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(statuses.length * 0.8)
    expectSilence()
  })

  it('appears in any later answer, export, metric or page', async () => {
    await readEverything()
    const asked = answers.map(({ to }) => to).join('\n')
    for (const url of [
      '/metrics',
      '/api/v1/openapi.json',
      '/api/v1/audit-log/export?format=csv',
      '/api/v1/sessions',
      '/docs',
    ])
      expect(asked).toContain(`GET ${url}`)
    expectSilence()
  })

  it('lies in the database as it is afterwards', expectNothingStored)

  it('appears when a letter cannot be sent: the password of the mail server, and the link in the letter', async () => {
    const server = await MailServer.onFreePort()
    const smtpUrl = `smtp://gatehouse:${canary('password of the mail server')}@127.0.0.1:${server.port}`
    const link = `${url}/reset#${canary('link in a letter')}`
    const mail = new MailOutbox(true)
    await change(engine, 1, clock.now(), actor, async (tx) => {
      tx.event({ action: 'test.updated', resource: 'test', resourceId: null, before: null, after: null })
      await mail.queue(tx, ada.id, 'password_reset', {
        link,
        expiresAt: new Date(Date.parse(clock.now()) + 60_000).toISOString(),
      })
    })
    expect(found(JSON.stringify(await engine.reader.all('select * from mails', [])))).toEqual([])
    const logger = createLogger('trace', { write: (line) => void lines.push(line) })
    const config = { ...app.house.config, mail: { smtpUrl, from: 'gatehouse@example.org' } }
    const sender = new MailSender({ engine, clock, logger, config, mail })
    // Nobody is there; then somebody who knows no such user; then it is too late.
    await sender.run()
    await server.start()
    for (const seconds of [30, 60]) {
      clock.forward(seconds * 1000)
      await sender.run()
    }
    expect(server.connections).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes('a letter could not be sent')).length).toBeGreaterThan(1)
    await sender.close()
    await readEverything()
    expectSilence()
  })

  it.each([
    'tokens',
    'users',
    'sessions',
    'credentials',
    'access_control_systems',
    'user_links',
    'idempotency_keys',
    'oauth_records',
    'login_flows',
  ])('appears when the database fails at %s (500)', async (table) => {
    // As a change of which nobody can say what it writes: nothing is taken from memory after it.
    const run = (statement: string) =>
      change(engine, 1, clock.now(), actor, async (tx) => {
        await tx.run(rawSql(statement))
        tx.event({ action: 'test.updated', resource: 'test', resourceId: null, before: null, after: null })
      })
    await run(`alter table ${table} rename to ${table}_away`)
    try {
      await sendAll()
    } finally {
      await run(`alter table ${table}_away rename to ${table}`)
    }
    expect(answers.map(({ to }) => to.slice(-5))).toContain(': 500')
    expect(lines.some((line) => line.includes(table) && line.includes('"level":50'))).toBe(true)
    expectSilence()
  })

  it.runIf(process.env.ENGINE === 'postgres')(
    'appears when the database is away (503), its password in the URL included',
    async () => {
      const password = canary('password of the database')
      const role = `canary_${randomBytes(8).toString('hex')}`
      const server = new pg.Client({ connectionString: inject('postgresUrl') })
      await server.connect()
      await server.query(`create role ${role} login superuser password '${password}'`)
      const [database] = await engine.reader.all<{ name: string }>('select current_database() as name', [])
      const url = new URL(inject('postgresUrl'))
      Object.assign(url, { pathname: `/${database?.name}`, username: role, password })
      const logger = createLogger('trace', { write: (line) => void lines.push(line) })
      const other = await openPostgres(url.href, {
        poolSize: 2,
        onError: (err) => logger.warn({ err }, 'a database connection was lost'),
      })
      const separate = await buildApp({
        config: { ...app.house.config, databaseUrl: url.href },
        engine: other,
        clock,
        logger,
        resources: allResources,
      })
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
    },
  )
})
