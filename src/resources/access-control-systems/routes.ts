import type { FastifyInstance } from 'fastify'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { endUnattended } from '../../live/closed-alarms.ts'
import { overviewExample, SystemsOverview } from './answers.ts'
import { overviewOf } from './overview.ts'
import { prepareSystem } from './queries.ts'
import { accessControlSystems } from './schema.ts'
import { simulatorRoutes } from './simulator.ts'

export function accessControlSystemRoutes(app: FastifyInstance): void {
  app.get(
    '/api/v1/access-control-systems/overview',
    {
      config: {
        permission: 'access-control-systems:read',
        doc: {
          tag: accessControlSystems.plural,
          operationId: 'getAccessControlSystemsOverview',
          summary: 'Get the overview of access control systems',
          description:
            'Counts over the systems, access points, credentials, individuals and events that the caller may see. ' +
            'The counts of a family are null when the caller may not read it. Events are counted by when they ' +
            'happened, over the last 24 hours.',
          success: {
            status: 200,
            name: 'AccessControlSystemsOverview',
            schema: SystemsOverview,
            example: overviewExample,
          },
        },
      },
    },
    cachedGet(async (request, handle) => {
      const { data, until } = await overviewOf(handle, request.scope, request.caller)
      return { msg: 'Retrieved the overview of access control systems', data, until }
    }, false),
  )
  resourceRoutes(app, accessControlSystems, {
    prepare: prepareSystem,
    beforeDelete: (tx, { id }) => endUnattended(tx, String(id)),
  })
  simulatorRoutes(app)
}
