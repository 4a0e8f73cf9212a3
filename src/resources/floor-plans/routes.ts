import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { imageRoutes } from './image-routes.ts'
import { preparePosition } from './queries.ts'
import { type FloorPlanPosition, floorPlanPositions, floorPlans } from './schema.ts'

export function floorPlanRoutes(app: FastifyInstance): void {
  resourceRoutes(app, floorPlans)
  imageRoutes(app)
  resourceRoutes(app, floorPlanPositions, {
    parent: { resource: floorPlans, field: 'floor_plan_id', segment: 'positions' },
    prepare: (tx, next, current) => preparePosition(tx, next as FloorPlanPosition, current as FloorPlanPosition | undefined),
  })
}
