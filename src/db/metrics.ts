import { perEngine } from './kept/per-engine.ts'

interface Instrument {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
}

const SECONDS = { kind: 'histogram', labels: [] } as const

/** Everything that is measured beside requests, under the names that dashboards and alerts know. */
export const instruments = {
  gatehouse_ready: {
    kind: 'gauge',
    labels: [],
    help: '1: the database answers and keeps what is written, as /readyz says.',
  },
  gatehouse_db_commit_seconds: { ...SECONDS, help: 'Time that a commit takes.' },
  gatehouse_db_writers_waiting: { kind: 'gauge', labels: [], help: 'Changes that wait for their turn.' },
  gatehouse_db_connections: {
    kind: 'gauge',
    labels: ['lane', 'state'],
    help: 'Connections to PostgreSQL by what they are for: used, idle, and callers that wait for one.',
  },
  gatehouse_db_connections_limit: { kind: 'gauge', labels: ['lane'], help: 'Connections to PostgreSQL at most.' },
  gatehouse_db_listener_connected: {
    kind: 'gauge',
    labels: [],
    help: '1: changes of other processes are heard of (PostgreSQL).',
  },
  gatehouse_sqlite_bytes: { kind: 'gauge', labels: ['file'], help: 'Size of the database file and of its log (wal).' },
  gatehouse_sqlite_readings: {
    kind: 'gauge',
    labels: ['state'],
    help:
      'Long readings off the event loop (SQLite): those under way (reading) and those that wait for a thread ' +
      '(waiting).',
  },
  gatehouse_cache_hits_total: { kind: 'counter', labels: ['cache'], help: 'Answers from memory.' },
  gatehouse_cache_misses_total: {
    kind: 'counter',
    labels: ['cache'],
    help: 'Answers that were not in memory, or not up to date.',
  },
  gatehouse_cache_entries: { kind: 'gauge', labels: ['cache'], help: 'Entries in memory.' },
  gatehouse_streams: { kind: 'gauge', labels: ['feed'], help: 'Streams of server-sent events that are open.' },
  gatehouse_webhook_deliveries_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Attempts to send to a webhook: delivered or failed.',
  },
  gatehouse_webhook_queue: { kind: 'gauge', labels: [], help: 'Messages that this process has read and not yet sent.' },
  gatehouse_webhook_lag_seconds: {
    kind: 'gauge',
    labels: [],
    help: 'Age of the oldest message that this process has not yet sent.',
  },
  gatehouse_job_runs_total: {
    kind: 'counter',
    labels: ['job', 'result'],
    help: 'Runs of what works beside requests: done or failed.',
  },
  gatehouse_job_seconds: { kind: 'histogram', labels: ['job'], help: 'Time that a run takes.' },
  gatehouse_ingest_seconds: { ...SECONDS, help: 'From the arrival of events to their commit.' },
  gatehouse_events_waiting: { kind: 'gauge', labels: [], help: 'Events that wait to be stored.' },
  gatehouse_logins_total: {
    kind: 'counter',
    labels: ['method', 'result'],
    help: 'Logins: ok, or the reason of the refusal.',
  },
  gatehouse_systems: {
    kind: 'gauge',
    labels: ['state'],
    help: 'Access control systems that this process attends to: in_sync, asking, refusing, failing, offline.',
  },
  gatehouse_commands_total: {
    kind: 'counter',
    labels: ['result'],
    help: 'Commands to doors: confirmed, failed, timed_out.',
  },
  gatehouse_system_failures_total: {
    kind: 'counter',
    labels: ['kind'],
    help: 'Attempts to attend to a system that failed.',
  },
  gatehouse_mail_deliveries_total: { kind: 'counter', labels: ['result'], help: 'Letters: sent, put_off or given_up.' },
} as const satisfies Record<string, Instrument>

export type InstrumentName = keyof typeof instruments
export type Labels = Readonly<Record<string, string>>

/** Where events go while somebody looks. */
export interface MetricsSink {
  count(name: InstrumentName, labels: Labels): void
  observe(name: InstrumentName, labels: Labels, seconds: number): void
}

interface Watched {
  readonly name: InstrumentName
  readonly labels: Labels
  /** Asked for when somebody looks. */
  readonly read: () => number
}

/** What the parts of the house report to. As long as nobody looks (METRICS=off) it costs nothing and loads nothing. */
export class Metrics {
  sink: MetricsSink | undefined
  readonly watched: Watched[] = []

  count(name: InstrumentName, labels: Labels = {}): void {
    this.sink?.count(name, labels)
  }

  /** Since `started`, by the monotonic clock. */
  observe(name: InstrumentName, started: number, labels: Labels = {}): void {
    this.sink?.observe(name, labels, (performance.now() - started) / 1000)
  }

  watch(name: InstrumentName, labels: Labels, read: () => number): void {
    this.watched.push({ name, labels, read })
  }

  /** A cache tells by itself what it had and what it had not. */
  watchCache(cache: string, entries: () => number): { hits: number; misses: number } {
    const asked = { hits: 0, misses: 0 }
    this.watch('gatehouse_cache_hits_total', { cache }, () => asked.hits)
    this.watch('gatehouse_cache_misses_total', { cache }, () => asked.misses)
    this.watch('gatehouse_cache_entries', { cache }, entries)
    return asked
  }
}

export const metricsOf = perEngine(() => new Metrics())
