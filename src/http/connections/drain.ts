import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { TakenResponse } from './unread.ts'

/** Longer than a request takes around the world. */
const LAST_REQUESTS_MS = 500

/**
 * Stops without cutting anybody off. From then on every answer is the last on its connection, and says so. A request
 * may be on its way over a connection that looks idle to us: for a moment more it is awaited, then idle connections are
 * closed.
 */
export function createDrain() {
  let isStopping = false

  /**
   * Looked at when the head is written, so that requests under way when the stop begins are told too; a hook would cost
   * each request.
   */
  class Response<Request extends IncomingMessage = IncomingMessage> extends TakenResponse<Request> {
    override writeHead(...args: unknown[]): this {
      if (isStopping) this.shouldKeepAlive = false
      return super.writeHead(...(args as Parameters<ServerResponse['writeHead']>))
    }
  }

  const install = (app: FastifyInstance): void => {
    app.addHook('preClose', (done) => {
      isStopping = true
      // After the timers the sockets are read once more: what has arrived by then is not cut off.
      if (app.server.listening) setTimeout(() => setImmediate(done), LAST_REQUESTS_MS)
      else done()
    })
  }
  return { Response, install }
}
