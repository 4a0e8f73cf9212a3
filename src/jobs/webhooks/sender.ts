import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, neverAhead } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import type { MailOutbox } from '../../db/mails.ts'
import { metricsOf } from '../../db/metrics.ts'
import { allFeeds } from '../../live/feeds.ts'
import { newsOf } from '../../live/news.ts'
import type { Call } from '../../net/calls.ts'
import { type Later, repeat } from '../repeat.ts'
import { Pump, type PumpParts } from './pump.ts'
import { findFree, type Key, prolong, release } from './state.ts'

const LOOK_MS = 1000

export interface SenderParts {
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  mail: MailOutbox
  call: Call
  /** How long a receiver may take. */
  timeoutMs?: number
}

interface Held {
  readonly pump: Pump
  running: Promise<void> | undefined
  isWanted: boolean
  /** Until what it has sent is written down. */
  keeping: NodeJS.Timeout | undefined
  stopListening(): void
}

/**
 * Sends for the webhooks that this process holds a lease on, each by itself: one that is slow or dead holds up no
 * other. Woken when a feed grows, and every second for what is due again.
 */
export class WebhookSender {
  private readonly parts: SenderParts
  /** A clock that jumps ahead makes nobody give up. */
  private readonly steady: Clock
  private readonly owner = randomUUID()
  private readonly held = new Map<string, Held>()
  private readonly stopping = new AbortController()

  constructor(parts: SenderParts) {
    this.parts = parts
    this.steady = neverAhead(parts.clock)
    this.steady.now()
    const metrics = metricsOf(parts.engine)
    metrics.watch('gatehouse_webhook_queue', {}, () => this.pumps().reduce((sum, { waiting }) => sum + waiting, 0))
    metrics.watch('gatehouse_webhook_lag_seconds', {}, () => this.lagSeconds())
  }

  /** Takes on what nobody sends for, and sends what is due. */
  async look(): Promise<void> {
    const { engine, clock } = this.parts
    await this.prolong()
    for (const key of await findFree(engine, clock.now())) this.take(key)
    for (const held of this.held.values()) this.wake(held)
  }

  /** When everything that can be sent now has been, and is written down. */
  async settled(): Promise<void> {
    while (this.held.values().some(({ running, keeping }) => running || keeping)) {
      for (const held of this.held.values()) if (held.keeping) this.keep(held)
      await Promise.all(this.held.values().map(({ running }) => running))
    }
  }

  async close(): Promise<void> {
    this.stopping.abort(new Error('the service stops'))
    await this.settled()
    for (const key of [...this.held.keys()]) await this.drop(key)
  }

  /** A receiver may take longer to answer than a lease lasts. What is not ours any more its own pump finds out. */
  private async prolong(): Promise<void> {
    const { engine, clock } = this.parts
    const due = this.pumps().filter(({ isDue }) => isDue)
    for (const org of new Set(due.map(({ key }) => key.org))) {
      const asked = clock.elapsed()
      const ours = await prolong(engine, org, clock.now(), this.owner)
      for (const pump of this.pumps()) if (pump.key.org === org && ours.has(pump.key.id)) pump.prolonged(asked)
    }
  }

  private take(key: Key): void {
    const name = nameOf(key)
    if (this.held.has(name) || this.stopping.signal.aborted) return
    const { engine, clock: wall, call, mail, timeoutMs } = this.parts
    const parts: PumpParts = {
      engine,
      clock: this.steady,
      wall,
      call,
      mail,
      owner: this.owner,
      signal: this.stopping.signal,
    }
    const held: Held = {
      pump: new Pump(key, timeoutMs === undefined ? parts : { ...parts, timeoutMs }),
      running: undefined,
      isWanted: false,
      keeping: undefined,
      stopListening: () => {
        for (const stop of stops) stop()
      },
    }
    const stops = allFeeds.map((feed) => newsOf(engine).listen(key.org, feed.name, () => this.wake(held)))
    this.held.set(name, held)
  }

  /** Never twice at once for one webhook; what comes meanwhile is looked for afterwards. */
  private wake(held: Held): void {
    held.isWanted = true
    held.running ??= this.run(held).finally(() => this.rest(held))
  }

  private rest(held: Held): void {
    held.running = undefined
    clearTimeout(held.keeping)
    const { keepsIn } = held.pump
    held.keeping = keepsIn === undefined ? undefined : setTimeout(() => this.keep(held), keepsIn)
  }

  /** Writes down what it has sent, where nothing more has come since. */
  private keep(held: Held): void {
    clearTimeout(held.keeping)
    held.keeping = undefined
    const failed = (err: unknown) => this.warn(err, held.pump.key)
    held.running ??= held.pump
      .flush()
      .catch(failed)
      .then(() => this.run(held))
      .finally(() => this.rest(held))
  }

  private async run(held: Held): Promise<void> {
    const { key } = held.pump
    while (held.isWanted && !this.stopping.signal.aborted) {
      held.isWanted = false
      try {
        if (await held.pump.run()) continue
        await this.drop(nameOf(key))
        return
      } catch (err) {
        this.warn(err, key)
        return
      }
    }
  }

  private warn(err: unknown, { id }: Key): void {
    this.parts.logger.warn({ err, webhook: id }, 'a webhook could not be sent for; it is tried again')
  }

  private async drop(name: string): Promise<void> {
    const held = this.held.get(name)
    if (!held) return
    this.held.delete(name)
    held.stopListening()
    const { engine, clock } = this.parts
    await held.pump.flush().catch(() => undefined)
    await release(engine, held.pump.key, clock.now(), this.owner).catch(() => undefined)
  }

  private pumps(): Pump[] {
    return [...this.held.values()].map(({ pump }) => pump)
  }

  private lagSeconds(): number {
    const now = Date.parse(this.parts.clock.now())
    return Math.max(
      0,
      ...this.pumps().map(({ oldestAt }) => (oldestAt === undefined ? 0 : (now - Date.parse(oldestAt)) / 1000)),
    )
  }
}

const nameOf = ({ org, id }: Key): string => `${org} ${id}`

export function startWebhooks(parts: SenderParts, schedule?: Later): { stop: () => Promise<void> } {
  const sender = new WebhookSender(parts)
  const failed = (err: unknown) => parts.logger.warn({ err }, 'webhooks could not be looked for; it is tried again')
  const job = repeat(
    { name: 'webhooks', engine: parts.engine, run: () => sender.look(), failed },
    { firstMs: 0, everyMs: LOOK_MS },
    schedule,
  )
  return {
    stop: async () => {
      await job.stop()
      await sender.close()
    },
  }
}
