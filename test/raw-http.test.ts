import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { MOST_AHEAD } from '../src/http/connections/one-by-one.ts'
import { startHouse } from './support/app.ts'
import { listen, type RawAnswer, sendRaw } from './support/raw-http.ts'
import { countRows } from './support/rows.ts'

/** What only a client that speaks HTTP by hand can send: over a socket, since nothing else would let it through. */
const house = await startHouse()
const { app, owner, engine } = house
let port: number
beforeAll(async () => {
  port = await listen(app)
})

const authorization = `Authorization: Token ${owner.token}`
const request = (line: string, ...headers: string[]): string =>
  [line, 'Host: gatehouse.test', 'Connection: close', ...headers, '', ''].join('\r\n')

function expectRefusal(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer?.status, answer?.text).toBe(status)
  expect(answer?.headers['content-type']).toBe('application/json; charset=utf-8')
  const body = JSON.parse(answer?.text ?? '')
  expect(Object.keys(body)).toEqual(['msg', 'error'])
  expect(body.error).toMatchObject({ code, docs: `http://gatehouse.test/docs/api/errors/${code}` })
  expect(body.error.req_id).toMatch(/^req_\d+$/)
  expect(answer?.headers['x-request-id']).toBe(body.error.req_id)
}

it.each([
  '/api/v1/locations',
  '/api/v1/locations/summary?by=name',
  '/api/v1/me',
  '/livez',
  '/docs/api',
  '/api/v1/nothing',
])('HEAD of %s answers with the headers of GET, and nothing more on the line', async (path) => {
  const ask = async (method: string) => {
    const [answer] = await sendRaw(port, request(`${method} ${path} HTTP/1.1`, authorization))
    const { 'x-request-id': _, date: __, ...headers } = answer?.headers ?? {}
    return { status: answer?.status, headers, text: answer?.text }
  }
  const [get, head] = [await ask('GET'), await ask('HEAD')]
  expect(get.text).not.toBe('')
  expect(head).toEqual({ ...get, text: '' })
})

describe('what Node itself would refuse has our body too', () => {
  it('CONNECT, for which Node would close the connection without a word', async () => {
    const [answer] = await sendRaw(port, request('CONNECT example.org:443 HTTP/1.1'))
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer?.headers.allow).toBe('')
  })

  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['an unknown method', request('BREW /api/v1/locations HTTP/1.1')],
    ['an unknown version of HTTP', request('GET /api/v1/locations HTTP/9.9')],
    ['a header without a colon', request('GET /livez HTTP/1.1', 'Broken')],
    ['a space in a header’s name', request('GET /livez HTTP/1.1', 'Bro ken: x')],
    ['a folded header', request('GET /livez HTTP/1.1', 'A: b', ' c')],
    ['a NUL in a header', request('GET /livez HTTP/1.1', 'A: b\0c')],
    [
      'two Content-Lengths',
      request('POST /api/v1/locations HTTP/1.1', authorization, 'Content-Length: 2', 'Content-Length: 3'),
    ],
    ['a Content-Length that is no number', request('POST /api/v1/locations HTTP/1.1', 'Content-Length: two')],
    [
      'Content-Length with Transfer-Encoding',
      request('POST /api/v1/locations HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    ],
    [
      'a chunk that is none',
      `${request('POST /api/v1/locations HTTP/1.1', authorization, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`,
    ],
    ['HTTP/1.1 without Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s: 400', async (_what, bytes) => {
    const answers = await sendRaw(port, bytes)
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], 400, 'MALFORMED_REQUEST')
  })

  it('headers of more than 32 KiB: 431', async () => {
    const [answer] = await sendRaw(port, request('GET /livez HTTP/1.1', `A: ${'x'.repeat(33 * 1024)}`))
    expectRefusal(answer, 431, 'HEADERS_TOO_LARGE')
  })

  it('a request that does not arrive: 408', { timeout: 30_000 }, async () => {
    const answers = await Promise.all([
      sendRaw(port, 'GET /livez HTTP/1.1\r\nHost: gatehouse.test\r\n'),
      sendRaw(
        port,
        `${request('POST /api/v1/locations HTTP/1.1', authorization, 'Content-Type: application/json', 'Content-Length: 20')}{"name":`,
      ),
    ])
    for (const [answer] of answers) expectRefusal(answer, 408, 'REQUEST_TIMEOUT')
  })

  it.each(['PROPFIND', 'PURGE', 'LINK', 'TRACE'])('%s, a method that HTTP knows and we do not: 405', async (method) => {
    const [answer] = await sendRaw(port, request(`${method} /api/v1/locations HTTP/1.1`, authorization))
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer?.headers.allow).toBe('GET, HEAD, OPTIONS, POST')
  })
})

