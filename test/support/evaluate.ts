import type { Fields } from '../../src/core/fields.ts'
import { type Condition, type Filter, isGroup } from '../../src/query/filters.ts'
import type { OrderTerm } from '../../src/query/order.ts'

/** The list grammar's meaning in plain JavaScript, written apart from the SQL: what the engines are compared with. */
type Value = string | number | boolean | null
export type Row = Record<string, Value>

/** SQL's three values; undefined is unknown. */
type Truth = boolean | undefined

/** By code point, where `<` goes by UTF-16 unit. */
function compareText(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** As whole numbers of a unit fine enough for any fraction. */
function compareInstants(a: string, b: string): number {
  const count = (text: string): bigint => {
    const [, seconds = '', fraction = ''] = /^(.{19})\.(\d+)Z$/.exec(text) ?? []
    return BigInt(Date.parse(`${seconds}Z`) / 1000) * 10n ** 30n + BigInt(fraction.padEnd(30, '0'))
  }
  const difference = count(a) - count(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function compare(a: Exclude<Value, null>, b: Exclude<Value, null>, type: string): number {
  if (typeof a === 'string' && typeof b === 'string')
    return type === 'timestamp' ? compareInstants(a, b) : compareText(a, b)
  return Number(a) - Number(b)
}

/** Character by character, so that no neighbour decides how a sigma ends. */
const lower = (text: string): string =>
  Array.from(text, (character) => (character === 'ς' ? 'σ' : character.toLowerCase())).join('')

/** First and last piece are fixed at the ends, the pieces between follow each other as early as they can. */
function matches(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === first
  if (!text.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - at >= last.length && text.endsWith(last)
}

function truthOf(filter: Filter, value: Value, type: string): Truth {
  if (filter.operator === 'is') {
    if (filter.operand === 'null') return value === null
    if (filter.operand === 'not_null') return value !== null
    return value === (filter.operand === 'true')
  }
  if (filter.operator === 'in') {
    if (filter.operand.length === 0) return false
    return value === null ? undefined : filter.operand.some((item) => compare(value, item, type) === 0)
  }
  if (value === null) return undefined
  if (filter.operator === 'like') return matches(String(value), filter.operand)
  if (filter.operator === 'ilike') return matches(lower(String(value)), lower(filter.operand))
  const difference = compare(value, filter.operand, type)
  switch (filter.operator) {
    case 'eq':
      return difference === 0
    case 'neq':
      return difference !== 0
    case 'gt':
      return difference > 0
    case 'gte':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'lte':
      return difference <= 0
  }
}

const typeOf = (fields: Fields, name: string): string => fields[name]?.spec.type ?? 'string'

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)

/** Of `or`, one that holds decides; of `and`, one that does not. */
function together(group: 'and' | 'or', truths: readonly Truth[]): Truth {
  const deciding = group === 'or'
  return truths.includes(deciding) ? deciding : truths.includes(undefined) ? undefined : !deciding
}

function holds(row: Row, condition: Condition, fields: Fields): Truth {
  const truth = isGroup(condition)
    ? together(
        condition.group,
        condition.members.map((member) => holds(row, member, fields)),
      )
    : truthOf(condition, row[condition.field] ?? null, typeOf(fields, condition.field))
  return condition.negated ? not(truth) : truth
}

const isMatch = (row: Row, filters: readonly Condition[], fields: Fields): boolean =>
  filters.every((condition) => holds(row, condition, fields) === true)

function compareTerm(a: Row, b: Row, { field, direction, nulls }: OrderTerm, fields: Fields): number {
  const left = a[field] ?? null
  const right = b[field] ?? null
  if (left === null || right === null) {
    if (left === right) return 0
    return (left === null) === (nulls === 'first') ? -1 : 1
  }
  const difference = compare(left, right, typeOf(fields, field))
  return direction === 'asc' ? difference : -difference
}

const TIE_BREAKER: readonly OrderTerm[] = [
  { field: 'created_at', direction: 'asc', nulls: 'last' },
  { field: 'id', direction: 'asc', nulls: 'last' },
]

/** The rows that the filters let through, in order. */
export function evaluate(
  rows: readonly Row[],
  query: { filters: readonly Condition[]; order: readonly OrderTerm[] },
  fields: Fields,
): Row[] {
  const terms = [...query.order, ...TIE_BREAKER]
  return rows
    .filter((row) => isMatch(row, query.filters, fields))
    .sort((a, b) => {
      for (const term of terms) {
        const difference = compareTerm(a, b, term, fields)
        if (difference !== 0) return difference
      }
      return 0
    })
}
