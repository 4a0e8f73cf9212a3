import type { FastifyInstance } from 'fastify'

/** Longer than a request takes around the world. */
const LAST_REQUESTS_MS = 500

/**
 * Stops without cutting anybody off. From now on every answer is the last on its connection, and says so. A request may be on
 * its way over a connection that looks idle to us: for a moment more it is awaited, then idle connections are closed.
 */
export function installDrain(app: FastifyInstance): void {
  let isStopping = false
  app.addHook('preClose', (done) => {
    isStopping = true
    // After the timers the sockets are read once more: what has arrived by then is not cut off.
    if (app.server.listening) setTimeout(() => setImmediate(done), LAST_REQUESTS_MS)
    else done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
}
