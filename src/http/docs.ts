import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, type ErrorCode, errorStatus } from '../core/errors.ts'
import { errorIndexPage, errorPage } from './error-pages.ts'
import { pageAssets, pageSecurityPolicy } from './page-assets.ts'
import { startPage } from './start-page.ts'

const sendPage = (reply: FastifyReply, markup: string) =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', pageSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .send(markup)

/** The pages people read: start, errors, their style. */
export function docsRoutes(app: FastifyInstance, version: string): void {
  const { baseUrl, docsUrl } = app.house.config
  const open = 'documentation'
  app.get('/', { config: { open } }, (_request, reply) => sendPage(reply, startPage({ baseUrl, version })))
  app.get('/docs/api/errors', { config: { open } }, (_request, reply) => sendPage(reply, errorIndexPage(docsUrl)))
  app.get<{ Params: { code: string } }>('/docs/api/errors/:code', { config: { open } }, (request, reply) => {
    const { code } = request.params
    if (!Object.hasOwn(errorStatus, code)) throw new AppError('NOT_FOUND', 'There is no such error code')
    return sendPage(reply, errorPage(code as ErrorCode, docsUrl, baseUrl))
  })
  for (const asset of pageAssets) {
    app.get(asset.path, { config: { open } }, (request, reply) => {
      reply.header('etag', asset.etag).header('cache-control', 'public, max-age=300')
      if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
      return reply.type(asset.type).send(asset.body)
    })
  }
}
