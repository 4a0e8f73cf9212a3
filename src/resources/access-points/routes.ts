import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { addStates, prepareAccessPoint } from './queries.ts'
import { accessPoints } from './schema.ts'

export const accessPointRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, accessPoints, { prepare: prepareAccessPoint, decorate: addStates })
