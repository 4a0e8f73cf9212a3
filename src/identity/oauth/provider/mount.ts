import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { signalOf } from '../../../http/signal.ts'
import { finishLogin } from '../consent/login-step.ts'
import { issuerOf, SESSION_COOKIE } from '../endpoints.ts'
import { findLoggedIn, loginSeconds } from '../portal-session.ts'
import { oauthActor, withRequest } from '../requests.ts'
import type { Oauth } from '../service.ts'

const open = 'OAuth 2.0'

/** What the provider serves below /oauth. */
const provided: ReadonlyArray<readonly ['GET' | 'POST' | 'OPTIONS', string]> = [
  ['GET', '/auth'],
  ['GET', '/auth/:uid'],
  ['POST', '/token'],
  ['OPTIONS', '/token'],
  ['POST', '/request'],
  ['OPTIONS', '/request'],
  ['POST', '/token/revocation'],
  ['OPTIONS', '/token/revocation'],
  ['POST', '/token/introspection'],
  ['GET', '/jwks'],
  ['OPTIONS', '/jwks'],
  ['GET', '/.well-known/openid-configuration'],
  ['OPTIONS', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['OPTIONS', '/.well-known/oauth-authorization-server'],
]

/** The issuer has a path: RFC 8414 puts its metadata here, and some ask for OpenID's in the same manner. */
const wellKnown: ReadonlyArray<readonly [string, string]> = [
  ['/.well-known/oauth-authorization-server/oauth', '/.well-known/oauth-authorization-server'],
  ['/.well-known/openid-configuration/oauth', '/.well-known/openid-configuration'],
]

/**
 * The provider below /oauth. It reads bodies itself, and hangs where somebody has read them before: this part of the
 * server has no body parser. Its answers keep the RFCs' form.
 */
export function oauthProviderRoutes(app: FastifyInstance, oauth: Oauth): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const [method, path] of provided) {
      scope.route({
        method,
        url: `/oauth${path}`,
        // Hints, codes and whatever else an application sends along.
        config: { open, isQuerySecret: true },
        handler: (request, reply) => pass(oauth, request, reply, (request.raw.url ?? '').replace(/^.*?\/oauth/, '')),
      })
    }
    for (const [url, path] of wellKnown)
      scope.get(url, { config: { open } }, (request, reply) => pass(oauth, request, reply, path))
    scope.get('/oauth/interaction/:uid', { config: { open } }, (request, reply) => finishLogin(oauth, request, reply))
  })
}

/** Hands the request over, under our own address, whatever headers about it the caller sent. */
async function pass(oauth: Oauth, request: FastifyRequest, reply: FastifyReply, url: string): Promise<void> {
  const { config } = request.server.house
  const provider = await oauth.provider()
  if (url.startsWith('/auth')) await followPortal(provider, request)
  const { raw } = request
  const base = new URL(issuerOf(config))
  const before = raw.url
  Object.assign(raw, { originalUrl: `${base.pathname}${url}`, url })
  Object.assign(raw.headers, {
    'x-forwarded-host': base.host,
    'x-forwarded-proto': base.protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
    'x-request-id': request.id,
  })
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.setHeader('referrer-policy', 'no-referrer')
  reply.raw.setHeader('x-frame-options', 'DENY')
  const actor = oauthActor(request.ip, request.id)
  const refused = (code: string) => {
    request.failure = { code, reason: undefined }
  }
  try {
    await withRequest({ actor, signal: signalOf(request), reason: 'by_application', refused }, () =>
      provider.callback()(raw, reply.raw),
    )
  } finally {
    Object.assign(raw, { url: before })
  }
}

/**
 * The provider has a session of its own; it counts only while it says what ours says: the same person, the same login.
 * Otherwise it is left out, and the provider asks who is there.
 */
async function followPortal(provider: Provider, request: FastifyRequest): Promise<void> {
  const { cookie } = request.raw.headers
  const parts = cookie?.split(';').map((part) => part.trim()) ?? []
  const [own, another] = parts.filter((part) => part.startsWith(`${SESSION_COOKIE}=`))
  if (own === undefined) return
  const caller = await findLoggedIn(request)
  const session = await provider.Session.find(own.slice(SESSION_COOKIE.length + 1))
  // Of two one was put there by somebody else.
  if (caller && another === undefined && session?.accountId === caller.id && session.loginTs === loginSeconds(caller))
    return
  request.raw.headers.cookie = parts.filter((part) => !part.startsWith(`${SESSION_COOKIE}=`)).join('; ')
}
