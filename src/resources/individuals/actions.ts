import type { FastifyInstance } from 'fastify'
import type { Scope } from '../../core/rights.ts'
import { type TSchema, Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { actionRoute } from '../../http/action.ts'
import { itemSchema, LimitedTo } from '../../http/schemas.ts'
import { anonymise } from './anonymise.ts'
import { type Individual, individuals } from './schema.ts'
import { offboard, reactivate, suspend } from './transitions.ts'

const HeldKey = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    number: Type.String(),
    key_type_code: Type.String(),
    locking_system_name: Type.String(),
    due_back_on: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date' }),
  },
  { additionalProperties: false },
)

const item = itemSchema(individuals) as ReturnType<typeof Type.Object>
const Offboarded = Type.Object(
  {
    ...item.properties,
    keys_to_recover: Type.Array(HeldKey, { description: 'The keys that they still hold, as far as you may see.' }),
    limited_to: LimitedTo,
  },
  { additionalProperties: false },
)

interface Step {
  verb: string
  summary: string
  description: string
  msg: string
  success?: { name: string; schema: TSchema }
  run(tx: Tx, row: Individual, scope: Scope): Promise<AnyRow>
}

const steps: readonly Step[] = [
  {
    verb: 'suspend',
    summary: 'Suspend an individual',
    description: 'From invited or active. Their credentials stop working until they are reactivated; grants and keys stay as they are.',
    msg: 'Suspended individual',
    run: suspend,
  },
  {
    verb: 'reactivate',
    summary: 'Activate an individual',
    description:
      'From invited, suspended or offboarded. Who was offboarded comes back without credentials, grants and memberships: those were ended for good.',
    msg: 'Reactivated individual',
    run: reactivate,
  },
  {
    verb: 'offboard',
    summary: 'Offboard an individual',
    description:
      'From invited, active or suspended. Revokes every credential and every grant, ends every membership in access groups, and answers with the keys still to recover.',
    msg: 'Offboarded individual',
    success: { name: 'OffboardedIndividual', schema: Offboarded },
    run: offboard,
  },
  {
    verb: 'anonymise',
    summary: 'Anonymise an individual',
    description:
      'From offboarded, once no key is held. Erases for good who it was: names, contact, numbers, employer, what was written on credentials, grants, handovers and the keys they held last, and what the audit log and remembered answers say of them. What happened, and when, stays.',
    msg: 'Anonymised individual',
    run: anonymise,
  },
]

export function individualActions(app: FastifyInstance): void {
  for (const { msg, run, ...step } of steps)
    actionRoute<Individual>(app, individuals, {
      ...step,
      run: async (tx, row, request) => ({ msg, data: await run(tx, row, request.scope) }),
    })
}
