import type { FastifyInstance } from 'fastify'
import { isInDoor } from '../../access/in-door.ts'
import { type RekeyingFacts, rekeyingPlan } from '../../core/keys/rekeying-plan.ts'
import type { Rights, Scope } from '../../core/rights.ts'
import { Type } from '../../core/schema.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { getSeen } from '../../db/rows.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'
import { rawQueryOf } from '../../http/address.ts'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { idOf } from '../../http/items/item.ts'
import { LimitedTo } from '../../http/schemas.ts'
import { integerParameter, parseParameters } from '../../query/parameters.ts'
import { accessPoints } from '../access-points/schema.ts'
import { cylinders } from '../cylinders/schema.ts'
import { keyTypes } from '../key-types/schema.ts'
import { keys } from './schema.ts'

const MAX_COST = 1_000_000
const id = Type.String({ format: 'uuid' })
const object = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false })
const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })
const countOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: `${description} Null when you may not read cylinders.`,
    examples: [example],
  })
const Door = object({
  id,
  name: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null when you may not see it.' }),
})
const KeyTypes = Type.Unsafe<unknown[] | null>({
  type: ['array', 'null'],
  items: object({ id, code: Type.String() }),
  description:
    'Other key types that open it: copies of them have to be replaced to open it again. Null when you may not read ' +
    'key types or cylinders.',
})
const Cost = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Null without cost_per_cylinder, or when you may not read cylinders.',
  examples: [240],
})

const Rekeying = object({
  unaccounted_keys: count(
    'Copies of its type that are lost or stolen, and neither found nor written off. None: nothing has to be changed.',
    1,
  ),
  steps: Type.Unsafe<object[] | null>({
    type: ['array', 'null'],
    items: object({
      cylinder_id: id,
      number: Type.String(),
      access_point: Door,
      still_open: Type.Array(Door, { description: 'What the missing copies open until the next step.' }),
      key_types: KeyTypes,
      holders: count('People who hold a copy that opens it.', 4),
      copies: count('The copies that they hold.', 5),
    }),
    description:
      'The cylinders to change, in the order in which most doors are closed before people wait for new keys. Null ' +
      'when you may not read cylinders.',
  }),
  key_types: KeyTypes,
  holders: countOrNull('People whose keys have to be replaced, each counted once.', 12),
  copies: countOrNull('Copies that have to be replaced.', 14),
  cost: Cost,
  limited_to: LimitedTo,
})

/** What must be changed so that whoever finds the key opens nothing. */
export function rekeyingRoute(app: FastifyInstance): void {
  app.get(
    '/api/v1/keys/:id/rekeying-plan',
    {
      config: {
        permission: 'keys:read',
        doc: {
          tag: keys.plural,
          operationId: 'getRekeyingPlan',
          summary: 'Get the re-keying plan of a lost key',
          description:
            'The smallest set of cylinders to change so that no copy of the key’s type that is lost or stolen opens ' +
            'a door any more: every cylinder in a door that the type opens. Each step says what the missing copies ' +
            'still open after it, and whose keys it makes useless. Of cylinders, doors, key types and keys, those ' +
            'that you may see.',
          parameters: [
            {
              name: 'cost_per_cylinder',
              description: 'What changing a cylinder costs, in whole units of your currency.',
              schema: Type.Integer({ minimum: 0, maximum: MAX_COST }),
              example: 80,
            },
          ],
          success: { status: 200, name: 'RekeyingPlan', schema: Rekeying },
          errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
        },
      },
    },
    cachedGet(async (request, handle) => {
      const { cost_per_cylinder } = parseParameters(rawQueryOf(request), {
        cost_per_cylinder: integerParameter(0, MAX_COST),
      })
      const key = await getSeen(handle, keys, idOf(request), request.scope)
      const { caller, scope } = request
      const data = await planOf(handle, key.key_type_id, { rights: caller.rights, scope }, cost_per_cylinder)
      return { msg: `Retrieved the re-keying plan of key ${key.number}`, data }
    }, false),
  )
}

interface Opened {
  cylinder_id: string
  number: string
  access_point_id: string
  key_type_id: string
}

/** What the reader may do, and where they may read keys: those alone are counted. */
interface Reader {
  rights: Rights
  scope: Scope
}

