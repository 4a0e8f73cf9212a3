import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, unavailable } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import type { Engine } from '../../db/engine.ts'
import { metricsOf } from '../../db/metrics.ts'
import type { Feed } from '../../live/feed.ts'
import type { FeedName } from '../../live/news.ts'
import { Stream, type StreamEnd, type StreamTimes } from './stream.ts'

/** Streams at once: of one credential, and of all in this process. */
const OF_ONE = 10
const IN_ALL = 1000
/** A reader that does not take the last piece is cut off. */
const LAST_PIECE_MS = 500

const streamTimes: StreamTimes = { heartbeatMs: 10_000, checkMs: 500, lastsMs: 3_600_000 }

declare module 'fastify' {
  interface FastifyRequest {
    /** Its credential is looked at once more while the answer goes on: nobody has done anything. */
    isRecheck: boolean
  }
}

interface Open {
  readonly stream: Stream
  readonly credential: string
  readonly reply: FastifyReply
}

/** The streams that are open in this process. */
export class Streams {
  private readonly open = new Set<Open>()
  private readonly times: StreamTimes
  private isStopping = false

  constructor(engine: Engine, times: StreamTimes = streamTimes) {
    this.times = times
    for (const feed of ['access-events', 'changes'] satisfies FeedName[])
      metricsOf(engine).watch(
        'gatehouse_streams',
        { feed },
        () => [...this.open].filter(({ stream }) => stream.feed.name === feed).length,
      )
  }

  /** Answers with a feed, for as long as the reader likes. */
  async send(request: FastifyRequest, reply: FastifyReply, feed: Feed): Promise<FastifyReply> {
    const credential = credentialOf(request.caller)
    this.refuseTooMany(credential)
    const stream = await Stream.open(request, feed, this.times)
    reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // A proxy that gathers pieces would keep them from the reader.
      .header('x-accel-buffering', 'no')
    if (request.method === 'HEAD') return reply.send('')
    // Others may have come while the beginning was looked for.
    this.refuseTooMany(credential)
    const entry: Open = { stream, credential, reply }
    this.open.add(entry)
    const body = Readable.from(
      stream.pieces(() => reply.raw.destroy()),
      { objectMode: false, highWaterMark: 1 },
    )
    body.once('close', () => this.open.delete(entry))
    reply.raw.once('close', () => {
      this.open.delete(entry)
      // It waits for news, and would not hear that nobody takes any before it had some to give.
      stream.stop('left')
      body.destroy()
    })
    if (this.isStopping) this.stop(entry, 'stopping')
    return reply.send(body)
  }

  /** The service stops: readers come again, to another process or this one. */
  close(): void {
    this.isStopping = true
    for (const entry of this.open) this.stop(entry, 'stopping')
  }

  private stop({ stream, reply }: Open, why: StreamEnd): void {
    stream.stop(why)
    setTimeout(() => reply.raw.destroy(), LAST_PIECE_MS).unref()
  }

  private refuseTooMany(credential: string): void {
    let own = 0
    for (const entry of this.open) if (entry.credential === credential) own += 1
    if (own >= OF_ONE)
      throw new AppError(
        'RATE_LIMITED',
        `At most ${OF_ONE} streams are open at once with one credential; close one of them first`,
        {
          reason: 'too_many_streams',
          headers: { 'retry-after': '10' },
        },
      )
    if (this.open.size >= IN_ALL) throw unavailable('too_many_readers', 'Too many streams are open; try again shortly')
  }
}

const credentialOf = ({ tokenId, session, id }: Caller): string => tokenId ?? session?.id ?? id
