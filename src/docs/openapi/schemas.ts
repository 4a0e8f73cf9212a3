import type { TSchema } from '../../core/schema.ts'
import type { JsonSchema } from './types.ts'

/** A query parameter: its default stays, since nobody takes it for required. */
export const parameterSchema = (schema: TSchema): JsonSchema => plain(schema)

/** A request says no to what it does not know. What must be given stands first; the order of a request is free. */
export function requestSchema(schema: TSchema): JsonSchema {
  const body = withSpokenDefaults(plain(schema)) as JsonSchema
  if (!body.properties) return body
  const rank = (name: string) => (body.required?.includes(name) ? 0 : name === 'external_id' ? 2 : 1)
  return {
    ...body,
    properties: Object.fromEntries(Object.entries(body.properties).sort(([a], [b]) => rank(a) - rank(b))),
  }
}

/** An answer may grow: a client that refuses unknown fields would break on the day it does. */
export const answerSchema = (schema: TSchema): JsonSchema => opened(plain(schema)) as JsonSchema

/**
 * Code generators take a field with a `default` for one that is always there, and want it in every request. So it is
 * said in words, and for programs under a name that they pass over.
 */
function withSpokenDefaults(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withSpokenDefaults)
  if (typeof node !== 'object' || node === null) return node
  const { default: fallback, ...rest } = node as JsonSchema
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, keepsValues.has(key) ? value : withSpokenDefaults(value)]),
  )
  if (fallback === undefined || typeof fallback === 'object' || !('type' in rest)) return inner
  const words = fallback === '' ? 'Empty unless given.' : `Unless given: \`${fallback}\`.`
  return { ...inner, description: inner.description ? `${inner.description} ${words}` : words, 'x-default': fallback }
}

/** Plain JSON, without what TypeBox keeps for itself. */
const plain = (schema: TSchema): JsonSchema => withWords(JSON.parse(JSON.stringify(schema)))

/**
 * Fields that say with their name all there is to say need no words in the declaration; the document gives them some.
 */
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
