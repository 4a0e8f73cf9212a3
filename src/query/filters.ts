import type { Field, Fields, FieldType } from '../core/fields.ts'
import { didYouMean, meant, operatorMeant } from './hints.ts'
import { EXPECTED, parseList, parseScalar, type Scalar, trimBlanks } from './operands.ts'
import { fault, plusHint } from './parameters.ts'
import { readableNames } from './readable.ts'

export type Comparison = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
export type FilterOperator = Comparison | 'like' | 'ilike' | 'in' | 'is'
export type IsValue = 'null' | 'not_null' | 'true' | 'false'

/**
 * `value` is the decoded text after the operator's dot, for the echo; `operand` is what it means for the field's type.
 */
export type Filter = { field: string; negated: boolean; value: string } & (
  | { operator: Comparison; operand: Scalar }
  | {
      operator: 'like' | 'ilike'
      operand: string
      /** Of a field that has one of some values: those that the pattern fits, which an index finds. */
      values?: readonly string[]
    }
  | { operator: 'in'; operand: Scalar[] }
  | { operator: 'is'; operand: IsValue }
)

/** `or=(…)`, and what stands inside of it. `value` is the text with its parentheses. */
export interface FilterGroup {
  group: 'and' | 'or'
  negated: boolean
  value: string
  members: Condition[]
}

export type Condition = Filter | FilterGroup

export const isGroup = (condition: Condition): condition is FilterGroup => 'group' in condition

/** The filters themselves, in whatever groups they stand. */
export const filtersIn = (conditions: readonly Condition[]): Filter[] =>
  conditions.flatMap((condition) => (isGroup(condition) ? filtersIn(condition.members) : [condition]))

const MAX_LIST_ITEMS = 100
const MAX_PATTERN_LENGTH = 200
const MAX_WILDCARDS = 10

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

/** A row's own id can be compared too, so that rows can be taken in slices; other ids say nothing by their order. */
const isFor = (operator: string, name: string, type: FieldType): boolean => {
  const types = OPERATORS.get(operator)
  return types !== undefined && (types.has(type) || (name === 'id' && types === ORDERED))
}

export const operatorsFor = (name: string, type: FieldType): FilterOperator[] =>
  [...OPERATORS.keys()].filter((operator) => isFor(operator, name, type)) as FilterOperator[]

export const filterable = (fields: Fields): string[] =>
  readableNames(fields).filter((name) => fields[name]?.spec.isQueryable)

/** A write-only field does not exist for a reader. */
export function findField(fields: Fields, name: string): Field | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.spec.mode === 'wo' ? undefined : field
}

/** `parameters`: what else the endpoint offers, for a hint. */
export function parseFilter(name: string, text: string, fields: Fields, parameters: () => string[]): Filter {
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
  if (dot === -1 || !OPERATORS.has(operator)) {
    const hint = didYouMean(filterMeant(name, text, field))
    throw fault(
      name,
      'filter.unknown_operator',
      text,
      `[not.]operator.value with one of ${[...OPERATORS.keys()].join(', ')}${hint}`,
    )
  }
  if (!isFor(operator, name, type)) {
    throw fault(
      name,
      'filter.operator_type',
      operator,
      `one of ${operatorsFor(name, type).join(', ')}, which are for ${EXPECTED[type]}`,
    )
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
      return { ...common, operator, operand: parsePattern(name, value), ...fittingValues(field, operator, value) }
    case 'eq':
    case 'neq':
      return { ...common, operator, operand: parseChoice(name, field, value) }
    default:
      return { ...common, operator, operand: parseOperand(name, type, value) }
  }
}

/**
 * The whole filter in our grammar, where the text can be read as a value, as several or as an operator of another
 * grammar.
 */
function filterMeant(name: string, text: string, { spec }: Field): string | undefined {
  const isOperand = (piece: string) =>
    spec.values ? spec.values.includes(piece) : parseScalar(spec.type, piece) !== undefined
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

function fittingValues({ spec }: Field, operator: 'like' | 'ilike', pattern: string): { values?: readonly string[] } {
  if (!spec.values) return {}
  const as = (text: string) => (operator === 'ilike' ? text.toLowerCase() : text)
  return { values: spec.values.filter((value) => fitsPattern(as(value), as(pattern))) }
}

/** Only the star is a wildcard. */
function fitsPattern(text: string, pattern: string): boolean {
  const [start = '', ...pieces] = pattern.split('*')
  const end = pieces.pop()
  if (end === undefined) return text === pattern
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let at = start.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at + end.length <= text.length
}

function parseIs(name: string, type: FieldType, value: string): IsValue {
  const operand = value.toLowerCase()
  if (operand === 'null' || operand === 'not_null') return operand
  if (operand !== 'true' && operand !== 'false')
    throw fault(name, 'filter.is_value', value, 'null, not_null, true or false')
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
