import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { unlessAborted } from '../../core/unless-aborted.ts'
import { isBreaking } from './errors.ts'

/** Ends what a backend is doing; false when it could not be told. */
export type Cancel = (backend: number) => Promise<boolean>

/** The driver keeps it; its types do not say so. */
interface Backend {
  processID: number
  connection: { stream: Duplex }
}

/** What was answered. */
export type Answer = Pick<pg.QueryResult, 'rows' | 'rowCount' | 'command'>

/**
 * The driver's statements hold on to each other, and each to its result: what lies in the heap for longer than a moment
 * would keep the rows of all that come behind it, until the whole heap is looked through.
 */
function taken(result: pg.QueryResult): Answer {
  const { rows, rowCount, command } = result
  result.rows = []
  return { rows, rowCount, command }
}

/** Leaves nothing behind, in a transaction or out of one. */
const LOOKS = /^\s*select\b/i

/** A connection in use, which its caller can walk away from in the middle of a statement. */
export class Connection {
  private readonly client: pg.PoolClient
  private readonly cancel: Cancel
  private asked: Promise<unknown> = Promise.resolve()
  /** What was sent and not waited for yet. */
  private sent: Array<Promise<unknown>> = []
  /** Until the server has said that the transaction has begun. */
  private beginning: Promise<void> | undefined
  private cancelled: Promise<boolean> | undefined
  private isBroken = false
  /** The commit was sent, or it is given back: what came now would be outside the transaction, or in another's. */
  private isOver = false
  private isLost = false
  private readonly onError = () => {
    this.isBroken = true
  }
  private readonly onLost = () => {
    this.isLost = true
    this.onError()
  }

  constructor(client: pg.PoolClient, cancel: Cancel) {
    this.client = client
    this.cancel = cancel
    client.on('error', this.onLost)
  }

  /** A transaction. What only looks leaves with it and learns of its failure; what would stay without it waits. */
  begin(signal: AbortSignal | undefined): void {
    this.leave({ text: 'begin' }, signal)
    const begun = this.asked.then(() => {
      this.beginning = undefined
    })
    begun.catch(() => undefined)
    this.beginning = begun
  }

  /**
   * Behind all before it, without waiting for those or for it: whoever asks next learns whether it failed. It leaves
   * together with what is asked in the same turn.
   */
  async send(query: pg.QueryConfig, signal: AbortSignal | undefined): Promise<void> {
    if (this.beginning) await this.begun(signal)
    this.leave(query, signal)
  }

  /** Once the transaction has begun; where it has not, whoever waits learns why. */
  async begun(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.beginning) await unlessAborted(this.beginning, signal, () => this.abandon())
  }

  private leave(query: pg.QueryConfig, signal: AbortSignal | undefined): void {
    this.assertOpen(signal)
    const { stream } = this.backend.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    const asked = this.client.query(query)
    this.asked = asked
    asked.catch(() => undefined)
    this.sent.push(asked)
  }

  /** Once `signal` is aborted its reason is thrown at once; the statement is ended behind it. */
  async query(query: pg.QueryConfig, signal: AbortSignal | undefined): Promise<Answer> {
    if (this.beginning && !LOOKS.test(query.text ?? '')) await this.begun(signal)
    this.assertOpen(signal)
    const asked = this.client.query(query)
    this.asked = asked
    // Of several the first that failed says why.
    const answered = this.sent.length === 0 ? asked : Promise.all([...this.sent.splice(0), asked]).then(() => asked)
    try {
      return taken(await unlessAborted(answered, signal, () => this.abandon()))
    } catch (error) {
      if (!this.cancelled && isBreaking(error)) this.isBroken = true
      throw error
    }
  }

  /** What was lost before the commit was sent is not committed. */
  assertAlive(): void {
    if (this.isLost) throw new Error('the connection was lost before the commit')
  }

  /** The last statement: whoever is still at something behind it asks in vain. */
  finish(query: pg.QueryConfig): Promise<Answer> {
    const answered = this.query(query, undefined)
    this.isOver = true
    return answered
  }

  private assertOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted()
    if (this.isOver) throw new Error('a statement of a transaction that is over: whoever made it was not waited for')
  }

  /**
   * Several may have been asked for at once: one word ends them all. None goes out for what is left of a transaction
   * that is over: whoever has the connection next would be hit.
   */
  private abandon(): void {
    if (!this.isOver) this.cancelled ??= this.cancel(this.backend.processID)
  }

  private get backend(): Backend {
    return this.client as unknown as Backend
  }

  /**
   * Gives it back, rolled back first where a transaction is open. Whoever walked away does not wait for that: what was
   * begun and not committed is undone in any case, with the connection if need be.
   */
  release(isOpen: boolean, signal?: AbortSignal): void | Promise<void> {
    if (isOpen && signal?.aborted && this.sent.length > 0) this.abandon()
    this.isOver = true
    if (this.cancelled) void this.settle(this.cancelled).then(() => (isOpen ? this.rollBack() : this.giveBack()))
    else if (isOpen) return this.rollBack()
    else this.giveBack()
  }

  /** The cancellation must have arrived before anybody else has the connection: it would end what they ask. */
  private async settle(cancelled: Promise<boolean>): Promise<void> {
    const [isTold] = await Promise.all([cancelled, this.asked.catch((error) => isBreaking(error) && this.onError())])
    if (!isTold) this.isBroken = true
  }

  private async rollBack(): Promise<void> {
    if (!this.isBroken) await this.client.query('rollback').catch(this.onError)
    this.giveBack()
  }

  private giveBack(): void {
    this.client.off('error', this.onLost)
    this.client.release(this.isBroken)
  }
}
