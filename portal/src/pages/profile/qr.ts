/**
 * A QR code (ISO/IEC 18004) of a short text: bytes, error correction M, versions 1 to 20. Enough for an address, small enough to
 * be read whole; nothing of a secret leaves the page.
 */
const EC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
const LEVEL_M = 0

type Grid = boolean[][]

/** How many bits a version holds besides its patterns. */
function rawBits(version: number): number {
  let bits = (16 * version + 128) * version + 64
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2
    bits -= (25 * marks - 10) * marks - 55
    if (version >= 7) bits -= 36
  }
  return bits
}

const ecOf = (version: number) => EC_PER_BLOCK[version - 1] as number
const blocksOf = (version: number) => BLOCKS[version - 1] as number
const dataBytes = (version: number) => Math.floor(rawBits(version) / 8) - ecOf(version) * blocksOf(version)

/** Multiplies in GF(2^8) by x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** The Reed-Solomon remainder of a block. */
function correction(data: readonly number[], degree: number): number[] {
  const divisor = [...new Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++) divisor[index] = times(divisor[index] as number, root) ^ (divisor[index + 1] ?? 0)
    root = times(root, 2)
  }
  const rest = new Array<number>(degree).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() as number)
    rest.push(0)
    for (let index = 0; index < degree; index++) rest[index] = (rest[index] as number) ^ times(divisor[index] as number, factor)
  }
  return rest
}

/** Mode, length, bytes and padding. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const put = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1)
  }
  put(4, 4)
  put(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) put(byte, 8)
  const room = dataBytes(version) * 8
  put(0, Math.min(4, room - bits.length))
  put(0, -bits.length & 7)
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) put(pad, 8)
  return Array.from({ length: room / 8 }, (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0))
}

/** Blocks with their corrections, woven into one another. */
function woven(data: readonly number[], version: number): number[] {
  const count = blocksOf(version)
  const total = Math.floor(rawBits(version) / 8)
  const short = Math.floor(total / count) - ecOf(version)
  const longs = total % count
  const blocks: number[][] = []
  for (let index = 0, at = 0; index < count; index++) {
    const length = short + (index < count - longs ? 0 : 1)
    blocks.push(data.slice(at, at + length))
    at += length
  }
  const corrections = blocks.map((block) => correction(block, ecOf(version)))
  const column = (rows: readonly number[][], index: number) => rows.flatMap((row) => row[index] ?? [])
  return [
    ...Array.from({ length: short + 1 }, (_, index) => column(blocks, index)).flat(),
    ...Array.from({ length: ecOf(version) }, (_, index) => column(corrections, index)).flat(),
  ]
}

function alignment(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = version * 4 + 10
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)]
}

const masks: ReadonlyArray<(x: number, y: number) => boolean> = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** The value with its BCH check bits behind it. */
function checked(value: number, length: number, generator: number): number {
  let rest = value
  for (let step = 0; step < length; step++) rest = (rest << 1) ^ ((rest >>> (length - 1)) * generator)
  return (value << length) | rest
}

class Drawing {
  readonly size: number
  readonly dark: Grid
  private readonly fixed: Grid

  constructor(version: number) {
    this.size = version * 4 + 17
    this.dark = Array.from({ length: this.size }, () => new Array<boolean>(this.size).fill(false))
    this.fixed = this.dark.map((row) => [...row])
    this.patterns(version)
  }

  private fix(x: number, y: number, isDark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return
    ;(this.dark[y] as boolean[])[x] = isDark
    ;(this.fixed[y] as boolean[])[x] = true
  }

  private patterns(version: number): void {
    for (let at = 0; at < this.size; at++) {
      this.fix(6, at, at % 2 === 0)
      this.fix(at, 6, at % 2 === 0)
    }
    const end = this.size - 4
    for (const [x, y] of [
      [3, 3],
      [end, 3],
      [3, end],
    ] as const)
      this.rings(x, y, 4, (distance) => distance !== 2 && distance !== 4)
    const marks = alignment(version)
    const last = marks.length - 1
    for (const [i, x] of marks.entries()) {
      for (const [j, y] of marks.entries()) {
        const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
        if (!isCorner) this.rings(x, y, 2, (distance) => distance !== 1)
      }
    }
    this.format(0)
    if (version >= 7) {
      const bits = checked(version, 12, 0x1f25)
      for (let bit = 0; bit < 18; bit++) {
        const a = this.size - 11 + (bit % 3)
        const b = Math.floor(bit / 3)
        this.fix(a, b, ((bits >>> bit) & 1) === 1)
        this.fix(b, a, ((bits >>> bit) & 1) === 1)
      }
    }
  }

