import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Prometheus text at /metrics, when METRICS=on. Labels are route patterns, never addresses: their number is bounded. */
export function metricsRoutes(app: FastifyInstance): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [register],
  })
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { route: request.routeOptions.url ?? 'none', method: request.method, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
  app.get('/metrics', { config: { open: 'monitoring, on by configuration' } }, async (_request, reply) =>
    reply.type(register.contentType).send(await register.metrics()),
  )
}
