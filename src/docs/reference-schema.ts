import { isRecord } from '../core/typed.ts'
import { type Html, html, raw } from './html.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import type { JsonSchema, OpenApiDocument, OpenApiParameter, OpenApiReference } from './openapi/types.ts'

/** request leaves out read-only fields, response write-only ones. */
type Mode = 'request' | 'response' | 'schema'

export const schemaAnchor = (name: string) => `schema-${name}`

const isReference = (value: object): value is OpenApiReference => '$ref' in value && typeof value.$ref === 'string'

/** What `$ref` points to, within the document. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | OpenApiReference): T {
  let current: unknown = value
  for (let hops = 0; hops < 16; hops++) {
    if (typeof current !== 'object' || current === null) break
    if (!isReference(current)) return current as T
    current = current.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (node, key) => (isRecord(node) ? node[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        document,
      )
  }
  throw new Error(`The OpenAPI document has a reference that leads nowhere: ${JSON.stringify(value)}`)
}

/** The schema with its reference followed, its `allOf` merged and its null branch taken off. */
function flatten(document: OpenApiDocument, schema: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  const { $ref, ...rest } = schema
  let flat: JsonSchema = $ref === undefined ? schema : { ...resolve<JsonSchema>(document, { $ref }), ...rest }
  if (flat.allOf) {
    const { allOf, ...own } = flat
    flat = [...allOf.map((part) => flatten(document, part).schema), own].reduce<JsonSchema>(merge, {})
  }
  let isNullable = Array.isArray(flat.type) && flat.type.includes('null')
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = flat[key]
    const others = branches?.filter((branch) => branch.type !== 'null')
    if (!branches || !others || others.length === branches.length) continue
    isNullable = true
    const { [key]: _, ...own } = flat
    const only = others[0]
    if (others.length === 1 && only) return { schema: { ...flatten(document, only).schema, ...own }, isNullable }
    flat = { ...own, [key]: others }
  }
  return { schema: flat, isNullable }
}

const merge = (a: JsonSchema, b: JsonSchema): JsonSchema => ({
  ...a,
  ...b,
  ...(a.properties || b.properties ? { properties: { ...a.properties, ...b.properties } } : {}),
  ...(a.required || b.required ? { required: [...(a.required ?? []), ...(b.required ?? [])] } : {}),
})

const nameOf = (schema: JsonSchema): string | undefined => /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1]

/** Past a null branch or a single `allOf`, which only wrap a reference. */
function unwrap(schema: JsonSchema): JsonSchema {
  const branches = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.filter((branch) => branch.type !== 'null')
  return branches?.length === 1 && branches[0] ? unwrap(branches[0]) : schema
}

