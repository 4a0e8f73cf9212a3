import { boundedMap } from '../../core/bounded-map.ts'
import type { Scope } from '../../core/rights.ts'
import { filtersIn, isGroup } from '../../query/filters.ts'
import { DEFAULT_ORDER } from '../../query/meta.ts'
import type { OrderTerm } from '../../query/order.ts'
import type { ListQuery } from '../../query/parse.ts'
import { type Keys, operandsOf, orderSql, shapeOf, whereSql } from '../../query/sql.ts'
import type { OrgHandle } from '../org.ts'
import { columnOf, isSeenInPart, joinBeside, type Resource } from '../resource.ts'
import { sightOf } from '../scope.ts'
import { join, render, type Sql, sql } from '../sql.ts'
import type { CountedBy } from './counted.ts'
import type { AskedList, ListPlan, SeekOrder, Stretches } from './list-plan.ts'
import { type ScopeOf, searchFor } from './search.ts'

/** What the caller asks for, and where it may look. `conditions` are the endpoint's own, on row `t`. */
export interface ListRequest {
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters' | 'search'>
  scope: Scope
  /** Where the caller may read the items that a search could go through. */
  scopeOf: ScopeOf
  conditions?: readonly Sql[]
  /** Rows that are listed whatever the conditions say, and before all others. */
  first?: Sql | undefined
  /** Of what only grows: where in its order that lies which is asked for, where somebody knows. */
  stretches?: Stretches | undefined
  counted?: CountedBy | undefined
  /** Instead of the query's page: what stands behind the row with these keys; null: from the first row on. */
  after?: Keys | null | undefined
  names: readonly string[]
}

const TIE_BREAKER: readonly OrderTerm[] = [...DEFAULT_ORDER, { field: 'id', direction: 'asc', nulls: 'last' }]
const compiled = boundedMap<ListPlan>(2000)

interface Asking {
  /** Fields beside those of the filters. */
  compared?: readonly string[]
  /** Not to be led by a text index. */
  isUnled?: boolean
}

/** What is asked for, where the caller may look, as a statement and its values. */
export async function askedList(
  handle: OrgHandle,
  resource: Resource,
  request: Omit<ListRequest, 'names'>,
  { compared = [], isUnled = false }: Asking = {},
): Promise<AskedList> {
  const { query, scope, scopeOf } = request
  const asked: Sql[] = [...(request.conditions ?? [])]
  const search =
    query.search === null ? undefined : await searchFor(handle, resource, query.search, scope, scopeOf, !isUnled)
  if (search) asked.push(...search.conditions, ...(search.lead ? [search.lead] : []))
  const { isLimited, ...sight } = await sightOf(handle, resource, scope)
  // A field that is not seen of a row is not compared either: what lies elsewhere is left out by such a filter.
  const looked = [...filtersIn(query.filters).map(({ field }) => field), ...compared]
  const isWhole = looked.every((name) => isSeenInPart(resource, name))
  const conditions = request.first ? [leading(request.first, asked)] : asked
  if (isLimited && request.first) conditions.push(sight.seen)
  else if (isLimited) conditions.unshift(isWhole ? sight.seen : sight.managed)

  const extra = conditions.length > 0 ? render(join(conditions, ' and ')) : { text: '', values: [] }
  const isLed = search?.lead !== undefined && !request.first
  const plan = compile(handle, resource, query, {
    text: extra.text,
    bound: extra.values.length,
    isLed,
    first: request.first,
    managed: isLimited ? sight.managed : undefined,
    beside: joinBeside(resource, [...looked, ...query.order.map(({ field }) => field)]),
  })
  return {
    resource,
    plan,
    stretches: request.stretches,
    values: [...extra.values, ...operandsOf(query.filters, resource.fields, handle.dialect)],
  }
}

interface Conditions {
  text: string
  /** How many values its placeholders stand for. */
  bound: number
  isLed: boolean
  first: Sql | undefined
  /** Of a caller who is limited to places: what lies there. It opens the conditions, unless `first` does. */
  managed: Sql | undefined
  beside: string
}

