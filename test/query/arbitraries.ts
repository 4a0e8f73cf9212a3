import fc from 'fast-check'
import type { FieldType } from '../../src/core/fields.ts'
import { type Condition, type Filter, type FilterGroup, isGroup } from '../../src/query/filters.ts'
import type { Scalar } from '../../src/query/operands.ts'
import type { OrderTerm } from '../../src/query/order.ts'
import type { ListQuery } from '../../src/query/parse.ts'
import type { Row } from '../support/evaluate.ts'
import { allFields } from './fixture.ts'

// Everything that means something to the grammar, to GLOB, to LIKE or to letter case, and characters on both sides of
// the surrogates.
const CHARACTERS = [...'aAbB*?[]^%_\\"\',().:+&=# \téÉÅåΣσςİıIißẞ😀𐐀𐐨\uE000\uFFFD']
const character = fc.constantFrom(...CHARACTERS)
export const words = fc.string({ unit: character, maxLength: 5 })

const hex = (digits: number) => fc.string({ unit: fc.constantFrom(...'0aAfF'), minLength: digits, maxLength: digits })
export const uuids = fc.tuple(hex(2), hex(1)).map(([a, b]) => `00000000-0000-7${b}00-8000-0000000000${a}`)
const days = fc.constantFrom('0001-01-01', '2023-12-31', '2024-02-29', '2024-03-01', '9999-12-31')
const instants = fc
  .tuple(
    fc.constantFrom('2023-12-31', '2024-01-01', '2024-02-29'),
    fc.constantFrom('00:00:00', '23:59:59'),
    fc.constantFrom('000', '001', '999'),
  )
  .map(([day, time, millis]) => `${day}T${time}.${millis}Z`)
const finerInstants = fc
  .tuple(instants, fc.constantFrom('', '', '5', '0000001', '9999999999'))
  .map(([instant, digits]) => `${instant.slice(0, 23)}${digits}Z`)
const integers = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
)
const decimals = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0.1, -0.5, 1.25))

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 })
const row: fc.Arbitrary<Row> = fc.record({
  id: uuids.map((id) => id.toLowerCase()),
  name: words,
  label: nullable(words),
  floor: nullable(integers),
  active: nullable(fc.boolean()),
  created_at: instants,
  owner_id: nullable(uuids.map((id) => id.toLowerCase())),
  ratio: nullable(decimals),
  due_on: nullable(days),
  seen_at: nullable(instants),
})
export const rows = fc.uniqueArray(row, { maxLength: 30, selector: ({ id }) => id })

const queryable = Object.keys(allFields).filter((name) => allFields[name]?.spec.isQueryable)
const typeOf = (name: string): FieldType => allFields[name]?.spec.type ?? 'string'

interface Operand {
  text: string
  operand: Scalar
}
const operands: Record<Exclude<FieldType, 'json'>, fc.Arbitrary<Operand>> = {
  string: words.map((text) => ({ text, operand: text })),
  uuid: uuids.map((text) => ({ text, operand: text.toLowerCase() })),
  integer: integers.map((operand) => ({ text: String(operand), operand })),
  number: decimals.map((operand) => ({ text: String(operand), operand })),
  boolean: fc.boolean().map((operand) => ({ text: String(operand), operand })),
  date: days.map((text) => ({ text, operand: text })),
  timestamp: finerInstants.map((text) => ({ text, operand: text })),
}

