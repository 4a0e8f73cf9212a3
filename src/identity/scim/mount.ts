import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { parseBody } from '../../http/body.ts'

const open = 'SCIM: asks for scim:write itself, and refuses in the words of RFC 7644'

/** Many have no provider: what speaks with one is loaded when it does for the first time. */
const spoken = () => import('./answers.ts')

/**
 * SCIM 2.0 at `/scim/v2`, as Entra and Okta speak it. Its bodies are the RFC's, also of errors: it stands outside
 * `/api`.
 */
export function scimRoutes(app: FastifyInstance): void {
  const refuse = async (error: Error, request: FastifyRequest, reply: FastifyReply) =>
    (await spoken()).refuse(error, request, reply)
  app.errorsUnder.set('/scim/v2', refuse)
  const handler = async (request: FastifyRequest, reply: FastifyReply) => (await spoken()).answer(request, reply)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/scim+json', 'application/json'],
      { parseAs: 'buffer' },
      (_request: unknown, body: unknown) => parseBody(body as Buffer),
    )
    scope.setErrorHandler(refuse)
    scope.addHook('onRequest', admit)
    scope.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/scim/v2/*', config: { open }, handler })
  })
}

/**
 * A token of the organization, good everywhere in it, before anything of the body is read. Providers know the scheme
 * Bearer alone.
 */
async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { authenticate, rateLimit } = request.server.house
  const { headers } = request.raw
  headers.authorization = headers.authorization?.replace(/^Bearer +(?=acs_pat_)/i, 'Token ')
  request.caller = await authenticate(request)
  if (!rateLimit.isOff) await rateLimit.take(request.caller, reply)
  const { credential, rights } = request.caller
  if (credential !== 'session' && rights.scopeOf('scim:write') === 'all') return
  throw new AppError('UNAUTHORIZED', 'The token needs the permission scim:write, for the whole organization', {
    status: 403,
    reason: 'insufficient_permissions',
  })
}
