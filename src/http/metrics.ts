import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { keysOf } from '../core/typed.ts'
import { type InstrumentName, instruments, type Metrics, metricsOf } from '../db/metrics.ts'

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/**
 * Prometheus text at /metrics, when METRICS=on. Labels are route patterns, never addresses: their number is bounded.
 */
export function metricsRoutes(app: FastifyInstance, siblings?: Siblings): void {
  const { engine } = app.house
  const metrics = metricsOf(engine)
  let isReady = 0
  const register = new Register(async () => {
    isReady = await engine.ping().then(
      () => 1,
      () => 0,
    )
    collect()
  })
  siblings?.onReport(() => register.getMetricsAsJSON())
  collectDefaultMetrics({ register })
  const collect = connect(metrics, register)
  metrics.watch('gatehouse_db_writers_waiting', {}, () => engine.writers.waitingCount)
  metrics.watch('gatehouse_ready', {}, () => isReady)
  const duration = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [register],
  })
  app.observers.push(({ route = 'none', method, status, ms, login, failure }) => {
    duration.observe({ route, method, status }, ms / 1000)
    if (login !== undefined)
      metrics.count('gatehouse_logins_total', { method: login, result: failure?.reason ?? failure?.code ?? 'ok' })
  })
  app.get('/metrics', { config: { open: 'monitoring, on by configuration' } }, async (_request, reply) =>
    reply.type(register.contentType).send(await (siblings ? addedUp(siblings) : register.metrics())),
  )
}

/** Looks at what is watched whenever it is read, by us or for all workers together. */
class Register extends Registry {
  private readonly look: () => Promise<void>

  constructor(look: () => Promise<void>) {
    super()
    this.look = look
  }

  override async metrics(): Promise<string> {
    await this.look()
    return super.metrics()
  }

  override async getMetricsAsJSON(): ReturnType<Registry['getMetricsAsJSON']> {
    await this.look()
    return super.getMetricsAsJSON()
  }
}

/** Other processes that serve the same port. */
export interface Siblings {
  /** How this one tells what it has counted. */
  onReport(report: () => Promise<unknown[]>): void
  /** What each of them has counted, this one too. */
  gather(): Promise<unknown[][]>
}

const addedUp = async (siblings: Siblings): Promise<string> =>
  AggregatorRegistry.aggregate(await siblings.gather()).metrics()

/** What all workers see alike is not added up. */
const SEEN_ALIKE: ReadonlySet<string> = new Set(['gatehouse_ready', 'gatehouse_sqlite_bytes'])

/** Makes every instrument, lets events flow into them, and gives what reads those that are watched. */
function connect(metrics: Metrics, register: Registry): () => void {
  const counters = new Map<InstrumentName, Counter>()
  const gauges = new Map<InstrumentName, Gauge>()
  const histograms = new Map<InstrumentName, Histogram>()
  for (const name of keysOf(instruments)) {
    const { kind, help, labels } = instruments[name]
    const common = { name, help, labelNames: [...labels], registers: [register] }
    if (kind === 'counter') counters.set(name, new Counter(common))
    else if (kind === 'gauge')
      gauges.set(name, new Gauge({ ...common, ...(SEEN_ALIKE.has(name) ? { aggregator: 'max' as const } : {}) }))
    else histograms.set(name, new Histogram({ ...common, buckets: BUCKETS }))
  }
  metrics.sink = {
    count: (name, labels) => counters.get(name)?.inc({ ...labels }),
    observe: (name, labels, seconds) => histograms.get(name)?.observe({ ...labels }, seconds),
  }
  return () => {
    for (const name of new Set(metrics.watched.map((one) => one.name)))
      (counters.get(name) ?? gauges.get(name))?.reset()
    for (const { name, labels, read } of metrics.watched) {
      counters.get(name)?.inc({ ...labels }, read())
      gauges.get(name)?.set({ ...labels }, read())
    }
  }
}
