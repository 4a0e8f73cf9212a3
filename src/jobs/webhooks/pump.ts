import { randomUUIDv7 } from 'node:crypto'
import type { Rights } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import type { MailOutbox } from '../../db/mails.ts'
import { metricsOf } from '../../db/metrics.ts'
import { OrgHandle } from '../../db/org.ts'
import { resourcesOf } from '../../db/resources.ts'
import { canHave, type Feed, type FeedItem } from '../../live/feed.ts'
import { allFeeds } from '../../live/feeds.ts'
import type { Call } from '../../net/calls.ts'
import { type Outcome, sendWebhook } from '../../net/webhook.ts'
import { secretsOf } from '../../resources/webhooks/queries.ts'
import { disableWebhook } from './disable.ts'
import { rightsOfOwner } from './owner.ts'
import { type Delivery, findSending, type Key, keep, LEASE_MS, lease, PASSED_OVER, type Sending } from './state.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** How long to wait after each failed attempt; the last one again and again. */
const GAPS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]
/** After a failure alone. One that waits longer than the longest gap waits by a clock that was ahead. */
const isWaiting = ({ failure_count, next_at }: Sending, now: string): boolean =>
  failure_count > 0 && next_at > now && Date.parse(next_at) - Date.parse(now) <= (GAPS.at(-1) ?? 0)
const GIVE_UP_MS = 72 * HOUR
const TIMEOUT_MS = 10 * SECOND
const PAGE = 50
/** A page is sent for so long: by then its owner may read less, and it may be to send elsewhere, or nothing at all. */
const FRESH_MS = 500
/** What was delivered is written down after so long: what is not written when the process dies is sent again. */
const KEEP_MS = 200

export interface PumpParts {
  engine: Engine
  /** By which it waits, and gives up. */
  clock: Clock
  /** The machine's, which others have as well: by it a receiver sees when something was sent, and a lease ends. */
  wall: Clock
  call: Call
  mail: MailOutbox
  /** Names this process among those that send. */
  owner: string
  signal: AbortSignal
  timeoutMs?: number
}

interface Queued {
  feed: Feed
  item: FeedItem
}

/** What was not kept for as long as it waited: everything after one sequence, up to another. */
interface PassedOver {
  feed: Feed
  from: number
  to: number
}

const isSentOf = ({ engine }: OrgHandle, feed: Feed, types: readonly string[]): boolean =>
  types.some((type) => canHave(feed, resourcesOf(engine), type))

/** Sends what waits for one webhook, in order, one message after the other. */
export class Pump {
  readonly key: Key
  private readonly parts: PumpParts
  private leasedAt = Number.NEGATIVE_INFINITY
  private done: Delivery[] = []
  /** How far it has come, where that is not written down yet. */
  private ahead: Sending | undefined
  private keptAt = performance.now()
  /** The feed of what was delivered last. */
  private sentOf: Feed | undefined
  /** What it knows to be waiting, for those who watch. */
  waiting = 0
  oldestAt: string | undefined

  constructor(key: Key, parts: PumpParts) {
    this.key = key
    this.parts = parts
  }

  /** Until nothing waits, or it does not arrive. False: somebody else sends for it, or it is to send no longer. */
  async run(): Promise<boolean> {
    for (;;) {
      if (!(await this.isOurs())) return false
      const handle = this.handle()
      const found = await findSending(handle, this.key.id)
      if (found?.status !== 'active') return false
      const sending = await this.goneOn(found)
      if (isWaiting(sending, handle.instant) || this.parts.signal.aborted) return true
      const rights = await rightsOfOwner(handle, sending.owner_id)
      const blocked_reason = typeof rights === 'string' ? rights : null
      if (blocked_reason !== sending.blocked_reason) await this.keep({ ...sending, blocked_reason })
      if (typeof rights === 'string') return true
      if (!(await this.sendPage(handle, { ...sending, blocked_reason: null }, rights))) return true
    }
  }

