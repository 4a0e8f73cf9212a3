import { type TSchema, Type } from '../../core/schema.ts'
import { LimitedTo } from '../../http/schemas.ts'
import { cylinderStatuses } from '../cylinders/schema.ts'
import { lockingSystemKinds, lockingSystemStatuses } from './schema.ts'

const id = Type.String({ format: 'uuid' })
const nullable = (type: string, options: object = {}) =>
  Type.Unsafe<string | null>({ type: [type, 'null'], ...options })
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) })
const countOrNull = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, ...(description ? { description } : {}) })
const object = (properties: Record<string, TSchema>, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })
const counts = (names: readonly string[], options: object = {}) =>
  object(Object.fromEntries(names.map((name) => [name, count()])), options)

export const Overview = object({
  total: count('Locking systems.'),
  by_kind: counts(lockingSystemKinds),
  by_status: counts(lockingSystemStatuses),
  by_manufacturer: Type.Record(Type.String(), count(), { examples: [{ EVVA: 2, dormakaba: 5, unknown: 1 }] }),
  cylinders: object(
    { total: countOrNull(), installed: countOrNull(), in_stock: countOrNull(), defective: countOrNull() },
    { description: 'Cylinders, and where they are. Null when you may not read cylinders.' },
  ),
  keys: object(
    {
      total: countOrNull(),
      in_stock: countOrNull(),
      issued: countOrNull(),
      overdue: countOrNull('Issued, and due back before today, where the organization is.'),
      lost: countOrNull('Lost, and neither found nor written off.'),
    },
    { description: 'Keys, each copy counted. Null when you may not read keys.' },
  ),
  access_points: object(
    { total: countOrNull(), with_cylinder: countOrNull('With at least one cylinder built in.') },
    { description: 'Null when you may not read access points.' },
  ),
  security_cards: object(
    { expiring_within_90_days: count('Systems not retired whose security card expires today or within 90 days.') },
    { description: 'Security cards that need attention.' },
  ),
  limited_to: LimitedTo,
})

const Cell = object({ key_type_id: id, cylinder_id: id })

export const Plan = object({
  locking_system_id: id,
  key_types: Type.Array(
    object({ id, code: Type.String(), name: nullable('string'), parent_id: nullable('string', { format: 'uuid' }) }),
    {
      description: 'By code.',
    },
  ),
  cylinders: Type.Array(
    object({
      id,
      number: Type.String(),
      label: nullable('string'),
      status: Type.Unsafe<string>({ type: 'string', enum: cylinderStatuses }),
      access_point_id: nullable('string', { format: 'uuid' }),
    }),
    { description: 'By number.' },
  ),
  cells: Type.Array(Cell, { description: 'Where the key type opens the cylinder; every other cell is empty.' }),
  limited_to: LimitedTo,
})

const MAX_CELLS = 10_000

export const PlanChange = object(
  {
    set: Type.Optional(
      Type.Array(Cell, { maxItems: MAX_CELLS, description: 'From now on the key type opens the cylinder.' }),
    ),
    clear: Type.Optional(Type.Array(Cell, { maxItems: MAX_CELLS, description: 'From now on it does not.' })),
  },
  { minProperties: 1 },
)

export const PlanChanged = object({
  set: count('Cells that were empty and are set now.'),
  cleared: count('Cells that were set and are empty now.'),
})
