import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { byCoding, type Coding, codingsOf } from '../http/answers/coding.ts'
import { isNotModified } from '../http/answers/etag.ts'

/** One file of the built portal, as the build has noted it down. */
export interface PortalFile {
  /** Below the build's folder; also its address. */
  readonly path: string
  readonly type: string
  readonly etag: string
  /** Which compressed copies lie beside it, best first. */
  readonly encodings: readonly Coding[]
}

export const suffixes: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** What the build leaves beside its files. It is written last: a folder that has it is whole. */
export const FILE_LIST = 'files.json'

/** A built portal. Only its page is kept in memory; the rest is read when asked for, which a browser does once. */
export class PortalFiles {
  private readonly folder: string
  private readonly files: ReadonlyMap<string, PortalFile>
  private readonly page: readonly string[]
  private readonly reading = new Map<string, Promise<Buffer>>()
  private readonly taken = new Map<string, WeakRef<Buffer>>()

  constructor(folder: string) {
    this.folder = folder
    const list: PortalFile[] = JSON.parse(readFileSync(join(folder, FILE_LIST), 'utf8'))
    this.files = new Map(list.map((file) => [`/${file.path}`, file]))
    this.page = readFileSync(join(folder, 'index.html'), 'utf8').split('__NONCE__')
  }

  /** The page that every address of the portal begins with. */
  pageWith(nonce: string): string {
    return this.page.join(nonce)
  }

  /** Only what the build listed: no address leads out of its folder. */
  find(path: string): PortalFile | undefined {
    return this.files.get(path)
  }

  /** The same bytes for all who ask while somebody still takes them. */
  private async read(path: string): Promise<Buffer> {
    const known = this.taken.get(path)?.deref()
    if (known) return known
    const reading = this.reading.get(path) ?? readFile(join(this.folder, path)).finally(() => this.reading.delete(path))
    this.reading.set(path, reading)
    const bytes = await reading
    this.taken.set(path, new WeakRef(bytes))
    return bytes
  }

  async send(request: FastifyRequest, reply: FastifyReply, file: PortalFile): Promise<FastifyReply> {
    const coding = codingsOf(request).find((taken) => file.encodings.includes(taken))
    const etag = coding === undefined ? `"${file.etag}"` : `"${file.etag}-${coding}"`
    // The names of assets follow from what is in them.
    const caching = file.path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    reply
      .header('etag', etag)
      .header('cache-control', caching)
      .header('vary', byCoding(reply.getHeader('vary')))
    if (isNotModified(request, etag)) return reply.code(304).send()
    const body = await this.read(file.path + (coding === undefined ? '' : suffixes[coding])).catch((cause) => {
      // A newer build has taken its place.
      throw new AppError('NOT_FOUND', 'There is nothing at this address', { cause })
    })
    if (coding !== undefined) reply.header('content-encoding', coding)
    return reply.type(file.type).send(body)
  }
}
