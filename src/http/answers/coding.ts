import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Negotiator } from 'negotiator'
import { LoopTurn } from '../../core/loop-turn.ts'
import { MAX_HEADER } from './accept.ts'

/** How a body may be compressed, best first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Below this, compressing costs more than it saves. */
const SMALL = 1024
/** About as small as gzip's best, in a fraction of the time of brotli's own. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Of what is sent as it is read: by itself an encoder keeps ten megabytes for as long as its reader takes. */
const BROTLI_STREAM = { params: { ...BROTLI.params, [constants.BROTLI_PARAM_LGWIN]: 17 } }
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** By what the header says; there are few different ones, but strangers could make them up. */
const known = new Map<string, readonly Coding[]>()
const REMEMBERED = 100

/** What the caller takes: what it prefers first, and of what it takes alike the best. */
export function codingsOf({ headers }: FastifyRequest): readonly Coding[] {
  const header = headers['accept-encoding'] ?? ''
  const remembered = known.get(header)
  if (remembered) return remembered
  const taken = read(header)
  if (known.size < REMEMBERED) known.set(header, taken)
  return taken
}

const read = (header: string): readonly Coding[] =>
  new Negotiator({ headers: { 'accept-encoding': header.slice(0, MAX_HEADER) } }).encodings(codings, {
    preferred: codings,
  })

export const isWorthCoding = (body: string | Buffer): boolean => body.length >= SMALL

/** On another thread: a large body does not keep everybody else waiting. */
export const encode = (coding: Coding, body: string | Buffer): Promise<Buffer> =>
  coding === 'br' ? brotli(body, BROTLI) : zip(body)

/** Sends what may be large: compressed where the caller takes it. */
export function sendLarge(reply: FastifyReply, body: string | Buffer | Readable): FastifyReply {
  const [coding] = codingsOf(reply.request)
  reply.header('vary', byCoding(reply.getHeader('vary')))
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (coding === undefined || (isWhole && !isWorthCoding(body))) return reply.send(body)
  reply.header('content-encoding', coding)
  if (!isWhole) {
    const encoder = coding === 'br' ? createBrotliCompress(BROTLI_STREAM) : createGzip()
    // What goes wrong reaches the encoder, and whoever reads from it.
    return reply.send(pipeline(body, encoder, () => undefined))
  }
  encode(coding, body).then(
    (bytes) => reply.send(bytes),
    (error) => reply.send(error),
  )
  return reply
}

/**
 * What many ask for: encoded once for each coding, and the same bytes for everybody, however many are slow to take
 * them.
 */
export class SharedBody {
  readonly text: string
  private readonly encoded = new Map<Coding | undefined, Promise<Buffer>>()

  constructor(text: string) {
    this.text = text
  }

  bytes(coding: Coding | undefined): Promise<Buffer> {
    const known = this.encoded.get(coding)
    if (known) return known
    const made =
      coding === undefined
        ? Promise.resolve(Buffer.from(this.text))
        : this.bytes(undefined).then((whole) => encode(coding, whole))
    this.encoded.set(coding, made)
    return made
  }

  send(reply: FastifyReply): FastifyReply {
    const coding = isWorthCoding(this.text) ? codingsOf(reply.request)[0] : undefined
    reply.header('vary', byCoding(reply.getHeader('vary')))
    if (coding !== undefined) reply.header('content-encoding', coding)
    this.bytes(coding).then(
      (bytes) => sendPieces(reply, bytes),
      (error) => reply.send(error),
    )
    return reply
  }
}

/**
 * So much is handed to a socket at once: the kernel takes megabytes if it is let, and hundreds of readers together hold
 * up everybody.
 */
const PIECE = 64 * 1024
const turn = new LoopTurn()

function sendPieces(reply: FastifyReply, bytes: Buffer): FastifyReply {
  if (bytes.length <= 2 * PIECE) return reply.send(bytes)
  return reply
    .header('content-length', bytes.length)
    .send(Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: 1 }))
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    await turn.take()
    yield bytes.subarray(at, at + PIECE)
  }
}

/**
 * The header Vary of what is compressed for some; also where it is not, and where it is known already: caches go by it.
 */
export const byCoding = (vary: unknown): string => (vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