async function planOf(handle: OrgHandle, keyType: string, reader: Reader, costEach: number | undefined) {
  const { rights } = reader
  const scope = rights.scopeOf('cylinders:read')
  const opened = scope === undefined ? [] : await openedBy(handle, keyType, scope)
  const isUntold = scope === undefined
  const facts = await factsOf(handle, keyType, opened, reader.scope)
  const plan = rekeyingPlan(facts)
  const names = await namesOf(handle, opened, rights)
  const door = (doorId: string) => ({ id: doorId, name: names.doors.get(doorId) ?? null })
  const seesTypes = rights.can('key-types:read') && !isUntold
  const types = (ids: readonly string[]) => (seesTypes ? ids.flatMap((typeId) => names.types.get(typeId) ?? []) : null)
  const numbers = new Map(opened.map(({ cylinder_id, number }) => [cylinder_id, number]))
  return {
    unaccounted_keys: facts.unaccounted,
    steps: isUntold
      ? null
      : plan.steps.map((step) => ({
          cylinder_id: step.cylinderId,
          number: numbers.get(step.cylinderId) ?? '',
          access_point: door(step.door),
          still_open: step.stillOpen.map(door),
          key_types: types(step.keyTypes),
          holders: step.holders,
          copies: step.copies,
        })),
    key_types: types(plan.keyTypes),
    holders: isUntold ? null : plan.holders,
    copies: isUntold ? null : plan.copies,
    cost: isUntold || costEach === undefined ? null : costEach * plan.steps.length,
    limited_to: await limitsOfAny(handle, rights, ['cylinders:read', 'keys:read']),
  }
}

/** The cylinders in doors that the type opens, with every type that opens each. */
const openedBy = async (handle: OrgHandle, keyType: string, scope: Scope): Promise<Opened[]> =>
  handle.all<Opened>(sql`select t.id as cylinder_id, t.number, t.access_point_id, p.key_type_id from cylinders t
    join plan_cells p on p.org = :org and p.cylinder_id = t.id
    where ${await visible(handle, cylinders, scope)} and ${isInDoor('t')}
      and t.id in (select o.cylinder_id from plan_cells o where o.org = :org and o.key_type_id = ${keyType})
    order by t.number, t.id, p.key_type_id`)

async function factsOf(
  handle: OrgHandle,
  keyType: string,
  opened: readonly Opened[],
  scope: Scope,
): Promise<RekeyingFacts> {
  const lost = await handle.one<{ n: number }>(
    sql`select count(*) as n from keys t where t.org = :org and t.key_type_id = ${keyType}
      and t.status in ('lost', 'stolen')`,
  )
  const held = await handle.all<{ key_type_id: string; individual_id: string; n: number }>(sql`
    select t.key_type_id, t.individual_id, count(*) as n from keys t
    where ${await visible(handle, keys, scope)} and t.individual_id is not null
      and ${handle.dialect.inList('t.key_type_id', new Set(opened.map((row) => row.key_type_id)), 'uuid')}
    group by t.key_type_id, t.individual_id`)
  const holders = new Map<string, Map<string, number>>()
  for (const { key_type_id, individual_id, n } of held)
    holders.set(key_type_id, (holders.get(key_type_id) ?? new Map<string, number>()).set(individual_id, n))
  const found = new Map<string, RekeyingFacts['cylinders'][number]>()
  for (const { cylinder_id, number, access_point_id, key_type_id } of opened) {
    const known = found.get(cylinder_id)?.keyTypes ?? []
    found.set(cylinder_id, { id: cylinder_id, number, door: access_point_id, keyTypes: [...known, key_type_id] })
  }
  return { keyType, unaccounted: lost?.n ?? 0, cylinders: [...found.values()], holders }
}

async function namesOf(handle: OrgHandle, opened: readonly Opened[], rights: Rights) {
  const doorScope = rights.scopeOf('access-points:read')
  const typeScope = rights.scopeOf('key-types:read')
  const doors = doorScope
    ? await handle.all<{ id: string; name: string }>(sql`select t.id, t.name
        from ${handle.dialect.ids(
          opened.map((row) => row.access_point_id),
          'l',
        )} cross join access_points t
        where ${await visible(handle, accessPoints, doorScope)} and t.id = l.id`)
    : []
  const types = typeScope
    ? await handle.all<{ id: string; code: string }>(sql`select t.id, t.code from key_types t
        where ${await visible(handle, keyTypes, typeScope)}
        and ${handle.dialect.inList('t.id', new Set(opened.map((row) => row.key_type_id)), 'uuid')}`)
    : []
  return { doors: new Map(doors.map((row) => [row.id, row.name])), types: new Map(types.map((row) => [row.id, row])) }
}
