import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { individualActions } from './actions.ts'
import { decorateMeans } from './means.ts'
import { prepareIndividual } from './queries.ts'
import { individuals } from './schema.ts'

export function individualRoutes(app: FastifyInstance): void {
  resourceRoutes(app, individuals, {
    prepare: prepareIndividual,
    decorate: decorateMeans,
    errors: { patch: ['INVALID_STATE'] },
  })
  individualActions(app)
}
