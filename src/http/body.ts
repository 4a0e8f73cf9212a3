import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, of a request that has one. */
    bodyBytes: Buffer | undefined
  }
}

const MAX_DEPTH = 32
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const malformed = (msg: string) => new AppError('MALFORMED_REQUEST', msg)

/** JSON in strict UTF-8, at most 32 levels deep, without NUL, lone surrogates, keys given twice or such as would reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  let value: unknown
  try {
    text = strict.decode(bytes)
    value = JSON.parse(text)
  } catch {
    // What the parser says shows a piece of the body, which may be a piece of a password: it goes nowhere, not even into the log.
    throw malformed('The body is not valid JSON in UTF-8')
  }
  // The parser keeps the last of two equal keys in silence; another program on the way may have gone by the first.
  if (check(value, 1) < membersOf(text)) throw malformed('The body has an object with the same key twice')
  return value
}

/** How many members the objects of a valid JSON text have: one for every colon that stands in no string. */
function membersOf(text: string): number {
  let members = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') isInString = !isInString
    else if (isInString && char === '\\') at++
    else if (!isInString && char === ':') members++
  }
  return members
}

/** Answers with the number of members of all objects. */
function check(value: unknown, depth: number): number {
  if (typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep`)
  const isList = Array.isArray(value)
  let members = 0
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw malformed(`The body has a key "${key}", which is not accepted`)
    checkText(key)
    members += check(item, depth + 1) + (isList ? 0 : 1)
  }
  return members
}

function checkText(text: string): void {
  if (text.includes('\0')) throw malformed('The body has a text with the NUL character')
  if (!text.isWellFormed()) throw malformed('The body has a text with half a surrogate pair')
}

export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (request, body, done) => {
    request.bodyBytes = body as Buffer
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
