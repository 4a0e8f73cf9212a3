/** What can be told of a JSON text by one look at its bytes, before anything is made of it. */
export interface JsonShape {
  /** How many levels its lists and objects are nested. */
  depth: number
  /** How many members its objects have as they are written: those of two equal keys are two. */
  members: number
  /** How many the one of them has that has most. */
  widest: number
  /** Both can be written by `\u` alone: strict UTF-8 has no half of a pair, and JSON no bare NUL. */
  hasNul: boolean
  hasHalfPair: boolean
}

const byteOf = (char: string): number => char.charCodeAt(0)
const QUOTE = byteOf('"')
const BACKSLASH = byteOf('\\')
const COLON = byteOf(':')
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [byteOf('['), byteOf(']'), byteOf('{'), byteOf('}')]
const LETTER_U = byteOf('u')
/** `\u` and four digits. */
const ESCAPE_LENGTH = 6

/** Deeper than anything that is accepted. */
const LEVELS = 64
/** Of what is no JSON, too, where more is closed than was opened. */
const levelOf = (depth: number): number => Math.max(0, Math.min(depth, LEVELS - 1))

/** Of a text that is not JSON it says something, too: whoever parses it finds out. */
export function shapeOf(bytes: Buffer): JsonShape {
  const shape: JsonShape = { depth: 0, members: 0, widest: 0, hasNul: false, hasHalfPair: false }
  let depth = 0
  /** Of the object or list that is open at each level; deeper than so many, of all of them. */
  const widths = new Uint32Array(LEVELS)
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at, shape)
    else if (byte === COLON) {
      shape.members++
      const level = levelOf(depth)
      const width = (widths[level] ?? 0) + 1
      widths[level] = width
      if (width > shape.widest) shape.widest = width
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++
      widths[levelOf(depth)] = 0
      if (depth > shape.depth) shape.depth = depth
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
  }
  return shape
}

/** Where the text ends that begins at this quote. */
function endOfText(bytes: Buffer, start: number, shape: JsonShape): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) {
    if (bytes[at] !== BACKSLASH) at++
    else if (bytes[at + 1] !== LETTER_U) at += 2
    else at += escapeAt(bytes, at, shape)
  }
  return at
}

/** How long what is written by `\u` there is: a pair is one. */
function escapeAt(bytes: Buffer, at: number, shape: JsonShape): number {
  const unit = unitAt(bytes, at)
  if (unit === 0) shape.hasNul = true
  if (unit < 0xd800 || unit > 0xdfff) return ESCAPE_LENGTH
  const next = at + ESCAPE_LENGTH
  const isPair =
    unit < 0xdc00 &&
    bytes[next] === BACKSLASH &&
    bytes[next + 1] === LETTER_U &&
    unitAt(bytes, next) >> 10 === 0xdc00 >> 10
  if (isPair) return 2 * ESCAPE_LENGTH
  shape.hasHalfPair = true
  return ESCAPE_LENGTH
}

const unitAt = (bytes: Buffer, at: number): number =>
  (digit(bytes[at + 2]) << 12) | (digit(bytes[at + 3]) << 8) | (digit(bytes[at + 4]) << 4) | digit(bytes[at + 5])

/** Of a hexadecimal digit: the letters' lower four bits are 1 to 6. */
const digit = (byte = 0): number => (byte <= byteOf('9') ? byte & 15 : (byte & 15) + 9)
