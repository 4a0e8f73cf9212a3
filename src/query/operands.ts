import { type FieldType, UUID_PATTERN } from '../core/fields.ts'

export type Scalar = string | number | boolean

const UUID = new RegExp(UUID_PATTERN)
const INTEGER = /^-?(?:0|[1-9]\d*)$/
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** What a message says was expected. */
export const EXPECTED: Readonly<Record<FieldType, string>> = {
  uuid: 'a UUID',
  string: 'text',
  integer: 'an integer within 2^53, without leading zeros',
  number: 'a decimal number within 2^53, without leading zeros or exponent',
  boolean: 'true or false',
  date: 'a date of the calendar, YYYY-MM-DD',
  timestamp: 'an RFC 3339 timestamp or YYYY-MM-DD, of the calendar',
  json: 'a value',
}

/** Undefined: not of the type. */
export function parseScalar(type: FieldType, text: string): Scalar | undefined {
  switch (type) {
    case 'string':
      return text
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : undefined
    case 'integer':
      return INTEGER.test(text) ? withinBounds(Number(text)) : undefined
    case 'number':
      return DECIMAL.test(text) ? withinBounds(Number(text)) : undefined
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'date':
      return isDay(text) ? text : undefined
    case 'timestamp':
      return parseTimestamp(text)
    case 'json':
      return undefined
  }
}

export const isInteger = (text: string): boolean => INTEGER.test(text)

/** `+ 0` makes -0 the plain zero. */
const withinBounds = (value: number): number | undefined =>
  Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value + 0 : undefined

/** Years 0001 to 9999, what both engines can hold. `Date.parse` rolls 30 February over: hence the way back. */
function isDay(text: string): boolean {
  if (!DAY.test(text) || text.startsWith('0000')) return false
  const instant = Date.parse(text)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

/**
 * `YYYY-MM-DDTHH:mm:ss.SSSZ`; digits beyond the milliseconds stay, without trailing zeros, so that a comparison with
 * the stored milliseconds can be exact.
 */
export function parseTimestamp(text: string): string | undefined {
  if (text.length === 10) return isDay(text) ? `${text}T00:00:00.000Z` : undefined
  const parts = INSTANT.exec(text)
  if (!parts) return undefined
  const [, day = '', minute, second, fraction = '', offset = ''] = parts
  if (!isDay(day)) return undefined
  const isLeap = second === '60'
  const instant = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${offset.toUpperCase()}`) + (isLeap ? 1000 : 0)
  const utc = new Date(instant).toISOString()
  // The offset may lead out of the four-digit years; a leap second exists only at the end of a month in UTC.
  if (utc.length !== 24 || utc.startsWith('0000') || (isLeap && !utc.endsWith('-01T00:00:00.000Z'))) return undefined
  let length = fraction.length
  while (length > 3 && fraction[length - 1] === '0') length--
  return `${utc.slice(0, 20)}${fraction.slice(0, length).padEnd(3, '0')}Z`
}

const isBlank = (code: number): boolean => code === 32 || code === 9

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

/** Spaces and tabs only: `String.prototype.trim` takes line ends and Unicode spaces too. */
export function trimBlanks(text: string): string {
  const start = skipBlanks(text, 0)
  let end = text.length
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** The items of `("a, b",c)`; undefined when it is not a list. */
export function parseList(text: string): string[] | undefined {
  if (text[0] !== '(') return undefined
  const items: string[] = []
  let at = skipBlanks(text, 1)
  if (text[at] === ')') return at === text.length - 1 ? items : undefined
  for (;;) {
    at = skipBlanks(text, at)
    let item = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"'; at++) {
        if (text[at] === '\\') at++
        if (at >= text.length) return undefined
        item += text.charAt(at)
      }
      at = skipBlanks(text, at + 1)
    } else {
      const start = at
      while (at < text.length && text[at] !== ',' && text[at] !== ')') at++
      item = trimBlanks(text.slice(start, at))
      if (item === '') return undefined
    }
    items.push(item)
    if (text[at] === ')') return at === text.length - 1 ? items : undefined
    if (text[at] !== ',') return undefined
    at++
  }
}
