import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { prepareBuilding } from './queries.ts'
import { buildings } from './schema.ts'

export const buildingRoutes = (app: FastifyInstance) => resourceRoutes(app, buildings, { prepare: prepareBuilding })
