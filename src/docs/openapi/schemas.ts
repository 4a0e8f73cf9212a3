import type { TSchema } from '../../core/schema.ts'
import type { JsonSchema } from './types.ts'

/** A request says no to what it does not know. What must be given stands first; the order of a request is free. */
export function requestSchema(schema: TSchema): JsonSchema {
  const body = plain(schema)
  if (!body.properties) return body
  const rank = (name: string) => (body.required?.includes(name) ? 0 : name === 'external_id' ? 2 : 1)
  return { ...body, properties: Object.fromEntries(Object.entries(body.properties).sort(([a], [b]) => rank(a) - rank(b))) }
}

/** An answer may grow: a client that refuses unknown fields would break on the day it does. */
export const answerSchema = (schema: TSchema): JsonSchema => opened(plain(schema)) as JsonSchema

/** Plain JSON, without what TypeBox keeps for itself. */
const plain = (schema: TSchema): JsonSchema => withWords(JSON.parse(JSON.stringify(schema)) as JsonSchema)

/** Fields that say with their name all there is to say need no words in the declaration; the document gives them some. */
function withWords(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const description = field.description ?? wordsFor(name)
          return [name, { ...withWords(field), ...(description !== undefined && { description }) }]
        }),
      ),
    }),
    ...(items && { items: withWords(items) }),
  }
}

const plainWords: Record<string, string> = {
  id: 'Identifier.',
  name: 'Name.',
  description: 'Description.',
  number: 'Number.',
  label: 'Label.',
  code: 'Code.',
  status: 'Status.',
  message: 'The same in words.',
  since: 'Since when.',
  value: 'The value.',
  total: 'How many in all.',
}

function wordsFor(name: string): string | undefined {
  const [, noun, plural] = /^(\w+)_id(s?)$/.exec(name) ?? []
  if (noun !== undefined) return `Identifier${plural} of the ${noun.replaceAll('_', ' ')}${plural}.`
  return name.startsWith('by_') ? `How many of each ${name.slice(3).replaceAll('_', ' ')}.` : plainWords[name]
}

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
