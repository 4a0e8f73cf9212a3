import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { receiptRoute } from './receipt-route.ts'
import { keyHandovers } from './schema.ts'

export function keyHandoverRoutes(app: FastifyInstance): void {
  resourceRoutes(app, keyHandovers, { operations: ['list', 'get'] })
  receiptRoute(app)
}
