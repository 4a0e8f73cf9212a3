import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import type { Rights } from '../../core/rights.ts'
import { OrgHandle } from '../../db/org.ts'
import { checkCursor, type Feed, type FeedItem, type FeedQuery } from '../../live/feed.ts'
import { newsOf } from '../../live/news.ts'
import { rightsNow } from '../callers/rights-now.ts'
import { streamQuery } from './parameters.ts'
import { limitsOfReader, type ReaderLimits } from './reader-limits.ts'

/** Entries in one piece: what a reader that does not read keeps in memory. */
const PIECE = 50

export interface StreamTimes {
  readonly heartbeatMs: number
  /** How often is looked whether the reader may still read. */
  readonly checkMs: number
  /** How long it lasts at most; its reader comes again, perhaps to another process. */
  readonly lastsMs: number
}

/** Why a stream ends, told as its last event, unless its reader has left. */
export type StreamEnd = 'credential' | 'permission' | 'stopping' | 'failed' | 'time' | 'left'

/**
 * A feed as server-sent events: what is there already, then what comes, until the reader leaves or may read no longer.
 * The database is read as the reader takes it, a piece at a time: nothing is gathered for whoever does not read.
 */
export class Stream {
  readonly feed: Feed
  private readonly request: FastifyRequest
  private readonly times: StreamTimes
  private query: FeedQuery
  private limits: ReaderLimits = {}
  /** The rights that they are of. */
  private limitedBy: Rights | undefined
  private end: StreamEnd | undefined
  private isNews = true
  /** A piece waits to be taken. */
  private isUntaken = false
  private wakeUp = () => {}
  private sentAt = performance.now()
  private readonly openedAt = performance.now()

  private constructor(request: FastifyRequest, feed: Feed, query: FeedQuery, times: StreamTimes) {
    this.request = request
    this.feed = feed
    this.query = query
    this.times = times
  }

  /** Throws where it cannot begin: then the answer is an error like any other. */
  static async open(request: FastifyRequest, feed: Feed, times: StreamTimes): Promise<Stream> {
    const asked = streamQuery(request, feed)
    const bounds = await feed.bounds(handleOf(request))
    const { after = bounds.last } = asked
    checkCursor(after, bounds)
    const stream = new Stream(request, feed, { ...asked, after, limit: PIECE }, times)
    await stream.isLimitedAnew(request.caller.rights)
    return stream
  }

  /** Ends it when the piece under way has been taken. */
  stop(why: StreamEnd): void {
    this.end ??= why
    this.wakeUp()
  }

  /** `cut`: ends the connection of a reader that takes nothing and may read no longer. */
  async *pieces(cut: () => void): AsyncGenerator<string> {
    const { server, caller } = this.request
    const hear = () => {
      this.isNews = true
      this.wakeUp()
    }
    const stopListening = newsOf(server.house.engine).listen(caller.org, this.feed.name, hear)
    // May it still read, and was there something that nobody told of?
    const timer = setInterval(() => {
      if (this.isUntaken) this.rightsNow().then((rights) => rights ?? cut(), cut)
      else hear()
    }, this.times.checkMs)
    try {
      this.isUntaken = true
      yield `retry: 1000\n${this.cursor()}`
      while (!this.end) {
        this.isUntaken = false
        this.isNews = false
        const rights = await this.rightsNow()
        if (!rights) break
        const piece = await this.next(rights)
        if (piece !== undefined) {
          this.sentAt = performance.now()
          this.isUntaken = true
          yield piece
        } else if (performance.now() - this.openedAt >= this.times.lastsMs) this.end ??= 'time'
        else if (!this.isNews) await this.untilWoken()
      }
    } catch (err) {
      // The head is out: all that can be said is that it ends. The reader comes again, and goes on where it was.
      this.request.log.warn({ err }, 'a stream was ended')
      this.end = 'failed'
    } finally {
      clearInterval(timer)
      stopListening()
    }
    yield `event: closed\ndata: ${JSON.stringify({ reason: this.end })}\n\n`
  }

  private async rightsNow(): Promise<Rights | undefined> {
    const rights = await rightsNow(this.request)
    if (rights?.can(this.feed.permission)) return rights
    this.end ??= rights ? 'permission' : 'credential'
    return undefined
  }

  /** Undefined: there is nothing to send. */
  private async next(rights: Rights): Promise<string | undefined> {
    const told = (await this.isLimitedAnew(rights)) ? this.cursor() : ''
    const { items, last } = await this.feed.read(handleOf(this.request), rights, this.query)
    const isMoved = last > this.query.after
    this.query = { ...this.query, after: last }
    if (items.length > 0)
      return told + items.map(eventOf).join('') + (items.at(-1)?.sequence === last ? '' : this.cursor())
    // Further than what the reader has seen: should it be cut off, it need not be looked through again.
    if (isMoved) return this.cursor()
    if (told) return told
    return performance.now() - this.sentAt >= this.times.heartbeatMs ? ': heartbeat\n\n' : undefined
  }

  /** Whether the reader is to be told what they do not see: a role may have been given or taken since. */
  private async isLimitedAnew(rights: Rights): Promise<boolean> {
    if (rights === this.limitedBy) return false
    const before = this.limits
    this.limits = await limitsOfReader(handleOf(this.request), this.feed, rights)
    this.limitedBy = rights
    return !isDeepStrictEqual(before, this.limits)
  }

  /** Names a place in the feed without an entry: a browser knows it from then on as the last one it has had. */
  private cursor(): string {
    const { after } = this.query
    return `event: cursor\nid: ${after}\ndata: ${JSON.stringify({ sequence: after, ...this.limits })}\n\n`
  }

  private untilWoken(): Promise<void> {
    if (this.end) return Promise.resolve()
    return new Promise((resolve) => {
      this.wakeUp = resolve
    })
  }
}

const eventOf = (item: FeedItem): string => `id: ${item.sequence}\ndata: ${JSON.stringify(item)}\n\n`

const handleOf = ({ server, caller }: FastifyRequest): OrgHandle =>
  new OrgHandle(server.house.engine, caller.org, server.house.clock.now())
