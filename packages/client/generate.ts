/**
 * What the client knows of the API, made from docs/openapi.json: the type of everything that is sent and answered
 * (`schemas.ts`), and for each path and method what it takes and gives (`paths.ts`). `npm run portal:types` writes
 * them; a test holds them true.
 */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-default'?: unknown
  description?: string
}

interface Parameter {
  $ref?: string
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: Schema
}

interface Operation {
  summary: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    securitySchemes: { OAuth2: { flows: { authorizationCode: { scopes: Record<string, string> } } } }
  }
}

export const HEAD = '// Made from docs/openapi.json by packages/client/generate.ts; not to be edited.\n'

export const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A schema as a type; `from` stands before the names of others. */
function typeOf(schema: Schema, indent: string, from = ''): string {
  if (schema.$ref) return `${from}${nameOf(schema.$ref)}`
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `'${value}'`)).join(' | ')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return several.map((one) => typeOf(one, indent, from)).join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent, from)).join(' & ')
  const words = typesOf(schema).map((type) => {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent, from)}>`
    if (type === 'object') return objectType(schema, indent, from)
    return type
  })
  return words.length === 0 ? 'unknown' : words.join(' | ')
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string, from: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${inner}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner, from)}`,
  )
  if (lines.length > 0) return `{\n${lines.join('\n')}\n${indent}}`
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties, indent, from)}>`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

const isFilter = ({ schema }: Parameter): boolean => schema.$ref?.endsWith('Filter') ?? false

export const schemaTypes = ({ components: { schemas } }: OpenApi): string =>
  [
    HEAD,
    ...Object.keys(schemas)
      .filter((name) => !name.endsWith('Filter'))
      .map((name) => `export type ${name} = ${typeOf(schemas[name] ?? {}, '')}\n`),
  ].join('\n')

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

export function pathTypes({ paths, components }: OpenApi): string {
  const lines = Object.entries(paths).flatMap(([path, item]) => [
    `  '${path}': {`,
    ...methods.flatMap((method) => {
      const operation = item[method]
      return operation
        ? [`    /** ${operation.summary}. */`, `    ${method.toUpperCase()}: ${operationType(operation, components)}`]
        : []
    }),
    '  }',
  ])
  return `${HEAD}import type * as S from './schemas.ts'

/** One condition such as \`eq.active\`, or several that must all hold. */
export type Filter = string | readonly string[]

export interface Paths {
${lines.join('\n')}
}
`
}

function operationType(operation: Operation, components: OpenApi['components']): string {
  const parameters = (operation.parameters ?? []).map(
    (one) => (one.$ref ? components.parameters[nameOf(one.$ref)] : one) as Parameter,
  )
  const query = parameters.filter((one) => one.in === 'query')
  const slots = parameters.filter((one) => one.in === 'path')
  const members = [
    ...(slots.length > 0 ? [`path: { ${slots.map(({ name }) => `${name}: string`).join('; ')} }`] : []),
    ...(query.length > 0
      ? [`query${query.some(({ required }) => required) ? '' : '?'}: { ${query.map(queryType).join('; ')} }`]
      : []),
    ...bodyType(operation),
    ...answerType(operation),
  ]
  return `{\n${members.map((member) => `      ${member}\n`).join('')}    }`
}

const queryType = (parameter: Parameter): string => {
  const type = isFilter(parameter) ? 'Filter' : typeOf(parameter.schema, '      ', 'S.')
  return `${keyOf(parameter.name)}${parameter.required ? '' : '?'}: ${type}`
}

function bodyType({ requestBody }: Operation): string[] {
  if (!requestBody) return []
  const types = Object.entries(requestBody.content).map(([type, { schema }]) =>
    type.includes('json') ? typeOf(schema, '      ', 'S.') : 'string',
  )
  return [`body${requestBody.required ? '' : '?'}: ${[...new Set(types)].join(' | ')}`]
}

/** What an answer holds beside `msg`; a file is text. */
function answerType({ responses }: Operation): string[] {
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}
  const { properties: { data, meta } = {}, required = [] } = good['application/json']?.schema ?? {}
  return [
    `data: ${data ? typeOf(data, '      ', 'S.') : 'undefined'}`,
    ...(meta ? [`meta${required.includes('meta') ? '' : '?'}: ${typeOf(meta, '      ', 'S.')}`] : []),
    ...(Object.keys(good).some((type) => type !== 'application/json') ? ['text: string'] : []),
  ]
}
