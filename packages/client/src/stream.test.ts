import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { Gatehouse } from './client.ts'
import { NotFoundError } from './errors.ts'

/** Any server that speaks server-sent events: here it must break where we want it to. */
const asked: Array<{ url: string | undefined; after: string | undefined }> = []
let answer: (response: ServerResponse, count: number) => void = () => undefined
const service = createServer((request, response) => {
  asked.push({ url: request.url, after: request.headers['last-event-id'] as string | undefined })
  if (request.url?.startsWith('/none'))
    return response.writeHead(404, { 'content-type': 'application/json' }).end('{"msg":"There is no such path"}')
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  answer(response, asked.length)
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
afterAll(() => service.close())
const client = new Gatehouse({
  server: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  token: 'x',
  sleep: async () => undefined,
})

it('goes on where the connection broke, and loses and repeats nothing', async () => {
  answer = (response, count) => {
    if (count === 1)
      response.end(
        'retry: 5\n\n:hello\n\nid: 1\nevent: location.created\ndata: {"n":\ndata: 1}\n\nid: 2\ndata: {"n":2}\n\nid: ' +
          '3\ndata: {"n"',
      )
    else response.write('id: 3\r\ndata: {"n":3}\r\n\r\n')
  }
  const seen: unknown[] = []
  const connection: boolean[] = []
  const onConnection = (isConnected: boolean) => void connection.push(isConnected)
  for await (const event of client.stream('/feed', { query: { types: 'x' }, after: '0', onConnection })) {
    seen.push(event)
    if (seen.length === 3) break
  }
  expect(seen).toEqual([
    { id: '1', type: 'location.created', data: { n: 1 } },
    { id: '2', type: 'message', data: { n: 2 } },
    { id: '3', type: 'message', data: { n: 3 } },
  ])
  expect(asked).toEqual([
    { url: '/feed?types=x', after: '0' },
    { url: '/feed?types=x', after: '2' },
  ])
  expect(connection).toEqual([true, false, true, false])
})

it('tells how far was read and what is not seen of it, beside the events', async () => {
  const cursor = { sequence: 7, limited_to: [{ location_id: 'a', building_id: null, name: 'North' }] }
  answer = (response) => response.write(`event: cursor\nid: 7\ndata: ${JSON.stringify(cursor)}\n\nid: 8\ndata: 1\n\n`)
  const told: unknown[] = []
  for await (const { id } of client.stream('/feed', { onCursor: (one) => void told.push(one) })) {
    expect(id).toBe('8')
    break
  }
  expect(told).toEqual([cursor])
})

it('takes a connection that says nothing any more for broken', async () => {
  const before = asked.length
  answer = (response, count) => {
    response.write(count === before + 1 ? ':\n\n' : 'data: 7\n\n')
  }
  for await (const { data } of client.stream('/silent', { silenceMs: 200 })) {
    expect(data).toBe(7)
    break
  }
  expect(asked.length).toBe(before + 2)
})

it('ends with a refusal, and with its signal', async () => {
  await expect(client.stream('/none').next()).rejects.toBeInstanceOf(NotFoundError)
  const controller = new AbortController()
  answer = (response) => response.write('data: 1\n\n')
  const events = client.stream('/feed', { signal: controller.signal })
  expect((await events.next()).value).toMatchObject({ data: 1 })
  controller.abort()
  expect((await events.next()).done).toBe(true)
})
