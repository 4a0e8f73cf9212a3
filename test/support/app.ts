import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import lightMyRequest, { type InjectOptions, type Response as LightMyRequestResponse } from 'light-my-request'
import { pino } from 'pino'
import { inject } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Caller } from '../../src/core/rights.ts'
import { type Actor, signAuditWith } from '../../src/db/audit.ts'
import type { Engine } from '../../src/db/engine.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Resource } from '../../src/db/resource.ts'
import { declareResources } from '../../src/db/resources.ts'
import { openSqlite, type SqliteOptions } from '../../src/db/sqlite/sqlite.ts'
import type { Portal } from '../../src/docs/portal.ts'
import type { CredentialReader } from '../../src/http/callers/authenticate.ts'
import type { StreamTimes } from '../../src/http/feeds/stream.ts'
import { createOrganization } from '../../src/identity/organizations.ts'
import { createToken } from '../../src/identity/tokens/issue.ts'
import { AnswerCheck } from './answer-check.ts'
import { atEnd } from './at-end.ts'
import { houseSigner } from './audit-key.ts'
import { createDatabase } from './postgres.ts'
import { headersIn } from './raw-http.ts'

export const actor: Actor = { kind: 'command_line', id: null, name: 'test', address: null, reqId: null }

/** A clock that stands still until it is moved. */
export class TestClock {
  private at: number
  private passed = 0
  constructor(at: string) {
    this.at = Date.parse(at)
  }
  now(): string {
    return new Date(this.at).toISOString()
  }
  elapsed(): number {
    return this.passed
  }
  /** Somebody sets it. */
  set(at: string): void {
    this.at = Date.parse(at)
  }
  /** Time passes; time does not pass backwards, so less than nothing is somebody setting it back. */
  forward(ms: number): void {
    this.at += ms
    this.passed += Math.max(0, ms)
  }
}

/** As a command has it. */
function prepared(engine: Engine): Engine {
  signAuditWith(engine, () => houseSigner)
  declareResources(engine, allResources)
  return engine
}

interface Opened {
  engine: Engine
  /** Opens it once more, as another process would. */
  open: () => Promise<Engine>
  drop: () => Promise<void>
}

/** A fresh database with today's schema: a copy of one that was migrated when the run began. */
export const openEngine = (sqlite?: SqliteOptions): Promise<Opened> =>
  process.env.ENGINE === 'postgres' ? onPostgres(inject('migratedDatabase')) : onSqlite(inject('migratedFile'), sqlite)

/** A fresh database without a schema. */
export const openEmpty = (): Promise<Opened> => (process.env.ENGINE === 'postgres' ? onPostgres() : onSqlite())

async function onPostgres(template?: string): Promise<Opened> {
  const { url, drop } = await createDatabase(inject('postgresUrl'), template)
  const open = async () => prepared(await openPostgres(url, { poolSize: 5, onError: () => undefined }))
  return { engine: await open(), open, drop }
}

async function onSqlite(template?: string, options?: SqliteOptions): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  const file = join(folder, 'gatehouse.db')
  if (template !== undefined) await copyFile(template, file)
  const open = async () => prepared(openSqlite(file, options))
  return { engine: await open(), open, drop: () => rm(folder, { recursive: true, force: true }) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Json = any

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: Json
  text: string
}

