import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file in an archive; its content comes a piece at a time. */
export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

interface Written {
  name: Buffer
  offset: number
  crc: number
  packed: number
  plain: number
}

/** Deflated; names in UTF-8; sizes behind the content, since nobody knows them before. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20
/** 1 January 1980, the first day there is. */
const DAY = 0x21
/** Sizes have four bytes. */
const MAX_BYTES = 0xff_ff_ff_ff

/** As small as by level 4, in a third of its time; and each piece that is sent costs a turn of the loop. */
const PACKING = { level: 2, chunkSize: 128 * 1024 }

/** A ZIP archive, sent as it is made: nothing of it is kept but a line for each file. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), offset, crc: 0, packed: 0, plain: 0 }
    const head = fields(
      [0x04034b50, 4],
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATED, 2],
      [0, 2],
      [DAY, 2],
      [0, 4],
      [0, 4],
      [0, 4],
    )
    const opening = Buffer.concat([head, fields([entry.name.length, 2], [0, 2]), entry.name])
    yield opening
    for await (const piece of deflated(content, entry)) yield piece
    if (entry.packed > MAX_BYTES || entry.plain > MAX_BYTES)
      throw new Error(`${name} is larger than an archive can hold`)
    const closing = fields([0x08074b50, 4], [entry.crc, 4], [entry.packed, 4], [entry.plain, 4])
    yield closing
    offset += opening.length + entry.packed + closing.length
    written.push(entry)
  }
  yield directory(written, offset)
}

async function* deflated(content: ZipEntry['content'], entry: Written): AsyncGenerator<Buffer> {
  const counted = async function* () {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      entry.crc = crc32(bytes, entry.crc)
      entry.plain += bytes.length
      yield bytes
    }
  }
  // What goes wrong reaches whoever reads from it; who stops reading ends what it is made of.
  const stream = pipeline(Readable.from(counted(), { highWaterMark: 1 }), createDeflateRaw(PACKING), () => undefined)
  for await (const piece of stream) {
    entry.packed += piece.length
    yield piece
  }
}

function directory(written: readonly Written[], offset: number): Buffer {
  const lines = written.map(({ name, offset: at, crc, packed, plain }) =>
    Buffer.concat([
      fields(
        [0x02014b50, 4],
        [VERSION, 2],
        [VERSION, 2],
        [FLAGS, 2],
        [DEFLATED, 2],
        [0, 2],
        [DAY, 2],
        [crc, 4],
        [packed, 4],
        [plain, 4],
      ),
      fields([name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
      name,
    ]),
  )
  const size = lines.reduce((sum, line) => sum + line.length, 0)
  const end = fields(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [written.length, 2],
    [written.length, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  )
  return Buffer.concat([...lines, end])
}

/** Numbers one after the other, each in so many bytes, the lowest first. */
function fields(...numbers: ReadonlyArray<readonly [value: number, bytes: 2 | 4]>): Buffer {
  const bytes = Buffer.alloc(numbers.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of numbers) at = bytes.writeUIntLE(value, at, size)
  return bytes
}
