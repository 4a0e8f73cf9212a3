import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED = 'Data-Version, ETag, Limited-To, Link, Location, RateLimit, Retry-After, X-Request-Id'
const ALLOWED_HEADERS = 'Authorization, Content-Type, Data-Version, Idempotency-Key, If-Match, If-None-Match'

/** Off unless CORS_ORIGINS names the origin. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  const { corsOrigins } = request.server.house.config
  if (corsOrigins.length === 0) return
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !corsOrigins.includes(origin)) return
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED)
}

export function answerPreflight(request: FastifyRequest, reply: FastifyReply, methods: string): void {
  if (!reply.hasHeader('access-control-allow-origin') || request.headers['access-control-request-method'] === undefined)
    return
  reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', '600')
}
