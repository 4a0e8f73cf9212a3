import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../core/rights.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Engine } from '../../db/engine.ts'
import type { Asking } from '../callers/known-callers.ts'
import { newRequestId } from '../request-id.ts'
import { type Answered, answeredBy } from './answered.ts'
import { bodyAt, type KnownAnswer, type ResponseCache } from './response-cache.ts'
import { headAgain, headOf, type SameHead, writeAgain } from './same-head.ts'

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
  /**
   * Where the answer is kept, and which one it was. Not the answer itself, which may be large: it may be dropped there.
   */
  readonly key: string
  readonly made: number
  readonly status: number
  readonly head: SameHead
  /** Its body is a text, which goes out in one piece with the head. */
  readonly isText: boolean
  /** What the caller proved itself with: the same header as in the request that is asked again. */
  readonly headers: Asking['headers']
  readonly answered: Omit<Answered, 'ms'>
}

const NOT_MODIFIED = 304
const MAX_REQUESTS = 10_000
const MAX_BYTES = 12 * 1024 * 1024
const MAX_BEGINNINGS = 500
/** A longer request is not worth keeping. */
const MAX_KEY = 4096
/** What one takes beside its texts, the objects that hold them. */
const BESIDE = 600

type UsualWay = (raw: IncomingMessage, response: ServerResponse) => void

/** Address, sender and every header as it came. None of them can hold a line break. */
const beginningOf = ({ method, url, socket, rawHeaders }: IncomingMessage): string =>
  `${method} ${url}\n${socket.remoteAddress}\n${rawHeaders.join('\n')}`

/** The answer to a request that was asked before, good now, and the id under which it is given. */
interface Again {
  readonly given: Given
  readonly id: string
  readonly body: string | Buffer
}

/** The whole request. */
const keyOf = (beginning: string, body: Buffer): string => `${beginning}\n\n${body.toString('latin1')}`

/** A GET without a body, or a question whose body was announced by its length. */
const isAsSaid = ({ method, headers }: IncomingMessage, body: Buffer | undefined): boolean =>
  headers['transfer-encoding'] === undefined &&
  headers['content-length'] === (body && String(body.length)) &&
  method === (body ? 'POST' : 'GET')

/**
 * Answers what is asked again, to the byte as it was asked before, without looking at it again: what was found right
 * about it then is right now. Asked anew are the two things that may have changed: who calls, and whether the answer is
 * up to date. Whoever polls gets nearly the bare speed of node:http by it.
 */
