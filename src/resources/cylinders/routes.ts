import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { prepareCylinder } from './queries.ts'
import { cylinders } from './schema.ts'

export const cylinderRoutes = (app: FastifyInstance) => resourceRoutes(app, cylinders, { prepare: prepareCylinder })
