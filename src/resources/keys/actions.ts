import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reachOf } from '../../access/lists/reach.ts'
import type { KeyAction } from '../../core/keys/key-states.ts'
import type { Permission } from '../../core/permissions.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import { getSeen } from '../../db/rows.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyOf, idOf } from '../../http/items/item.ts'
import { createSchema } from '../../http/schemas.ts'
import { keyHandovers } from '../key-handovers/schema.ts'
import { KeyLoss, KeyReach } from './answers.ts'
import { type IssueBody, issueKey, moveKey } from './queries.ts'
import { keys } from './schema.ts'

const optionalText = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description, examples: [example] }))
const note = optionalText(2000, 'Noted on the key as status_note.', 'Left on a train')
const storage = optionalText(200, 'Where it is kept from now on; left out, as before.', 'Key safe 1, hook 14')
const return_condition = optionalText(500, 'Its condition, for the register.', 'scratched')
const returned_at = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'When it came back: now, unless you record later what happened before. Never before it was given.',
    examples: ['2026-05-04T16:30:00.000Z'],
  }),
)
/** What is said when a key comes back. */
export const returning = { note, storage, return_condition, returned_at }
const body = (name: string, properties: Record<string, TSchema>) => ({
  name,
  schema: Type.Object(properties, { additionalProperties: false }),
  required: false,
})

interface Step {
  verb: Exclude<KeyAction, 'issue'>
  permission: Permission
  summary: string
  description: string
  body: ReturnType<typeof body>
  done: string
  isLoss?: boolean
}

const noted = body('KeyStep', { note })
const stored = body('KeyStored', { note, storage })
const lossText = 'Answers with what the key opens by the locking plan, and how many people hold a key of its type.'

const steps: readonly Step[] = [
  {
    verb: 'receive',
    permission: 'keys:write',
    summary: 'Receive an ordered key',
    description: 'The ordered key has come and is in stock.',
    body: stored,
    done: 'Received key',
  },
  {
    verb: 'return',
    permission: 'keys:handover',
    summary: 'Take back a key',
    description: 'The key is in stock again, and its entry in the register ends as returned.',
    body: body('KeyReturn', returning),
    done: 'Took back key',
  },
  {
    verb: 'report-lost',
    permission: 'keys:handover',
    summary: 'Report a key lost',
    description:
      'The key is lost; if somebody held it, the entry in the register ends as lost and stays without a return. ' +
      `${lossText}`,
    body: noted,
    done: 'Reported lost: key',
    isLoss: true,
  },
  {
    verb: 'report-stolen',
    permission: 'keys:handover',
    summary: 'Report a key stolen',
    description:
      'The key is stolen; if somebody held it, the entry in the register ends as stolen and stays without a ' +
      `return. ${lossText}`,
    body: noted,
    done: 'Reported stolen: key',
    isLoss: true,
  },
  {
    verb: 'found',
    permission: 'keys:handover',
    summary: 'Report a lost key found',
    description: 'The lost key is in stock again. The entry in the register keeps saying that it was lost.',
    body: stored,
    done: 'Found key',
  },
  {
    verb: 'write-off',
    permission: 'keys:write',
    summary: 'Write off a key',
    description: 'The lost or stolen key is given up.',
    body: noted,
    done: 'Wrote off key',
  },
  {
    verb: 'mark-defective',
    permission: 'keys:write',
    summary: 'Mark a key defective',
    description: 'The key is broken; if somebody held it, the entry in the register ends as defective.',
    body: stored,
    done: 'Marked defective: key',
  },
  {
    verb: 'destroy',
    permission: 'keys:write',
    summary: 'Destroy a defective key',
    description: 'The defective key is no more.',
    body: noted,
    done: 'Destroyed key',
  },
]

export function keyActions(app: FastifyInstance): void {
  actionRoute(app, keys, {
    verb: 'issue',
    permission: 'keys:handover',
    summary: 'Issue a key',
    description:
      'Gives a key that is in stock to an active individual and opens an entry in the register of key handovers.',
    body: { name: 'KeyIssue', schema: createSchema(keyHandovers, ['key_id']) },
    errors: ['CONFLICT'],
    run: async (tx, key, request) => {
      const given = await issueKey(tx, key, bodyOf<IssueBody>(request), request.scope)
      return { msg: `Issued key ${key.number}`, data: given.key }
    },
  })
  for (const { verb, done, isLoss, ...step } of steps) {
    actionRoute(app, keys, {
      ...step,
      verb,
      ...(isLoss ? { success: { name: 'KeyLoss', schema: KeyLoss } } : {}),
      run: async (tx, key, request) => {
        const data = await moveKey(tx, key, verb, request.body ?? {})
        const reach = isLoss ? await reachOf(tx, key.key_type_id, request.caller.rights) : {}
        return { msg: `${done} ${key.number}`, data: { ...data, ...reach } }
      },
    })
  }
  reachRoute(app)
}

/** Asked before a loss too: what would it mean? */
function reachRoute(app: FastifyInstance): void {
  app.get(
    '/api/v1/keys/:id/opens',
    {
      config: {
        permission: 'keys:read',
        doc: {
          tag: keys.plural,
          operationId: 'getKeyReach',
          summary: 'Get what a key opens',
          description:
            'The cylinders, access points and spaces that the locking plan lets it open, and how many people hold a ' +
            'key of its type.',
          success: { status: 200, name: 'KeyReach', schema: KeyReach },
          errors: ['NOT_FOUND'],
        },
      },
    },
    cachedGet(async (request: FastifyRequest, handle) => {
      const key = await getSeen(handle, keys, idOf(request), request.scope)
      return {
        msg: `Retrieved what key ${key.number} opens`,
        data: await reachOf(handle, key.key_type_id, request.caller.rights),
      }
    }, false),
  )
}
