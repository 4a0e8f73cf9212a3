import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { beforeServiceUserDelete, prepareServiceUser } from './queries.ts'
import { serviceUsers } from './schema.ts'

export const serviceUserRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, serviceUsers, {
    prepare: prepareServiceUser,
    beforeDelete: beforeServiceUserDelete,
    errors: { patch: ['INVALID_STATE'], delete: ['INVALID_STATE'] },
  })
