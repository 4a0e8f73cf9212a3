import { hash } from 'node:crypto'
import { type Field, namedTable } from '../core/fields.ts'
import { type TSchema, Type } from '../core/schema.ts'
import type { Resource } from '../db/resource.ts'

/** JSON Schemas of a resource, made from its fields. */

type JsonSchema = TSchema & { type?: string | string[]; enum?: unknown[] }

/** Stands for a row of this table in every example, so that the examples fit together. */
export function exampleId(table: string): string {
  const digits = hash('sha1', table)
  return `01997d2a-4c00-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

function exampleFor(resource: Resource, name: string, field: Field): unknown {
  const { spec } = field
  if (name === 'id') return exampleId(resource.table)
  const table = namedTable(field)
  if (spec.example !== undefined || !table) return spec.example
  // Nothing lies below itself.
  return table === resource.table && spec.isNullable ? null : exampleId(table)
}

/** What was stored before there was a rule for lines of text is answered as it is, inside of lists and objects too. */
const asStored = (schema: TSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name === 'format' && value === 'line' ? undefined : value)))

function schemaOf(resource: Resource, name: string, field: Field, purpose: 'read' | 'write'): TSchema {
  const { spec } = field
  const example = exampleFor(resource, name, field)
  const base: JsonSchema = { ...(purpose === 'read' ? asStored(spec.schema) : spec.schema) }
  if (purpose === 'write' && spec.initialValues) base.enum = [...spec.initialValues]
  if (spec.isNullable) {
    if (typeof base.type === 'string') base.type = [base.type, 'null']
    if (base.enum) base.enum = [...base.enum, null]
  }
  if (spec.description) Object.assign(base, { description: spec.description })
  if (example !== undefined) Object.assign(base, { examples: [example] })
  if (purpose === 'read' && spec.mode === 'ro') Object.assign(base, { readOnly: true })
  if (purpose === 'write' && spec.mode === 'wo') Object.assign(base, { writeOnly: true })
  if (purpose === 'write' && spec.fallback !== undefined && spec.mode !== 'ro')
    Object.assign(base, { default: spec.fallback })
  return base
}

const entries = (resource: Resource) => Object.entries(resource.fields)

/** No body is taken; one that is sent nevertheless must be empty. */
export const NoBody = Type.Unsafe<Record<string, never> | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
})

const idOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })

/** The places that an answer is cut to by the caller's role, each with all below it. */
export const LimitedTo = Type.Optional(
  Type.Array(
    Type.Object({ location_id: idOrNull, building_id: idOrNull, name: Type.String() }, { additionalProperties: false }),
    {
      description:
        'The places that your role is limited to: there may be more elsewhere. Absent when it is not limited.',
    },
  ),
)

const whole = new WeakMap<Resource, TSchema>()

/** As answered, made once for all routes that answer with it; `names` where a list shows fewer fields. */
export function itemSchema(resource: Resource, names?: readonly string[]): TSchema {
  if (names) return makeItemSchema(resource, names)
  let schema = whole.get(resource)
  if (!schema) {
    schema = makeItemSchema(resource)
    whole.set(resource, schema)
  }
  return schema
}

function makeItemSchema(resource: Resource, names?: readonly string[]): TSchema {
  const visible = entries(resource).filter(([name, { spec }]) => spec.mode !== 'wo' && (names?.includes(name) ?? true))
  return Type.Object(
    Object.fromEntries(
      visible.map(([name, field]) => [
        name,
        field.spec.mayBeAbsent
          ? Type.Optional(schemaOf(resource, name, field, 'read'))
          : schemaOf(resource, name, field, 'read'),
      ]),
    ),
    { additionalProperties: false },
  )
}

export function createSchema(resource: Resource, without: readonly string[] = []): TSchema {
  const writable = entries(resource).filter(([name, { spec }]) => spec.mode !== 'ro' && !without.includes(name))
  const properties = Object.fromEntries(
    writable.map(([name, field]) => [
      name,
      field.spec.isRequired
        ? schemaOf(resource, name, field, 'write')
        : Type.Optional(schemaOf(resource, name, field, 'write')),
    ]),
  )
  return Type.Object(properties, { additionalProperties: false })
}

export function patchSchema(resource: Resource, without: readonly string[] = []): TSchema {
  const writable = entries(resource).filter(
    ([name, { spec }]) => spec.mode !== 'ro' && spec.mode !== 'create' && !without.includes(name),
  )
  const properties = Object.fromEntries(
    writable.map(([name, field]) => [name, Type.Optional(withoutDefault(schemaOf(resource, name, field, 'write')))]),
  )
  return Type.Object(properties, { additionalProperties: false })
}

/**
 * As a creation and a patch take it together, nothing required: whether the item is there decides which of the two it
 * is.
 */
export function upsertSchema(resource: Resource, without: readonly string[] = []): TSchema {
  const writable = entries(resource).filter(([name, { spec }]) => spec.mode !== 'ro' && !without.includes(name))
  const properties = writable.map(([name, field]) => {
    const schema = withoutDefault(schemaOf(resource, name, field, 'write'))
    // An item that is there may have any of them.
    const values = field.spec.initialValues ? { enum: [...(field.spec.values ?? [])] } : {}
    return [name, Type.Optional({ ...schema, ...values })]
  })
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}

function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema
  return rest
}
