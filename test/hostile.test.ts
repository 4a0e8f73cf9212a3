import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteEntry } from '../src/http/context.ts'
import { AnswerCheck } from './support/answer-check.ts'
import { type Client, startHouse } from './support/app.ts'
import { brokenBodies, Chance, queries, strangeAddress, texts, values } from './support/hostile.ts'
import { populate } from './support/population.ts'
import {
  addressOf,
  fullBody,
  type Ids,
  type JsonSchema,
  parametersOf,
  requiredBody,
  resourceOfRoute,
} from './support/route-requests.ts'
import { countRows, digestRows } from './support/rows.ts'

const house = await startHouse()
const { app, engine, owner } = house
const client = house.loggedIn(owner.token)
const isPostgres = process.env.ENGINE === 'postgres'

/** However strange the request, the answer is one that the documentation has. */
const answers = new AnswerCheck(app)
let ids: Ids
let auditor: Client
beforeAll(async () => {
  ids = await populate(house, owner, 'A')
  // Now: a request made up by chance may rename the organization.
  auditor = await house.member('Auditor')
})

interface Sent {
  method: string
  url: string
  headers: Record<string, string>
  payload?: Buffer
}

interface Received {
  status: number
  text: string
  type: string
}

async function send({ payload, ...request }: Sent): Promise<Received> {
  const headers = { 'x-test-session': `Token ${owner.token}`, ...request.headers }
  const response = await app.inject({
    ...request,
    method: request.method as 'GET',
    headers,
    ...(payload ? { payload } : {}),
  })
  const { statusCode: status, body: text } = response
  // What is compressed the check cannot read.
  if (!response.headers['content-encoding'])
    answers.check({ method: request.method, url: pathTaken(request.url), status, headers: response.headers, text })
  return { status, text, type: String(response.headers['content-type'] ?? '') }
}

/** A client takes the way back that dots in a path mean, as injecting does. */
const pathTaken = (url: string): string =>
  URL.canParse(url, 'http://gatehouse.test') ? new URL(url, 'http://gatehouse.test').pathname : url

/** Every refusal is the one error body, and none is our fault. */
function expectOurs({ status, text, type }: Received, method: string, of: string): void {
  expect(status, `${of}\n${text}`).toBeLessThan(500)
  if (status < 400 || method === 'HEAD') return
  expect(type, of).toBe('application/json; charset=utf-8')
  const body = JSON.parse(text)
  expect(Object.keys(body), of).toEqual(['msg', 'error'])
  expect(body.error, of).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    req_id: expect.stringMatching(/^req_\d+$/),
  })
}

const json = { 'content-type': 'application/json' }
/** A file alone is no JSON: that it is refused by its type is in the tests of its route. */
const writes = app.routeTable.filter(
  ({ doc, permission }) => permission !== undefined && doc?.body && doc.body.mediaTypes?.length !== 0,
)
const addressIn = (route: RouteEntry): string =>
  addressOf(route.url, Object.fromEntries(parametersOf(app, route).map(({ name, table }) => [name, ids[table] ?? ''])))

