import { setTimeout as delay } from 'node:timers/promises'
import { sqliteNumberOf } from '../../core/error-code.ts'
import type { LoopTurn } from '../../core/loop-turn.ts'
import type { Extent, Session } from '../engine.ts'
import type { SqliteConnection } from './connection.ts'
import type { SqliteRoutes } from './route.ts'
import type { SqliteStorage } from './storage.ts'
import type { SqliteThreads, ThreadOptions } from './threads.ts'

const BUSY = 5
/** How long another process may hold what we need. */
const PATIENCE_MS = 5000
const LONGEST_PAUSE_MS = 5

export const isBusy = (error: unknown): boolean => (sqliteNumberOf(error) ?? 0) % 256 === BUSY

/** Tries again while another process holds what we need; the event loop goes on meanwhile. */
export async function patiently<T>(
  storage: SqliteStorage,
  attempt: () => T,
  { since = performance.now(), patienceMs = PATIENCE_MS } = {},
): Promise<T> {
  for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > patienceMs) throw storage.translate(error)
    }
    await delay(pause)
  }
}

/** What a reading may take in a thread. */
type Pace = Pick<ThreadOptions, 'withinMs' | 'isUnhurried'>

interface ReaderParts {
  routes: SqliteRoutes
  threads: SqliteThreads
  turn: LoopTurn
  storage: SqliteStorage
}

/** What is committed, read where it takes the event loop no time. */
export class SqliteReader implements Session {
  private readonly parts: ReaderParts
  private readonly pace: Pace

  constructor(parts: ReaderParts, pace: Pace) {
    this.parts = parts
    this.pace = pace
  }

  async all<Row>(text: string, values: unknown[], signal?: AbortSignal, extent?: Extent): Promise<Row[]> {
    const { routes, threads, turn, storage } = this.parts
    const wait = turn.take()
    if (wait) await wait
    signal?.throwIfAborted()
    const readHere = () => (routes.isQuick(text, extent) ? routes.read<Row>(text, values) : undefined)
    let rows: Row[] | undefined
    try {
      rows = readHere()
    } catch (error) {
      if (!isBusy(error)) throw storage.translate(error)
      rows = await patiently(storage, readHere)
    }
    if (rows) return rows
    try {
      return await threads.all<Row>(text, values, { ...this.pace, signal })
    } catch (error) {
      throw storage.translate(error)
    }
  }

  run(): Promise<number> {
    throw new Error('what is outside a transaction only reads')
  }

  send(): Promise<number> {
    return this.run()
  }

  script(): Promise<void> {
    throw new Error('what is outside a transaction only reads')
  }
}

/**
 * The inside of a transaction. Only the main thread writes: a write takes microseconds, a way to another thread and
 * back more.
 */
export class SqliteWriter implements Session {
  private readonly connection: SqliteConnection
  private readonly turn: LoopTurn
  private readonly storage: SqliteStorage
  private readonly stop: AbortSignal | undefined

  constructor(connection: SqliteConnection, turn: LoopTurn, storage: SqliteStorage, stop?: AbortSignal) {
    this.connection = connection
    this.turn = turn
    this.storage = storage
    this.stop = stop
  }

  /**
   * The same for one transaction, which does no more once this is aborted: everybody else who writes waits for its end.
   */
  until(stop: AbortSignal | undefined): SqliteWriter {
    return stop ? new SqliteWriter(this.connection, this.turn, this.storage, stop) : this
  }

  all<Row>(text: string, values: unknown[]): Promise<Row[]> {
    return this.in(() => this.connection.all<Row>(text, values))
  }

  run(text: string, values: unknown[]): Promise<number> {
    return this.in(() => this.connection.run(text, values))
  }

  send(text: string, values: unknown[]): Promise<number> {
    return this.run(text, values)
  }

  async script(text: string): Promise<void> {
    this.connection.db.exec(text)
  }

  private async in<T>(work: () => T): Promise<T> {
    const wait = this.turn.take()
    if (wait) await wait
    this.stop?.throwIfAborted()
    try {
      return work()
    } catch (error) {
      throw this.storage.translate(error)
    }
  }
}
