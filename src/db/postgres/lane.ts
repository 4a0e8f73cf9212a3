import pg from 'pg'
import { codeOf } from '../../core/error-code.ts'
import { unlessAborted } from '../../core/unless-aborted.ts'
import { type Budget, keepTo } from './budgets.ts'
import { type Answer, type Cancel, Connection } from './connection.ts'
import { type PgError, translate, translateCommit } from './errors.ts'

/** What one connection, or any free one of a pool, answers. */
export type Ask = (query: pg.QueryConfig, signal: AbortSignal | undefined) => Promise<Answer>

/** Behind what was asked before, without waiting for it; that it failed is told by what is asked next. */
export type Send = (query: pg.QueryConfig) => Promise<void>

/**
 * After a refused connection none is tried for a moment: a server that is starting has better to do than to refuse
 * hundreds of them.
 */
export function createRespite(): <T>(ask: () => Promise<T>) => Promise<T> {
  let refusal: PgError | undefined
  let until = 0
  return async (ask) => {
    if (refusal && performance.now() < until) throw refusal
    try {
      return await ask()
    } catch (error) {
      if (/^(ECONNREFUSED|57P03)$/.test(codeOf(error) ?? '')) {
        refusal = error as PgError
        until = performance.now() + RESPITE_MS
      }
      throw error
    }
  }
}
const RESPITE_MS = 100

interface LaneParts {
  url: string
  max: number
  budget: Budget
  cancel: Cancel
  onError: (error: Error) => void
  /** When the commit was sent, by the monotonic clock. */
  onCommitted: (started: number) => void
  unlessRefused: ReturnType<typeof createRespite>
}

/** Connections that keep to one budget. Who has the wrong one waits for nobody else's. */
export class Lane {
  private readonly pool: pg.Pool
  private readonly parts: LaneParts

  constructor(parts: LaneParts) {
    this.parts = parts
    this.pool = new pg.Pool({
      connectionString: parts.url,
      max: parts.max,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      // What a transaction need not wait for is sent together: it is the way there and back that costs.
      pipeline: true,
      application_name: 'gatehouse',
      ...keepTo(parts.budget),
    })
    // Without a listener one terminated idle backend ends the process.
    this.pool.on('error', parts.onError)
  }

  async ask(query: pg.QueryConfig, signal: AbortSignal | undefined): Promise<Answer> {
    const connection = await this.connect(signal)
    try {
      return await connection.query(query, signal)
    } finally {
      connection.release(false)
    }
  }

  /**
   * Once `signal` is aborted nothing is committed any more: the only gap is between the commit that was sent and the
   * answer.
   */
  async transaction<T>(work: (ask: Ask, send: Send) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const connection = await this.connect(signal).catch((error) => {
      throw translate(error)
    })
    let isOpen = true
    try {
      connection.begin(signal)
      const result = await work(
        (query) => connection.query(query, signal),
        (query) => connection.send(query, signal),
      )
      await connection.begun(signal)
      signal?.throwIfAborted()
      connection.assertAlive()
      const started = performance.now()
      await this.commit(connection)
      isOpen = false
      this.parts.onCommitted(started)
      return result
    } catch (error) {
      throw translate(error)
    } finally {
      await connection.release(isOpen, signal)
    }
  }

  /** How many connections there are, how many of them are used, and how many callers wait for one. */
  get counts(): { limit: number; used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool
    return { limit: this.parts.max, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  close(): Promise<void> {
    return this.pool.end()
  }

  private async commit(connection: Connection): Promise<void> {
    // pg takes a time limit per statement; its types do not say so. What was sent before it is within it, too.
    const statement = { text: 'commit', query_timeout: this.parts.budget.commit }
    const { command } = await connection.finish(statement).catch((error) => {
      throw translateCommit(error)
    })
    // A transaction that failed earlier "commits" as a rollback, without an error.
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back: one of its statements failed and was passed over')
  }

  private async connect(signal: AbortSignal | undefined): Promise<Connection> {
    signal?.throwIfAborted()
    const connecting = this.parts.unlessRefused(() => this.pool.connect())
    const giveBack = () => void connecting.then((client) => client.release()).catch(() => undefined)
    return new Connection(await unlessAborted(connecting, signal, giveBack), this.parts.cancel)
  }
}
