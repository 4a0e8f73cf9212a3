import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { prepareAccessPoint } from './queries.ts'
import { accessPoints } from './schema.ts'

export const accessPointRoutes = (app: FastifyInstance) => resourceRoutes(app, accessPoints, { prepare: prepareAccessPoint })