function namedType(document: OpenApiDocument, schema: JsonSchema): Html {
  const name = nameOf(unwrap(schema))
  if (name !== undefined) return html`<a href="#${schemaAnchor(name)}">${name}</a>`
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((branch) => branch.type !== 'null')
  if (branches && branches.length > 0)
    return joined(
      branches.map((branch) => namedType(document, branch)),
      ' or ',
    )
  const types = [schema.type ?? (schema.properties ? 'object' : schema.enum ? 'string' : 'any')]
    .flat()
    .filter((type) => type !== 'null')
  return joined(
    types.map((type) => {
      if (type === 'array') return html`array of ${schema.items ? namedType(document, schema.items) : 'any'}`
      if (type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
        return html`map of ${namedType(document, schema.additionalProperties)}`
      return schema.format === undefined ? html`${type}` : html`${type} · ${schema.format}`
    }),
    ' or ',
  )
}

const joined = (parts: readonly Html[], separator: string) => raw(parts.map((part) => part.text).join(separator))

export function typeOf(document: OpenApiDocument, schema: JsonSchema): Html {
  return html`${namedType(document, schema)}${flatten(document, schema).isNullable && ' or null'}`
}

const number = (value: number) => (Math.abs(value) === Number.MAX_SAFE_INTEGER ? '' : value.toLocaleString('en'))

function range(low: number | undefined, high: number | undefined, unit = ''): string | undefined {
  const from = low === undefined ? '' : number(low)
  const to = high === undefined ? '' : number(high)
  if (from !== '' && to !== '') return from === to ? `exactly ${from}${unit}` : `${from} to ${to}${unit}`
  if (to !== '') return `at most ${to}${unit}`
  return from !== '' ? `at least ${from}${unit}` : undefined
}

function constraints(schema: JsonSchema): Html[] {
  const inner = schema.type === 'array' && schema.items ? schema.items : undefined
  const values = schema.enum ?? inner?.enum
  const lowestLength = schema.minLength === 0 ? undefined : schema.minLength
  const lowestCount = schema.minItems === 0 ? undefined : schema.minItems
  const words = [
    range(lowestLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? undefined : `greater than ${number(schema.exclusiveMinimum)}`,
    schema.exclusiveMaximum === undefined ? undefined : `less than ${number(schema.exclusiveMaximum)}`,
    schema.multipleOf === undefined ? undefined : `a multiple of ${number(schema.multipleOf)}`,
    range(lowestCount, schema.maxItems, ' items'),
    schema.uniqueItems === true ? 'no item twice' : undefined,
  ].filter((word) => word !== undefined)
  const facts = [
    ...(words.length > 0 ? [html`${capital(words.join(', '))}`] : []),
    ...(schema.pattern === undefined ? [] : [html`Pattern <code>${schema.pattern}</code>`]),
    ...(schema.const === undefined ? [] : [html`Always <code>${literal(schema.const)}</code>`]),
    ...(schema.default === undefined ? [] : [html`Default <code>${JSON.stringify(schema.default)}</code>`]),
  ]
  const choices = values?.filter((value) => value !== null).map((value) => html`<code>${literal(value)}</code>`)
  return [
    ...(choices ? [html`<p class="limits">${inner ? 'Any of' : 'One of'} ${joined(choices, ' ')}</p>`] : []),
    ...(facts.length > 0 ? [html`<p class="limits">${joined(facts, '<span class="dot"> · </span>')}</p>`] : []),
  ]
}

const literal = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface Row {
  readonly name: string
  readonly schema: JsonSchema
  readonly description: string | undefined
  readonly flags: readonly string[]
}

function row(document: OpenApiDocument, { name, schema, description, flags }: Row, mode: Mode, depth: number): Html {
  const { schema: flat } = flatten(document, schema)
  const shownFlags = flags.map((flag) => html` <span class="flag ${flag.replace(' ', '-')}">${flag}</span>`)
  const type = html`<span class="type">${typeOf(document, schema)}</span>`
  return html`<div class="field"><dt><code>${name}</code> ${type}${shownFlags}</dt>
<dd>${description !== undefined && html`<p>${inlineMarkdown(description)}</p>`}${constraints(flat)}${children(
    document,
    schema,
    mode,
    depth,
  )}</dd></div>`
}

/** The fields of an inline object, folded. A named schema is linked instead, in `typeOf`. */
function children(document: OpenApiDocument, schema: JsonSchema, mode: Mode, depth: number): Html | undefined {
  const inline = (candidate: JsonSchema): JsonSchema | undefined => {
    if (nameOf(unwrap(candidate)) !== undefined) return undefined
    if (candidate.properties || candidate.allOf) return candidate
    if (candidate.items) return inline(candidate.items)
    if (typeof candidate.additionalProperties === 'object') return inline(candidate.additionalProperties)
    return (candidate.anyOf ?? candidate.oneOf)?.map(inline).find((found) => found !== undefined)
  }
  const found = inline(schema)
  if (!found || depth > 6) return undefined
  const list = fieldList(document, found, mode, depth + 1)
  return list && html`<details class="children"><summary>Fields of it</summary>${list}</details>`
}

/** An object's fields as a list: name, type, what it takes, what it means. */
export function fieldList(document: OpenApiDocument, schema: JsonSchema, mode: Mode, depth = 0): Html | undefined {
  const { schema: flat } = flatten(document, schema)
  if (flat.type === 'array' && flat.items && !flat.properties) return fieldList(document, flat.items, mode, depth)
  const entries = Object.entries(flat.properties ?? {}).flatMap(([name, property]) => {
    const shown = flatten(document, property).schema
    const isHidden =
      (mode === 'request' && shown.readOnly === true) || (mode === 'response' && shown.writeOnly === true)
    return isHidden ? [] : [{ name, property, shown }]
  })
  if (entries.length === 0) return undefined
  const required = new Set(flat.required)
  // Only the exceptions are worth a word: in an answer nearly every field is always there.
  const marksRequired = mode === 'request' || required.size * 2 < entries.length
  return html`<dl class="fields">${entries.map(({ name, property, shown }) =>
    row(
      document,
      {
        name,
        schema: property,
        description: shown.description,
        flags: [
          ...(required.has(name) ? (marksRequired ? ['required'] : []) : marksRequired ? [] : ['optional']),
          ...(mode === 'schema' && shown.readOnly === true ? ['read-only'] : []),
          ...(mode !== 'response' && shown.writeOnly === true ? ['write-only'] : []),
          ...(shown.deprecated === true ? ['deprecated'] : []),
        ],
      },
      mode,
      depth,
    ),
  )}</dl>`
}

export const parameterList = (document: OpenApiDocument, parameters: readonly OpenApiParameter[]): Html =>
  html`<dl class="fields">${parameters.map((parameter) =>
    row(
      document,
      {
        name: parameter.name,
        schema: parameter.schema ?? { type: 'string' },
        description: parameter.description,
        flags: [
          ...(parameter.required === true ? ['required'] : []),
          ...(parameter.deprecated === true ? ['deprecated'] : []),
        ],
      },
      'request',
      0,
    ),
  )}</dl>`

/** A named schema's own section: its fields, or what it is when it has none. */
export function schemaBody(document: OpenApiDocument, schema: JsonSchema): Html {
  const { schema: flat } = flatten(document, schema)
  return html`${flat.description !== undefined && markdown(flat.description)}${
    fieldList(document, schema, 'schema') ?? html`<p class="type">${typeOf(document, flat)}</p>${constraints(flat)}`
  }`
}

const formatExamples: Record<string, string> = {
  uuid: '01997d2a-4c00-7000-8000-000000000001',
  date: '2027-03-31',
  'date-time': '2026-05-04T08:30:00.000Z',
  time: '08:00',
  email: 'ada@example.org',
  uri: 'https://example.org/hook',
}

/** A value the schema would take: its own example where it has one, otherwise the plainest that fits. */
export function exampleOf(
  document: OpenApiDocument,
  schema: JsonSchema,
  mode: Mode,
  above: readonly string[] = [],
): unknown {
  const name = nameOf(unwrap(schema))
  if (name !== undefined && above.includes(name)) return flatten(document, schema).isNullable ? null : {}
  const seen = name === undefined ? above : [...above, name]
  const { schema: flat, isNullable } = flatten(document, schema)
  if (flat.example !== undefined) return flat.example
  if (flat.examples && flat.examples.length > 0) return flat.examples[0]
  if (flat.const !== undefined) return flat.const
  const fallback = flat.default ?? flat['x-default']
  if (fallback !== undefined) return fallback
  if (flat.enum) return flat.enum[0]
  const branch = (flat.anyOf ?? flat.oneOf)?.[0]
  if (branch) return exampleOf(document, branch, mode, seen)
  const type = [flat.type ?? (flat.properties ? 'object' : undefined)].flat().find((candidate) => candidate !== 'null')
  if (type === 'object') {
    const required = new Set(flat.required)
    const entries = Object.entries(flat.properties ?? {}).filter(([key, property]) => {
      const shown = flatten(document, property).schema
      if (mode === 'request') return shown.readOnly !== true && (required.size === 0 || required.has(key))
      return shown.writeOnly !== true
    })
    return Object.fromEntries(entries.map(([key, property]) => [key, exampleOf(document, property, mode, seen)]))
  }
  if (type === 'array') return flat.items ? [exampleOf(document, flat.items, mode, seen)] : []
  if (isNullable) return null
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(flat.minimum ?? 0, Math.min(1, flat.maximum ?? 1))
  return formatExamples[flat.format ?? ''] ?? 'string'
}
