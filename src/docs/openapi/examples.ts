import { exampleId } from '../../http/schemas.ts'
import { exampleOf } from '../reference-schema.ts'
import type { JsonSchema, OpenApiDocument } from './types.ts'

const nowhere: OpenApiDocument = { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} }

export const exampleAnswer = (schema: JsonSchema): unknown => exampleOf(nowhere, withLikely(schema), 'response')

/** The required fields, and those that have something to show. */
export function exampleBody(schema: JsonSchema): unknown {
  const { properties, required = [] } = withLikely(schema)
  if (!properties) return exampleOf(nowhere, schema, 'request')
  const fields = Object.entries(properties)
  const worthShowing = fields.filter(([name, field]) => required.includes(name) || isTelling(field))
  return valuesOf(worthShowing.length > 0 ? worthShowing : fields)
}

/** One or two fields: a patch says what changes and nothing else. */
export function examplePatch(schema: JsonSchema): unknown {
  const telling = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => name !== 'external_id' && isTelling(field),
  )
  const own = telling.filter(([name]) => !name.endsWith('_id'))
  return valuesOf((own.length > 0 ? own : telling).slice(0, 2))
}

const valuesOf = (fields: Array<[string, JsonSchema]>): object =>
  Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(nowhere, field, 'request')]))

const isTelling = (field: JsonSchema): boolean => field.examples?.[0] !== undefined && field.examples[0] !== null

/** Gives fields without an example the value that their name suggests. */
function withLikely(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withLikely(likely(name, field))]),
      ),
    }),
    ...(items && { items: withLikely(items) }),
  }
}

const likelyTexts: Record<string, string> = {
  name: 'Main entrance',
  label: 'E-01',
  number: '42',
  code: 'HS1',
  description: '',
}

function likely(name: string, field: JsonSchema): JsonSchema {
  if (
    field.examples ||
    field.enum ||
    field.default !== undefined ||
    field['x-default'] !== undefined ||
    field.const !== undefined
  )
    return field
  const types = [field.type].flat()
  const example = types.includes('string')
    ? likelyText(name, field, types)
    : types.includes('integer') && types.includes('null')
      ? 3
      : undefined
  return example === undefined ? field : { ...field, examples: [example] }
}

function likelyText(name: string, { format }: JsonSchema, types: readonly unknown[]): string | undefined {
  if (format === 'uuid' && name.endsWith('_id') && !types.includes('null'))
    return exampleId(`${name.slice(0, -'_id'.length)}s`)
  return format === undefined && !types.includes('null')
    ? likelyTexts[name.slice(name.lastIndexOf('_') + 1)]
    : undefined
}