export interface Client {
  token: string
  request(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(url: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Creates and gives the item; throws unless 201. */
  create(url: string, body: unknown): Promise<Json>
}

export interface TestHouse {
  app: FastifyInstance
  engine: Engine
  clock: TestClock
  /** A client of the first organization, with the Owner role. */
  owner: Client
  client(token: string, app?: FastifyInstance): Client
  /** The same token's rights, as somebody who has logged in: what the portal will be. */
  loggedIn(token: string): Client
  /** Another process on the same database; `behind`: with an engine that behaves otherwise. */
  neighbour(behind?: (engine: Engine) => Engine): Promise<FastifyInstance>
  /** A service user with a role (and place) of its own, in the first organization unless named. */
  member(role: string, place?: { location_id?: string; building_id?: string }, organization?: string): Promise<Client>
  /** Without any credential. */
  anonymous: Client
}

/** Nobody is asked for its keys unless a token of its comes. */
const trustedIssuer = JSON.stringify([{ issuer: 'https://idp.example', audience: 'gatehouse' }])

/** The whole product on a fresh database of the engine under test. */
export async function startHouse(
  options: {
    env?: Record<string, string>
    prepare?: (app: FastifyInstance) => void
    schema?: (engine: Engine) => Promise<void>
    /** Beside those of the product. */
    resources?: readonly Resource[]
    /** Unless given, security events are recorded when the house closes: nothing is written behind a test's back. */
    securityEventsMs?: number
    /** Unless given, a stream ends when it has sent what is there. */
    streamTimes?: StreamTimes
    /** Silent unless given. */
    logger?: FastifyBaseLogger
    portal?: Portal
    clock?: TestClock
    /** Where SQLite reads what; PostgreSQL passes it over. */
    sqlite?: SqliteOptions
  } = {},
): Promise<TestHouse> {
  const { engine, open, drop } = await openEngine(options.sqlite)
  await options.schema?.(engine)
  // Ahead of the machine's clock: ids and instants made by either compare as expected.
  const clock = options.clock ?? new TestClock('2027-06-15T12:00:00.000Z')
  const config = readConfig({
    BASE_URL: 'http://gatehouse.test',
    SECRET_KEY: 'dGhlIGtleSB0aGF0IHNlYWxzIHNlY3JldHMgaW4gdGU=',
    TRUSTED_ISSUERS: trustedIssuer,
    ...options.env,
  })
  const build = (on: Engine) =>
    buildApp({
      config,
      engine: on,
      resources: [...allResources, ...(options.resources ?? [])],
      clock,
      logger: options.logger ?? pino({ level: 'silent' }),
      credentialReaders: [readTestSession],
      securityEventsMs: options.securityEventsMs ?? 3_600_000,
      streamTimes: options.streamTimes ?? { heartbeatMs: 10_000, checkMs: 500, lastsMs: 0 },
      ...(options.portal ? { portal: options.portal } : {}),
    })
  const app = await build(engine)
  options.prepare?.(app)
  await app.ready()
  const running = [{ app, engine }]
  atEnd(async () => {
    for (const process of running) {
      await process.app.close()
      await process.engine.close()
    }
    await drop()
  })
  const neighbour: TestHouse['neighbour'] = async (behind = (engine) => engine) => {
    const other = { engine: await open() }
    const process = { ...other, app: await build(behind(other.engine)) }
    await process.app.ready()
    running.push(process)
    return process.app
  }

  const answers = new AnswerCheck(app)
  const client = (token: string, on = app, header = 'authorization'): Client => {
    const request = async (
      method: string,
      url: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const authorization: Record<string, string> = token === '' ? {} : { [header]: `Token ${token}` }
      const isText = headers['content-type']?.startsWith('text/')
      const content: Partial<InjectOptions> =
        body === undefined
          ? {}
          : { payload: Buffer.isBuffer(body) ? body : isText ? String(body) : JSON.stringify(body) }
      const type: Record<string, string> =
        body === undefined
          ? {}
          : { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
      await on.ready()
      // The way of what comes over a socket.
      const response = await lightMyRequest(
        (incoming, outgoing) => on.sameAgain.answer(incoming, outgoing, on.routing),
        {
          method: method as 'GET',
          url,
          headers: { ...authorization, ...type, ...headers },
          ...content,
        },
      )
      const { body: text, statusCode: status } = response
      const answered = headersOf(response)
      answers.check({ method, url, status, headers: answered, text })
      return {
        status,
        headers: answered,
        text,
        body: text !== '' && isJson(answered) ? JSON.parse(text) : text,
      }
    }
    return {
      token,
      request,
      get: (url, headers) => request('GET', url, undefined, headers),
      post: (url, body, headers) => request('POST', url, body, headers),
      patch: (url, body, headers) => request('PATCH', url, body, headers),
      delete: (url, headers) => request('DELETE', url, undefined, headers),
      create: async (url, body) => {
        const answer = await request('POST', url, body)
        if (answer.status !== 201) throw new Error(`POST ${url}: ${answer.status} ${answer.text}`)
        return answer.body.data
      },
    }
  }
  const member: TestHouse['member'] = async (role, place = {}, organization = 'Test') => {
    const { value } = await createToken(engine, clock.now(), actor, {
      organization,
      role,
      name: `${role} ${randomUUID()}`,
      place,
    })
    return client(value)
  }
  await createOrganization(engine, clock.now(), actor, 'Test', 'Europe/Zurich')
  const loggedIn = (token: string) => client(token, app, TEST_SESSION)
  return {
    app,
    engine,
    clock,
    owner: await member('Owner'),
    client,
    loggedIn,
    neighbour,
    member,
    anonymous: client(''),
  }
}

/** Of a head that was written as it was before, light-my-request knows little. */
function headersOf({ headers, raw }: LightMyRequestResponse): Answer['headers'] {
  const { _header: head } = raw.res as { _header?: string }
  return headers['x-request-id'] === undefined && head ? headersIn(head.trimEnd().split('\r\n').slice(1)) : headers
}

const isJson = (headers: Answer['headers']): boolean =>
  /^application\/(\w+\+)?json\b/.test(String(headers['content-type'] ?? ''))

export const TEST_SESSION = 'x-test-session'

/** Stands in for a session: the rights of the token in the header, without being a token. */
const readTestSession: CredentialReader = (request) => {
  const { [TEST_SESSION]: session, ...headers } = request.headers
  if (session === undefined) return undefined
  const inner = { headers: { ...headers, authorization: session }, ip: request.ip } as FastifyRequest
  return Promise.resolve(request.server.house.authenticate(inner)).then(
    (caller): Caller => ({
      ...caller,
      credential: 'session',
      tokenId: null,
      session: { id: randomUUID(), confirmedAt: request.server.house.clock.now() },
      cacheKey: `session ${caller.cacheKey}`,
    }),
  )
}
