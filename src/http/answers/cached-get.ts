import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrgVersions } from '../../db/kept/versions.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { reading } from '../context.ts'
import { byCoding, type Coding, codingsOf, encode, isWorthCoding } from './coding.ts'
import { etagOf, isNotModified, listEtagOf } from './etag.ts'
import { type KnownAnswer, numbered } from './response-cache.ts'

interface Answer {
  msg: string
  data: unknown
  meta?: object
  link?: string | undefined
  /** When the clock alone makes it another answer, where that is not a validity window's begin or end. */
  until?: string | undefined
}

/**
 * From this size on the bytes themselves are kept and sent: a text would be copied for every caller who is slow to take
 * it.
 */
const SHARED = 16 * 1024

type Read = (request: FastifyRequest, handle: OrgHandle) => Promise<Answer>

/** Answers a GET from memory while nothing it depends on has changed; otherwise reads, answers and remembers. */
export function cachedGet(read: Read, isDerived: boolean, isVolatile = false) {
  const make = async (request: FastifyRequest, handle: OrgHandle, taken: Coding | undefined): Promise<KnownAnswer> => {
    const { link, until, ...content } = await read(request, handle)
    const body = JSON.stringify(content)
    const etag = content.meta
      ? listEtagOf(body)
      : etagOf(content.data as AnyRow, isDerived || isVolatile ? body : undefined)
    const coding = isWorthCoding(body) ? taken : undefined
    const bytes = coding ? await encode(coding, body) : Buffer.from(body)
    return numbered({ body: bytes.length > SHARED ? bytes : bytes.toString('latin1'), coding, etag, link, until })
  }

  const sendKept = (request: FastifyRequest, reply: FastifyReply, key: string, known: KnownAnswer) => {
    send(request, reply, known)
    if (!request.isBroughtUpToDate) request.server.sameAgain.remember(request, key, known)
    return reply
  }

  const readAndSend = async (request: FastifyRequest, reply: FastifyReply, key: string, taken: Coding | undefined) => {
    const { cache } = request.server.house
    const handle = reading(request)
    if (!isVolatile)
      return sendKept(request, reply, key, await cache.get(handle, key, (own) => make(request, own, taken)))
    send(request, reply, await make(request, handle, taken))
    return reply
  }

  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    versions: OrgVersions,
  ): FastifyReply | Promise<FastifyReply> => {
    const { cache, clock } = request.server.house
    const [coding] = codingsOf(request)
    const key = `${request.caller.cacheKey}|${coding}|${request.raw.url}`
    const known = isVolatile ? undefined : cache.known(key, versions, clock.now())
    return known ? sendKept(request, reply, key, known) : readAndSend(request, reply, key, coding)
  }

  // Without a promise where none is needed: most answers are known.
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const versions = request.server.house.engine.versions(request.caller.org)
    return versions instanceof Promise
      ? versions.then((heard) => answer(request, reply, heard))
      : answer(request, reply, versions)
  }
}

/** Past Fastify's own way of sending: it would measure the bytes again, and write head and body apart. */
function send(request: FastifyRequest, reply: FastifyReply, { body, coding, etag, link }: KnownAnswer): void {
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  headers.vary = byCoding(headers.vary)
  headers['cache-control'] = 'private, no-cache'
  if (etag) headers.etag = etag
  if (link) headers.link = link
  const isKnown = isNotModified(request, etag)
  // What the caller has may be compressed otherwise, or not at all: of that a 304 says nothing.
  if (!isKnown) {
    if (coding) headers['content-encoding'] = coding
    headers['content-type'] = 'application/json; charset=utf-8'
    headers['content-length'] = body.length
  }
  reply.raw.writeHead(isKnown ? 304 : 200, headers)
  const sent = isKnown || request.method === 'HEAD' ? '' : body
  if (typeof sent === 'string') reply.hijack().raw.end(sent, 'latin1')
  else reply.hijack().raw.end(sent)
}
