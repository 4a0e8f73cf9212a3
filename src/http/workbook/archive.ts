import { pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const DEFLATED = 8
/** What is packed a thousandfold would otherwise be unpacked for hours. */
const MAX_UNPACKED = 2 ** 30
const PIECE = 64 * 1024

interface Packed {
  bytes: Buffer
  isDeflated: boolean
}

/** The files in a ZIP archive, each unpacked as it is read. */
export class Archive {
  private readonly files = new Map<string, Packed>()

  constructor(bytes: Buffer) {
    const mark = Buffer.alloc(4)
    mark.writeUInt32LE(END)
    const end = bytes.lastIndexOf(mark)
    if (end === -1) throw new Error('this is no archive')
    for (let at = bytes.readUInt32LE(end + 16), left = bytes.readUInt16LE(end + 10); left > 0; left--) {
      if (bytes.readUInt32LE(at) !== ENTRY) throw new Error('the archive is damaged')
      const [size, start] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)]
      const [name, extra] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)]
      const comment = bytes.readUInt16LE(at + 32)
      const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
      const isDeflated = bytes.readUInt16LE(at + 10) === DEFLATED
      this.files.set(bytes.toString('utf8', at + 46, at + 46 + name), {
        bytes: bytes.subarray(from, from + size),
        isDeflated,
      })
      at += 46 + name + extra + comment
    }
  }

  /** The text of a file, piece by piece; nothing where there is no such file. */
  async *text(name: string): AsyncGenerator<string> {
    const file = this.files.get(name)
    if (!file) return
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let total = 0
    for await (const piece of file.isDeflated ? inflated(file.bytes) : inPieces(file.bytes)) {
      total += piece.length
      if (total > MAX_UNPACKED) throw new Error('the archive holds too much')
      yield decoder.decode(piece, { stream: true })
    }
    yield decoder.decode()
  }
}

const inflated = (bytes: Buffer): AsyncIterable<Buffer> =>
  pipeline(inPieces(bytes), createInflateRaw({ chunkSize: PIECE }), () => undefined)

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
