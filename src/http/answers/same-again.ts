import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import type { Asking } from '../callers/known-callers.ts'
import { newRequestId } from '../request-id.ts'
import { type Answered, answeredBy } from './answered.ts'
import type { KnownAnswer, ResponseCache } from './response-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sameAgain: SameAgain
  }
}

interface House {
  readonly engine: Engine
  readonly cache: ResponseCache
  readonly clock: Clock
  readonly authenticateToken: (asking: Asking) => Caller | Promise<Caller>
}

/** An answer from memory, and to whom it was given. */
interface Given {
  readonly caller: Caller
  /** Where the answer is kept, and which one it was. Not the answer itself, which may be large: it may be dropped there. */
  readonly key: string
  readonly made: number
  readonly status: number
  /** Names and values in turn, but for the request's id, which is another each time. */
  readonly headers: readonly string[]
  readonly answered: Omit<Answered, 'ms'>
}

/** What was sent. */
export interface Sent {
  status: number
  headers: OutgoingHttpHeaders
}

const REQUEST_ID = 'x-request-id'
const NOT_MODIFIED = 304
const MAX_REQUESTS = 5000
const MAX_BYTES = 8 * 1024 * 1024
/** A longer request is not worth keeping. */
const MAX_KEY = 4096
/** What one takes beside its texts, the objects that hold them. */
const BESIDE = 500

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** The whole request: address, sender and every header as it came. None of them can hold a line break. */
const keyOf = ({ url, socket, rawHeaders }: IncomingMessage): string => `${url}\n${socket.remoteAddress}\n${rawHeaders.join('\n')}`

/**
 * Answers what is asked again, to the byte as it was asked before, without looking at it again: what was found right about it then is right now.
 * Asked anew are the two things that may have changed: who calls, and whether the answer is up to date. Whoever polls gets
 * nearly the bare speed of node:http by it.
 */
export class SameAgain {
  private readonly given = new LRUCache<string, Given>({
    max: MAX_REQUESTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ headers }, key) => BESIDE + key.length + headers.join('').length,
  })
  /** Who was found to call, where that has not led to an answer: it is not found out twice. */
  private readonly found = new WeakMap<IncomingMessage, () => Caller | Promise<Caller>>()
  private readonly house: House
  private readonly observers: ReadonlyArray<(answered: Answered) => void>
  /** Where each request is counted in the database, all take the usual way. */
  private readonly isOff: boolean

  constructor(house: House, observers: ReadonlyArray<(answered: Answered) => void>, isOff: boolean) {
    this.house = house
    this.observers = observers
    this.isOff = isOff
  }

  /** Whether it has been answered. */
  answer(raw: IncomingMessage, response: ServerResponse): boolean {
    if (this.isOff || raw.method !== 'GET') return false
    const given = this.given.get(keyOf(raw))
    if (!given) return false
    const id = newRequestId()
    const known = this.callerBehind(raw, given, id) === given.caller ? this.answerTo(given) : undefined
    if (!known) return false
    const { status, headers } = given
    response.writeHead(status, [...headers, REQUEST_ID, id])
    const body = status === NOT_MODIFIED ? '' : known.body
    if (typeof body === 'string') response.end(body, 'latin1')
    else response.end(body)
    for (const observe of this.observers) observe({ ...given.answered, id, ms: 0 })
    return true
  }

  /** Who was found to call before it took the usual way; undefined: it is yet to be found out. */
  callerOf(raw: IncomingMessage): Caller | Promise<Caller> | undefined {
    return this.found.get(raw)?.()
  }

  /** That this was the answer to it. */
  remember(request: FastifyRequest, key: string, { made }: KnownAnswer, { status, headers }: Sent): void {
    const { raw, caller } = request
    // By other credentials it also counts how a request came about.
    if (this.isOff || caller.credential !== 'personal_access_token' || raw.method !== 'GET' || raw.httpVersion !== '1.1' || hasBody(raw))
      return
    const asked = keyOf(raw)
    if (asked.length > MAX_KEY) return
    const own = Object.entries(headers).flatMap(([name, value]) => (name === REQUEST_ID ? [] : [name, String(value)]))
    this.given.set(asked, { caller, key, made, status, headers: own, answered: answeredBy(request, status) })
  }

  /** The same answer, as long as nothing of it has changed. */
  private answerTo({ caller, key, made }: Given): KnownAnswer | undefined {
    const { engine, cache, clock } = this.house
    try {
      const versions = engine.versions(caller.org)
      const known = versions instanceof Promise ? void versions.catch(() => undefined) : cache.known(key, versions, clock.now())
      return known?.made === made ? known : undefined
    } catch {
      // What is wrong with the database is told on the usual way.
      return undefined
    }
  }

  private callerBehind(raw: IncomingMessage, { answered: { ip } }: Given, id: string): Caller | undefined {
    const { authenticateToken } = this.house
    try {
      const caller = authenticateToken({ headers: raw.headers, ip, id, isRecheck: false })
      if (!(caller instanceof Promise)) return caller
      this.found.set(raw, () => caller)
    } catch (error) {
      this.found.set(raw, () => {
        throw error
      })
    }
    return undefined
  }
}