const inList = (items: Operand[]): Pick<Extract<Filter, { operator: 'in' }>, 'operator' | 'operand' | 'value'> => ({
  operator: 'in',
  operand: items.map(({ operand }) => operand),
  value: `(${items.map(({ text }) => (/^[^",)\s][^,)\s]*$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`)).join(',')})`,
})

function filterOn(field: string): fc.Arbitrary<Filter> {
  const type = typeOf(field)
  if (type === 'json') throw new Error('not filterable')
  const ordered = (type === 'uuid' && field !== 'id') || type === 'boolean' ? [] : (['gt', 'gte', 'lt', 'lte'] as const)
  const choices: fc.Arbitrary<Omit<Filter, 'field' | 'negated'>>[] = [
    fc
      .tuple(fc.constantFrom('eq', 'neq', ...ordered), operands[type])
      .map(([operator, { text, operand }]) => ({ operator, operand, value: text })),
    fc.array(operands[type], { maxLength: 4 }).map(inList),
    fc
      .constantFrom('null', 'not_null', ...(type === 'boolean' ? (['true', 'false'] as const) : []))
      .map((operand) => ({ operator: 'is' as const, operand, value: operand })),
  ]
  if (type === 'string') {
    choices.push(
      fc
        .tuple(fc.constantFrom('like', 'ilike'), words)
        .map(([operator, operand]) => ({ operator, operand, value: operand })),
    )
  }
  return fc.tuple(fc.boolean(), fc.oneof(...choices)).map(([negated, rest]) => ({ field, negated, ...rest }) as Filter)
}
export const filter = fc.constantFrom(...queryable).chain(filterOn)

/** A value that a comma or a parenthesis would end stands in quotes. */
const inGroup = ({ field, negated, operator, value }: Filter): string => {
  const isPlain = operator === 'in' || operator === 'is' || /^[^",()\s\\]*$/.test(value)
  return `${field}.${negated ? 'not.' : ''}${operator}.${isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`
}
const memberText = (member: Condition): string =>
  isGroup(member) ? `${member.negated ? 'not.' : ''}${member.group}${member.value}` : inGroup(member)
const groupOf = (group: 'and' | 'or', negated: boolean, members: Condition[]): FilterGroup => ({
  group,
  negated,
  value: `(${members.map(memberText).join(',')})`,
  members,
})
const nested = (member: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc
    .tuple(fc.constantFrom('and', 'or'), fc.boolean(), fc.array(member, { minLength: 1, maxLength: 3 }))
    .map(([group, negated, members]) => groupOf(group, negated, members))
const inner = fc.oneof(filter, nested(filter))
/** `or=(…)`, with groups two deep. */
export const group = fc
  .array(fc.oneof(inner, nested(inner)), { minLength: 1, maxLength: 3 })
  .map((members) => groupOf('or', false, members))

const term = (field: string): fc.Arbitrary<OrderTerm> =>
  fc.record({
    field: fc.constant(field),
    direction: fc.constantFrom('asc', 'desc'),
    nulls: fc.constantFrom('first', 'last'),
  })
export const order = fc
  .uniqueArray(fc.constantFrom(...queryable), { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map(term)))

const selectable = Object.keys(allFields).filter((name) => allFields[name]?.spec.mode !== 'wo')
export const listQuery: fc.Arbitrary<ListQuery> = fc.record({
  page: fc.integer({ min: 1, max: 2_147_483_647 }),
  limit: fc.integer({ min: 1, max: 100 }),
  order,
  select: fc.option(fc.uniqueArray(fc.constantFrom(...selectable), { minLength: 1 })),
  search: fc.option(words.filter((text) => text !== '')),
  filters: fc.array(filter, { maxLength: 20 }),
  extra: fc.constant({}),
})

/** The query string that asks for it; the first space of a value as a plus. */
export function print(query: ListQuery): string {
  const pairs: [string, string][] = query.filters.map((condition) =>
    isGroup(condition)
      ? ['or', condition.value]
      : [condition.field, `${condition.negated ? 'not.' : ''}${condition.operator}.${condition.value}`],
  )
  if (query.order.length > 0) {
    pairs.push([
      'order',
      query.order.map(({ field, direction, nulls }) => `${field}.${direction}.nulls${nulls}`).join(','),
    ])
  }
  if (query.select) pairs.push(['select', query.select.join(', ')])
  if (query.search !== null) pairs.push(['search', query.search])
  pairs.push(['page', String(query.page)], ['limit', String(query.limit)])
  return pairs.map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%20/, '+')}`).join('&')
}
