import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Rounds } from '../../core/rounds.ts'
import type { SqliteStorage } from './storage.ts'

/** Commits after which the log is copied into the database, and bytes by which it has grown since. */
const COMMITS = 500
const GROWTH = 8 * 1024 * 1024
/** A log of so many pages is copied to its end while nobody writes: else it would never begin anew. */
const LONG_LOG = 8000
/** A thread that had nothing to do for so long ends. */
const IDLE_MS = 30_000

const sync = promisify(fdatasync)

/**
 * The write-ahead log of a SQLite file. SQLite writes it and does not wait for the disk (`synchronous = normal`); that
 * is done here, beside the event loop, and once for all who have committed by then. Copying the log into the database
 * is done in a thread.
 */
export class SqliteWal {
  private readonly path: string
  private readonly storage: SqliteStorage
  private file: number | undefined
  private readonly syncs = new Rounds(() => this.sync())
  private commits = 0
  private size = 0
  /** How long the log was when it was last copied: it begins anew at its start and does not become shorter. */
  private copied = 0
  private copying: Promise<void> | undefined
  private thread: Worker | undefined
  private asked: Pick<PromiseWithResolvers<number>, 'resolve' | 'reject'> | undefined
  private idle: NodeJS.Timeout | undefined

  constructor(path: string, storage: SqliteStorage) {
    this.path = path
    this.storage = storage
  }

  /** Resolves once everything that is committed by now is on the disk. */
  durable(): Promise<void> {
    this.commits += 1
    return this.syncs.join()
  }

  /** Copies the log into the database where it is long enough; `alone` runs its work while nobody writes. */
  tidy(alone: (work: () => Promise<void>) => Promise<void>): void {
    if (this.copying || (this.commits < COMMITS && this.size < GROWTH)) return
    this.commits = 0
    this.copying = this.copy(alone).finally(() => {
      this.copying = undefined
    })
  }

  /** Ends the thread where it has nothing to do. */
  rest(): void {
    if (!this.copying) void this.end()
  }

  async close(): Promise<void> {
    await this.syncs.end()
    await this.copying
    await this.end()
    if (this.file !== undefined) closeSync(this.file)
  }

  private async sync(): Promise<void> {
    try {
      // The log is there from the first commit on and for as long as a connection is open.
      this.file ??= openSync(`${this.path}-wal`, 'r+')
      await sync(this.file)
      // Takes a microsecond here; a thread and back would take the loop twenty times as long.
      this.size = fstatSync(this.file).size - this.copied
    } catch (error) {
      throw this.storage.notKept(error)
    }
  }

  private async copy(alone: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    try {
      if ((await this.ask()) > LONG_LOG) await alone(async () => void (await this.ask()))
      this.copied += this.size
      this.size = 0
    } catch {
      // The disk may be full or the file away: whoever writes next hears of it. It is tried again then.
    }
  }

  private ask(): Promise<number> {
    clearTimeout(this.idle)
    this.thread ??= this.start()
    const { thread } = this
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.asked = { resolve, reject }
    thread.ref()
    thread.postMessage('copy')
    return promise.finally(() => {
      this.asked = undefined
      thread.unref()
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref()
    })
  }

  private async end(): Promise<void> {
    const { thread } = this
    clearTimeout(this.idle)
    this.thread = undefined
    await thread?.terminate()
  }

  private start(): Worker {
    const thread = new Worker(new URL('./checkpoint.ts', import.meta.url), { workerData: this.path, execArgv: [] })
    const onEnd = (error: unknown) => {
      // One that was let go of may end while the next is asked.
      if (this.thread !== thread) return
      this.thread = undefined
      this.asked?.reject(error instanceof Error ? error : new Error('the thread that copies the log has ended'))
    }
    return thread
      .on('message', (done: number) => this.asked?.resolve(done))
      .on('error', onEnd)
      .on('exit', onEnd)
  }
}
