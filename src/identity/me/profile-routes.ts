import type { FastifyInstance } from 'fastify'
import { getRow, patchRow } from '../../db/rows.ts'
import { checkIfMatch } from '../../http/answers/etag.ts'
import { bodyOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, patchSchema } from '../../http/schemas.ts'
import { requireUser } from '../sessions/caller.ts'
import { users } from '../users/schema.ts'

/**
 * The address is what they log in with, and the external identifier is somebody else's: those are for administrators.
 */
const schema = patchSchema(users, ['email', 'external_id'])

const doc: RouteDoc = {
  tag: 'me',
  operationId: 'patchMe',
  summary: 'Change your name or language',
  description: 'Your own account, by merge patch. Your e-mail address is changed by an administrator.',
  body: { name: 'MePatch', schema },
  success: { status: 200, name: 'User', schema: itemSchema(users), msg: 'Changed your account' },
  errors: ['VALIDATION_ERROR', 'VERSION_CONFLICT'],
  hasEtag: true,
}

export function profileRoutes(app: FastifyInstance): void {
  app.patch('/api/v1/me', { config: { permission: 'self', doc }, schema: { body: schema } }, async (request, reply) =>
    write(request, reply, async (tx) => {
      const current = await getRow(tx, users, requireUser(request).id, 'all')
      checkIfMatch(request, current)
      return { msg: 'Changed your account', data: await patchRow(tx, users, current, bodyOf(request), 'all', {}) }
    }),
  )
}
