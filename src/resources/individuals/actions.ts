import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { actionRoute } from '../../http/action.ts'
import { itemSchema } from '../../http/schemas.ts'
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
  { ...item.properties, keys_to_recover: Type.Array(HeldKey, { description: 'The keys that they still hold.' }) },
  { additionalProperties: false },
)

export function individualActions(app: FastifyInstance): void {
  actionRoute<Individual>(app, individuals, {
    verb: 'suspend',
    summary: 'Suspend an individual',
    description: 'From invited or active. Their credentials stop working until they are reactivated; grants and keys stay as they are.',
    run: async (tx, row) => ({ msg: 'Suspended individual', data: await suspend(tx, row) }),
  })
  actionRoute<Individual>(app, individuals, {
    verb: 'reactivate',
    summary: 'Activate an individual',
    description:
      'From invited, suspended or offboarded. Who was offboarded comes back without credentials, grants and memberships: those were ended for good.',
    run: async (tx, row) => ({ msg: 'Reactivated individual', data: await reactivate(tx, row) }),
  })
  actionRoute<Individual>(app, individuals, {
    verb: 'offboard',
    summary: 'Offboard an individual',
    description:
      'From invited, active or suspended. Revokes every credential and every grant, ends every membership in access groups, and answers with the keys still to recover.',
    success: { name: 'OffboardedIndividual', schema: Offboarded },
    run: async (tx, row) => ({ msg: 'Offboarded individual', data: await offboard(tx, row) }),
  })
  actionRoute<Individual>(app, individuals, {
    verb: 'anonymise',
    summary: 'Anonymise an individual',
    description:
      'From offboarded, once no key is held. Erases for good who it was: names, contact, numbers, employer, what was written on credentials, grants, handovers and the keys they held last, and what the audit log and remembered answers say of them. What happened, and when, stays.',
    run: async (tx, row) => ({ msg: 'Anonymised individual', data: await anonymise(tx, row) }),
  })
}
