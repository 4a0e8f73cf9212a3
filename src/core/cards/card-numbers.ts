import {
  type CardNumber,
  cardFormats,
  hasRightParity,
  isWithin,
  putTogether,
  readBits,
  takeApart,
} from './card-formats.ts'
import { hexIn, matchKeyOf, pairIn } from './match-key.ts'

export const cardForms = ['printed', 'decimal', 'hexadecimal', 'binary'] as const
export type CardForm = (typeof cardForms)[number]

/** One way to understand what is printed on a card, or sent by a reader. */
export interface CardReading {
  /** How the text was taken. */
  form: CardForm
  facility_code: string | null
  number: string
  /** The formats that it fits. */
  formats: string[]
  /** The bytes came in the other order. */
  is_reversed: boolean
  /** Of bits that carry parity; null: there are none. */
  parity: 'right' | 'wrong' | null
}

type Reading = Omit<CardReading, 'formats' | 'facility_code' | 'number'> & CardNumber & { format?: string }

const UID_BYTES = [4, 7, 10]
/** What the bits of a format need, with parity or without, and what a proximity card has. */
const FORMAT_BYTES = [3, 4, 5]

/** Every plausible reading, those that say most first. */
export function decodeCardNumber(text: string): CardReading[] {
  const plain = text.normalize('NFKC').trim().replace(/\s+/g, ' ')
  // Many proximity cards have both: "0007082599 108,04711".
  const both = /^(\d{10}) (\d{1,3},\d{1,5})$/.exec(plain)
  if (both) return merged([...readingsOf(both[2] ?? ''), ...readingsOf(both[1] ?? '')])
  return merged(readingsOf(plain))
}

function readingsOf(text: string): Reading[] {
  const readings: Reading[] = []
  const pair = pairIn(text)
  if (pair) readings.push(...fromPair(pair))
  if (/^[01]{26,48}$/.test(text)) readings.push(...fromBits(text))
  if (/^\d{1,20}$/.test(text)) readings.push(...fromDecimal(text))
  const digits = text.replace(/^0x/i, '').replace(/[:\-. ]/g, '')
  const isUidLong = UID_BYTES.some((bytes) => digits.length === 2 * bytes)
  const isHex = hexIn(text) !== undefined || (/^[0-9a-f]{4,20}$/i.test(text) && (/[a-f]/i.test(text) || isUidLong))
  if (isHex && digits.length <= 20) readings.push(...fromHex(digits))
  return readings
}

const plainly = { is_reversed: false, parity: null } as const

function fromPair(pair: { facility: string; number: string }): Reading[] {
  return [{ ...plainly, form: 'printed', facility: BigInt(pair.facility), number: BigInt(pair.number) }]
}

/** All that was sent, bit by bit: here wrong parity is worth telling. */
function fromBits(text: string): Reading[] {
  const value = BigInt(`0b${text}`)
  return cardFormats
    .filter(({ bits }) => bits === text.length)
    .map((format) => ({
      ...readBits(format, value),
      form: 'binary',
      format: format.name,
      is_reversed: false,
      parity: hasRightParity(format, value) ? 'right' : 'wrong',
    }))
}

function fromDecimal(text: string): Reading[] {
  const value = BigInt(text)
  const readings: Reading[] = [
    ...fromValue(value, 'decimal'),
    { ...plainly, form: 'decimal', facility: undefined, number: value },
  ]
  // Facility code and number without what parts them: 10804711.
  const joined = /^(\d{3})(\d{5})$/.exec(text)
  const card = joined && { facility: BigInt(joined[1] ?? 0), number: BigInt(joined[2] ?? 0) }
  if (card && card.facility > 0n && isWithin(cardFormats[0], card))
    readings.push({ ...plainly, form: 'printed', ...card })
  readings.push(...reversed(value, 'decimal', bytesOf(value)))
  // A chip's number that begins with 00 is shorter in decimal digits than it was.
  const shortened = bytesOf(value) + 1
  return UID_BYTES.includes(shortened)
    ? [...readings, ...asOneNumber(inOtherOrder(value, shortened), 'decimal')]
    : readings
}