  private rings(x: number, y: number, radius: number, isDark: (distance: number) => boolean): void {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) this.fix(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }

  /** Which error correction and mask it has, twice. */
  format(mask: number): void {
    const bits = checked((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412
    const bit = (index: number) => ((bits >>> index) & 1) === 1
    for (let index = 0; index <= 5; index++) this.fix(8, index, bit(index))
    this.fix(8, 7, bit(6))
    this.fix(8, 8, bit(7))
    this.fix(7, 8, bit(8))
    for (let index = 9; index < 15; index++) this.fix(14 - index, 8, bit(index))
    for (let index = 0; index < 8; index++) this.fix(this.size - 1 - index, 8, bit(index))
    for (let index = 8; index < 15; index++) this.fix(8, this.size - 15 + index, bit(index))
    this.fix(8, this.size - 8, true)
  }

  /** Up and down in columns of two, from the right. */
  place(bytes: readonly number[]): void {
    let at = 0
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < this.size; step++) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.fixed[y]?.[x] || at >= bytes.length * 8) continue
          ;(this.dark[y] as boolean[])[x] = (((bytes[at >>> 3] as number) >>> (7 - (at & 7))) & 1) === 1
          at++
        }
      }
    }
  }

  /** Twice is not at all. */
  mask(index: number): void {
    const isTurned = masks[index] as (x: number, y: number) => boolean
    for (const [y, row] of this.dark.entries())
      for (const [x, isDark] of row.entries()) if (!this.fixed[y]?.[x] && isTurned(x, y)) row[x] = !isDark
  }

  /** How hard it would be to read. */
  penalty(): number {
    const columns = this.dark.map((_, x) => this.dark.map((row) => row[x] as boolean))
    const lines = [...this.dark, ...columns].map((line) => line.map((isDark) => (isDark ? '1' : '0')).join(''))
    let sum = 0
    for (const line of lines) {
      for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2
      // What looks like a corner, with white beside it.
      for (const like of ['10111010000', '00001011101'])
        for (let at = line.indexOf(like); at >= 0; at = line.indexOf(like, at + 1)) sum += 40
    }
    let darkCount = 0
    for (let y = 0; y < this.size; y++) {
      for (let x = 0; x < this.size; x++) {
        const isDark = this.dark[y]?.[x]
        if (isDark) darkCount++
        if (
          x + 1 < this.size &&
          y + 1 < this.size &&
          [this.dark[y]?.[x + 1], this.dark[y + 1]?.[x], this.dark[y + 1]?.[x + 1]].every((one) => one === isDark)
        )
          sum += 3
      }
    }
    const total = this.size * this.size
    return sum + Math.max(0, Math.ceil(Math.abs(darkCount * 20 - total * 10) / total) - 1) * 10
  }
}

/** Rows of dark and light. */
export function qrCode(text: string): Grid {
  const bytes = new TextEncoder().encode(text)
  const fits = (version: number) => 4 + (version < 10 ? 8 : 16) + bytes.length * 8 <= dataBytes(version) * 8
  const version = BLOCKS.findIndex((_, index) => fits(index + 1)) + 1
  if (version === 0) throw new RangeError('the text is too long for a QR code')
  const drawing = new Drawing(version)
  drawing.place(woven(dataOf(bytes, version), version))
  const weigh = (mask: number) => {
    drawing.format(mask)
    drawing.mask(mask)
    const penalty = drawing.penalty()
    drawing.mask(mask)
    return penalty
  }
  const penalties = masks.map((_, mask) => weigh(mask))
  const best = penalties.indexOf(Math.min(...penalties))
  drawing.format(best)
  drawing.mask(best)
  return drawing.dark
}
