import { Readable } from 'node:stream'
import { crc32, createInflate } from 'node:zlib'
import { Refused } from './refused.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MAX_SIDE = 10_000
/** A browser takes four bytes for each. */
const MAX_PIXELS = 25_000_000

/** What the picture is made of. Texts, places, profiles and further frames are left out. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND'])

/** Samples of a pixel, by colour type, and how deep they may be. */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/** The passes of an interlaced picture: first column and row, and steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Chunk {
  type: string
  whole: Buffer
  data: Buffer
}

interface Head {
  width: number
  height: number
  bitsPerPixel: number
  isPalette: boolean
  isInterlaced: boolean
}

interface SafePng {
  bytes: Buffer
  width: number
  height: number
  removed: readonly string[]
}

/** A PNG that is whole, of a size that browsers show, with its picture alone. */
export async function safePng(sent: Uint8Array): Promise<SafePng> {
  const file = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength)
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Refused('The image is no PNG: it does not begin like one')
  const chunks = [...chunksOf(file)]
  const head = headOf(chunks[0])
  checkOrder(chunks, head)
  await checkPixels(chunks, head)
  const kept = chunks.filter(({ type }) => KEPT.has(type))
  const { width, height } = head
  return { bytes: Buffer.concat([SIGNATURE, ...kept.map(({ whole }) => whole)]), width, height, removed: [] }
}

function* chunksOf(file: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = at + 12 <= file.length ? file.readUInt32BE(at) : file.length
    if (at + 12 + length > file.length) throw new Refused('The PNG ends too early')
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 8 + length
    if (!/^[A-Za-z]{4}$/.test(type) || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
      throw new Refused('The PNG is damaged')
    yield { type, whole: file.subarray(at, end + 4), data: file.subarray(at + 8, end) }
    at = end + 4
    if (type === 'IEND' && at < file.length) throw new Refused('The PNG goes on after its end')
  }
}

function headOf(chunk: Chunk | undefined): Head {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13) throw new Refused('The PNG does not say how large it is')
  const { data } = chunk
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const colour = COLOURS[data[9] ?? 1]
  const depth = data[8] ?? 0
  if (
    width === 0 ||
    height === 0 ||
    !colour?.depths.includes(depth) ||
    data[10] !== 0 ||
    data[11] !== 0 ||
    (data[12] ?? 2) > 1
  )
    throw new Refused('The PNG is of a kind that there is not')
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new Refused(
      `The image is ${width} by ${height} pixels; at most ${MAX_SIDE} on each side and ${MAX_PIXELS / 1e6} ` +
        'million in all',
    )
  return { width, height, bitsPerPixel: colour.samples * depth, isPalette: data[9] === 3, isInterlaced: data[12] === 1 }
}

/** One head, one end, the picture in one go, and nothing that a reader must know and we do not. */
function checkOrder(chunks: readonly Chunk[], { isPalette }: Head): void {
  const types = chunks.map(({ type }) => type)
  const first = types.indexOf('IDAT')
  const count = types.filter((type) => type === 'IDAT').length
  const isInOrder =
    types.lastIndexOf('IHDR') === 0 &&
    types.indexOf('IEND') === types.length - 1 &&
    first > 0 &&
    types.lastIndexOf('IDAT') === first + count - 1 &&
    types.indexOf('PLTE') === types.lastIndexOf('PLTE') &&
    types.indexOf('PLTE') < first &&
    (!isPalette || types.includes('PLTE'))
  const isUnknown = types.some((type) => /^[A-Z]/.test(type) && !KEPT.has(type))
  if (!isInOrder || isUnknown) throw new Refused('The PNG is not put together as a PNG is')
}

/** The picture unpacks to exactly as much as its size says. */
async function checkPixels(chunks: readonly Chunk[], head: Head): Promise<void> {
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const meant = unpackedSize(head)
  let found = 0
  try {
    for await (const piece of Readable.from(packed).pipe(createInflate())) {
      found += piece.length
      if (found > meant) break
    }
  } catch {
    throw new Refused('The PNG is damaged')
  }
  if (found !== meant) throw new Refused('The PNG holds another picture than its size says')
}

function unpackedSize({ width, height, bitsPerPixel, isInterlaced }: Head): number {
  const passes = isInterlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  let size = 0
  for (const [left, top, acrossBy, downBy] of passes) {
    const across = Math.ceil((width - left) / acrossBy)
    const down = Math.ceil((height - top) / downBy)
    if (across > 0 && down > 0) size += down * (1 + Math.ceil((across * bitsPerPixel) / 8))
  }
  return size
}