function compile(handle: OrgHandle, resource: Resource, query: ListRequest['query'], conditions: Conditions): ListPlan {
  const { text, first, isLed, managed, beside } = conditions
  const key =
    `${handle.dialect.name}|${resource.table}|${shapeOf(query)}|${resource.defaultOrder ?? ''}|${text}|` +
    `${first ? 'first' : ''}|${isLed ? 'led' : ''}|${beside}`
  const found = compiled.get(key)
  if (found) return found

  const column = (name: string) => columnOf(resource, name, managed !== undefined, beside !== '')
  let placeholders = conditions.bound
  const filters = whereSql(query.filters, column, resource.fields, handle.dialect, () => `$${++placeholders}`)
  const terms = orderOf(resource, query.order)
  // `first` opens the conditions, so its placeholders are the same ones here.
  const lead = first ? `case when ${render(first).text} then 0 else 1 end, ` : ''
  // When a row was made is in its id too.
  const isHidden = (name: string) => managed !== undefined && name !== 'created_at' && !isSeenInPart(resource, name)
  // Beside conditions, an index that gives the order of the table beside would lead through all of it to the few rows
  // that fit.
  const isConditional = text !== '' || filters.length > 0
  const orderColumn = (name: string) =>
    isConditional && beside !== '' && resource.fields[name]?.spec.beside ? `(select ${column(name)})` : column(name)
  const seenColumn = (name: string) =>
    managed && isHidden(name) ? `(case when ${render(managed).text} then ${column(name)} end)` : orderColumn(name)
  const isNullable = (name: string) => isHidden(name) || (resource.fields[name]?.spec.isNullable ?? true)
  const order = lead + orderSql(terms, seenColumn, resource.fields, handle.dialect, isNullable)
  const keys = [...(first ? [lead.slice(0, -2)] : []), ...terms.map(({ field }) => seenColumn(field))]
  const placeOfKey = new Map(terms.map(({ field }, index) => [field, keys.length - terms.length + index]))
  const keyColumn = (name: string) => `p.order_${placeOfKey.get(name)}`
  const hidesOrder = terms.some(({ field }) => isHidden(field))
  const where = ['t.org = :org', ...(text ? [text] : []), ...filters].join(' and ')
  const plan: ListPlan = {
    // Left to itself, SQLite prefers the index that gives the order and tries every row of the table.
    from: `${resource.table} t${isLed ? ' not indexed' : ''}${beside}`,
    beside,
    where,
    conditions: where.split(' and ').length,
    order,
    keys: keys.map((text, index) => `${text} as order_${index}`).join(', '),
    keyOrder: (first ? 'p.order_0, ' : '') + orderSql(terms, keyColumn, resource.fields, handle.dialect, isNullable),
    terms,
    column: seenColumn,
    isNullable,
    isLed,
    isLimited: managed !== undefined,
    seek: first || isLed || resource.isVolatile || hidesOrder ? undefined : seekOrder(resource, terms),
    isAsItGrew: !first && !isLed && isAsItGrew(resource, terms),
    isOfLater: filtersIn(query.filters).some(({ field }) => resource.growth?.later.fields.includes(field)),
    present: resource.growth && managed === undefined ? presentOf(query.filters, column) : '',
    near: first || isLed ? undefined : nearOf(resource, query.filters, terms),
  }
  compiled.set(key, plan)
  return plan
}

/** Whatever a field is compared with, it is not null. */
function presentOf(filters: ListQuery['filters'], column: (name: string) => string): string {
  const compared = filters.flatMap((filter) =>
    isGroup(filter) || filter.operator === 'is' ? [] : [column(filter.field)],
  )
  return [...new Set(compared)].map((name) => ` and ${name} is not null`).join('')
}

/** So many are looked through before an index leads to all that fit. */
export const NEAREST = 2000
const RANGES: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])

/**
 * What only grows is asked for by when it happened, and that goes along with its order: mostly the rows where the order
 * begins fit. An index by time would lead to all that fit, to be sorted.
 */
function nearOf(resource: Resource, filters: ListQuery['filters'], terms: readonly OrderTerm[]): string | undefined {
  const { table } = resource
  const [term] = terms
  if (!term || !isAsItGrew(resource, terms)) return undefined
  if (!filtersIn(filters).some(({ operator, field }) => RANGES.has(operator) && field !== 'sequence')) return undefined
  const end = (of: 'min' | 'max') => `(select ${of}(b.sequence) from ${table} b where b.org = :org)`
  return term.direction === 'asc'
    ? `t.sequence < ${end('min')} + ${NEAREST}`
    : `t.sequence > ${end('max')} - ${NEAREST}`
}

const isAsItGrew = ({ growth }: Resource, [term, ...others]: readonly OrderTerm[]): boolean =>
  growth !== undefined && term?.field === 'sequence' && others.length === 0

const leading = (first: Sql, asked: readonly Sql[]): Sql =>
  asked.length === 0 ? sql`(${first} or true)` : sql`(${first} or (${join(asked, ' and ')}))`

/** What a list of the resource without `order` is sorted by, ties aside. */
export const defaultOrderOf = (resource: Resource): readonly OrderTerm[] =>
  resource.defaultOrder?.map((field) => ({ field, direction: 'asc', nulls: 'last' })) ?? DEFAULT_ORDER

/** The terms that were asked for and those that break ties: together they are unique. */
export function orderOf(resource: Resource, asked: readonly OrderTerm[]): OrderTerm[] {
  const named = new Set(asked.map((term) => term.field))
  const tieBreaker = resource.defaultOrder ? defaultOrderOf(resource) : TIE_BREAKER
  return [...asked, ...tieBreaker.filter((term) => !named.has(term.field))]
}

function seekOrder(resource: Resource, terms: readonly OrderTerm[]): SeekOrder | undefined {
  const direction = terms[0]?.direction ?? 'asc'
  const isUniform = terms.every(({ field, direction: own }) => {
    const spec = resource.fields[field]?.spec
    return own === direction && spec?.isStored === true && !spec.isNullable
  })
  return isUniform ? { columns: terms.map((term) => `t.${term.field}`), direction } : undefined
}
