import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrgHandle } from '../db/org.ts'
import type { AnyRow } from '../db/resource.ts'
import { sendLarge } from './compress.ts'
import { reading } from './context.ts'
import { etagOf, isNotModified } from './etag.ts'

interface Answer {
  msg: string
  data: unknown
  meta?: object
  link?: string | undefined
  /** When the clock alone makes it another answer, where that is not a validity window's begin or end. */
  until?: string | undefined
}

/** Answers a GET from memory while nothing it depends on has changed; otherwise reads, answers and remembers. */
export function cachedGet(read: (request: FastifyRequest, handle: OrgHandle) => Promise<Answer>, isDerived: boolean, isVolatile = false) {
  const answer = (request: FastifyRequest, reply: FastifyReply, version: number): FastifyReply | Promise<FastifyReply> => {
    const { cache, clock } = request.server.house
    const key = `${request.caller.cacheKey}|${request.raw.url}`
    const known = isVolatile ? undefined : cache.get(key, version, clock.now())
    return known ? sendAnswer(request, reply, known.body, known.etag, known.link) : readAndSend(request, reply, key, version)
  }

  const readAndSend = async (request: FastifyRequest, reply: FastifyReply, key: string, version: number): Promise<FastifyReply> => {
    const { cache } = request.server.house
    const handle = reading(request)
    const { link, until, ...content } = await read(request, handle)
    const body = JSON.stringify(content)
    const etag = content.meta ? undefined : etagOf(content.data as AnyRow, isDerived || isVolatile ? body : undefined)
    if (!isVolatile) await cache.set(key, handle, version, { body: isWide(body) ? Buffer.from(body) : body, etag, link }, until)
    return sendAnswer(request, reply, body, etag, link)
  }

  // Without a promise where none is needed: most answers are known.
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const versions = request.server.house.cache.versionOf(request.caller.org)
    return versions instanceof Promise ? versions.then(({ data }) => answer(request, reply, data)) : answer(request, reply, versions.data)
  }
}

const isWide = (text: string): boolean => /[^\0-\xff]/.test(text)

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  etag: string | undefined,
  link: string | undefined,
): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'private, no-cache')
  if (etag) reply.header('etag', etag)
  if (link) reply.header('link', link)
  return isNotModified(request, etag) ? reply.code(304).send() : sendLarge(reply, body)
}
