import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../core/errors.ts'
import type { Fields, RowOf } from '../../core/fields.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Scope } from '../../core/rights.ts'
import type { TSchema } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import { type AnyRow, type Resource, readPermissionOf, writePermissionOf } from '../../db/resource.ts'
import { getRow } from '../../db/rows.ts'
import { hideUnseen } from '../../db/scope.ts'
import { checkIfMatch } from '../answers/etag.ts'
import { STEP_ERRORS } from '../route-doc.ts'
import { itemSchema, NoBody } from '../schemas.ts'
import { idOf } from './item.ts'
import { pascal } from './resource.ts'
import { write } from './write.ts'
import type { Written } from './written.ts'

interface Action<Row> {
  /** Last in the path: `suspend`. */
  verb: string
  summary: string
  description: string
  permission?: Permission
  /** What it needs to know; without it, it takes no body. */
  body?: { name: string; schema: TSchema; required?: boolean }
  /** The answer's data, where it is more than the item. */
  success?: { name: string; schema: TSchema }
  errors?: readonly ErrorCode[]
  /** Refuses before the body is read, for what the permission alone does not decide. */
  beforeWrite?: (request: FastifyRequest) => Promise<void>
  /** Finds the item for a caller of these places; unless given, it lies there. */
  find?: (tx: Tx, id: string, scope: Scope) => Promise<Row>
  run(tx: Tx, row: Row, request: FastifyRequest): Promise<Written>
}

/** `POST /api/v1/<noun>/{id}/<verb>`: something that happens to an item and is more than a change of its fields. */
export function actionRoute<F extends Fields>(
  app: FastifyInstance,
  resource: Resource<F>,
  action: Action<RowOf<F>>,
): void {
  const one = pascal(resource.singular)
  const permission = action.permission ?? writePermissionOf(resource)
  // Whoever may do something to an item by a permission for something else does not read it by that.
  const isOfOther = resource.reaches?.fields !== undefined && !permission.startsWith(`${resource.noun}:`)
  app.post(
    `/api/v1/${resource.noun}/:id/${action.verb}`,
    {
      config: {
        permission,
        doc: {
          tag: resource.plural,
          summary: action.summary,
          description: action.description,
          operationId: `${camel(action.verb)}${one}`,
          ...(action.body ? { body: action.body } : {}),
          success: { status: 200, ...(action.success ?? { name: one, schema: itemSchema(resource) }) },
          errors: [...STEP_ERRORS, ...(action.errors ?? [])],
          hasEtag: !isOfOther,
        },
      },
      schema: { body: action.body ? bodySchema(action.body) : NoBody },
      ...(action.beforeWrite ? { onRequest: action.beforeWrite } : {}),
    },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const find = action.find ?? ((...[within, id, scope]) => getRow(within, resource, id, scope))
        const row = await find(tx, idOf(request), request.scope)
        checkIfMatch(request, row)
        const written = await action.run(tx, row, request)
        if (!isOfOther) return written
        const [data = {}] = await hideUnseen(
          tx,
          resource,
          [{ ...written.data }],
          request.caller.rights.scopeOf(readPermissionOf(resource)),
        )
        return { ...written, data }
      }),
  )
}

const camel = (verb: string): string => verb.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A body that may be left out reaches validation as null. */
const bodySchema = ({ schema, required = true }: NonNullable<Action<AnyRow>['body']>): TSchema =>
  required ? schema : { ...schema, type: ['object', 'null'] }
