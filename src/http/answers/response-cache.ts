import type { Engine } from '../../db/engine.ts'
import { Kept } from '../../db/kept/kept.ts'
import type { Coding } from './coding.ts'

/** An answer as it goes over the wire. */
export interface KnownAnswer {
  /**
   * The bytes, of small ones each as a character: that takes a byte of memory each, and is written in one piece with
   * the head.
   */
  body: string | Buffer
  coding: Coding | undefined
  etag: string | undefined
  link: string | undefined
  until: string | undefined
  /** Where in the body stands when it was asked: that is told anew each time. */
  clockAt?: number | undefined
  /** The number of its making: made again, it may be another. */
  made: number
}

/** How many answers were made so far. */
let made = 0

export const numbered = (answer: Omit<KnownAnswer, 'made'>): KnownAnswer => ({ ...answer, made: ++made })

/** The body for whoever asks now. */
export function bodyAt({ body, clockAt }: KnownAnswer, now: string): string | Buffer {
  if (clockAt === undefined || typeof body !== 'string') return body
  return body.slice(0, clockAt) + now + body.slice(clockAt + now.length)
}

/** What an answer takes beside its texts: the objects that hold them. */
const BESIDE = 600
/** Between the statements of an answer others may change what it is made of: so often, or so long, it is made anew. */
const ATTEMPTS = 3
const AGAIN_MS = 1000

/**
 * Answers to GET, and to questions that are POSTed, kept while nothing they were made from has changed. Addresses are
 * up to kilobytes long, and a link names four.
 */
export class ResponseCache extends Kept<KnownAnswer> {
  constructor(engine: Engine, maxBytes: number) {
    super(engine, {
      name: 'answers',
      maxSize: maxBytes,
      sizeOf: ({ body, link = '' }, key) => body.length + link.length + key.length + BESIDE,
      untilOf: ({ until }) => until,
      attempts: ATTEMPTS,
      againMs: AGAIN_MS,
      isGivenUp: true,
    })
  }
}
