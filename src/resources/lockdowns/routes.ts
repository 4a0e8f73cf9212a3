import type { FastifyInstance } from 'fastify'
import { actionRoute } from '../../http/items/action.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { evacuateRoute } from './evacuate.ts'
import { addMeasures } from './measure.ts'
import { prepareLockdown, releaseLockdown } from './queries.ts'
import { lockdowns } from './schema.ts'

export function lockdownRoutes(app: FastifyInstance): void {
  resourceRoutes(app, lockdowns, {
    operations: ['list', 'get', 'create', 'patch'],
    prepare: prepareLockdown,
    decorate: addMeasures,
    called: ({ kind }) => String(kind),
    errors: { patch: ['INVALID_STATE'] },
  })
  evacuateRoute(app)
  actionRoute(app, lockdowns, {
    verb: 'release',
    summary: 'Release a lockdown, evacuation or drill',
    description: 'Ends it at once. One that has expired or was released already cannot be released (409).',
    run: async (tx, row, { caller }) => {
      const data = await releaseLockdown(tx, row)
      await addMeasures(tx, [data], caller)
      return { msg: `Released ${row.kind}`, data }
    },
  })
}
