import { readFileSync, writeFileSync } from 'node:fs'
import { HEAD, type OpenApi, pathTypes, type Schema, schemaTypes, typesOf } from '../packages/client/generate.ts'

/**
 * What the portal knows of the API, made from docs/openapi.json: the client's types and the values that need words
 * (`types.ts`), what each body takes (`bodies.ts`), from which forms make their fields, and the sentence for each
 * permission in English (`permissions.ts`). `npm run portal:types` writes them and the client's; a test holds them
 * true.
 */
/** Every value that a field of this name can have, over all resources: what needs words. */
function enumsOf(schemas: Record<string, Schema>): string {
  const values = new Map<string, Set<string>>()
  const note = (name: string, schema: Schema) => {
    for (const value of schema.enum ?? [])
      if (typeof value === 'string') values.set(name, (values.get(name) ?? new Set()).add(value))
    for (const [inner, { properties }] of Object.entries(schema.properties ?? {}))
      if (properties?.value) note(inner, properties.value)
    if (schema.items?.enum) note(name, schema.items)
  }
  for (const [schemaName, { properties }] of Object.entries(schemas)) {
    if (schemaName === 'Error') continue
    for (const [name, schema] of Object.entries(properties ?? {})) if (name !== 'permissions') note(name, schema)
  }
  const lines = [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, set]) => `  ${name}: ${[...set].map((v) => `'${v}'`).join(' | ')}`)
  return `export interface EnumValues {\n${lines.join('\n')}\n}\n`
}

function arrayKind(items: Schema | undefined): string {
  if (items?.$ref === '#/components/schemas/Permission') return 'permissions'
  if (items?.enum) return 'multi'
  return items?.type === 'string' ? 'tags' : 'json'
}

function bodyField(schema: Schema, isRequired: boolean): Record<string, unknown> {
  const types = typesOf(schema)
  const values = schema.enum?.filter((value) => value !== null)
  const kind = () => {
    if (values) return 'select'
    if (types.includes('boolean')) return 'switch'
    if (types.includes('integer') || types.includes('number')) return 'number'
    if (types.includes('array')) return arrayKind(schema.items)
    if (types.includes('object')) return 'json'
    if (schema.format === 'uuid') return 'reference'
    if (schema.format === 'date') return 'date'
    if (schema.format === 'date-time') return 'timestamp'
    return (schema.maxLength ?? 0) >= 1000 ? 'prose' : 'text'
  }
  return {
    kind: kind(),
    ...(isRequired ? { required: true } : {}),
    ...(types.includes('null') || schema.enum?.includes(null) ? { nullable: true } : {}),
    ...(values ? { values } : {}),
    ...(kind() === 'multi' ? { values: schema.items?.enum } : {}),
    ...(schema.maxLength === undefined ? {} : { max: schema.maxLength }),
    ...(kind() === 'number' ? { min: schema.minimum, max: schema.maximum, whole: types.includes('integer') } : {}),
    ...(schema['x-default'] === undefined ? {} : { default: schema['x-default'] }),
  }
}

/** A body is what has no read-only field and is not a piece of an answer: told by its name. */
const isBody = (name: string) =>
  /(Create|Patch|Issue|Return|Step|Stored|Rotate|Change|Accept|Reset|Confirm|Remove|Fill|Note|Replay)$/.test(name)

/** The scopes of OAuth are the permissions. */
function sentencesOf({ OAuth2 }: OpenApi['components']['securitySchemes']): string {
  const lines = Object.entries(OAuth2.flows.authorizationCode.scopes).map(
    ([name, sentence]) => `  '${name}': ${JSON.stringify(sentence)},`,
  )
  return `${HEAD}\nexport const permissions = {\n${lines.join('\n')}\n}\n`
}

export function generate(openapi: OpenApi): Record<keyof typeof generated, string> {
  const { schemas, securitySchemes } = openapi.components
  const bodies = Object.keys(schemas)
    .filter(isBody)
    .map((name) => {
      const { properties = {}, required = [] } = schemas[name] ?? {}
      const lines = Object.entries(properties).map(
        ([key, field]) => `    ${key}: ${JSON.stringify(bodyField(field, required.includes(key)))},`,
      )
      return `  ${name}: {\n${lines.join('\n')}\n  },`
    })
  return {
    schemas: schemaTypes(openapi),
    paths: pathTypes(openapi),
    types: `${HEAD}export type * from '../../../../packages/client/src/generated/schemas.ts'\n\n${enumsOf(schemas)}`,
    bodies: `${HEAD}\nexport const bodies = {\n${bodies.join('\n')}\n} as const\n`,
    permissions: sentencesOf(securitySchemes),
  }
}

export const generated = {
  schemas: new URL('../packages/client/src/generated/schemas.ts', import.meta.url),
  paths: new URL('../packages/client/src/generated/paths.ts', import.meta.url),
  types: new URL('src/api/generated/types.ts', import.meta.url),
  bodies: new URL('src/api/generated/bodies.ts', import.meta.url),
  permissions: new URL('src/api/generated/permissions.ts', import.meta.url),
}

export const readOpenApi = (): OpenApi =>
  JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'))

if (import.meta.main) {
  const made = generate(readOpenApi())
  for (const [name, file] of Object.entries(generated)) writeFileSync(file, made[name as keyof typeof generated])
}
