import { boundedMap } from '../../core/bounded-map.ts'
import type { Scope } from '../../core/rights.ts'
import { filtersIn } from '../../query/filters.ts'
import { DEFAULT_ORDER } from '../../query/meta.ts'
import type { OrderTerm } from '../../query/order.ts'
import type { ListQuery } from '../../query/parse.ts'
import { afterSql, type Keys, operandsOf, orderSql, shapeOf, whereSql } from '../../query/sql.ts'
import type { OrgHandle } from '../org.ts'
import { type AnyRow, columnOf, decodeRows, isSeenInPart, type Resource, selectList } from '../resource.ts'
import { sightOf } from '../scope.ts'
import { join, render, type Sql, sql } from '../sql.ts'
import type { AskedList, ListPlan, SeekOrder } from './list-plan.ts'
import { after, nearestMark } from './marks.ts'
import { type ScopeOf, searchFor } from './search.ts'
import { totalOf } from './totals.ts'

/** A page by its number knows how many rows there are in all; one that goes on from a row, where the next goes on from. */
export type ListPage = { rows: AnyRow[] } & ({ total: number } | { next: Keys | null })

/** What the caller asks for, and where it may look. `conditions` are the endpoint's own, on row `t`. */
export interface ListRequest {
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters' | 'search'>
  scope: Scope
  /** Where the caller may read the items that a search could go through. */
  scopeOf: ScopeOf
  conditions?: readonly Sql[]
  /** Rows that are listed whatever the conditions say, and before all others. */
  first?: Sql | undefined
  /** How many there are in all, where somebody knows without counting. */
  total?: (() => Promise<number>) | undefined
  /** Instead of the query's page: what stands behind the row with these keys; null: from the first row on. */
  after?: Keys | null | undefined
  names: readonly string[]
}

/** The column in which a list tells how many rows it has in all. */
const FOUND = 'found_in_all'
const TIE_BREAKER: readonly OrderTerm[] = [...DEFAULT_ORDER, { field: 'id', direction: 'asc', nulls: 'last' }]
const compiled = boundedMap<ListPlan>(2000)

/** One page. Its ids come first, by filter and order alone; columns and joins only for those. */
export async function listPage(handle: OrgHandle, resource: Resource, request: ListRequest): Promise<ListPage> {
  const { query, names, after } = request
  const list = await askedList(handle, resource, request)
  if (after !== undefined) return readBehind(handle, list, names, after, query.limit)
  const offset = (query.page - 1) * query.limit
  const rows = await readPage(handle, list, names, offset, query.limit)
  const found = list.plan.isLed ? takeFound(rows) : undefined
  const isImplied = rows.length > 0 ? rows.length < query.limit : offset === 0
  const total = isImplied ? offset + rows.length : (found ?? (await (request.total?.() ?? totalOf(handle, list))))
  return { rows: decodeRows(resource, handle.dialect, rows), total }
}

/** What is asked for, where the caller may look, as a statement and its values. `compared`: fields beside those of the filters. */
export async function askedList(
  handle: OrgHandle,
  resource: Resource,
  request: Omit<ListRequest, 'names'>,
  compared: readonly string[] = [],
): Promise<AskedList> {
  const { query } = request
  const asked: Sql[] = [...(request.conditions ?? [])]
  const search = query.search === null ? undefined : await searchFor(handle, resource, query.search, request.scope, request.scopeOf)
  if (search) asked.push(...search.conditions)
  const { isLimited, ...sight } = await sightOf(handle, resource, request.scope)
  // A field that is not seen of a row is not compared either: what lies elsewhere is left out by such a filter.
  const isWhole = [...filtersIn(query.filters).map(({ field }) => field), ...compared].every((name) => isSeenInPart(resource, name))
  const conditions = request.first ? [leading(request.first, asked)] : asked
  if (isLimited && request.first) conditions.push(sight.seen)
  else if (isLimited) conditions.unshift(isWhole ? sight.seen : sight.managed)

  const extra = conditions.length > 0 ? render(join(conditions, ' and ')) : { text: '', values: [] }
  const isLed = search?.isLed === true && !request.first
  const plan = compile(handle, resource, query, {
    text: extra.text,
    bound: extra.values.length,
    isLed,
    first: request.first,
    managed: isLimited ? sight.managed : undefined,
  })
  return { resource, plan, values: [...extra.values, ...operandsOf(query.filters, resource.fields, handle.dialect)] }
}