describe('a body that is', () => {
  // No body is read from it, and no database is asked: on one engine is enough.
  it.skipIf(isPostgres).each(brokenBodies)(
    '%s is 400 on every route that takes one, and changes nothing',
    async (_name, payload) => {
      const before = await countRows(engine)
      for (const route of writes) {
        const answer = await send({ method: route.method, url: addressIn(route), headers: json, payload })
        expect(answer.status, `${route.method} ${route.url} ${answer.text}`).toBe(400)
        expectOurs(answer, route.method, route.url)
      }
      expect(await countRows(engine)).toEqual(before)
    },
  )

  it('1 MiB is read, and 1 MiB and a byte is 413', async () => {
    const bodyOf = (length: number) => Buffer.from(`{"name":"${'x'.repeat(length - 11)}"}`)
    const exact = await send({ method: 'POST', url: '/api/v1/locations', headers: json, payload: bodyOf(1024 * 1024) })
    expect([exact.status, JSON.parse(exact.text).error.reason]).toEqual([400, 'body.length'])
    const more = await send({
      method: 'POST',
      url: '/api/v1/locations',
      headers: json,
      payload: bodyOf(1024 * 1024 + 1),
    })
    expect([more.status, JSON.parse(more.text).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('64 KiB is read from somebody without a credential, and a byte more is 413', async () => {
    const bodyOf = (length: number) => Buffer.from(`{"email":"a@example.org","password":"${'x'.repeat(length - 39)}"}`)
    for (const { method, url } of app.routeTable.filter(({ open, doc }) => open !== undefined && doc?.body)) {
      const read = await app.inject({ method: method as 'POST', url, headers: json, payload: bodyOf(64 * 1024) })
      expect([url, read.statusCode]).toEqual([url, 400])
      const more = await app.inject({ method: method as 'POST', url, headers: json, payload: bodyOf(64 * 1024 + 1) })
      expect([url, more.statusCode]).toEqual([url, 413])
    }
  })

  it('wrong a hundred thousand times is told its first twenty faults', async () => {
    const payload = Buffer.from(JSON.stringify({ with: Array(100_000).fill(1) }))
    const answer = await send({ method: 'POST', url: '/api/v1/access-decisions', headers: json, payload })
    expect([answer.status, JSON.parse(answer.text).error.details.length]).toEqual([400, 20])
  })

  it('32 levels deep is read where it fits', async () => {
    const deep = `{"name":"deep","settings":${'{"a":'.repeat(31)}1${'}'.repeat(31)}}`
    const answer = await send({
      method: 'POST',
      url: '/api/v1/access-control-systems',
      headers: json,
      payload: Buffer.from(deep),
    })
    expect(answer.status, answer.text).toBe(201)
  })
})

/** A value of every JSON type that the schema does not name. */
function wrongTypes({ type, enum: choices }: JsonSchema): unknown[] {
  const types = [type].flat()
  const all: Array<[string, unknown]> = [
    ['string', '1'],
    ['integer', 1],
    ['number', 1.5],
    ['boolean', true],
    ['array', [1]],
    ['object', { a: 1 }],
    ['null', null],
  ]
  const wrong = all
    .filter(([name]) => !types.includes(name) && !(name === 'integer' && types.includes('number')))
    .map(([, value]) => value)
  return choices ? [...wrong, 'no_such_choice', ''] : wrong
}

describe('a field', () => {
  const named = writes.map((route) => [`${route.method} ${route.url}`, route] as const)

  it.each(named)('of %s with a value of another type is 400, and changes nothing', async (_name, route) => {
    const { schema } = route.doc?.body ?? {}
    const body = fullBody(schema ?? {}, resourceOfRoute(app, route), ids)
    const before = await countRows(engine)
    for (const [name, property] of Object.entries((schema as JsonSchema).properties ?? {})) {
      for (const value of wrongTypes(property)) {
        const answer = await client.request(route.method, addressIn(route), { ...body, [name]: value })
        expect(answer.status, `${name} = ${JSON.stringify(value)}: ${answer.text}`).toBe(400)
        expect(answer.body.error.details?.[0]?.path, answer.text).toMatch(new RegExp(`^${name}\\b`))
      }
    }
    expect(await countRows(engine)).toEqual(before)
  })

  /** What is required of a PUT that creates is what is required of a creation. */
  const creationOf = ({ url }: RouteEntry) =>
    app.routeTable.find((other) => other.method === 'POST' && `${other.url}/by-external-id/:external_id` === url)?.doc
      ?.body?.schema

  it.each(named)('of %s just beyond its bounds is 400, and changes nothing', async (_name, route) => {
    const { schema } = route.doc?.body ?? {}
    const body = fullBody(creationOf(route) ?? schema ?? {}, resourceOfRoute(app, route), ids)
    const before = await countRows(engine)
    for (const [name, property] of Object.entries((schema as JsonSchema).properties ?? {})) {
      for (const value of beyond(property)) {
        const answer = await client.request(route.method, addressIn(route), { ...body, [name]: value })
        expect(answer.status, `${name} = ${JSON.stringify(value).slice(0, 80)}: ${answer.text}`).toBe(400)
        expect(answer.body.error.details?.[0]?.path, answer.text).toBe(name)
      }
    }
    expect(await countRows(engine)).toEqual(before)
  })

  it.each(named)(
    'of %s with any text at all is taken or refused, and what is taken comes back as it was',
    async (_name, route) => {
      const { schema } = route.doc?.body ?? {}
      const resource = resourceOfRoute(app, route)
      const names = Object.entries((schema as JsonSchema).properties ?? {})
        .filter(([, { type, enum: choices, format }]) => [type].flat().includes('string') && !choices && !format)
        .map(([name]) => name)
      for (const [index, text] of texts.entries()) {
        const name = names[index % names.length]
        if (name === undefined) break
        const body = { ...requiredBody(schema ?? {}, resource, ids), [name]: text }
        const answer = await client.request(route.method, addressIn(route), body)
        expect(answer.status, `${name} = ${JSON.stringify(text)}: ${answer.text}`).toBeLessThan(500)
        // An action answers with the item, which need not have the fields of its body.
        if (answer.status >= 300 || (route.method === 'POST' && answer.status !== 201) || !(name in answer.body.data))
          continue
        expect(answer.body.data[name], name).toBe(text)
      }
    },
  )
})

function beyond({ type, minLength = 0, maxLength, minimum, maximum, format }: JsonSchema): unknown[] {
  const types = [type].flat()
  if (types.includes('integer') || types.includes('number'))
    return [(minimum ?? 0) - 1, (maximum ?? 1e300) * 2 + 1, 1e308, -1e308]
  if (format === 'uuid')
    return [
      '',
      'x',
      `${'0'.repeat(36)}`,
      '{00000000-0000-0000-0000-000000000000}',
      'urn:uuid:00000000-0000-0000-0000-000000000000',
    ]
  if (format === 'date')
    return ['', '2024-02-30', '2024-2-3', '20240203', '2024-02-03T00:00:00Z', '02.03.2024', '-2024-02-03', '0000-01-01']
  if (format === 'date-time')
    return [
      '',
      '2024-02-30T00:00:00Z',
      '2024-02-03',
      '2024-02-03T00:00:00',
      '2024-02-03T25:00:00Z',
      '0',
      '2016-12-31T22:59:60Z',
      '9999-12-31T23:59:60Z',
      '+010000-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
    ]
  if (!types.includes('string') || maxLength === undefined) return []
  // Length counts characters as people do, not UTF-16 units.
  const tooLong = ['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1), 'x'.repeat(100_000)]
  return minLength > 0 ? [...tooLong, ''] : tooLong
}

describe('a query string', () => {
  const reads = app.routeTable.filter(({ method, permission }) => method === 'GET' && permission !== undefined)
  it.each(reads.map((route) => [`GET ${route.url}`, route] as const))(
    'however odd is answered or refused by %s',
    async (_name, route) => {
      for (const query of queries) {
        const answer = await send({ method: 'GET', url: `${addressIn(route)}?${query}`, headers: {} })
        expectOurs(answer, 'GET', `${route.url}?${query}`)
      }
    },
  )
})

/** A request made of a route of the table, with things in it that nobody would send. */
function strangeRequest(chance: Chance, routes: readonly RouteEntry[]): Sent {
  const route = chance.pick(routes)
  const headers: Record<string, string> = {}
  const query = chance.isOneIn(3) ? `?${chance.pick(queries)}` : ''
  const url = strangeAddress(chance, route, Object.values(ids)) + query
  const method = chance.isOneIn(15)
    ? chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'])
    : route.method
  for (const name of [
    'if-match',
    'if-none-match',
    'accept',
    'accept-encoding',
    'idempotency-key',
    'x-request-id',
    'origin',
    'range',
    'expect-ct',
  ]) {
    if (chance.isOneIn(12))
      headers[name] = chance.pick([
        '*',
        '"1"',
        'W/"1"',
        '',
        'x',
        '"1", "2"',
        'application/json',
        'text/html',
        'br',
        'gzip;q=0',
        '*/*;q=0',
        'null',
        '\u00ff'.repeat(300),
      ])
  }
  if (chance.isOneIn(20))
    headers['x-test-session'] = chance.pick(['Token x', 'Bearer x', '', `Token ${owner.token}x`, 'Basic eDp5'])
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE') return { method, url, headers }
  headers['content-type'] = chance.isOneIn(15)
    ? chance.pick([
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16',
        'application/merge-patch+json',
        'multipart/form-data',
        'x',
        '',
      ])
    : 'application/json'
  return { method, url, headers, payload: strangeBody(chance, route) }
}

function strangeBody(chance: Chance, route: RouteEntry): Buffer {
  if (chance.isOneIn(10)) return chance.pick(brokenBodies)[1]
  const schema = route.doc?.body?.schema ?? {}
  const names = [...Object.keys((schema as JsonSchema).properties ?? {}), 'id', 'version', 'unknown']
  const body: Record<string, unknown> = chance.isOneIn(5) ? {} : requiredBody(schema, resourceOfRoute(app, route), ids)
  for (let changes = chance.below(4); changes > 0; changes--) {
    const name = chance.pick(names)
    body[name] = chance.isOneIn(3) ? chance.pick(Object.values(ids)) : chance.pick(values)
  }
  const bytes = Buffer.from(JSON.stringify(body))
  if (chance.isOneIn(10) && bytes.length > 0) bytes[chance.below(bytes.length)] = chance.below(256)
  return bytes
}

/** Half of them by somebody who may read everything and write nothing. */
describe('of many thousand requests made up by chance', () => {
  const count = isPostgres ? 2_000 : 5_000
  const routes = app.routeTable.filter(({ url }) => /^\/(api|v1)\//.test(url))

  it('none is answered with a fault of ours, and none that is refused changes a row', {
    timeout: 120_000,
  }, async () => {
    const chance = new Chance(20_270_615)
    const statuses = new Map<number, number>()
    let before = await countRows(engine)
    for (let i = 0; i < count; i++) {
      const request = strangeRequest(chance, routes)
      const answer = await send(request)
      const of = `request ${i}: ${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.payload?.toString().slice(0, 500) ?? ''}`
      expectOurs(answer, request.method, of)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const after = await countRows(engine)
      if (answer.status >= 300) expect(after, of).toEqual(before)
      before = after
    }
    // The requests must not all fail for one and the same reason.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 415]))
  })

  it('none by a caller who may only read changes a single byte in the database', { timeout: 120_000 }, async () => {
    const chance = new Chance(4_711)
    // How doors stand by now is stored when it is first asked for, whoever asks: it is the clock's doing.
    expect((await auditor.get('/api/v1/access-points')).status).toBe(200)
    const before = await digestRows(engine)
    // An export leaves a trace, and is meant to.
    const traceless = routes.filter(({ url }) => url !== '/api/v1/audit-log/export')
    for (let i = 0; i < count; i++) {
      const request = strangeRequest(chance, traceless)
      const answer = await send({
        ...request,
        headers: { ...request.headers, 'x-test-session': `Token ${auditor.token}` },
      })
      expectOurs(answer, request.method, `request ${i}: ${request.method} ${request.url}`)
    }
    expect(await digestRows(engine)).toEqual(before)
  })
})
