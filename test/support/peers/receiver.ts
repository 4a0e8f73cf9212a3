import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { atEnd } from '../at-end.ts'

export interface Received {
  id: string
  body: { type: string; timestamp: string; data: { sequence: number; data: Record<string, unknown> | null } }
  raw: string
  headers: Record<string, string>
}

/** Somebody who receives webhooks, and may behave badly. */
export async function startReceiver(
  answer: (response: ServerResponse, nth: number) => void = (response) => response.end('ok'),
) {
  const received: Received[] = []
  const behaviour = { answer }
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let raw = ''
    for await (const piece of request.setEncoding('utf8')) raw += piece
    const headers = request.headers as Record<string, string>
    received.push({ id: headers['webhook-id'] ?? '', body: JSON.parse(raw), raw, headers })
    behaviour.answer(response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const types = () => received.map(({ body }) => body.type)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, behaviour, types }
}

/** Whether `standardwebhooks` takes it; its clock is that of the machine, so the age is looked at by the test. */
export function isVerified({ raw, headers }: Received, secret: string): boolean {
  const at = Number(headers['webhook-timestamp']) * 1000
  const { now } = Date
  Date.now = () => at
  try {
    new Webhook(secret).verify(raw, headers)
    return true
  } catch {
    return false
  } finally {
    Date.now = now
  }
}
