import { setTimeout as delay } from 'node:timers/promises'

/** So long somebody writes without a break, where others write too. */
const BURST_MS = 100
/** And leaves them so long to begin: they look more often than that (sessions.ts). */
const GAP_MS = 12

/** SQLite has no queue across connections: whoever writes on and on would keep the others out until they give up. */
export class Gaps {
  private since = Number.NEGATIVE_INFINITY
  private ended = Number.NEGATIVE_INFINITY

  /** Before a transaction begins. */
  async leave(): Promise<void> {
    if (performance.now() - this.ended >= GAP_MS) this.since = performance.now()
    if (performance.now() - this.since < BURST_MS) return
    await delay(GAP_MS)
    this.since = performance.now()
  }

  /** One has ended. */
  end(): void {
    this.ended = performance.now()
  }
}
