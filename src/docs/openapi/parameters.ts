import { common, type Field } from '../../core/fields.ts'
import type { Resource } from '../../db/resource.ts'
import type { Listed } from '../../http/route-doc.ts'
import { type FilterOperator, operatorsFor } from '../../query/filters.ts'
import { MAX_SEARCH_WORDS } from '../../query/parse.ts'
import { readableNames } from '../../query/readable.ts'
import { embeddable, type FieldsOfTable } from '../../query/select.ts'
import type { Components } from './components.ts'
import type { JsonSchema, OpenApiParameter, OpenApiReference } from './types.ts'

type Parameter = OpenApiParameter | OpenApiReference

const TERM = '[ \\t]*[A-Za-z_][A-Za-z0-9_]*(\\.(asc|desc))?(\\.(nullsfirst|nullslast))?[ \\t]*'
const ORDER = `^${TERM}(,${TERM})*$`

const code = (text: string) => `\`${text}\``

const page: OpenApiParameter = {
  name: 'page',
  in: 'query',
  description: 'Which page, from 1. A page past the end is empty, not an error.',
  schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647, default: 1 },
}

const limit: OpenApiParameter = {
  name: 'limit',
  in: 'query',
  description: 'How many items on a page.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
}

const cursor: OpenApiParameter = {
  name: 'cursor',
  in: 'query',
  description:
    'Instead of `page`, for reading a whole list while others write: empty at first, then `next_cursor` of the page ' +
    'before, until that is null, all else unchanged. Every item that stays and keeps what the list is ordered by ' +
    'comes exactly once. How many there are is not told.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]*$', examples: [''] },
}

const either: OpenApiParameter = {
  name: 'or',
  in: 'query',
  description:
    'Filters of which one is to hold, such as ' +
    '`(name.like.A*,and(created_at.gte.2026-05-01,not.or(id.is.null,name.eq."B, C")))`: a field, its operator and ' +
    'its value, separated by dots, or `and(…)` and `or(…)`, at most two within each other. A value with a comma or ' +
    'a parenthesis stands in quotes. They count among the 20 filters; given more than once, each must hold.',
  schema: {
    type: 'array',
    items: { type: 'string', pattern: '^\\([^]*\\)$' },
    examples: [['(id.is.not_null,created_at.gte.2026-05-01)']],
  },
}

function order(resource: Resource): OpenApiParameter {
  const sortable = readableNames(resource.fields).filter((name) => resource.fields[name]?.spec.isQueryable)
  const example = orderExample(sortable)
  return {
    name: 'order',
    in: 'query',
    description:
      `Sort terms, separated by commas: a field, then ${code('.asc')} or ${code('.desc')}, then ` +
      `${code('.nullsfirst')} or ${code('.nullslast')}, the last two optional. Such as ${code(example)}. ` +
      `${defaultOrder(resource)} Fields: ${sortable.map(code).join(' ')}.`,
    schema: { type: 'string', pattern: ORDER, examples: [example] },
  }
}

function select(resource: Resource, fieldsOf: FieldsOfTable): OpenApiParameter {
  const example = selectExample(readableNames(resource.fields))
  return {
    name: 'select',
    in: 'query',
    description:
      `The fields to answer with, and no others, separated by commas; ${code('*')}, or nothing, means all of ` +
      `them. Such as ${code(example)}.${embeds(resource, fieldsOf)}`,
    schema: { type: 'string', pattern: '^[ \\t]*(\\*|[A-Za-z_][A-Za-z0-9_,() \\t]*)$', examples: [example] },
  }
}

/** Fields of what an item refers to. */
function embeds(resource: Resource, fieldsOf: FieldsOfTable): string {
  const names = [...embeddable(resource.fields, fieldsOf)]
  const [first] = names
  if (!first) return ''
  const example = `${first[0]}(${selectExample(readableNames(first[1].fields)).split(',').at(-1)})`
  return (
    ` Fields of what it refers to stand in parentheses, such as ${code(example)}: null where it refers to ` +
    `nothing, left out where you may not read it. So can be had: ${names.map(([name]) => code(name)).join(' ')}.`
  )
}

