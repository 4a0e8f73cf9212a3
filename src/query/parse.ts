import { invalid } from '../core/errors.ts'
import type { Field, Fields, FieldType } from '../core/fields.ts'
import { searchWords } from '../core/fold.ts'
import { didYouMean, fromBrackets, meant, operatorMeant } from './hints.ts'
import { readableNames } from './meta.ts'
import { EXPECTED, parseList, parseScalar, type Scalar, trimBlanks } from './operands.ts'
import { eachPair, quote } from './pairs.ts'
import {
  fault,
  findParameter,
  type ParameterSet,
  parseBounded,
  plusHint,
  readParameter,
  repeatedParameter,
  unknownParameter,
  type ValuesOf,
} from './parameters.ts'

export interface OrderTerm {
  field: string
  direction: 'asc' | 'desc'
  nulls: 'first' | 'last'
}

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
export type FilterOperator = Comparison | 'like' | 'ilike' | 'in' | 'is'
export type IsValue = 'null' | 'not_null' | 'true' | 'false'

/** `value` is the decoded text after the operator's dot, for the echo; `operand` is what it means for the field's type. */
export type Filter = { field: string; negated: boolean; value: string } & (
  | { operator: Comparison; operand: Scalar }
  | { operator: 'like' | 'ilike'; operand: string }
  | { operator: 'in'; operand: Scalar[] }
  | { operator: 'is'; operand: IsValue }
)

/** `order` is empty and `select` null when the query does not say. */
export interface ListQuery<X = object> {
  page: number
  limit: number
  order: OrderTerm[]
  select: string[] | null
  search: string | null
  filters: Filter[]
  /** The values of the endpoint's own parameters. */
  extra: X
}

export type ListParameter = 'page' | 'limit' | 'order' | 'select' | 'search' | 'filters'

const MAX_PAGE = 2_147_483_647
const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10
const MAX_ORDER_TERMS = 10
const MAX_FILTERS = 20
const MAX_LIST_ITEMS = 100
export const MAX_SEARCH_WORDS = 10
/** No index serves a pattern: each is compared with every row that the other filters leave. */
const MAX_PATTERNS = 5
const MAX_PATTERN_LENGTH = 200
const MAX_WILDCARDS = 10

const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Never read as filters: PostgREST's parameters, and ours where they are not offered. */
const RESERVED: ReadonlySet<string> = new Set(['page', 'limit', 'order', 'select', 'search', 'offset', 'or', 'and'])

const ORDERED: ReadonlySet<FieldType> = new Set(['string', 'integer', 'number', 'date', 'timestamp'])
const TEXTUAL: ReadonlySet<FieldType> = new Set(['string'])
const EVERY: ReadonlySet<FieldType> = new Set([...ORDERED, 'uuid', 'boolean'])
const OPERATORS: ReadonlyMap<string, ReadonlySet<FieldType>> = new Map<FilterOperator, ReadonlySet<FieldType>>([
  ['eq', EVERY],
  ['neq', EVERY],
  ['gt', ORDERED],
  ['gte', ORDERED],
  ['lt', ORDERED],
  ['lte', ORDERED],
  ['like', TEXTUAL],
  ['ilike', TEXTUAL],
  ['in', EVERY],
  ['is', EVERY],
])

export const operatorsFor = (type: FieldType): FilterOperator[] =>
  [...OPERATORS].filter(([, types]) => types.has(type)).map(([operator]) => operator as FilterOperator)

const NO_PARAMETERS = {}

/** `rawQuery` is the text after "?", undecoded. Faults are reported in query-string order, the first one only. */
export function parseListQuery<const P extends ParameterSet = Record<never, never>>(
  rawQuery: string,
  fields: Fields,
  offered: ReadonlySet<ListParameter>,
  extra?: P,
): ListQuery<ValuesOf<P>> {
  const values: Record<string, unknown> = {}
  const query: ListQuery<ValuesOf<P>> = {
    page: 1,
    limit: DEFAULT_LIMIT,
    order: [],
    select: null,
    search: null,
    filters: [],
    extra: values as ValuesOf<P>,
  }
  if (rawQuery === '') return query

  const declared: ParameterSet = extra ?? NO_PARAMETERS
  const seen = new Set<string>()
  eachPair(rawQuery, (key, value) => {
    const parameter = findParameter(declared, key)
    if (parameter) return readParameter(parameter, values, key, value)
    if (RESERVED.has(key)) {
      if (!offered.has(key as ListParameter)) throw notOffered(key, value, fields, offered, declared)
      if (seen.has(key)) throw repeatedParameter(key)
      seen.add(key)
      return setParameter(query, key, value, fields)
    }
    if (!offered.has('filters') || !FIELD.test(key)) throw notOffered(key, value, fields, offered, declared)
    if (query.filters.length === MAX_FILTERS) throw tooMany(key, `${MAX_FILTERS} filters`)
    const filter = parseFilter(key, value, fields, () => namesOf(offered, declared))
    query.filters.push(filter)
    if (isPattern(filter) && query.filters.filter(isPattern).length > MAX_PATTERNS) throw tooMany(key, `${MAX_PATTERNS} like or ilike`)
  })
  return query
}

