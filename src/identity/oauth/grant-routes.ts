import type { FastifyInstance } from 'fastify'
import { notFound } from '../../core/errors.ts'
import { findRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { idOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { listRoute } from '../../http/list-route.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { removeGrant } from './grants.ts'
import { oauthGrants } from './grants-schema.ts'

const permission = 'self'
const item = { name: 'OAuthGrant', schema: itemSchema(oauthGrants) }

/** What somebody has let applications do for them; a service user has nothing to let. */
export function grantRoutes(app: FastifyInstance): void {
  listRoute(app, '/api/v1/me/grants', oauthGrants, {
    permission,
    own: (caller, handle) => [sql`t.user_id = ${caller.id}`, sql`t.expires_at > ${handle.now}`],
    doc: {
      tag: oauthGrants.plural,
      operationId: 'listMyOAuthGrants',
      summary: 'List your OAuth grants',
      description: oauthGrants.description,
      success: { status: 200, ...item },
    },
  })
  const doc: RouteDoc = {
    tag: oauthGrants.plural,
    operationId: 'revokeMyOAuthGrant',
    summary: 'Revoke an OAuth grant',
    description: 'The application can do nothing for you any more, at once.',
    success: { status: 200, ...item, msg: 'Revoked OAuth grant' },
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'],
  }
  app.delete(
    '/api/v1/me/grants/:id',
    { config: { permission, doc }, schema: { body: NoBody } },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const id = idOf(request)
        const isOwn = await tx.one(
          sql`select t.id from oauth_grants t where t.org = :org and t.id = ${id} and t.user_id = ${request.caller.id}`,
        )
        const row = isOwn ? await findRow(tx, oauthGrants, id, 'all') : undefined
        if (!row) throw notFound()
        await removeGrant(tx, id, 'by_user')
        return { msg: 'Revoked OAuth grant', data: row }
      }),
  )
}
