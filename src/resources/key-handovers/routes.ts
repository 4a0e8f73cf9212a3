import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { keyHandovers } from './schema.ts'

export const keyHandoverRoutes = (app: FastifyInstance) =>
  resourceRoutes(app, keyHandovers, { operations: ['list', 'get'], permissions: { read: 'keys:read', write: 'keys:write' } })
