import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { outdatedModes } from '../../live/modes.ts'
import { addStates, prepareAccessPoint } from './queries.ts'
import { accessPoints } from './schema.ts'

export const accessPointRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, accessPoints, { prepare: prepareAccessPoint, decorate: addStates, outdated: outdatedModes })
