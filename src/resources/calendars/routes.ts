import type { FastifyInstance } from 'fastify'
import { tooSlow } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { CalendarRegion, regionsExample } from './answers.ts'
import { askProposal } from './ask-proposal.ts'
import { fillRoute } from './fill.ts'
import type { Region } from './proposal.ts'
import { prepareCalendar } from './queries.ts'
import { calendars } from './schema.ts'

const REGIONS_MS = 9000

export function calendarRoutes(app: FastifyInstance): void {
  resourceRoutes(app, calendars, { prepare: prepareCalendar })
  fillRoute(app)
  regionRoute(app)
}

/** They come with the program and never change while it runs; whoever asks meanwhile waits for the same answer. */
let known: Promise<Region[]> | undefined

function regions(): Promise<Region[]> {
  known ??= askProposal({ ask: 'regions' }, AbortSignal.timeout(REGIONS_MS)).then(
    (answer) => ('regions' in answer ? answer.regions : []),
    (error) => {
      known = undefined
      throw tooSlow(error)
    },
  )
  return known
}

function regionRoute(app: FastifyInstance): void {
  app.get(
    '/api/v1/calendars/regions',
    {
      config: {
        permission: 'calendars:read',
        doc: {
          tag: calendars.plural,
          operationId: 'listCalendarRegions',
          summary: 'List the regions whose holidays are known',
          description: 'Countries, their parts, and parts of those; all of them at once.',
          success: {
            status: 200,
            name: 'CalendarRegions',
            schema: Type.Array(CalendarRegion),
            example: regionsExample,
          },
          hasEtag: true,
        },
      },
    },
    cachedGet(async () => {
      const data = await regions()
      return { msg: `Retrieved ${data.length} regions`, data }
    }, true),
  )
}
