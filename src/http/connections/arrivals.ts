import type { IncomingMessage, Server } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** So long the body of a request may take to come in. */
export const ARRIVAL_MS = 10_000
const LOOK_MS = 1000

const late = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Requests whose bodies are coming in. Node's own limit knows no exception, and a file takes as long as the line it
 * comes by is slow.
 */
export class Arrivals {
  private readonly coming = new Map<IncomingMessage, number>()

  watch(server: Server): void {
    const timer = setInterval(() => this.look(server), LOOK_MS).unref()
    server.once('close', () => clearInterval(timer))
  }

  expectBody(request: IncomingMessage): void {
    if (hasBody(request)) this.coming.set(request, performance.now())
  }

  /** A file that comes in, and is answered when it is read: whoever reads it sees to it that it does come. */
  awaitFile({ raw, response }: FastifyRequest): void {
    if (!this.coming.delete(raw)) return
    const { socket } = raw
    const before = socket.timeout ?? 0
    socket.setTimeout(0)
    // Before Node, which says how long it is kept alive then. What is left of a file that was refused has its time too.
    response.prependOnceListener('finish', () => {
      socket.setTimeout(before)
      if (!raw.complete) this.coming.set(raw, performance.now())
    })
  }

  /** As Node does it: told first, and cut off at the next look. */
  private look(server: Server): void {
    const latest = performance.now() - ARRIVAL_MS
    for (const [request, since] of this.coming) {
      if (request.complete || request.destroyed) this.coming.delete(request)
      else if (since < latest) server.emit('clientError', late, request.socket)
    }
  }
}
