import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends what may be large: compressed where the caller takes it, and at no cost where not. */
export function sendLarge(reply: FastifyReply, body: string | Buffer | Readable): FastifyReply {
  if (reply.request.headers['accept-encoding'] === undefined) return reply.send(body)
  reply.compress(body)
  return reply
}