const isPattern = ({ operator }: Filter): boolean => operator === 'like' || operator === 'ilike'
const tooMany = (key: string, most: string) => invalid(key, 'filter.too_many', `Parameter ${quote(key)}: expected at most ${most}`)

function notOffered(key: string, value: string, fields: Fields, offered: ReadonlySet<ListParameter>, declared: ParameterSet) {
  const names = namesOf(offered, declared)
  if (!offered.has('filters')) return unknownParameter(key, names)
  const hint = fromBrackets(key, value, filterable(fields)) ?? meant(key, names)
  return unknownParameter(key, [...names, 'a filter on a field (field=operator.value)'], hint)
}

const namesOf = (offered: ReadonlySet<ListParameter>, declared: ParameterSet): string[] => [
  ...[...offered].filter((name) => name !== 'filters'),
  ...Object.keys(declared),
]

const filterable = (fields: Fields): string[] => readableNames(fields).filter((name) => fields[name]?.spec.isQueryable)

function setParameter(query: ListQuery, name: string, value: string, fields: Fields): void {
  switch (name) {
    case 'page':
      query.page = parseBounded(name, name, value, 1, MAX_PAGE)
      break
    case 'limit':
      query.limit = parseBounded(name, name, value, 1, MAX_LIMIT)
      break
    case 'order':
      query.order = parseOrder(value, fields)
      break
    case 'select':
      query.select = parseSelect(value, fields)
      break
    case 'search':
      query.search = parseSearch(value)
      break
  }
}

/** Each different word is a condition of its own for the database. */
function parseSearch(value: string): string | null {
  if (new Set(searchWords(value)).size > MAX_SEARCH_WORDS) {
    throw fault('search', 'search.too_many_words', value, `at most ${MAX_SEARCH_WORDS} different words`)
  }
  return value === '' ? null : value
}

/** A write-only field does not exist for a reader. */
function findField(fields: Fields, name: string): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.spec.mode === 'wo' ? undefined : field
}

function parseOrder(value: string, fields: Fields): OrderTerm[] {
  const terms: OrderTerm[] = []
  for (const piece of value.split(',')) {
    const term = trimBlanks(piece)
    if (term === '') throw fault('order', 'order.empty_term', value, 'a field between commas, like name.asc,created_at.desc')
    if (terms.length === MAX_ORDER_TERMS) throw fault('order', 'order.too_many', term, `at most ${MAX_ORDER_TERMS} terms`)
    terms.push(parseTerm(term, fields, terms))
  }
  return terms
}

function parseTerm(term: string, fields: Fields, before: readonly OrderTerm[]): OrderTerm {
  const [name = '', ...modifiers] = term.split('.', 4)
  let at = 0
  const direction = modifiers[at] === 'asc' || modifiers[at] === 'desc' ? modifiers[at++] : 'asc'
  const nulls = modifiers[at] === 'nullsfirst' || modifiers[at] === 'nullslast' ? modifiers[at++] : 'nullslast'
  if (at !== modifiers.length || !FIELD.test(name)) {
    throw fault('order', 'order.syntax', term, 'field, then .asc or .desc, then .nullsfirst or .nullslast, the last two optional')
  }
  const field = findField(fields, name)
  if (!field) throw fault('order', 'order.unknown_field', name, `a field of this resource${didYouMean(meant(name, filterable(fields)))}`)
  if (!field.spec.isQueryable) throw fault('order', 'order.not_sortable', name, 'a sortable field')
  if (before.some((other) => other.field === name)) throw fault('order', 'order.duplicate_field', name, 'each field once')
  return { field: name, direction: direction === 'desc' ? 'desc' : 'asc', nulls: nulls === 'nullsfirst' ? 'first' : 'last' }
}

function parseSelect(value: string, fields: Fields): string[] | null {
  if (trimBlanks(value) === '*') return null
  const names = new Set<string>()
  for (const piece of value.split(',')) {
    const name = trimBlanks(piece)
    if (name === '') throw fault('select', 'select.empty_term', value, 'a field between commas, like id,name')
    if (name === '*') throw fault('select', 'select.star_not_alone', value, '* alone, or field names')
    if (!FIELD.test(name)) throw fault('select', 'select.syntax', name, 'a plain field name')
    if (!findField(fields, name)) {
      const hint = didYouMean(meant(name, readableNames(fields)))
      throw fault('select', 'select.unknown_field', name, `a field of this resource${hint}`)
    }
    if (names.has(name)) throw fault('select', 'select.duplicate_field', name, 'each field once')
    names.add(name)
  }
  return [...names]
}