describe('a header that decides something and comes twice is 400, and changes nothing', () => {
  it.each([
    ['Authorization', authorization],
    ['Idempotency-Key', 'Idempotency-Key: a'],
    ['If-Match', 'If-Match: "1"'],
    ['Content-Type', 'Content-Type: application/json'],
  ])('%s', async (name, header) => {
    const before = await countRows(engine)
    const headers = [authorization, 'Content-Type: application/json', 'Content-Length: 12'].filter(
      (other) => !other.startsWith(name),
    )
    const [answer] = await sendRaw(
      port,
      `${request('POST /api/v1/locations HTTP/1.1', ...headers, header, header)}{"name":"x"}`,
    )
    expectRefusal(answer, 400, 'MALFORMED_REQUEST')
    expect(JSON.parse(answer?.text ?? '').msg).toContain(name.toLowerCase())
    expect(await countRows(engine)).toEqual(before)
  })

  it('Host', async () => {
    const [answer] = await sendRaw(port, request('GET /livez HTTP/1.1', 'Host: elsewhere.test'))
    expectRefusal(answer, 400, 'MALFORMED_REQUEST')
  })
})

describe('a body that is longer than its Content-Length', () => {
  it('is read to that length, and the rest is no second request', async () => {
    const before = await countRows(engine)
    const answers = await sendRaw(
      port,
      `POST /api/v1/locations HTTP/1.1\r\nHost: gatehouse.test\r\n${authorization}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: 5\r\n\r\n{"name":"x"}\r\n\r\n`,
    )
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) expectRefusal(answer, 400, 'MALFORMED_REQUEST')
    expect(await countRows(engine)).toEqual(before)
  })
})

describe('what HTTP leaves to the server', () => {
  it('an expectation that is not known is not held against the request', async () => {
    const [answer] = await sendRaw(port, request('GET /livez HTTP/1.1', 'Expect: miracles'))
    expect(answer).toMatchObject({ status: 200, text: '{"msg":"Alive"}' })
  })

  it('an upgrade that is not offered is passed over', async () => {
    const [answer] = await sendRaw(
      port,
      'GET /livez HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(answer).toMatchObject({ status: 200, text: '{"msg":"Alive"}' })
  })

  it('an address in absolute form is the same address', async () => {
    const [answer] = await sendRaw(port, request('GET http://gatehouse.test/livez HTTP/1.1'))
    expect(answer).toMatchObject({ status: 200, text: '{"msg":"Alive"}' })
  })

  it('requests one after another on one connection are answered in turn', async () => {
    const ask = 'GET /livez HTTP/1.1\r\nHost: gatehouse.test\r\n\r\n'
    const answers = await sendRaw(port, ask + ask + request('GET /readyz HTTP/1.1'))
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{"msg":"Alive"}'],
      [200, '{"msg":"Alive"}'],
      [200, '{"msg":"Ready"}'],
    ])
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3)
  })

  it.each([
    ['without a body', 'GET /api/v1/me HTTP/1.1', ''],
    ['with one', 'POST /api/v1/access-decisions HTTP/1.1', '{}'],
  ])(
    'of many that are sent ahead %s, so many are answered; the last of them says that it is',
    async (_what, line, body) => {
      const head =
        `${line}\r\nHost: gatehouse.test\r\n${authorization}\r\nContent-Type: ` +
        `application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      const answers = await sendRaw(port, (head + body).repeat(1000))
      expect(answers).toHaveLength(MOST_AHEAD)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([body ? 400 : 200]))
      expect(answers.map(({ headers }) => headers.connection)).toEqual([
        ...Array(MOST_AHEAD - 1).fill('keep-alive'),
        'close',
      ])
    },
  )

  it('what cannot be read behind requests is refused behind their answers', async () => {
    const me = `GET /api/v1/me HTTP/1.1\r\nHost: gatehouse.test\r\n${authorization}\r\n\r\n`
    const answers = await sendRaw(port, `${me}${me}HELLO\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400])
  })
})

it('a client that is gone before we look is no fault of ours', async () => {
  const faults: string[] = []
  const logger = pino({ level: 'error' }, { write: (line: string) => faults.push(line) })
  const other = await startHouse({ logger })
  const otherPort = await listen(other.app)
  let asked = 0
  other.app.server.on('request', () => {
    asked += 1
  })
  for (const token of [other.owner.token, 'unknown']) {
    for (let i = 0; i < 5; i++) {
      const socket = connect(otherPort, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(request('GET /api/v1/locations HTTP/1.1', `Authorization: Token ${token}`))
      socket.resetAndDestroy()
    }
  }
  await expect.poll(() => asked).toBe(10)
  // Answered after those: what they did is done.
  expect(await sendRaw(otherPort, request('GET /livez HTTP/1.1'))).toHaveLength(1)
  expect(faults).toEqual([])
})
