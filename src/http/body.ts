import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { shapeOf } from './json-shape.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, of a request that has one. */
    bodyBytes: Buffer | undefined
  }
}

const MAX_DEPTH = 32
/** More than any object here has: one of many is a tenth of a second's work, whatever is then said of it. */
const MAX_MEMBERS = 1000
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const malformed = (msg: string) => new AppError('MALFORMED_REQUEST', msg)

/**
 * JSON in strict UTF-8, at most 32 levels deep and without an object of very many members, without NUL, lone
 * surrogates, keys given twice or such as would reach a prototype.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { depth, members, widest, hasNul, hasHalfPair } = shapeOf(bytes)
  if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep`)
  if (widest > MAX_MEMBERS) throw malformed(`The body has an object with more than ${MAX_MEMBERS} members`)
  let value: unknown
  try {
    value = JSON.parse(strict.decode(bytes))
  } catch {
    // What the parser says shows a piece of the body, which may be a piece of a password: it goes nowhere, not even
    // into the log.
    throw malformed('The body is not valid JSON in UTF-8')
  }
  if (hasNul) throw malformed('The body has a text with the NUL character')
  if (hasHalfPair) throw malformed('The body has a text with half a surrogate pair')
  // The parser keeps the last of two equal keys in silence; another program on the way may have gone by the first.
  if (isHolder(value) && membersOf(value) < members) throw malformed('The body has an object with the same key twice')
  return value
}

const isHolder = (value: unknown): value is unknown[] | Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** How many members the objects in it have. A body may hold half a million values: nothing is made of any of them. */
function membersOf(value: unknown[] | Record<string, unknown>): number {
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) if (isHolder(item)) members += membersOf(item)
    return members
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw malformed(`The body has a key "${key}", which is not accepted`)
    const item = value[key]
    members += 1 + (isHolder(item) ? membersOf(item) : 0)
  }
  return members
}

/** A larger one has a turn of the event loop to itself: many that come in together would hold everybody else up. */
const LARGE = 16 * 1024
let turn = Promise.resolve()

/** What is then made of it at once, such as checking it, is done in the same turn. */
export async function parseBody(bytes: Buffer): Promise<unknown> {
  if (bytes.length > LARGE) {
    turn = turn.then(() => nextTurn())
    await turn
  }
  return parseJson(bytes)
}

export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) => {
      request.bodyBytes = body
      return parseBody(body)
    },
  )
}
