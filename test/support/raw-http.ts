import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Sends these bytes as they are and gives every answer that comes until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that refuses early may reset what we are still writing; what it said before counts.
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return answersIn(Buffer.concat(chunks))
}

export const headersIn = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )

function answersIn(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`not an HTTP answer: ${rest.toString('latin1').slice(0, 200)}`)
    const [start = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = headersIn(lines)
    const length = Number(headers['content-length'] ?? 0)
    answers.push({
      status: Number(start.split(' ')[1]),
      headers,
      text: rest.subarray(end + 4, end + 4 + length).toString('utf8'),
    })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}