  /** False: there is nothing more to do now. */
  private async sendPage(handle: OrgHandle, sending: Sending, rights: Rights): Promise<boolean> {
    const readAt = this.parts.clock.elapsed()
    const { queue, cursors, passedOver } = await this.next(handle, sending, rights)
    const isMoved = Object.entries(cursors).some(([name, after]) => after !== sending.cursors[name])
    if (!isMoved) {
      if (this.keepsIn === 0) await this.flush()
      return this.idle()
    }
    let state = sending
    // Told once: where it goes on is kept with it, whatever becomes of what follows.
    if (passedOver.length > 0) {
      state = { ...sending, cursors: { ...sending.cursors, ...this.tellPassedOver(handle.instant, passedOver) } }
      if (!(await this.keep(state))) return true
    }
    const secrets = await secretsOf(handle, this.key.id)
    for (const [nth, { feed, item }] of queue.entries()) {
      if (nth > 0 && this.parts.clock.elapsed() - readAt >= FRESH_MS) {
        // A feed of which nothing is left is read on from its end: the rest of its page is not for the owner to see.
        const left = new Set<string>(queue.slice(nth).map(({ feed: { name } }) => name))
        const through = Object.entries(cursors).filter(([name]) => !left.has(name))
        this.ahead = { ...state, cursors: { ...state.cursors, ...Object.fromEntries(through) } }
        return true
      }
      this.waiting = queue.length - nth
      this.oldestAt = item.occurred_at
      if (this.parts.signal.aborted || !(await this.isOurs())) return false
      const outcome = await this.attempt(state, secrets, feed, item)
      if (!outcome.isDelivered) return this.fail(state, outcome)
      this.sentOf = feed
      state = {
        ...state,
        cursors: { ...state.cursors, [feed.name]: item.sequence },
        failure_count: 0,
        failing_since: null,
      }
      this.ahead = state
      if (this.keepsIn === 0 && !(await this.flush())) return true
    }
    // Past what is not for the owner to see, too.
    this.ahead = { ...state, cursors }
    if (this.keepsIn === 0) await this.flush()
    return true
  }

  /** Where it is, unless somebody has set that meanwhile. */
  private async goneOn(found: Sending): Promise<Sending> {
    const { ahead } = this
    if (!ahead) return found
    if (ahead.generation !== found.generation) {
      // What was sent was sent, and is on the list; where it is stays as it was set.
      await this.flush()
      return found
    }
    const { cursors, failure_count, failing_since } = ahead
    this.ahead = { ...found, cursors, failure_count, failing_since }
    return this.ahead
  }

  /** After how many milliseconds it should be written down how far it has come; undefined: it is. */
  get keepsIn(): number | undefined {
    return this.ahead && Math.max(0, this.keptAt + KEEP_MS - performance.now())
  }

  /** False: somebody else sends by now, or somebody has set where it is. */
  async flush(): Promise<boolean> {
    return this.ahead ? this.keep(this.ahead) : true
  }

  private idle(): boolean {
    this.waiting = 0
    this.oldestAt = undefined
    return false
  }

  /** A page of each feed, and where they are then. */
  private async next(handle: OrgHandle, { cursors, types }: Sending, rights: Rights) {
    const pages: Queued[][] = []
    const passedOver: PassedOver[] = []
    const moved = { ...cursors }
    for (const feed of allFeeds) {
      const bounds = await feed.bounds(handle)
      // One that came later begins with what comes next; what is not kept any more is passed over.
      const after = Math.min(Math.max(cursors[feed.name] ?? bounds.last, bounds.first - 1), bounds.last)
      moved[feed.name] = after
      if (!rights.can(feed.permission)) continue
      const from = cursors[feed.name] ?? after
      if (from < after && isSentOf(handle, feed, types)) passedOver.push({ feed, from, to: after })
      const page = await feed.read(handle, rights, { after, limit: PAGE, types })
      moved[feed.name] = page.last
      pages.push(page.items.map((item) => ({ feed, item })))
    }
    return { queue: this.inTurn(pages), cursors: moved, passedOver }
  }

  /** One of each feed in turn: to a slow receiver a door that was forced does not wait for thousands of changes. */
  private inTurn(pages: readonly Queued[][]): Queued[] {
    const isAgain = ({ feed }: Queued) => Number(feed === this.sentOf)
    return pages
      .flatMap((page) => page.map((queued, nth) => ({ queued, nth })))
      .sort((a, b) => a.nth - b.nth || isAgain(a.queued) - isAgain(b.queued))
      .map(({ queued }) => queued)
  }