/** In words: its own fields, and the items it refers to. */
function searched({ search, searchThrough = [], plural }: Resource): string {
  const parts = [
    ...search.map(code),
    ...(searchThrough.length > 0 ? [`the item of ${searchThrough.map(code).join(' or ')}`] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : `what tells ${plural} apart`
}

const search = (resource: Resource): OpenApiParameter => ({
  name: 'search',
  in: 'query',
  description:
    `Every word must occur in ${searched(resource)}. Case and accents do not matter: ${code('zurich')} finds ` +
    `${code('Zürich')}. At most ${MAX_SEARCH_WORDS} different words.`,
  schema: { type: 'string' },
})

/** The list grammar's parameters, as far as this list offers them. */
export const listParameters = ({ resource, offered, fieldsOf }: Listed, components: Components): Parameter[] => [
  ...(offered.has('page') ? [components.parameter(page)] : []),
  ...(offered.has('limit') ? [components.parameter(limit)] : []),
  ...(offered.has('cursor') ? [components.parameter(cursor)] : []),
  ...(offered.has('order') ? [order(resource)] : []),
  ...(fieldsOf && offered.has('select') ? [select(resource, fieldsOf)] : []),
  ...(offered.has('search') ? [search(resource)] : []),
  ...(offered.has('filters') ? [components.parameter(either)] : []),
]

const defaultOrder = ({ defaultOrder }: Resource): string =>
  defaultOrder ? `Without it: by ${defaultOrder.map(code).join(', then ')}.` : 'Without it: the oldest first.'

const orderExample = (sortable: readonly string[]): string =>
  sortable.includes('name')
    ? 'name.asc,created_at.desc'
    : `${sortable.includes('created_at') ? 'created_at' : (sortable[0] ?? 'id')}.desc`

const selectExample = (names: readonly string[]): string =>
  [
    'id',
    ...['name', 'display_name', 'number', 'label', 'status'].filter((name) => names.includes(name)).slice(0, 1),
  ].join(',')

/** One parameter for each field that a list can be filtered by. */
export function filterParameters(
  { resource, offered }: Listed,
  taken: ReadonlySet<string>,
  components: Components,
): OpenApiParameter[] {
  if (!offered.has('filters')) return []
  const names = readableNames(resource.fields)
  const isCommon = (name: string) => Object.hasOwn(common, name)
  // What is particular about the resource first: that is what it is mostly asked for.
  return [...names.filter((name) => !isCommon(name)), ...names.filter(isCommon)].flatMap((name): OpenApiParameter[] => {
    const field = resource.fields[name]
    if (!field?.spec.isQueryable || taken.has(name)) return []
    const example = filterExample(field)
    return [
      {
        name,
        in: 'query',
        description:
          `Filter: ${operators(name, field).map(code).join(' ')}. ` + `Such as ${code(example)}.${choices(field)}`,
        schema: filterSchema(name, field, components),
      },
    ]
  })
}

/** All conditions on one field must hold, hence a list. One name for each kind of field. */
function filterSchema(name: string, { spec }: Field, components: Components): JsonSchema {
  const kind = spec.values ? 'enum' : name === 'id' ? 'id' : spec.type
  const comparisons = operatorsFor(name, spec.type).filter((operator) => operator !== 'is' && operator !== 'in')
  return components.schema(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}Filter`, {
    type: 'array',
    description:
      `Conditions on ${spec.values ? 'a field with fixed values' : `a field of the type ${spec.type}`}; ` +
      `all of them must hold.`,
    items: {
      type: 'string',
      pattern: `^(not\\.)?((${comparisons.join('|')})\\.[^]*|in\\.\\([^]*\\)|is\\.[A-Za-z_]+)$`,
    },
  })
}

function operators(name: string, { spec }: Field): string[] {
  const isValues = [
    ...(spec.isNullable ? ['is.null', 'is.not_null'] : []),
    ...(spec.type === 'boolean' ? ['is.true', 'is.false'] : []),
  ]
  return operatorsFor(name, spec.type).flatMap((operator: FilterOperator) =>
    operator === 'is' ? isValues : [operator],
  )
}

const choices = ({ spec }: Field): string => (spec.values ? ` Values: ${spec.values.map(code).join(' ')}.` : '')

function filterExample({ spec }: Field): string {
  if (spec.values) return spec.values.length > 2 ? `in.(${spec.values.slice(0, 2).join(',')})` : `eq.${spec.values[0]}`
  switch (spec.type) {
    case 'uuid':
      return spec.isNullable ? 'is.null' : 'eq.01997d2a-4c00-7000-8000-000000000001'
    case 'boolean':
      return 'is.true'
    case 'integer':
    case 'number':
      return typeof spec.example === 'number' ? `gte.${spec.example}` : 'gte.1'
    case 'date':
      return 'lt.2027-01-01'
    case 'timestamp':
      return 'gte.2026-05-01'
    default:
      return typeof spec.example === 'string' ? `eq.${spec.example}` : 'ilike.*main*'
  }
}

export const dryRun: OpenApiParameter = {
  name: 'dry_run',
  in: 'query',
  description:
    'True: everything is checked and answered as it would be, and nothing is kept. Where something was written that ' +
    'decides who may open what, `meta.access` says who would gain and lose which doors; an import, whose rows are ' +
    'tried some at a time, does not.',
  schema: { type: 'boolean', default: false },
}

const header = (name: string, description: string, schema: JsonSchema): OpenApiParameter => ({
  name,
  in: 'header',
  description,
  schema,
})

export const ifMatch = header(
  'If-Match',
  'The `ETag` you have seen, quotes included; several, or `*` for any. If the item has changed since, nothing is ' +
    'done and the answer is 412.',
  { type: 'string', examples: ['"3"'] },
)

export const ifNoneMatch = header(
  'If-None-Match',
  'The `ETag` you have. If it still holds, the answer is 304 without a body.',
  {
    type: 'string',
    examples: ['"3"'],
  },
)

export const idempotencyKey = header(
  'Idempotency-Key',
  'Makes a repetition safe: within 24 hours the same key with the same request is carried out once and answered the ' +
    'same.',
  {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
    examples: ['7d1c2f0e-5b7e-4a39-9a0c-2f4d1d1b6c11'],
  },
)
