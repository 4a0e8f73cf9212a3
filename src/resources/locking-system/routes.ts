import type { FastifyInstance, FastifyRequest } from 'fastify'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { reading } from '../../http/context.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { listRoute } from '../../http/list-route.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { Overview } from './answers.ts'
import { overviewOf } from './overview.ts'
import { planRoutes } from './plan-routes.ts'
import { prepareLockingSystem } from './queries.ts'
import { lockingSystems } from './schema.ts'

const PATH = '/api/v1/locking-system'
const tag = lockingSystems.plural

export function lockingSystemRoutes(app: FastifyInstance): void {
  resourceRoutes(app, lockingSystems, { prepare: prepareLockingSystem })
  coreListRoute(app)
  overviewRoutes(app)
  planRoutes(app)
}

/** The list of the specification, at its own path and in its own shape. */
function coreListRoute(app: FastifyInstance): void {
  listRoute(app, '/v1/core/locking-system', lockingSystems, {
    permission: 'locking-system:read',
    shape: 'B',
    offered: new Set(['page', 'limit', 'order']),
    doc: {
      tag,
      operationId: 'listCoreLockingSystems',
      summary: 'List locking systems (core)',
      description:
        `Paged and sorted only, oldest first unless \`order\` says otherwise. \`${PATH}\` lists the same ` +
        `with filters, search and select.`,
      success: { status: 200, name: 'LockingSystem', schema: itemSchema(lockingSystems) },
    },
  })
}

function overviewRoutes(app: FastifyInstance): void {
  const doc: Omit<RouteDoc, 'operationId' | 'summary'> = {
    tag,
    description:
      'Counts over the locking systems, cylinders, keys and access points you may see, as their lists have them ' +
      '(null when you may not read those). A key is overdue when it is issued and was due back before today, where ' +
      'the organization is (its `time_zone`). Systems without a manufacturer are counted as `unknown`.',
    success: { status: 200, name: 'LockingSystemOverview', schema: Overview },
    errors: ['VALIDATION_ERROR'],
  }
  const answer = async (request: FastifyRequest, handle = reading(request)) => {
    return {
      msg: 'Retrieved the overview of locking systems',
      data: await overviewOf(handle, request.scope, request.caller.rights),
    }
  }
  app.get(
    `${PATH}/overview`,
    {
      config: {
        permission: 'locking-system:read',
        doc: { ...doc, operationId: 'getLockingSystemOverview', summary: 'Get the overview of locking systems' },
      },
    },
    cachedGet(answer, false),
  )
  app.post(
    `${PATH}/overview`,
    {
      config: {
        permission: 'locking-system:read',
        doc: {
          ...doc,
          operationId: 'postLockingSystemOverview',
          summary: 'Get the overview of locking systems, by POST',
          description:
            'The same as by GET, for clients that send POST; it changes nothing and takes no body, or an empty ' +
            `object. ${doc.description}`,
        },
      },
      schema: { body: NoBody },
    },
    async (request, reply) => reply.header('cache-control', 'private, no-cache').send(await answer(request)),
  )
}
