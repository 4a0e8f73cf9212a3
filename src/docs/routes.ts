import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, type ErrorCode, errorStatus } from '../core/errors.ts'
import { SharedBody } from '../http/answers/coding.ts'
import { isNotModified } from '../http/answers/etag.ts'
import { errorIndexPage, errorPage } from './error-pages.ts'
import { openApiOf } from './openapi/document.ts'
import { pageAssets, pageSecurityPolicy } from './page-assets.ts'
import { referencePage } from './reference-page.ts'

export function sendPage(reply: FastifyReply, markup: SharedBody): FastifyReply {
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', pageSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
  return markup.send(reply)
}

interface Text {
  readonly body: SharedBody
  readonly etag: string
}

/** Made when it is first asked for, since only then all routes are known; the same from then on. */
function once(make: () => string): () => Text {
  let made: Text | undefined
  return () => {
    if (made === undefined) {
      const text = make()
      made = { body: new SharedBody(text), etag: `"${hash('sha1', text, 'base64url').slice(0, 16)}"` }
    }
    return made
  }
}

/** The pages people read (reference, errors, their style), and the OpenAPI document behind the reference. */
export function docsRoutes(app: FastifyInstance): void {
  const { baseUrl, docsUrl } = app.house.config
  const open = 'documentation'
  const openapi = once(() => JSON.stringify(openApiOf(app)))
  const reference = once(() => referencePage(openApiOf(app)))
  const errorIndex = once(() => errorIndexPage(docsUrl))
  const codes = Object.keys(errorStatus) as ErrorCode[]
  const errorPages = Object.fromEntries(codes.map((code) => [code, once(() => errorPage(code, docsUrl, baseUrl))])) as Record<
    ErrorCode,
    () => Text
  >
  app.get('/api/v1/openapi.json', { config: { open } }, (request, reply) => {
    const { body, etag } = openapi()
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (isNotModified(request, etag)) return reply.code(304).send()
    return body.send(reply.header('content-type', 'application/json; charset=utf-8'))
  })
  app.get('/docs', { config: { open } }, (request, reply) => {
    const { body, etag } = reference()
    reply.header('etag', etag).header('cache-control', 'no-cache')
    return isNotModified(request, etag) ? reply.code(304).send() : sendPage(reply, body)
  })
  app.get('/docs/api/errors', { config: { open } }, (_request, reply) => sendPage(reply, errorIndex().body))
  app.get<{ Params: { code: string } }>('/docs/api/errors/:code', { config: { open } }, (request, reply) => {
    const { code } = request.params
    if (!Object.hasOwn(errorStatus, code)) throw new AppError('NOT_FOUND', 'There is no such error code')
    return sendPage(reply, errorPages[code as ErrorCode]().body)
  })
  for (const asset of pageAssets) {
    app.get(asset.path, { config: { open } }, (request, reply) => {
      reply.header('etag', asset.etag).header('cache-control', 'public, max-age=300')
      if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
      return asset.body.send(reply.type(asset.type))
    })
  }
}
