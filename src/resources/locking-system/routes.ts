import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getRow, getSeen } from '../../db/rows.ts'
import { cachedGet } from '../../http/cached-get.ts'
import { reading } from '../../http/context.ts'
import { idOf } from '../../http/item.ts'
import { listRoute } from '../../http/list-route.ts'
import { resourceRoutes } from '../../http/resource.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { itemSchema, NoBody } from '../../http/schemas.ts'
import { write } from '../../http/write.ts'
import { Overview, Plan, PlanChange, PlanChanged } from './answers.ts'
import { overviewOf } from './overview.ts'
import { type Cell, changeCells, readPlan } from './plan.ts'
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
      description: `Paged and sorted only, oldest first unless \`order\` says otherwise. \`${PATH}\` lists the same with filters, search and select.`,
      success: { status: 200, name: 'LockingSystem', schema: itemSchema(lockingSystems) },
    },
  })
}

function overviewRoutes(app: FastifyInstance): void {
  const doc: Omit<RouteDoc, 'operationId' | 'summary'> = {
    tag,
    description:
      'Counts over the locking systems, cylinders, keys and access points you may see, as their lists have them (null when you may not read those). A key is overdue when it is issued and was due back before today, where the organization is (its `time_zone`). Systems without a manufacturer are counted as `unknown`.',
    success: { status: 200, name: 'LockingSystemOverview', schema: Overview },
    errors: ['VALIDATION_ERROR'],
  }
  const answer = async (request: FastifyRequest, handle = reading(request)) => {
    return { msg: 'Retrieved the overview of locking systems', data: await overviewOf(handle, request.scope, request.caller.rights) }
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
          description: `The same as by GET, for clients that send POST; it changes nothing and takes no body, or an empty object. ${doc.description}`,
        },
      },
      schema: { body: NoBody },
    },
    async (request, reply) => reply.header('cache-control', 'private, no-cache').send(await answer(request)),
  )
}

function planRoutes(app: FastifyInstance): void {
  app.get(
    `${PATH}/:id/plan`,
    {
      config: {
        permission: 'key-types:read',
        doc: {
          tag: 'locking plans',
          operationId: 'getLockingPlan',
          summary: 'Get a locking plan',
          description:
            'The matrix of a locking system: its key types, its cylinders, and a cell where the key type opens the cylinder. Of a system that lies outside the places that your role is limited to, the cylinders in doors there and the key types that open them.',
          success: { status: 200, name: 'LockingPlan', schema: Plan },
          errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
        },
      },
    },
    cachedGet(async (request, handle) => {
      const system = await getSeen(handle, lockingSystems, idOf(request), request.scope)
      const data = await readPlan(handle, system.id as string, request.scope)
      return { msg: `Retrieved the locking plan of ${system.name}`, data }
    }, false),
  )
  app.post(
    `${PATH}/:id/plan/cells`,
    {
      config: {
        permission: 'key-types:write',
        doc: {
          tag: 'locking plans',
          operationId: 'changeLockingPlanCells',
          summary: 'Set and clear cells of a locking plan',
          description:
            'Sets the cells in `set` (the key type opens the cylinder) and clears those in `clear`, all or none. Cells that already are as asked stay as they are; the answer counts what changed. Key types and cylinders of another locking system are refused.',
          body: { name: 'LockingPlanChange', schema: PlanChange },
          success: { status: 200, name: 'LockingPlanChanged', schema: PlanChanged },
          errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', 'PAYLOAD_TOO_LARGE'],
        },
      },
      schema: { body: PlanChange },
    },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const system = await getRow(tx, lockingSystems, idOf(request), request.scope)
        const { set = [], clear = [] } = request.body as { set?: Cell[]; clear?: Cell[] }
        const data = await changeCells(tx, system.id as string, { set, clear })
        return { msg: `Set ${data.set} and cleared ${data.cleared} cells of the locking plan of ${system.name}`, data }
      }),
  )
}