function takeFound(rows: AnyRow[]): number | undefined {
  const found = rows[0]?.[FOUND]
  for (const row of rows) delete row[FOUND]
  return found as number | undefined
}

interface Conditions {
  text: string
  /** How many values its placeholders stand for. */
  bound: number
  isLed: boolean
  first: Sql | undefined
  /** Of a caller who is limited to places: what lies there. It opens the conditions, unless `first` does. */
  managed: Sql | undefined
}

function compile(handle: OrgHandle, resource: Resource, query: ListRequest['query'], conditions: Conditions): ListPlan {
  const { text, first, isLed, managed } = conditions
  const key = `${handle.dialect.name}|${resource.table}|${shapeOf(query)}|${resource.defaultOrder ?? ''}|${text}|${first ? 'first' : ''}|${isLed ? 'led' : ''}`
  const found = compiled.get(key)
  if (found) return found

  const column = (name: string) => columnOf(resource, name, managed !== undefined)
  let placeholders = conditions.bound
  const filters = whereSql(query.filters, column, resource.fields, handle.dialect, () => `$${++placeholders}`)
  const terms = orderOf(resource, query.order)
  // `first` opens the conditions, so its placeholders are the same ones here.
  const lead = first ? `case when ${render(first).text} then 0 else 1 end, ` : ''
  // When a row was made is in its id too.
  const isHidden = (name: string) => managed !== undefined && name !== 'created_at' && !isSeenInPart(resource, name)
  const seenColumn = (name: string) =>
    managed && isHidden(name) ? `(case when ${render(managed).text} then ${column(name)} end)` : column(name)
  const isNullable = (name: string) => isHidden(name) || (resource.fields[name]?.spec.isNullable ?? true)
  const order = lead + orderSql(terms, seenColumn, resource.fields, handle.dialect, isNullable)
  const hidesOrder = terms.some(({ field }) => isHidden(field))
  const where = ['t.org = :org', ...(text ? [text] : []), ...filters].join(' and ')
  const plan: ListPlan = {
    // Left to itself, SQLite prefers the index that gives the order and tries every row of the table.
    from: `${resource.table} t${isLed ? ' not indexed' : ''}`,
    where,
    conditions: where.split(' and ').length,
    order,
    terms,
    column: seenColumn,
    isNullable,
    isLed,
    isLimited: managed !== undefined,
    seek: first || isLed || resource.isVolatile || hidesOrder ? undefined : seekOrder(resource, terms),
    near: first || isLed ? undefined : nearOf(resource, query.filters, terms),
  }
  compiled.set(key, plan)
  return plan
}

/** So many are looked through before an index leads to all that fit. */
const NEAREST = 2000
const RANGES: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])

/**
 * What only grows is asked for by when it happened, and that goes along with its order: mostly the rows where the order begins fit. An
 * index by time would lead to all that fit, to be sorted.
 */
function nearOf({ table, growth }: Resource, filters: ListQuery['filters'], [term, ...others]: readonly OrderTerm[]): string | undefined {
  if (!growth || term?.field !== 'sequence' || others.length > 0) return undefined
  if (!filtersIn(filters).some(({ operator, field }) => RANGES.has(operator) && field !== 'sequence')) return undefined
  const end = (of: 'min' | 'max') => `(select ${of}(b.sequence) from ${table} b where b.org = :org)`
  return term.direction === 'asc' ? `t.sequence < ${end('min')} + ${NEAREST}` : `t.sequence > ${end('max')} - ${NEAREST}`
}

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

const columnLists = { whole: new WeakMap<readonly string[], string>(), limited: new WeakMap<readonly string[], string>() }

function columnsOf(resource: Resource, names: readonly string[], isLimited: boolean): string {
  const lists = isLimited ? columnLists.limited : columnLists.whole
  let columns = lists.get(names)
  if (columns === undefined) {
    columns = selectList(resource, names, isLimited) || 't.id'
    lists.set(names, columns)
  }
  return columns
}

