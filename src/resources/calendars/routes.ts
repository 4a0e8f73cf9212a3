import type { FastifyInstance } from 'fastify'
import { resourceRoutes } from '../../http/resource.ts'
import { prepareCalendar } from './queries.ts'
import { calendars } from './schema.ts'

export function calendarRoutes(app: FastifyInstance): void {
  resourceRoutes(app, calendars, { prepare: prepareCalendar })
}
