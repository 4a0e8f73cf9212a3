import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type TSchema, Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { itemSchema, LimitedTo } from '../../http/schemas.ts'
import { anonymise } from './anonymise.ts'
import { offboard, takeBack } from './offboarding.ts'
import { type Individual, individuals } from './schema.ts'
import { reactivate, suspend } from './transitions.ts'

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

const id = Type.String({ format: 'uuid' })
const text = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const told = (description: string, properties: Record<string, TSchema>) =>
  Type.Unsafe<object[] | null>({
    type: ['array', 'null'],
    items: Type.Object(properties, { additionalProperties: false }),
    description: `${description} As far as you may see them; null when you may see none of the kind.`,
  })

const item = itemSchema(individuals)
const Offboarded = Type.Object(
  {
    ...item.properties,
    credentials: told('The credentials that are revoked.', {
      id,
      type: Type.String({ examples: ['card'] }),
      label: text,
      number: text,
    }),
    access_grants: told('The grants that are revoked, with the name of what each is on.', {
      id,
      effect: Type.String({ examples: ['allow'] }),
      target_name: Type.String(),
      valid_until: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    }),
    memberships: told('The memberships in access groups that end.', {
      id,
      access_group_id: id,
      access_group_name: Type.String(),
    }),
    keys_to_recover: told('The keys that they hold: only hands can take those back.', HeldKey.properties),
    limited_to: LimitedTo,
  },
  { additionalProperties: false },
)

const Offboard = Type.Object(
  {
    on: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        anyOf: [{ format: 'date' }, { format: 'date-time' }],
        description:
          'The last day, which ends where the organization is, or a point in time. It must lie ahead. Left out: at ' +
          'once.',
        examples: ['2027-12-31'],
      }),
    ),
  },
  { additionalProperties: false },
)

interface Step {
  verb: string
  summary: string
  description: string
  msg: string | ((done: AnyRow) => string)
  body?: { name: string; schema: TSchema; required?: boolean }
  success?: { name: string; schema: TSchema }
  run(tx: Tx, row: Individual, request: FastifyRequest): Promise<AnyRow>
}

const steps: readonly Step[] = [
  {
    verb: 'suspend',
    summary: 'Suspend an individual',
    description:
      'From invited or active. Their credentials stop working until they are reactivated; grants and keys stay as ' +
      'they are.',
    msg: 'Suspended individual',
    run: suspend,
  },
  {
    verb: 'reactivate',
    summary: 'Activate an individual',
    description:
      'From invited, suspended or offboarded. Who was offboarded comes back without credentials, grants and ' +
      'memberships: those were ended for good.',
    msg: 'Reactivated individual',
    run: reactivate,
  },
  {
    verb: 'offboard',
    summary: 'Offboard an individual',
    description:
      'From invited, active or suspended. Revokes every credential and every grant, ends every membership in access ' +
      'groups, and answers with all of these and with the keys still to recover. With `on` it is planned: until ' +
      'then they are valid (`valid_until`), at that moment their credentials stop working, and what the answer ' +
      'names is ended within a minute of it. Planning again moves the date.',
    msg: ({ offboard_at }) =>
      offboard_at ? `Planned to offboard individual on ${offboard_at}` : 'Offboarded individual',
    body: { name: 'OffboardStep', schema: Offboard, required: false },
    success: { name: 'OffboardedIndividual', schema: Offboarded },
    run: (tx, row, request) => offboard(tx, row, bodyIfAny(request, Offboard).on, request.caller.rights),
  },
  {
    verb: 'take-back-offboarding',
    summary: 'Take back a planned offboarding',
    description:
      'Before its time has come. They are valid as long as they were before, unless somebody has changed that since.',
    msg: 'Took back the offboarding of individual',
    run: takeBack,
  },
  {
    verb: 'anonymise',
    summary: 'Anonymise an individual',
    description:
      'From offboarded, once no key is held. Erases for good who it was: names, contact, numbers, employer, what was ' +
      'written on credentials, grants, handovers and the keys they held last, and what the audit log and ' +
      'remembered answers say of them. What happened, and when, stays.',
    msg: 'Anonymised individual',
    run: (tx, row, { caller }) => anonymise(tx, row, caller.rights),
  },
]

export function individualActions(app: FastifyInstance): void {
  for (const { msg, run, ...step } of steps)
    actionRoute(app, individuals, {
      ...step,
      run: async (tx, row, request) => {
        const data = await run(tx, row, request)
        return { msg: typeof msg === 'string' ? msg : msg(data), data }
      },
    })
}