function parseFilter(name: string, text: string, fields: Fields, parameters: () => string[]): Filter {
  const field = findField(fields, name)
  if (!field) {
    const hint = didYouMean(meant(name, [...parameters(), ...filterable(fields)]))
    throw fault(name, 'filter.unknown_field', name, `a field of this resource${hint}`)
  }
  const { type, isQueryable } = field.spec
  if (!isQueryable) throw fault(name, 'filter.not_filterable', name, 'a filterable field')

  const negated = text.startsWith('not.')
  const start = negated ? 4 : 0
  const dot = text.indexOf('.', start)
  const operator = text.slice(start, dot === -1 ? text.length : dot) as FilterOperator
  const types = dot === -1 ? undefined : OPERATORS.get(operator)
  if (!types) {
    const hint = didYouMean(filterMeant(name, text, field))
    throw fault(name, 'filter.unknown_operator', text, `[not.]operator.value with one of ${[...OPERATORS.keys()].join(', ')}${hint}`)
  }
  if (!types.has(type)) {
    throw fault(name, 'filter.operator_type', operator, `one of ${operatorsFor(type).join(', ')}, which are for ${EXPECTED[type]}`)
  }

  const value = text.slice(dot + 1)
  const common = { field: name, negated, value }
  switch (operator) {
    case 'is':
      return { ...common, operator, operand: parseIs(name, type, value) }
    case 'in':
      return { ...common, operator, operand: parseItems(name, field, value) }
    case 'like':
    case 'ilike':
      return { ...common, operator, operand: parsePattern(name, value) }
    case 'eq':
    case 'neq':
      return { ...common, operator, operand: parseChoice(name, field, value) }
    default:
      return { ...common, operator, operand: parseOperand(name, type, value) }
  }
}

/** The whole filter in our grammar, where the text can be read as a value, as several or as an operator of another grammar. */
function filterMeant(name: string, text: string, { spec }: Field): string | undefined {
  const isOperand = (piece: string) => (spec.values ? spec.values.includes(piece) : parseScalar(spec.type, piece) !== undefined)
  if (text.toLowerCase() === 'null') return `${name}=is.null`
  const dot = text.indexOf('.')
  const operator = dot === -1 ? undefined : operatorMeant(text.slice(0, dot), [...OPERATORS.keys()])
  if (operator !== undefined) return `${name}=${operator}.${text.slice(dot + 1)}`
  if (text === '' || text.length > 40) return undefined
  const items = text.split(',').map(trimBlanks)
  if (items.length > 1 && items.every(isOperand)) return `${name}=in.(${items.join(',')})`
  return isOperand(text) ? `${name}=eq.${text}` : undefined
}

function parsePattern(name: string, value: string): string {
  if (value.length <= MAX_PATTERN_LENGTH && value.split('*').length - 1 <= MAX_WILDCARDS) return value
  const expected = `a pattern of at most ${MAX_PATTERN_LENGTH} characters with at most ${MAX_WILDCARDS} wildcards (*)`
  throw fault(name, 'filter.pattern_too_long', value, expected)
}

function parseIs(name: string, type: FieldType, value: string): IsValue {
  const operand = value.toLowerCase()
  if (operand === 'null' || operand === 'not_null') return operand
  if (operand !== 'true' && operand !== 'false') throw fault(name, 'filter.is_value', value, 'null, not_null, true or false')
  if (type !== 'boolean')
    throw fault(name, 'filter.operator_type', `is.${value}`, 'is.null or is.not_null, since the field is not a boolean')
  return operand
}

function parseItems(name: string, field: Field, value: string): Scalar[] {
  const items = parseList(value)
  if (!items) throw fault(name, 'filter.list_syntax', value, 'a list like (a,"b, c"), with "" for the empty text')
  if (items.length > MAX_LIST_ITEMS) throw fault(name, 'filter.list_too_long', value, `at most ${MAX_LIST_ITEMS} items`)
  return items.map((item) => parseChoice(name, field, item))
}

/** An operand that no row can have would match nothing, and everything behind neq: a misspelt one must not. */
function parseChoice(name: string, { spec }: Field, value: string): Scalar {
  if (!spec.values || spec.values.includes(value)) return parseOperand(name, spec.type, value)
  const hint = value.toLowerCase() === 'null' ? ' (for null use is.null)' : didYouMean(meant(value, spec.values))
  throw fault(name, 'filter.enum_value', value, `one of ${spec.values.join(', ')}${hint}`)
}

function parseOperand(name: string, type: FieldType, value: string): Scalar {
  const operand = parseScalar(type, value)
  if (operand === undefined) {
    const nullHint = value.toLowerCase() === 'null' ? ' (for null use is.null)' : ''
    throw fault(name, 'filter.value_type', value, `${EXPECTED[type]}${nullHint}${plusHint(value)}`)
  }
  return operand
}
