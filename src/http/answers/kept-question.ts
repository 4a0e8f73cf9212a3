import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OrgHandle } from '../../db/org.ts'
import { reading } from '../context.ts'
import { languageOf } from './language.ts'
import { bodyAt, type KnownAnswer, numbered } from './response-cache.ts'

interface Answer {
  msg: string
  data: object
  /** When the clock alone makes it another answer, to the letter. */
  until: string
}

interface Question {
  decide: (request: FastifyRequest, handle: OrgHandle) => Promise<Answer>
  /** Some are looked at each time. */
  isKept: (request: FastifyRequest) => boolean
  /** The last member of an answer: when it was asked. That is told anew each time. */
  clock: string
}

/**
 * Answers a question, which changes nothing and is a POST for its length, from memory while nothing it depends on has
 * changed.
 */
export function keptQuestion({ decide, isKept, clock }: Question) {
  const make = async (request: FastifyRequest, handle: OrgHandle): Promise<KnownAnswer> => {
    const { until, ...content } = await decide(request, handle)
    const body = Buffer.from(JSON.stringify(content)).toString('latin1')
    const clockAt = isKept(request) ? body.lastIndexOf(`"${clock}":"`) + clock.length + 4 : undefined
    return numbered({ body, clockAt, until, coding: undefined, etag: undefined, link: undefined })
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { house, sameAgain } = request.server
    const { cache } = house
    const handle = reading(request)
    const { caller, raw, bodyBytes } = request
    if (!bodyBytes || !isKept(request)) {
      send(reply, await make(request, handle), handle.now)
      return reply
    }
    const key = `${caller.cacheKey}|${languageOf(request)}|${raw.url}|${bodyBytes.toString('latin1')}`
    const known = await cache.get(handle, key, (own) => make(request, own))
    send(reply, known, handle.now)
    sameAgain.remember(request, key, known, bodyBytes)
    return reply
  }
}

function send(reply: FastifyReply, answer: KnownAnswer, now: string): void {
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  const body = bodyAt(answer, now)
  headers['cache-control'] = 'no-store'
  headers['content-type'] = 'application/json; charset=utf-8'
  headers['content-length'] = body.length
  reply.hijack().raw.writeHead(200, headers).end(body, 'latin1')
}
