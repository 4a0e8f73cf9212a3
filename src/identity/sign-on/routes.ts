import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { AnyRow } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import { requireRecentLogin } from '../../http/callers/recent-login.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { listRoute } from '../../http/list-route.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { requireUser } from '../sessions/caller.ts'
import { issuersOf, keepAWayIn } from '../ways-in.ts'
import { ProviderId, ReturnTo, type SignOn, SignOnAnswer } from './begin.ts'
import { removeIdentity } from './queries.ts'
import { identities } from './schema.ts'

const permission = 'self'
const path = '/api/v1/me/identities'
const tag = identities.plural
const item = { name: 'Identity', schema: itemSchema(identities) }
const Connect = Type.Object(
  { provider: ProviderId, return_to: Type.Optional(ReturnTo) },
  { additionalProperties: false },
)

/** Which accounts elsewhere are one's own. */
export function identityRoutes(app: FastifyInstance, signOn: SignOn): void {
  const decorate = async (_handle: unknown, rows: AnyRow[]) => {
    for (const row of rows) row.provider_name = signOn.find(String(row.provider))?.settings.name ?? row.provider
  }
  listRoute(app, path, identities, {
    permission,
    doc: {
      tag,
      operationId: 'listIdentities',
      summary: 'List identities',
      description: `${identities.description} The list has your own.`,
      success: { status: 200, ...item },
    },
    own: ({ id }) => [sql`t.user_id = ${id}`],
    decorate,
  })

  const connectDoc: RouteDoc = {
    tag,
    operationId: 'connectIdentity',
    summary: 'Connect an identity',
    description:
      'Answers with the address at the provider to send the browser to. When it comes back, the account there is ' +
      'connected with yours.',
    body: { name: 'IdentityConnect', schema: Connect },
    success: { status: 200, name: 'SignOnAnswer', schema: SignOnAnswer, msg: 'Send the browser to Google' },
    errors: ['VALIDATION_ERROR', 'SYSTEM_UNREACHABLE', 'SYSTEM_TIMEOUT'],
    isRepeatable: false,
  }
  app.post(path, { config: { permission, doc: connectDoc }, schema: { body: Connect } }, async (request, reply) => {
    const { org, id: userId, session } = requireUser(request)
    requireRecentLogin(request)
    const { provider, return_to: returnTo = '/' } = bodyOf(request, Connect)
    const url = await signOn.begin(request, reply, provider, returnTo, {
      kind: 'connect',
      org,
      userId,
      sessionId: session.id,
    })
    return reply.send({ msg: `Send the browser to ${signOn.find(provider)?.settings.name}`, data: { url } })
  })

  const disconnectDoc: RouteDoc = {
    tag,
    operationId: 'disconnectIdentity',
    summary: 'Disconnect an identity',
    description: 'You do not log in with it any more. The only way in that you have cannot be disconnected.',
    success: { status: 200, ...item, msg: 'Disconnected identity' },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE', 'UNSUPPORTED_MEDIA_TYPE'],
  }
  app.delete(
    `${path}/:id`,
    { config: { permission, doc: disconnectDoc }, schema: { body: NoBody } },
    async (request, reply) => {
      const { id } = requireUser(request)
      requireRecentLogin(request)
      return write(request, reply, async (tx) => {
        const data = { ...(await removeIdentity(tx, id, idOf(request))) }
        await decorate(tx, [data])
        await keepAWayIn(tx, id, issuersOf(app.house.config))
        await app.house.mail.queue(tx, id, 'factor_changed', { what: 'identity_disconnected', address: request.ip })
        return { msg: 'Disconnected identity', data }
      })
    },
  )
}