export class SameAgain {
  private readonly given = new LRUCache<string, Given>({
    max: MAX_REQUESTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ head }, key) => BESIDE + key.length + head.join('').length,
  })
  /**
   * What questions began with: only behind one of these is it waited for the body before anything else is looked at.
   */
  private readonly beginnings = new LRUCache<string, true>({ max: MAX_BEGINNINGS })
  /**
   * Who was found to call, where that has not led to an answer: it is not found out twice. The id is the one under
   * which it may have been recorded.
   */
  private readonly found = new WeakMap<IncomingMessage, { id: string; caller: () => Caller | Promise<Caller> }>()
  private readonly house: House
  private readonly observers: ReadonlyArray<(answered: Answered) => void>
  /** Where each request is counted in the database, all take the usual way. */
  private isOff: boolean

  constructor(house: House, observers: ReadonlyArray<(answered: Answered) => void>, isOff: boolean) {
    this.house = house
    this.observers = observers
    this.isOff = isOff
  }

  /** From now on every answer is the last on its connection, and its head has to say so. */
  stop(): void {
    this.isOff = true
  }

  /** Answers it, or lets it take the usual way. */
  answer(raw: IncomingMessage, response: ServerResponse, usualWay: UsualWay): void {
    const isLooked = !this.isOff && (raw.method === 'GET' || (raw.method === 'POST' && this.beginnings.size > 0))
    const beginning = isLooked ? beginningOf(raw) : ''
    if (raw.method === 'POST' && this.beginnings.has(beginning)) this.answerQuestion(raw, response, beginning, usualWay)
    else if (raw.method !== 'GET' || !this.isAnswered(beginning, raw, response)) usualWay(raw, response)
  }

  /** One whose body comes in pieces takes the usual way: what was read of it is put back. */
  private answerQuestion(raw: IncomingMessage, response: ServerResponse, beginning: string, usualWay: UsualWay): void {
    raw.once('readable', () => {
      const body = raw.read()
      const isWhole = body?.length === Number(raw.headers['content-length'])
      if (body && isWhole && this.isAnswered(keyOf(beginning, body), raw, response)) {
        raw.resume()
        return
      }
      if (body) raw.unshift(body)
      usualWay(raw, response)
    })
  }

  /** The whole of an answer, for a request that has its connection to itself. */
  atOnce(raw: IncomingMessage): string | undefined {
    if (this.isOff || raw.method !== 'GET') return undefined
    const given = this.given.get(beginningOf(raw))
    const again = given?.isText ? this.again(given, raw) : undefined
    if (!again) return undefined
    this.tell(again)
    return headAgain(again.given.head, again.id) + again.body
  }

  private isAnswered(key: string, raw: IncomingMessage, response: ServerResponse): boolean {
    // The body of a question may come when we are about to stop.
    const given = this.isOff ? undefined : this.given.get(key)
    const again = given && this.again(given, raw)
    if (!again || !writeAgain(response, again.given.status, again.given.head, again.id)) return false
    const { body } = again
    if (typeof body === 'string') response.end(body, 'latin1')
    else response.end(body)
    this.tell(again)
    return true
  }

  private again(given: Given, raw: IncomingMessage): Again | undefined {
    // Who calls is not found out twice: what is refused would count as two.
    if (this.found.has(raw)) return undefined
    const id = newRequestId()
    const now = this.house.clock.now()
    const known = this.callerBehind(raw, given, id) === given.caller ? this.answerTo(given, now) : undefined
    return known && { given, id, body: given.status === NOT_MODIFIED ? '' : bodyAt(known, now) }
  }

  private tell({ given, id }: Again): void {
    for (const observe of this.observers) observe({ ...given.answered, id, ms: 0 })
  }

  /** Who was found to call before it took the usual way; undefined: it is yet to be found out. */
  callerOf(raw: IncomingMessage): Caller | Promise<Caller> | undefined {
    return this.found.get(raw)?.caller()
  }

  /** The id of a request on the usual way. */
  idOf(raw: IncomingMessage): string {
    return this.found.get(raw)?.id ?? newRequestId()
  }

  /** That this was the answer to it. `body`: of a question. */
  remember(request: FastifyRequest, key: string, known: KnownAnswer, body?: Buffer): void {
    const { raw, caller, id, response } = request
    // By other credentials it also counts how a request came about.
    if (
      this.isOff ||
      caller.credential !== 'personal_access_token' ||
      raw.httpVersion !== '1.1' ||
      !isAsSaid(raw, body)
    )
      return
    // Not every answer that was made could be kept.
    if (!this.house.cache.keeps(key, known)) return
    const beginning = beginningOf(raw)
    const asked = body ? keyOf(beginning, body) : beginning
    const head = headOf(response, id)
    if (asked.length > MAX_KEY || !head) return
    const { statusCode: status } = response
    const { made } = known
    const { authorization } = raw.headers
    const isText = typeof known.body === 'string'
    const answered = answeredBy(request, status)
    this.given.set(asked, { caller, key, made, status, head, isText, headers: { authorization }, answered })
    if (body) this.beginnings.set(beginning, true)
  }

  /** The same answer, as long as nothing of it has changed. */
  private answerTo({ caller, key, made }: Given, now: string): KnownAnswer | undefined {
    const { engine, cache } = this.house
    try {
      const versions = engine.versions(caller.org)
      const known = versions instanceof Promise ? undefined : cache.known(key, versions, now)
      return known?.made === made ? known : undefined
    } catch {
      // What is wrong with the database is told on the usual way.
      return undefined
    }
  }

  private callerBehind(raw: IncomingMessage, { headers, answered: { ip } }: Given, id: string): Caller | undefined {
    const { authenticateToken } = this.house
    try {
      const caller = authenticateToken({ headers, ip, id, isRecheck: false })
      if (!(caller instanceof Promise)) return caller
      // Whoever leaves meanwhile asks nobody for it.
      caller.catch(() => undefined)
      this.found.set(raw, { id, caller: () => caller })
    } catch (error) {
      const caller = () => {
        throw error
      }
      this.found.set(raw, { id, caller })
    }
    return undefined
  }
}
