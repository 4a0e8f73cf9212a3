import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../http/address.ts'
import { pageSecurityPolicy } from './page-assets.ts'
import type { PortalFiles } from './portal-files.ts'
import { buildingPage, startPage } from './start-page.ts'

/** What there is of the portal. It is built while the service runs, and then changes. */
export type PortalState =
  | { readonly is: 'absent' }
  | { readonly is: 'building' }
  | { readonly is: 'failed' }
  | { readonly is: 'built'; readonly files: PortalFiles }

export interface Portal {
  state: PortalState
}

/** First parts of addresses that are never a page of the portal: what is not found there is not found. */
const reserved = new Set(['api', 'v1', 'docs', 'oauth', '.well-known', 'assets', 'livez', 'readyz', 'metrics'])

const isPage = (path: string): boolean => !reserved.has(path.split('/', 2)[1] ?? '')

/** A browser that opens a page says so; programs, which take anything, are told that there is nothing. */
const asksForPage = ({ headers }: FastifyRequest): boolean =>
  /\b(text\/html|application\/xhtml\+xml)\b/i.test(headers.accept ?? '')

/** The portal at every address that nothing else has; until it is there, a page that says so. */
export function portalRoutes(app: FastifyInstance, portal: Portal, version: string): void {
  const { baseUrl } = app.house.config
  const open = 'the portal, which asks the API for everything'

  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const { state } = portal
    reply.header('cache-control', 'no-store').header('x-frame-options', 'DENY')
    if (state.is === 'built') return sendPortal(reply, state.files)
    reply.header('content-security-policy', pageSecurityPolicy).header('referrer-policy', 'no-referrer')
    if (state.is !== 'absent') reply.code(503)
    if (state.is !== 'building') return html(reply, startPage({ baseUrl, version, hasFailed: state.is === 'failed' }))
    return html(reply.header('retry-after', '2').header('refresh', '2'), buildingPage())
  }

  app.hasPortal = () => portal.state.is !== 'absent'
  app.get('/', { config: { open } }, (_request, reply) => sendPage(reply))
  // Not a route of its own: a wildcard would take what the router refuses elsewhere, such as parts that are too long.
  app.answerUnclaimed = (request, reply) => {
    const { state } = portal
    const path = pathOf(request)
    const file = state.is === 'built' ? state.files.find(path) : undefined
    if (state.is === 'built' && file) return state.files.send(request, reply, file)
    return state.is !== 'absent' && isPage(path) && asksForPage(request) ? sendPage(reply) : undefined
  }
  for (const method of ['GET', 'HEAD'])
    app.routeTable.push({ method, url: '/*', permission: undefined, open, doc: undefined })
}

function sendPortal(reply: FastifyReply, files: PortalFiles): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  // Not "no-referrer": with it a form of our own would say that it comes from nowhere.
  reply.header('content-security-policy', portalSecurityPolicy(nonce)).header('referrer-policy', 'same-origin')
  return html(reply, files.pageWith(nonce))
}

/** A page is a kilobyte or a few: it goes as it is. */
const html = (reply: FastifyReply, page: string): FastifyReply => reply.type('text/html; charset=utf-8').send(page)

/** Everything from here; of styles within the page only those that carry the nonce of this one answer. */
const portalSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
