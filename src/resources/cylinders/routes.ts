import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { prepareCylinder } from './queries.ts'
import { cylinders } from './schema.ts'

export const cylinderRoutes = (app: FastifyInstance) => resourceRoutes(app, cylinders, { prepare: prepareCylinder })
