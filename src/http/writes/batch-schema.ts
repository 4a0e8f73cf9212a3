import { type AppError, invalid, notFound } from '../../core/errors.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { ErrorBody } from '../answers/errors.ts'
import type { RouteDoc } from '../route-doc.ts'
import { exampleId } from '../schemas.ts'
import type { Asked, Outcome } from './perform.ts'
import type { Writable } from './writable.ts'

const MAX_OPERATIONS = 1000
const ops = ['create', 'upsert', 'update', 'delete'] as const

export interface BatchRow {
  op: (typeof ops)[number]
  id?: string
  external_id?: string
  body?: AnyRow
  if_match?: string
}

interface BatchResult extends Partial<ErrorBody> {
  status: number
  outcome?: Outcome
  data?: AnyRow
  /** Shown once; never answered under this name. */
  secret?: Record<string, unknown>
}

export interface Results extends Record<string, unknown> {
  created: number
  changed: number
  unchanged: number
  deleted: number
  failed: number
  results: BatchResult[]
}

const bodyWith = (body: TSchema, examples: readonly object[]) =>
  Type.Object(
    {
      atomic: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'True: all or nothing; the first error is the answer, and nothing is kept.',
        }),
      ),
      operations: Type.Array(
        Type.Object(
          {
            op: Type.Unsafe<BatchRow['op']>({
              type: 'string',
              enum: ops,
              description:
                'create: a new item. upsert: the item with this external_id (or id), made where there is none. ' +
                'update: merge patch. delete.',
            }),
            id: Type.Optional(Type.String({ maxLength: 100, description: 'Which item; this or external_id.' })),
            external_id: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'Which item, by your own key; a creation gets it as its own.',
              }),
            ),
            body: Type.Optional(body),
            if_match: Type.Optional(
              Type.String({
                maxLength: 1000,
                description: 'The ETag that the item must have, such as "3" with its quotes.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MAX_OPERATIONS, description: 'What to do, in this order.', examples: [examples] },
      ),
    },
    { additionalProperties: false },
  )

/** What is asked of every batch; each row's own body is checked by itself, and its faults are told of that row. */
export const batchBody = bodyWith(Type.Unsafe<AnyRow>({ type: 'object' }), [])

const count = (what: string) => Type.Integer({ minimum: 0, description: `How many were ${what}.`, examples: [0] })

const Failure = Type.Object(
  {
    code: Type.String({ description: 'What went wrong.', examples: ['CONFLICT'] }),
    docs: Type.String({ description: 'The page about this code.' }),
    req_id: Type.String({ description: 'The same as `X-Request-Id`.' }),
    reason: Type.Optional(Type.String({ description: 'Which case of the code it is, as a stable word.' })),
    details: Type.Optional(
      Type.Array(
        Type.Unsafe<object>({
          type: 'object',
          description: 'One thing that does not fit, as in the body of an error.',
        }),
        {
          description: 'Each fault on its own.',
        },
      ),
    ),
  },
  { description: 'Why it was not done, as in the body of an error.' },
)

const resultsOf = (item: string): TSchema =>
  Type.Object(
    {
      created: count('created'),
      changed: count('changed'),
      unchanged: count('asked to become what they are already'),
      deleted: count('deleted'),
      failed: count('refused'),
      results: Type.Array(
        Type.Object(
          {
            status: Type.Integer({
              description: 'The status that a single call would have answered with.',
              examples: [201],
            }),
            outcome: Type.Optional(
              Type.Unsafe<Outcome>({
                type: 'string',
                enum: ['created', 'changed', 'unchanged', 'deleted'],
                description: 'What became of it.',
              }),
            ),
            data: Type.Optional(component(item)),
            msg: Type.Optional(Type.String({ description: 'Why it was not done, for people.' })),
            error: Type.Optional(Failure),
          },
          { additionalProperties: false },
        ),
        { description: 'A result for each operation, in their order.' },
      ),
    },
    { additionalProperties: false },
  )

/** What the document has under this name already. */
const component = (name: string): TSchema<AnyRow> => Type.Unsafe<AnyRow>({ $ref: `#/components/schemas/${name}` })

export interface BatchNames {
  /** In components: `AccessPoint`. */
  one: string
  /** Where a creation shows more than the item: `TokenCreated`. */
  made: string
  many: string
  tag: string
}

export function batchDoc(writable: Writable, { one, made, many, tag }: BatchNames): RouteDoc {
  const { plural, table } = writable.resource
  const operations = [{ op: writable.has('delete') ? 'delete' : 'upsert', id: exampleId(table) }]
  const failure = { code: 'NOT_FOUND', docs: '/docs/api/errors/NOT_FOUND', req_id: 'req_482015937264' }
  const refused = { status: 404, msg: notFound().message, error: failure }
  return {
    tag,
    operationId: `batch${many}`,
    summary: `Create, change and delete many ${plural}`,
    // When somebody reads it: at the start, writing the number for each resource would take longer than its routes.
    get description() {
      return (
        `Up to ${MAX_OPERATIONS.toLocaleString('en')} operations in one call, each by the rights and rules ` +
        `of a single one, answered 200 with a result for each. Unless \`atomic\`, one that is refused leaves the ` +
        `others as they are. \`body\` is that of POST (create), of PUT by external_id (upsert) or of PATCH (update). ` +
        `With an \`Idempotency-Key\` it may be sent again after an interruption: what was done is not done twice.`
      )
    },
    body: {
      name: `${one}Batch`,
      get schema() {
        return bodyWith(component(`${one}Put`), operations)
      },
      example: { operations },
    },
    success: {
      status: 200,
      name: `${one}BatchResults`,
      get schema() {
        return resultsOf(made)
      },
      example: { created: 0, changed: 0, unchanged: 0, deleted: 0, failed: 1, results: [refused] },
      msg: 'Did 1 operation: 1 failed',
    },
    errors: [
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'CONFLICT',
      'VERSION_CONFLICT',
      'RESOURCE_IN_USE',
      'INVALID_STATE',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
    ],
  }
}

const operationOf = { create: ['create'], upsert: ['create'], update: ['patch'], delete: ['delete'] } as const

/** The operation as it is to be tried; throws where it does not fit. */
export function readAsked(writable: Writable, row: BatchRow): Asked {
  const { op, id, body = {}, if_match } = row
  if (!writable.has(...operationOf[op])) throw misfit('op', `op: ${writable.resource.plural} take no ${op}`)
  if (op === 'create') return readCreation(writable, row)
  const own = op === 'upsert' && id === undefined && typeof body.external_id === 'string' ? body.external_id : undefined
  const external_id = row.external_id ?? own
  if ((id === undefined) === (external_id === undefined))
    throw misfit('id', 'id or external_id: say by one of them which item is meant')
  if (own !== undefined && own !== external_id)
    throw misfit('external_id', 'external_id: the body has another one; leave it out there')
  if (op === 'delete' && Object.keys(body).length > 0) throw misfit('body', 'body: a deletion takes none')
  if (op !== 'delete') writable.check(op === 'upsert' ? 'upsert' : 'patch', body)
  return { op, id, external_id, body, if_match }
}

function readCreation(writable: Writable, { id, external_id, body = {}, if_match }: BatchRow): Asked {
  if (id !== undefined) throw misfit('id', 'id: a creation has none; we make it')
  if (if_match !== undefined) throw misfit('if_match', 'if_match: there is nothing yet that it could match')
  writable.check('create', external_id === undefined ? body : { ...body, external_id })
  return { op: 'create', external_id, body }
}

const misfit = (path: string, message: string): AppError => invalid(path, 'batch.operation', message)
