import type { FastifyInstance } from 'fastify'
import { actionRoute } from '../../http/items/action.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { keepHistory, prepareGrant, revokeGrant } from './queries.ts'
import { accessGrants } from './schema.ts'

export function accessGrantRoutes(app: FastifyInstance): void {
  resourceRoutes(app, accessGrants, {
    prepare: prepareGrant,
    beforeDelete: keepHistory,
    errors: { patch: ['INVALID_STATE'], delete: ['INVALID_STATE'] },
  })
  actionRoute(app, accessGrants, {
    verb: 'revoke',
    summary: 'Revoke an access grant',
    description:
      'Ends it at once and for good; the grant is kept. One that is expired or revoked already cannot be revoked ' +
      '(409).',
    run: async (tx, row) => ({ msg: 'Revoked access grant', data: await revokeGrant(tx, row) }),
  })
}
