import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, errorStatus } from '../core/errors.ts'
import { inTurns } from '../core/pauses.ts'
import { keysOf } from '../core/typed.ts'
import { SharedBody } from '../http/answers/coding.ts'
import { isNotModified } from '../http/answers/etag.ts'
import { pageAssets, pageSecurityPolicy } from './page-assets.ts'

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
function once(make: () => Promise<string>): () => Promise<Text> {
  let made: Promise<Text> | undefined
  const begin = async (): Promise<Text> => {
    const text = await make()
    return { body: new SharedBody(text), etag: `"${hash('sha1', text, 'base64url').slice(0, 16)}"` }
  }
  return () => {
    made ??= begin().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

// What makes the pages is loaded with the first of them: most processes show none, and are smaller and ready sooner
// without.
const openApi = async (app: FastifyInstance) => inTurns((await import('./openapi/document.ts')).openApiSteps(app))
const errors = () => import('./error-pages.ts')

/** The pages people read (reference, errors, their style), and the OpenAPI document behind the reference. */
export function docsRoutes(app: FastifyInstance): void {
  const { baseUrl, docsUrl } = app.house.config
  const open = 'documentation'
  const openapi = once(async () => JSON.stringify(await openApi(app)))
  const reference = once(async () => inTurns((await import('./reference-page.ts')).referenceSteps(await openApi(app))))
  const errorIndex = once(async () => (await errors()).errorIndexPage(docsUrl))
  const errorPages = new Map<string, () => Promise<Text>>(
    keysOf(errorStatus).map((code) => [code, once(async () => (await errors()).errorPage(code, docsUrl, baseUrl))]),
  )
  app.get('/api/v1/openapi.json', { config: { open } }, async (request, reply) => {
    const { body, etag } = await openapi()
    reply.header('etag', etag).header('cache-control', 'no-cache')
    if (isNotModified(request, etag)) return reply.code(304).send()
    return body.send(reply.header('content-type', 'application/json; charset=utf-8'))
  })
  app.get('/docs', { config: { open } }, async (request, reply) => {
    const { body, etag } = await reference()
    reply.header('etag', etag).header('cache-control', 'no-cache')
    return isNotModified(request, etag) ? reply.code(304).send() : sendPage(reply, body)
  })
  app.get('/docs/api/errors', { config: { open } }, async (_request, reply) =>
    sendPage(reply, (await errorIndex()).body),
  )
  app.get<{ Params: { code: string } }>('/docs/api/errors/:code', { config: { open } }, async (request, reply) => {
    const page = errorPages.get(request.params.code)
    if (!page) throw new AppError('NOT_FOUND', 'There is no such error code')
    return sendPage(reply, (await page()).body)
  })
  for (const asset of pageAssets) {
    app.get(asset.path, { config: { open } }, (request, reply) => {
      reply.header('etag', asset.etag).header('cache-control', 'public, max-age=300')
      if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
      return asset.body.send(reply.type(asset.type))
    })
  }
}
