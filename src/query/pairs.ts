import { invalid } from '../core/errors.ts'

const MAX_QUERY_BYTES = 8192

/** A field's name, as it may stand in a query. */
export const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The offending piece as it appears in a message. */
export const quote = (piece: string): string =>
  `"${piece.length > 60 ? `${piece.slice(0, 60).toWellFormed()}…` : piece}"`

const OTHER_THAN_PLAIN = /[^!-$&-*,-~]/
const HIGH_BYTE = /[\x80-\xff]/g

/** Undefined: a bad escape, invalid UTF-8 or NUL. `URLSearchParams` would let the first two through. */
function decode(raw: string): string | undefined {
  if (!OTHER_THAN_PLAIN.test(raw)) return raw
  try {
    // Node hands over bytes that a client sent unescaped as Latin-1 characters: they too must form UTF-8.
    const escaped = raw.replaceAll('+', ' ').replace(HIGH_BYTE, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
    const text = decodeURIComponent(escaped)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * Visits the pairs in order and decodes one at a time, so that an earlier fault is reported before a later bad escape.
 */
export function eachPair(rawQuery: string, visit: (key: string, value: string, rawPair: string) => void): void {
  if (rawQuery.length > MAX_QUERY_BYTES) {
    throw invalid(
      'query',
      'query.too_long',
      `The query string has ${rawQuery.length} bytes; at most ${MAX_QUERY_BYTES} are accepted`,
    )
  }
  for (let start = 0; start < rawQuery.length; ) {
    const ampersand = rawQuery.indexOf('&', start)
    const end = ampersand === -1 ? rawQuery.length : ampersand
    if (end > start) {
      const pair = rawQuery.slice(start, end)
      const equals = pair.indexOf('=')
      const rawKey = equals === -1 ? pair : pair.slice(0, equals)
      const key = decode(rawKey)
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
      if (key === undefined || value === undefined) {
        const name = key ?? rawKey
        throw invalid(
          name,
          'encoding.malformed',
          `Parameter ${quote(name)}: ${quote(pair)} is not percent-encoded UTF-8 without NUL`,
        )
      }
      visit(key, value, pair)
    }
    start = end + 1
  }
}

export function parsePairs(rawQuery: string): [string, string][] {
  const pairs: [string, string][] = []
  eachPair(rawQuery, (key, value) => pairs.push([key, value]))
  return pairs
}
