import { Worker } from 'node:worker_threads'
import { databaseAway, tooManyReaders, tooSlow } from '../../core/errors.ts'
import { named } from './connection.ts'
import type { Asked, ThreadData, Told } from './thread.ts'

export interface ThreadLimits {
  /** Threads at once. Each takes about ten megabytes, and a processor while it reads. */
  threads: number
  /** Readings that wait for a thread; more are refused. */
  waiting: number
  /** A thread that had nothing to do for so long ends. */
  idleMs: number
}

const LIMITS: ThreadLimits = { threads: 2, waiting: 100, idleMs: 60_000 }

/**
 * Rows are garbage as soon as they are handed over: more room for the young only takes memory, twenty megabytes of each
 * thread.
 */
const HEAP = { maxYoungGenerationSizeMb: 6 }

interface Reading extends Asked {
  isUnhurried: boolean
  rows: unknown[]
  /** Once only; what comes later is passed over. */
  settle(error: unknown, rows?: unknown[]): void
}

interface Thread {
  worker: Worker
  reading: Reading | undefined
  idle: NodeJS.Timeout | undefined
}

export interface ThreadOptions {
  signal?: AbortSignal | undefined
  /** How long it may take, the time it waits for a thread included. */
  withinMs: number
  /** Lets others go first, and is never refused: there are few of them. */
  isUnhurried?: boolean
}

/**
 * Reads in threads, so that the event loop goes on. Threads are started when they are needed. One whose reading is
 * given up ends: SQLite has no other way to stop a statement here, and even so one that calls nothing of ours is ended
 * only once it is through. Until then the thread counts, so that there are never more than twice as many as there may
 * be.
 */
export class SqliteThreads {
  private readonly path: string
  private readonly limits: ThreadLimits
  private readonly threads = new Set<Thread>()
  private readonly waiting = new Set<Reading>()
  private ending = 0

  constructor(path: string, limits: Partial<ThreadLimits> = {}) {
    this.path = path
    this.limits = { ...LIMITS, ...limits }
  }

  all<Row>(text: string, values: unknown[], { signal, withinMs, isUnhurried = false }: ThreadOptions): Promise<Row[]> {
    signal?.throwIfAborted()
    if (!isUnhurried && this.waiting.size >= this.limits.waiting) throw tooManyReaders()
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
    const giveUp = (reason: unknown) => {
      reading.settle(reason)
      this.abandon(reading)
    }
    const onAbort = () => giveUp(signal?.reason)
    const timer = setTimeout(() => giveUp(tooSlow()), withinMs)
    signal?.addEventListener('abort', onAbort)
    const reading: Reading = {
      text,
      values,
      isUnhurried,
      rows: [],
      settle(error, rows) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        if (rows) resolve(rows as Row[])
        else reject(error)
      },
    }
    this.waiting.add(reading)
    this.next()
    return promise
  }

  get counts(): { started: number; reading: number; waiting: number } {
    return {
      started: this.threads.size,
      reading: this.threads
        .values()
        .filter(({ reading }) => reading)
        .toArray().length,
      waiting: this.waiting.size,
    }
  }

  /** Ends those that have nothing to do. */
  rest(): void {
    for (const thread of this.threads) if (!thread.reading) void this.end(thread)
  }

  async close(): Promise<void> {
    for (const reading of this.waiting) reading.settle(databaseAway(new Error('the database was closed')))
    this.waiting.clear()
    await Promise.all(
      [...this.threads].map((thread) => this.end(thread, databaseAway(new Error('the database was closed')))),
    )
  }

  /** Gives whoever is in a hurry and waits longest a thread, if one is free or may be started. */
  private next(): void {
    const [first] = this.waiting
    const reading = first?.isUnhurried ? (this.waiting.values().find((other) => !other.isUnhurried) ?? first) : first
    if (!reading) return
    const thread = this.free() ?? this.start()
    if (!thread) return
    this.waiting.delete(reading)
    clearTimeout(thread.idle)
    thread.reading = reading
    // Only while somebody waits for it does a thread keep the process alive.
    thread.worker.ref()
    const asked: Asked = { text: reading.text, values: reading.values }
    thread.worker.postMessage(asked)
  }

  private free(): Thread | undefined {
    for (const thread of this.threads) if (!thread.reading) return thread
    return undefined
  }

  private start(): Thread | undefined {
    const { threads } = this.limits
    if (this.threads.size >= threads || this.threads.size + this.ending >= 2 * threads) return undefined
    const workerData: ThreadData = { path: this.path }
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData,
      execArgv: [],
      resourceLimits: HEAP,
    })
    const thread: Thread = { worker, reading: undefined, idle: undefined }
    worker.on('message', (told: Told) => this.hear(thread, told))
    worker.on('error', (error) => void this.end(thread, databaseAway(error)))
    this.threads.add(thread)
    return thread
  }

  private hear(thread: Thread, told: Told): void {
    const { reading } = thread
    if (!reading) return
    if ('failure' in told) {
      this.release(thread)
      reading.settle(Object.assign(new Error(told.failure.message), { errcode: told.failure.errcode }))
      return
    }
    for (const row of named(told.rows, told.columns)) reading.rows.push(row)
    if (!told.isLast) return
    this.release(thread)
    reading.settle(undefined, reading.rows)
  }

  private release(thread: Thread): void {
    thread.reading = undefined
    thread.worker.unref()
    thread.idle = setTimeout(() => void this.end(thread), this.limits.idleMs).unref()
    this.next()
  }

  private abandon(reading: Reading): void {
    if (this.waiting.delete(reading)) return
    for (const thread of this.threads) if (thread.reading === reading) void this.end(thread)
  }

  private async end(thread: Thread, reason?: unknown): Promise<void> {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.idle)
    thread.reading?.settle(reason)
    thread.reading = undefined
    this.ending++
    const ended = thread.worker.terminate()
    this.next()
    await ended
    this.ending--
    this.next()
  }
}
