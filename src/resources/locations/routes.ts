import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { prepareLocation } from './queries.ts'
import { locations } from './schema.ts'

export const locationRoutes = (app: FastifyInstance) => resourceRoutes(app, locations, { prepare: prepareLocation })
