import { type TSchema, Type } from 'typebox'
import type { Field } from '../core/fields.ts'
import type { Resource } from '../db/resource.ts'

/** JSON Schemas of a resource, made from its fields. */

type JsonSchema = TSchema & { type?: string | string[]; enum?: unknown[] }

function schemaOf({ spec }: Field, purpose: 'read' | 'write'): TSchema {
  const base: JsonSchema = { ...spec.schema }
  if (spec.isNullable) {
    if (typeof base.type === 'string') base.type = [base.type, 'null']
    if (base.enum) base.enum = [...base.enum, null]
  }
  if (spec.description) Object.assign(base, { description: spec.description })
  if (spec.example !== undefined) Object.assign(base, { examples: [spec.example] })
  if (purpose === 'read' && spec.mode === 'ro') Object.assign(base, { readOnly: true })
  if (purpose === 'write' && spec.fallback !== undefined && spec.mode !== 'ro') Object.assign(base, { default: spec.fallback })
  return base
}

const entries = (resource: Resource) => Object.entries(resource.fields)

export function itemSchema(resource: Resource): TSchema {
  const visible = entries(resource).filter(([, { spec }]) => spec.mode !== 'wo')
  return Type.Object(Object.fromEntries(visible.map(([name, field]) => [name, schemaOf(field, 'read')])), { additionalProperties: false })
}

export function createSchema(resource: Resource, without: readonly string[] = []): TSchema {
  const writable = entries(resource).filter(([name, { spec }]) => spec.mode !== 'ro' && !without.includes(name))
  const properties = Object.fromEntries(
    writable.map(([name, field]) => [name, field.spec.isRequired ? schemaOf(field, 'write') : Type.Optional(schemaOf(field, 'write'))]),
  )
  return Type.Object(properties, { additionalProperties: false })
}

export function patchSchema(resource: Resource, without: readonly string[] = []): TSchema {
  const writable = entries(resource).filter(([name, { spec }]) => spec.mode !== 'ro' && spec.mode !== 'create' && !without.includes(name))
  const properties = Object.fromEntries(writable.map(([name, field]) => [name, Type.Optional(withoutDefault(schemaOf(field, 'write')))]))
  return Type.Object(properties, { additionalProperties: false })
}

function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema as TSchema & { default?: unknown }
  return rest
}