  /** Among the deliveries, where somebody looks who misses something. Gives where each feed goes on. */
  private tellPassedOver(at: string, passedOver: readonly PassedOver[]): Record<string, number> {
    for (const { feed, from, to } of passedOver)
      this.done.push({
        id: randomUUIDv7(),
        attempted_at: at,
        feed: feed.name,
        sequence: to,
        message_id: `passed_over_${from + 1}_${to}`,
        type: PASSED_OVER,
        attempt: 1,
        result: 'failed',
        status_code: null,
        response: null,
        error: `What has the sequences ${from + 1} to ${to} was not kept until it could be sent, and is passed over`,
        duration_ms: 0,
      })
    return Object.fromEntries(passedOver.map(({ feed, to }) => [feed.name, to]))
  }

  private async attempt(state: Sending, secrets: readonly string[], feed: Feed, item: FeedItem): Promise<Outcome> {
    const { engine, wall, call, signal, timeoutMs = TIMEOUT_MS } = this.parts
    const at = wall.now()
    const message_id = `msg_${item.id}`
    const message = { id: message_id, type: item.type, timestamp: item.occurred_at, data: item }
    const outcome = await sendWebhook(call, message, { url: state.url, secrets, at, timeoutMs, signal })
    const result = outcome.isDelivered ? 'delivered' : 'failed'
    metricsOf(engine).count('gatehouse_webhook_deliveries_total', { result })
    const { status_code, response, error, duration_ms } = outcome
    const known = { message_id, type: item.type, feed: feed.name, sequence: item.sequence }
    const attempt = state.failure_count + 1
    this.done.push({
      id: randomUUIDv7(),
      attempted_at: at,
      ...known,
      attempt,
      result,
      status_code,
      response,
      error,
      duration_ms,
    })
    return outcome
  }

  /** It is tried again later, and nothing after it before: order is kept. */
  private async fail(state: Sending, { isGone, status_code, error }: Outcome): Promise<boolean> {
    const { clock, engine, mail, signal } = this.parts
    // We were stopped, not refused.
    if (signal.aborted) this.done.pop()
    const now = clock.now()
    if (signal.aborted) return this.keep(state).then(() => false)
    const failing_since = state.failing_since ?? now
    const gap = GAPS[Math.min(state.failure_count, GAPS.length - 1)] ?? HOUR
    const next_at = new Date(Date.parse(now) + gap).toISOString()
    const failure_count = state.failure_count + 1
    const isKept = await this.keep({ ...state, failure_count, failing_since, next_at })
    // Few attempts in so long: nobody was there to try.
    const isOver = failure_count >= GAPS.length && Date.parse(now) - Date.parse(failing_since) >= GIVE_UP_MS
    // Somebody has set it anew meanwhile, and may have mended what failed.
    if (isKept && (isGone || isOver))
      await disableWebhook(engine, this.key, now, error ?? `it answered ${status_code}`, mail)
    return false
  }

  private async keep(state: Sending): Promise<boolean> {
    const { engine, clock, owner } = this.parts
    const done = this.done
    this.done = []
    this.ahead = undefined
    this.keptAt = performance.now()
    return keep(engine, this.key, clock.now(), owner, state, done)
  }

  /** Whether the lease should be prolonged: well before it ends. */
  get isDue(): boolean {
    return this.parts.clock.elapsed() - this.leasedAt >= LEASE_MS / 3
  }

  /** Its lease was prolonged at that moment. */
  prolonged(at: number): void {
    this.leasedAt = at
  }

  private async isOurs(): Promise<boolean> {
    if (!this.isDue) return true
    const { engine, wall, owner } = this.parts
    const asked = wall.elapsed()
    if (!(await lease(engine, this.key, wall.now(), owner))) return false
    this.leasedAt = asked
    return true
  }

  private handle(): OrgHandle {
    const { engine, clock } = this.parts
    return new OrgHandle(engine, this.key.org, clock.now())
  }
}
