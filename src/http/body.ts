import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'

const MAX_DEPTH = 32
const malformed = (msg: string) => new AppError('MALFORMED_REQUEST', msg)

/** JSON in strict UTF-8, at most 32 levels deep, without NUL, lone surrogates or keys that would reach a prototype. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    // What the parser says shows a piece of the body, which may be a piece of a password: it goes nowhere, not even into the log.
    throw malformed('The body is not valid JSON in UTF-8')
  }
  check(value, 1)
  return value
}

function check(value: unknown, depth: number): void {
  if (typeof value === 'string') {
    checkText(value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw malformed(`The body is nested more than ${MAX_DEPTH} levels deep`)
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw malformed(`The body has a key "${key}", which is not accepted`)
    checkText(key)
    check(item, depth + 1)
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw malformed('The body has a text with the NUL character')
  if (!text.isWellFormed()) throw malformed('The body has a text with half a surrogate pair')
}

export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}