async function readPage(handle: OrgHandle, list: AskedList, names: readonly string[], offset: number, limit: number): Promise<AnyRow[]> {
  const { plan } = list
  const mark = await nearestMark(handle, list, offset)
  if (mark === 'past_the_end') return []
  const bound = [...list.values]
  const behind = mark && plan.seek ? after(plan.seek, mark.keys, bound) : undefined
  bound.push(limit, offset - (mark?.position ?? 0))
  const columns = columnsOf(list.resource, names, plan.isLimited)
  const window = `limit $${bound.length - 1} offset $${bound.length}`
  // Behind a mark the window is counted from there.
  if (plan.near && !mark && offset + limit <= NEAREST) {
    const rows = await read(handle, list, { columns, behind: plan.near, bound: [...bound], window, isPassing: true })
    if (rows.length === limit) return rows
  }
  return read(handle, list, { columns, behind, bound, window, isPassing: true })
}

const keyName = (index: number) => `key_${index}`

/** One row more than is asked for tells whether any follows. */
async function readBehind(
  handle: OrgHandle,
  list: AskedList,
  names: readonly string[],
  keys: Keys | null,
  limit: number,
): Promise<ListPage> {
  const { resource, plan } = list
  const { terms, column, isNullable } = plan
  const bound = [...list.values]
  const bind = (value: unknown) => `$${bound.push(value)}`
  const behind = keys ? afterSql(terms, keys, column, resource.fields, handle.dialect, bind, isNullable) : undefined
  // A key that is read anyway is not read twice: what is taken out of a row again makes it slow from then on.
  const isRead = (field: string) => !plan.isLimited && names.includes(field) && resource.fields[field]?.spec.isStored === true
  const keyNames = terms.map(({ field }, index) => (isRead(field) ? field : keyName(index)))
  const own = terms.flatMap(({ field }, index) => (isRead(field) ? [] : [{ name: keyName(index), text: column(field) }]))
  const columns = [columnsOf(resource, names, plan.isLimited), ...own.map(({ name, text }) => `${text} as ${name}`)].join(', ')
  const rows = await read(
    handle,
    { ...list, plan: { ...plan, isLed: false } },
    { columns, behind, bound, window: `limit ${bind(limit + 1)}`, isPassing: false },
  )
  const hasMore = rows.length > limit
  if (hasMore) rows.pop()
  const last = rows.at(-1)
  const next = hasMore && last ? keyNames.map((name) => last[name] as Keys[number]) : null
  if (own.length > 0) for (const row of rows) for (const { name } of own) delete row[name]
  return { rows: decodeRows(resource, handle.dialect, rows), next }
}

interface Reading {
  columns: string
  /** A condition more: behind a row of the list. */
  behind: string | undefined
  bound: unknown[]
  window: string
  /** Rows before the first one are passed over. */
  isPassing: boolean
}

async function read(handle: OrgHandle, { resource, plan }: AskedList, reading: Reading): Promise<AnyRow[]> {
  const { columns, behind, bound, window, isPassing } = reading
  const where = behind === undefined ? plan.where : `${plan.where} and ${behind}`
  const tail = `from ${plan.from} where ${where} order by ${plan.order} ${window}`
  // The ids first, then the columns of those alone. In an order that an index gives, SQLite does that by itself, and PostgreSQL where it
  // passes no rows over: it would work out the columns of those too.
  const isSqlite = handle.dialect.name === 'sqlite'
  // All rows that a text index led to are read and sorted anyway: counting them on the way costs nothing.
  const found = plan.isLed ? `, count(*) over () as ${FOUND}` : ''
  // SQLite keeps to the written order of a cross join: the few ids first, whatever index would give the order.
  const joined = `${isSqlite ? 'cross join' : 'join'} ${resource.table} t on t.org = :org and t.id = p.id`
  const text =
    plan.seek && (isSqlite || !isPassing)
      ? `select ${columns} ${tail}`
      : `select ${columns}${found && `, p.${FOUND}`} from (select t.id${found} ${tail}) p ${joined} order by ${plan.order}`
  return handle.query<AnyRow>(text, bound, behind === undefined ? plan.conditions : plan.conditions + 1)
}
