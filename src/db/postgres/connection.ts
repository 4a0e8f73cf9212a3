import type pg from 'pg'
import { unlessAborted } from '../../core/unless-aborted.ts'
import { isBreaking } from './errors.ts'

/** Ends what a backend is doing; false when it could not be told. */
export type Cancel = (backend: number) => Promise<boolean>

/** The driver keeps it; its types do not say so. */
interface Backend {
  processID: number
}

/** A connection in use, which its caller can walk away from in the middle of a statement. */
export class Connection {
  private readonly client: pg.PoolClient
  private readonly cancel: Cancel
  private asked: Promise<unknown> = Promise.resolve()
  private cancelled: Promise<boolean> | undefined
  private isBroken = false
  private readonly onError = () => {
    this.isBroken = true
  }

  constructor(client: pg.PoolClient, cancel: Cancel) {
    this.client = client
    this.cancel = cancel
    client.on('error', this.onError)
  }

  /** Once `signal` is aborted its reason is thrown at once; the statement is ended behind it. */
  async query(query: pg.QueryConfig, signal: AbortSignal | undefined): Promise<pg.QueryResult> {
    signal?.throwIfAborted()
    const asked = this.client.query(query)
    this.asked = asked
    try {
      return await unlessAborted(asked, signal, () => this.abandon())
    } catch (error) {
      if (!this.cancelled && isBreaking(error)) this.isBroken = true
      throw error
    }
  }

  private abandon(): void {
    this.cancelled = this.cancel((this.client as unknown as Backend).processID)
  }

  /**
   * Gives it back, rolled back first where a transaction is open. Whoever walked away does not wait for that: what was begun and
   * not committed is undone in any case, with the connection if need be.
   */
  release(isOpen: boolean): void | Promise<void> {
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
    this.client.off('error', this.onError)
    this.client.release(this.isBroken)
  }
}
