import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { keyActions } from './actions.ts'
import { prepareKey } from './queries.ts'
import { registerRoutes } from './register-routes.ts'
import { rekeyingRoute } from './rekeying.ts'
import { ringRoutes } from './ring-routes.ts'
import { keys } from './schema.ts'

export function keyRoutes(app: FastifyInstance): void {
  resourceRoutes(app, keys, { prepare: prepareKey })
  keyActions(app)
  ringRoutes(app)
  registerRoutes(app)
  rekeyingRoute(app)
}