function fromHex(digits: string): Reading[] {
  const value = BigInt(`0x${digits}`)
  return [
    ...fromValue(value, 'hexadecimal', digits.length),
    { ...plainly, form: 'hexadecimal', facility: undefined, number: value },
    ...reversed(value, 'hexadecimal', Math.ceil(digits.length / 2)),
  ]
}

/** What one number may hold: all bits with their parity, or facility code and number without. */
function fromValue(value: bigint, form: CardForm, digits = 0): Reading[] {
  const readings: Reading[] = []
  for (const format of cardFormats) {
    // Parity is right by chance too: a value that needs no more bits than the number itself is taken for that.
    const isAsLong = digits === Math.ceil(format.bits / 4) || digits === 2 * Math.ceil(format.bits / 8)
    const hasAllBits = value >> BigInt(format.bits - 2) !== 0n || isAsLong
    if (hasAllBits && hasRightParity(format, value))
      readings.push({ ...readBits(format, value), form, format: format.name, is_reversed: false, parity: 'right' })
    const card = takeApart(format, value)
    if (card) readings.push({ ...plainly, form, format: format.name, ...card })
  }
  // A proximity card's 32 or 40 bits end with the 24 that a reader sends as Wiegand.
  const low =
    value >> 24n !== 0n && value >> 40n === 0n ? takeApart(cardFormats[0], BigInt.asUintN(24, value)) : undefined
  if (low) readings.push({ ...plainly, form, format: cardFormats[0].name, ...low })
  return readings
}

/**
 * With the bytes in the other order, as some readers give them; zeros in front may fill up, or be bytes like any other.
 */
function reversed(value: bigint, form: CardForm, bytes: number): Reading[] {
  const counts = [...new Set([bytes, bytesOf(value)])].filter(
    (count) => FORMAT_BYTES.includes(count) || UID_BYTES.includes(count),
  )
  return counts.flatMap((count) => {
    const other = inOtherOrder(value, count)
    if (other === value) return []
    const parts = FORMAT_BYTES.includes(count) ? fromValue(other, form, 2 * count) : []
    const turned = parts.map((part) => ({ ...part, is_reversed: true }))
    // As long as a chip's number, it is that rather than a card of a format.
    return UID_BYTES.includes(count)
      ? [...asOneNumber(other, form), ...turned]
      : [...turned, ...asOneNumber(other, form)]
  })
}

const asOneNumber = (number: bigint, form: CardForm): Reading[] => [
  { form, facility: undefined, number, is_reversed: true, parity: null },
]

const inOtherOrder = (value: bigint, bytes: number): bigint => {
  const digits = value.toString(16).padStart(2 * bytes, '0')
  return BigInt(`0x${digits.match(/../g)?.reverse().join('')}`)
}

/** As many as the value needs. */
const bytesOf = (value: bigint): number => Math.ceil(value.toString(16).length / 2)

/** What is read alike in several formats is one reading. */
function merged(readings: readonly Reading[]): CardReading[] {
  const found = new Map<string, CardReading>()
  for (const { format, facility, number, ...reading } of readings) {
    const facility_code = facility === undefined ? null : facility.toString()
    const key = [facility_code, number, reading.is_reversed, reading.parity === 'wrong'].join(' ')
    const known = found.get(key) ?? {
      facility_code,
      number: number.toString(),
      formats: format ? [] : fitting({ facility, number }),
      ...reading,
    }
    if (format && !known.formats.includes(format)) known.formats.push(format)
    if (reading.parity !== null) known.parity = reading.parity
    found.set(key, known)
  }
  return [...found.values()]
}

const fitting = (card: CardNumber): string[] =>
  cardFormats.filter((format) => isWithin(format, card)).map(({ name }) => name)

/** The canonical forms under which a reading may be stored: apart, as one number, and the number alone. */
export function keysOfReading(type: string, { facility_code, number }: CardReading): string[] {
  const key = (facility: string | null, digits: string) =>
    matchKeyOf({ type, facility_code: facility, number: digits, format: null })
  if (facility_code === null) return [key(null, number)].filter((found) => found !== null)
  const card = { facility: BigInt(facility_code), number: BigInt(number) }
  const whole = cardFormats
    .filter((format) => isWithin(format, card))
    .map((format) => key(null, putTogether(format, card).toString()))
  return [...new Set([key(facility_code, number), key(null, number), ...whole])].filter((found) => found !== null)
}
