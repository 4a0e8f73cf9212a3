import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { bodyOf } from '../../http/items/item.ts'
import { write } from '../../http/items/write.ts'
import { createSchema, exampleId, itemSchema } from '../../http/schemas.ts'
import { keyHandovers } from '../key-handovers/schema.ts'
import { returning } from './actions.ts'
import type { IssueBody, StepBody } from './queries.ts'
import { issueRing, MAX_KEYS, type Ring, returnRing } from './ring.ts'
import { keys } from './schema.ts'

const key_ids = Type.Array(Type.String({ format: 'uuid' }), {
  minItems: 1,
  maxItems: MAX_KEYS,
  uniqueItems: true,
  description: 'The keys, each once.',
  examples: [[exampleId(keys.table)]],
})
// A key of one's own is for one entry; here there is one for each key.
const { properties: terms } = createSchema(keyHandovers, ['external_id', 'key_id'])
const IssueKeys = Type.Object({ key_ids, ...terms }, { additionalProperties: false })
const ReturnKeys = Type.Object({ key_ids, ...returning }, { additionalProperties: false })

const HandedOverKeys = Type.Object(
  {
    keys: Type.Array(itemSchema(keys), { description: 'The keys as they are now, in the order named.' }),
    handovers: Type.Array(itemSchema(keyHandovers), {
      description: 'Their entries in the register, in the same order.',
    }),
  },
  { additionalProperties: false },
)

const errors = ['VALIDATION_ERROR', 'INVALID_STATE', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const
const doc = {
  tag: keys.plural,
  success: { status: 200, name: 'HandedOverKeys', schema: HandedOverKeys },
  errors,
} as const
const permission = 'keys:handover'

/** Keys that change hands together: one change, all or none. */
export function ringRoutes(app: FastifyInstance): void {
  app.post(
    '/api/v1/keys/issue',
    {
      config: {
        permission,
        doc: {
          ...doc,
          operationId: 'issueKeys',
          summary: 'Issue several keys at once',
          description:
            'Gives keys that are in stock to an active individual, all or none, and opens an entry in the register ' +
            'for each. What is said (due_back_on, purpose, deposit_amount, condition) holds for each key. They ' +
            'stand on one receipt: `GET /api/v1/key-handovers/{id}/receipt` of any of them.',
          body: { name: 'KeysIssue', schema: IssueKeys },
        },
      },
      schema: { body: IssueKeys },
    },
    async (request, reply) => {
      const { key_ids: ids, ...body } = bodyOf<IssueBody & { key_ids: string[] }>(request)
      return write(request, reply, async (tx) => said('Issued', await issueRing(tx, ids, body, request.scope)))
    },
  )
  app.post(
    '/api/v1/keys/return',
    {
      config: {
        permission,
        doc: {
          ...doc,
          operationId: 'returnKeys',
          summary: 'Take back several keys at once',
          description:
            'The keys are in stock again, all or none, whoever held them, and their entries in the register end as ' +
            'returned. What is said holds for each key.',
          body: { name: 'KeysReturn', schema: ReturnKeys },
        },
      },
      schema: { body: ReturnKeys },
    },
    async (request, reply) => {
      const { key_ids: ids, ...body } = bodyOf<StepBody & { key_ids: string[] }>(request)
      return write(request, reply, async (tx) => said('Took back', await returnRing(tx, ids, body, request.scope)))
    },
  )
}

const said = (verb: string, data: Ring) => ({
  msg: `${verb} ${data.keys.length} ${data.keys.length === 1 ? keys.singular : keys.plural}`,
  data,
})
