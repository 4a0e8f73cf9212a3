import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/items/resource.ts'
import { listRoute } from '../../http/list-route.ts'
import { itemSchema } from '../../http/schemas.ts'
import { imageRoutes } from './image-routes.ts'
import { addWhetherElsewhere, preparePosition } from './queries.ts'
import { floorPlanPositions, floorPlans } from './schema.ts'

export function floorPlanRoutes(app: FastifyInstance): void {
  resourceRoutes(app, floorPlans)
  imageRoutes(app)
  resourceRoutes(app, floorPlanPositions, {
    parent: { resource: floorPlans, field: 'floor_plan_id', segment: 'positions' },
    prepare: preparePosition,
    decorate: addWhetherElsewhere,
  })
  // The same across all plans: which plans a door is on, and all of them in one file.
  listRoute(app, '/api/v1/floor-plan-positions', floorPlanPositions, {
    permission: 'floor-plans:read',
    decorate: addWhetherElsewhere,
    doc: {
      tag: floorPlanPositions.plural,
      operationId: 'listAllFloorPlanPositions',
      summary: 'List the floor plan positions of all floor plans',
      description: 'With `access_point_id=eq.…`: the plans that a door is on, and where.',
      success: { status: 200, name: 'FloorPlanPosition', schema: itemSchema(floorPlanPositions) },
    },
  })
}
