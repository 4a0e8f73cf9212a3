import type { FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'

const crossSite = () =>
  new AppError('UNAUTHORIZED', 'A session is taken from pages of this service only; other software uses a token', {
    status: 403,
    reason: 'cross_site_request',
  })

/**
 * A browser sends the cookie whoever asks; where the request comes from is in headers that a page cannot set. Reading
 * is harmless: another origin does not get to see the answer.
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  const isOurs =
    site === undefined ? origin === new URL(request.server.house.config.baseUrl).origin : site === 'same-origin'
  if (!isOurs) throw crossSite()
}

/** Nobody is logged in by another site's page; what is no browser says nothing and is let in. */
export function refuseOtherSites(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (site === undefined && request.headers.origin === undefined) return
  requireSameOrigin(request)
}
