import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../db/change.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { refuseTokens } from '../sessions/caller.ts'
import { prepareExternalIdentity } from './queries.ts'
import { type ExternalIdentity, externalIdentities } from './schema.ts'

export function externalIdentityRoutes(app: FastifyInstance): void {
  const trusted = new Set(app.house.config.trustedIssuers.map(({ issuer }) => issuer))
  resourceRoutes(app, externalIdentities, {
    prepare: (tx: Tx, next: ExternalIdentity) => prepareExternalIdentity(tx, next, trusted),
    beforeWrite: refuseTokens,
  })
}
