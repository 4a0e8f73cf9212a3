import { hash } from 'node:crypto'
import { formatNamed, hasRightParity, readBits, takeApart } from './card-formats.ts'

/** What the canonical form of a credential's number is made of. */
export interface Numbered {
  type: string
  facility_code: string | null
  number: string | null
  format: string | null
}

/** How the chip's own number is written: bytes with something between them, or as many digits as a UID has. */
const SEPARATED = /^[0-9a-f]{2}(?:[:\-. ][0-9a-f]{2}){2,}$/i
const UID = /^(?=.*[a-f])(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/i
const PAIR = /^(\d{1,7})(?:\s{0,3}[,;:/-]\s{0,3}|\s{1,3})(\d{1,10})$/

export interface SiteAndNumber {
  facility: string
  number: string
}

/** "108,04711", "108-4711": facility code and number in one text. */
export function pairIn(text: string): SiteAndNumber | undefined {
  const [, facility, number] = PAIR.exec(text) ?? []
  return facility === undefined || number === undefined ? undefined : { facility, number }
}

/** The value of hexadecimal digits that cannot be meant otherwise; `isSaid`: somebody says that they are. */
export function hexIn(text: string, isSaid = false): bigint | undefined {
  const digits = text.replace(/^0x/i, '').replace(/[:\-. ]/g, '')
  const isHex =
    /^0x[0-9a-f]+$/i.test(text) || SEPARATED.test(text) || UID.test(text) || (isSaid && /^[0-9a-f]+$/i.test(digits))
  return isHex ? BigInt(`0x${digits}`) : undefined
}

const plain = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ')

const SAYS_HEX = /hex|uid|csn/i

/** Neither part can hold what parts them. */
const escaped = (text: string): string => text.replace(/[%:]/g, (sign) => encodeURIComponent(sign))

const keyOf = (type: string, number: string, facility: string): string =>
  `${type}:${escaped(number)}:${escaped(facility)}`

const digitsOf = (text: string): string => (/^\d+$/.test(text) ? BigInt(text).toString() : text.toUpperCase())

/**
 * The canonical form of a number, by which a credential is found and is the only one: the number, then the facility
 * code, each without the zeros, separators and case that people and printers add or leave out. The number is first, so
 * that all sites of a number lie side by side. The format only helps to read: the same facility code and number in two
 * formats are one card to whoever types them.
 */
export function matchKeyOf({ type, facility_code, number, format }: Numbered): string | null {
  if (number === null) return null
  const text = plain(number)
  const site = digitsOf(plain(facility_code ?? ''))
  if (type === 'plate') return keyOf(type, text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || text, site)
  if (type !== 'card' && type !== 'transponder') return keyOf(type, text, site)
  const pair = pairIn(text)
  if (pair && (site === '' || site === digitsOf(pair.facility)))
    return keyOf(type, digitsOf(pair.number), digitsOf(pair.facility))
  const hex = hexIn(text, SAYS_HEX.test(format ?? ''))
  const value = hex ?? (/^\d+$/.test(text) ? BigInt(text) : undefined)
  if (value === undefined) return keyOf(type, text.toUpperCase(), site)
  const split = site === '' ? splitBy(format, value) : undefined
  return split ? keyOf(type, split.number.toString(), split.facility) : keyOf(type, value.toString(), site)
}

/** A number with its facility code in front, as the format says. */
function splitBy(format: string | null, value: bigint): { facility: string; number: bigint } | undefined {
  const known = formatNamed(format)
  if (!known?.facility) return undefined
  const data = BigInt(known.facility.length + known.number.length)
  const card =
    value >> data === 0n ? takeApart(known, value) : hasRightParity(known, value) ? readBits(known, value) : undefined
  return card?.facility === undefined ? undefined : { facility: card.facility.toString(), number: card.number }
}

export interface KeyRange {
  from: string
  to: string
}

/** All facility codes of a key's number, as the first key and the first beyond the last. */
export function allSitesOf(key: string): KeyRange {
  const end = key.lastIndexOf(':')
  return { from: key.slice(0, end + 1), to: `${key.slice(0, end)};` }
}

export const keysOfNumber = (type: string, number: string): KeyRange => allSitesOf(keyOf(type, number, ''))

/**
 * In front of a number as it was typed before there was a canonical form, and still where two in use have the same one:
 * it is unique by its text alone, as ever. The sign begins no type.
 */
export const AS_TYPED = '='

export const typedKeyOf = ({ type, facility_code, number }: Numbered): string | null =>
  number === null ? null : `${AS_TYPED}${type}:${escaped(number)}:${facility_code ?? ''}`

/** In front of the digest of a code that is not stored itself. The sign begins no type. */
export const HIDDEN = '#'

/**
 * What a QR code is found by that nobody is to read in a list of credentials: whoever could read it could print it and
 * walk in. It is too long to be guessed, so that a plain digest tells nothing of it.
 */
export const hiddenKeyOf = ({ type, number }: Numbered): string | null =>
  number === null || type !== 'qr' ? null : `${HIDDEN}${type}:${hash('sha256', plain(number), 'base64url')}:`

/** 144 bits: short enough for a small image. */
export const CODE_LENGTH = 24

/** What a text is found by, if it can be such a code, whatever the reader took it for. */
export const codeKeyOf = (text: string): string | null =>
  plain(text).length === CODE_LENGTH
    ? hiddenKeyOf({ type: 'qr', number: text, facility_code: null, format: null })
    : null

/** All keys that a credential may have which a reader reads so. */
export const keysReadAs = (read: Numbered): string[] =>
  [matchKeyOf(read), typedKeyOf(read), hiddenKeyOf(read)].filter((key) => key !== null)
