import type { TSchema } from 'typebox'
import type { JsonSchema, OpenApiDocument } from './openapi-types.ts'
import { exampleOf } from './reference-schema.ts'

/** A request says no to what it does not know. */
export const requestSchema = (schema: TSchema): JsonSchema => plain(schema)

/** An answer may grow: a client that refuses unknown fields would break on the day it does. */
export const answerSchema = (schema: TSchema): JsonSchema => opened(plain(schema)) as JsonSchema

/** Plain JSON, without what TypeBox keeps for itself. */
const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema

function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, keepsValues.has(key) ? value : opened(value)]),
  )
}

/** Hold values, not schemas. */
const keepsValues = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])

/** What `select` leaves of an item: any of its fields, none of them sure to be there. */
export function selectionSchema(name: string, item: JsonSchema): JsonSchema {
  const properties = Object.entries(item.properties ?? {}).map(([field, schema]) => {
    const { type, format, enum: values, items } = schema
    return [field, { ...(type && { type }), ...(format && { format }), ...(values && { enum: values }), ...(items && { items }) }]
  })
  return { type: 'object', description: `The fields of ${name} that \`select\` names.`, properties: Object.fromEntries(properties) }
}

const nowhere: OpenApiDocument = { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} }

export const exampleAnswer = (schema: JsonSchema): unknown => exampleOf(nowhere, schema, 'response')

/** The required fields, and those that have something to show. */
export function exampleBody(schema: JsonSchema): unknown {
  if (!schema.properties) return exampleOf(nowhere, schema, 'request')
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties).filter(([name, field]) => required.has(name) || isTelling(field))
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(nowhere, field, 'request')]))
}

/** One or two fields: a patch says what changes and nothing else. */
export function examplePatch(schema: JsonSchema): unknown {
  const telling = Object.entries(schema.properties ?? {}).filter(([name, field]) => name !== 'external_id' && isTelling(field))
  const own = telling.filter(([name]) => !name.endsWith('_id'))
  return Object.fromEntries(
    (own.length > 0 ? own : telling).slice(0, 2).map(([name, field]) => [name, exampleOf(nowhere, field, 'request')]),
  )
}

const isTelling = (field: JsonSchema): boolean => field.examples?.[0] !== undefined && field.examples[0] !== null
