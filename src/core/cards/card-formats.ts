/** A field of the bits of a card, from the first (most significant) on. */
interface BitField {
  from: number
  length: number
}

/** A parity bit, and the bits that it is made over. */
interface Parity {
  at: number
  over: readonly number[]
  isOdd: boolean
}

export interface CardFormat {
  name: string
  bits: number
  facility: BitField | undefined
  number: BitField
  parities: readonly Parity[]
}

const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** Of every three bits from `from` on the first two, which is how Corporate 1000 makes two of its parities. */
const twoOfThree = (from: number): number[] =>
  span(0, 32).flatMap((n) => (n % 3 === 2 || n + from > 33 ? [] : [n + from]))

/** Even over the first half, odd over the second: with an odd count of bits both have the middle one. */
const halves = (bits: number): Parity[] => {
  const half = Math.ceil((bits - 2) / 2)
  return [
    { at: 0, over: span(1, half), isOdd: false },
    { at: bits - 1, over: span(bits - 1 - half, bits - 2), isOdd: true },
  ]
}

const wiegand = (name: string, bits: number, facilityBits: number): CardFormat => ({
  name,
  bits,
  facility: facilityBits === 0 ? undefined : { from: 1, length: facilityBits },
  number: { from: 1 + facilityBits, length: bits - 2 - facilityBits },
  parities: halves(bits),
})

/** The formats that readers and printed cards are met in, the commonest first. */
export const cardFormats = [
  wiegand('wiegand-26', 26, 8),
  wiegand('wiegand-34', 34, 16),
  wiegand('wiegand-37', 37, 16),
  wiegand('wiegand-37-plain', 37, 0),
  {
    name: 'corporate-1000',
    bits: 35,
    facility: { from: 2, length: 12 },
    number: { from: 14, length: 20 },
    // The last is made over all the others, so it is checked, and set, last.
    parities: [
      { at: 1, over: twoOfThree(2), isOdd: false },
      { at: 34, over: twoOfThree(1), isOdd: true },
      { at: 0, over: span(1, 34), isOdd: true },
    ],
  },
] as const satisfies readonly CardFormat[]

const spellings: Readonly<Record<string, string>> = {
  w26: 'wiegand-26',
  h10301: 'wiegand-26',
  w34: 'wiegand-34',
  h10306: 'wiegand-34',
  w37: 'wiegand-37',
  h10304: 'wiegand-37',
  h10302: 'wiegand-37-plain',
  c1000: 'corporate-1000',
  c1k: 'corporate-1000',
  c1k35s: 'corporate-1000',
}

/** The format that somebody means by a name; undefined: another one. */
export function formatNamed(name: string | null): CardFormat | undefined {
  const plain = (name ?? '').toLowerCase().replace(/[\s_-]+/g, '-')
  const known =
    spellings[
      plain
        .replaceAll('-', '')
        .replace(/^wiegand/, 'w')
        .replace(/bits?$/, '')
        .replace(/^corporate/, 'c')
    ] ?? plain
  return cardFormats.find((format) => format.name === known)
}

const lowest = (value: bigint, bits: number): bigint => BigInt.asUintN(bits, value)
const fieldOf = (value: bigint, bits: number, { from, length }: BitField): bigint =>
  lowest(value >> BigInt(bits - from - length), length)
const bitAt = (value: bigint, bits: number, at: number): bigint => (value >> BigInt(bits - 1 - at)) & 1n

const parityOf = (value: bigint, bits: number, { over, isOdd }: Parity): bigint =>
  over.reduce((sum, at) => sum ^ bitAt(value, bits, at), isOdd ? 1n : 0n)

export interface CardNumber {
  facility: bigint | undefined
  number: bigint
}

/** What is sent, parity bits included. */
export const readBits = ({ bits, facility, number }: CardFormat, value: bigint): CardNumber => ({
  facility: facility && fieldOf(value, bits, facility),
  number: fieldOf(value, bits, number),
})

export const hasRightParity = ({ bits, parities }: CardFormat, value: bigint): boolean =>
  value >> BigInt(bits) === 0n &&
  parities.every((parity) => bitAt(value, bits, parity.at) === parityOf(value, bits, parity))

export const writeBits = ({ bits, facility, number, parities }: CardFormat, card: CardNumber): bigint => {
  const placed = (value: bigint, { from, length }: BitField) => lowest(value, length) << BigInt(bits - from - length)
  let value = placed(card.number, number) | (facility ? placed(card.facility ?? 0n, facility) : 0n)
  for (const parity of parities) value |= parityOf(value, bits, parity) << BigInt(bits - 1 - parity.at)
  return value
}

export const isWithin = ({ facility, number }: CardFormat, card: CardNumber): boolean =>
  card.number >> BigInt(number.length) === 0n &&
  (card.facility === undefined
    ? facility === undefined
    : facility !== undefined && card.facility >> BigInt(facility.length) === 0n)

/** One number taken apart; undefined where it has more bits than the format, or nothing in front of the card's own. */
export function takeApart({ facility, number }: CardFormat, value: bigint): CardNumber | undefined {
  const site = value >> BigInt(number.length)
  if (!facility || site === 0n || site >> BigInt(facility.length) !== 0n) return undefined
  return { facility: site, number: lowest(value, number.length) }
}

/** Facility code and number as one number, without parity bits: what many readers and printers make of a card. */
export const putTogether = ({ number }: CardFormat, card: CardNumber): bigint =>
  ((card.facility ?? 0n) << BigInt(number.length)) | card.number
