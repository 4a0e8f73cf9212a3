import { LRUCache } from 'lru-cache'
import type { Scope } from '../core/rights.ts'
import { DEFAULT_ORDER } from '../query/meta.ts'
import type { ListQuery, OrderTerm } from '../query/parse.ts'
import { operandsOf, orderSql, shapeOf, whereSql } from '../query/sql.ts'
import { nextBoundary } from './boundary.ts'
import type { OrgHandle } from './org.ts'
import { perEngine } from './per-engine.ts'
import { type AnyRow, columnOf, decodeRows, type Resource, selectList } from './resource.ts'
import { inScope } from './scope.ts'
import { searchFor } from './search.ts'
import { join, render, type Sql, sql } from './sql.ts'

export interface ListPage {
  rows: AnyRow[]
  total: number
}

/** What the caller asks for, and where it may look. `conditions` are the endpoint's own, on row `t`. */
export interface ListRequest {
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters' | 'search'>
  scope: Scope
  /** Whether the caller may see items that a search could go through. */
  sees: (resource: Resource) => boolean
  conditions?: readonly Sql[]
  /** Rows that are listed whatever the conditions say, and before all others. */
  first?: Sql | undefined
  names: readonly string[]
}

/** One order: every term the same way and never null, so that "after this row" is one comparison an index can serve. */
interface SeekOrder {
  columns: string[]
  direction: 'asc' | 'desc'
}

interface Compiled {
  /** The table as `t`. */
  from: string
  where: string
  order: string
  /** A text index leads to the rows. */
  isLed: boolean
  seek: SeekOrder | undefined
}

/** The column in which a list tells how many rows it has in all. */
const FOUND = 'found_in_all'
const TIE_BREAKER: readonly OrderTerm[] = [...DEFAULT_ORDER, { field: 'id', direction: 'asc', nulls: 'last' }]
const compiled = new LRUCache<string, Compiled>({ max: 2000 })
const totalsOf = perEngine(() => new LRUCache<string, { version: number; total: number }>({ max: 2000 }))

/** One page and the total. The page's ids come first, by filter and order alone; columns and joins only for those. */
export async function listPage(handle: OrgHandle, resource: Resource, request: ListRequest): Promise<ListPage> {
  const { query } = request
  const asked: Sql[] = [...(request.conditions ?? [])]
  const search = query.search === null ? undefined : await searchFor(handle, resource, query.search, request.sees)
  if (search) asked.push(...search.conditions)
  const conditions = request.first ? [leading(request.first, asked)] : asked
  if (request.scope !== 'all') conditions.push(inScope(resource, handle.dialect, request.scope))

  const extra = conditions.length > 0 ? render(join(conditions, ' and ')) : { text: '', values: [] }
  const isLed = search?.isLed === true && !request.first
  const plan = compile(handle, resource, query, { text: extra.text, bound: extra.values.length, isLed, first: request.first })
  const values = [...extra.values, ...operandsOf(query.filters, resource.fields, handle.dialect)]
  const offset = (query.page - 1) * query.limit

  const rows = await readPage(handle, resource, request.names, plan, values, offset, query.limit)
  const found = plan.isLed ? takeFound(rows) : undefined
  const isImplied = rows.length > 0 && rows.length < query.limit
  const total = isImplied ? offset + rows.length : (found ?? (await countTotal(handle, resource, plan, values, offset, rows.length)))
  return { rows: decodeRows(resource, handle.dialect, rows), total }
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
}

function compile(handle: OrgHandle, resource: Resource, query: ListRequest['query'], conditions: Conditions): Compiled {
  const { text, first, isLed } = conditions
  const key = `${handle.dialect.name}|${resource.table}|${shapeOf(query)}|${text}|${first ? 'first' : ''}|${isLed ? 'led' : ''}`
  const found = compiled.get(key)
  if (found) return found

  const column = (name: string) => columnOf(resource, name)
  let placeholders = conditions.bound
  const filters = whereSql(query.filters, column, resource.fields, handle.dialect, () => `$${++placeholders}`)
  const terms = orderTerms(resource, query.order)
  // `first` opens the conditions, so its placeholders are the same ones here.
  const lead = first ? `case when ${render(first).text} then 0 else 1 end, ` : ''
  const order = lead + orderSql(terms, column, resource.fields, handle.dialect)
  const plan = {
    // Left to itself, SQLite prefers the index that gives the order and tries every row of the table.
    from: `${resource.table} t${isLed ? ' not indexed' : ''}`,
    where: ['t.org = :org', ...(text ? [text] : []), ...filters].join(' and '),
    order,
    isLed,
    seek: first || isLed || resource.isVolatile ? undefined : seekOrder(resource, terms),
  }
  compiled.set(key, plan)
  return plan
}

const leading = (first: Sql, asked: readonly Sql[]): Sql =>
  asked.length === 0 ? sql`(${first} or true)` : sql`(${first} or (${join(asked, ' and ')}))`

/** What a list of the resource without `order` is sorted by, ties aside. */
export const defaultOrderOf = (resource: Resource): readonly OrderTerm[] =>
  resource.defaultOrder?.map((field) => ({ field, direction: 'asc', nulls: 'last' })) ?? DEFAULT_ORDER

function orderTerms(resource: Resource, asked: readonly OrderTerm[]): OrderTerm[] {
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

const columnLists = new WeakMap<readonly string[], string>()

function columnsOf(resource: Resource, names: readonly string[]): string {
  let columns = columnLists.get(names)
  if (columns === undefined) {
    columns = selectList(resource, names) || 't.id'
    columnLists.set(names, columns)
  }
  return columns
}

async function readPage(
  handle: OrgHandle,
  resource: Resource,
  names: readonly string[],
  plan: Compiled,
  values: unknown[],
  offset: number,
  limit: number,
): Promise<AnyRow[]> {
  const mark = await nearestMark(handle, resource, plan, values, offset)
  if (mark === 'past_the_end') return []
  const bound = [...values]
  let where = plan.where
  if (mark && plan.seek) where += ` and ${after(plan.seek, mark.keys, bound)}`
  bound.push(limit, offset - (mark?.position ?? 0))
  const columns = columnsOf(resource, names)
  const tail = `from ${plan.from} where ${where} order by ${plan.order} limit $${bound.length - 1} offset $${bound.length}`
  // The ids first, then the columns of those alone. In an order that an index gives, SQLite does that by itself.
  const isSqlite = handle.dialect.name === 'sqlite'
  // All rows that a text index led to are read and sorted anyway: counting them on the way costs nothing.
  const found = plan.isLed ? `, count(*) over () as ${FOUND}` : ''
  // SQLite keeps to the written order of a cross join: the few ids first, whatever index would give the order.
  const joined = `${isSqlite ? 'cross join' : 'join'} ${resource.table} t on t.org = :org and t.id = p.id`
  const text =
    isSqlite && plan.seek
      ? `select ${columns} ${tail}`
      : `select ${columns}${found && `, p.${FOUND}`} from (select t.id${found} ${tail}) p ${joined} order by ${plan.order}`
  return handle.query<AnyRow>(text, bound)
}

// ---- Deep pages ------------------------------------------------------------------------------------------------------
// OFFSET reads and throws away every row before the page. Marks remember the sort keys of every STRIDE-th row passed on
// the way, per list and version of the data, so that the next deep page starts at the nearest one.

const STRIDE = 100

interface Mark {
  position: number
  keys: unknown[]
}
interface Marks {
  version: number
  /** The keys of the last row of each full stride; marks[0] stands before row STRIDE. */
  list: unknown[][]
  end: boolean
}

/** Bounded by the marks of all lists together: a few megabytes, whatever is asked for. */
const marksOf = perEngine(() => new LRUCache<string, Marks>({ max: 100, maxSize: 50_000, sizeCalculation: ({ list }) => list.length + 1 }))

async function nearestMark(
  handle: OrgHandle,
  resource: Resource,
  plan: Compiled,
  values: unknown[],
  offset: number,
): Promise<Mark | 'past_the_end' | undefined> {
  const wanted = Math.floor(offset / STRIDE)
  if (wanted === 0 || !plan.seek) return undefined
  const { data: version } = await handle.versions()
  const key = (await listKey(handle, resource, plan, values, version)) + plan.order
  const marksByList = marksOf(handle.engine)
  let marks = marksByList.get(key)
  if (marks?.version !== version) {
    marks = { version, list: [], end: false }
    marksByList.set(key, marks)
  }
  const known = marks.list.length
  while (marks.list.length < wanted && !marks.end) await walk(handle, plan, values, marks, wanted)
  // Stored anew, so that its size is counted anew.
  if (marks.list.length > known) marksByList.set(key, { ...marks })
  const keys = marks.list[wanted - 1]
  return keys ? { position: wanted * STRIDE, keys } : 'past_the_end'
}

/** One stride further on SQLite, where a query costs nothing but its rows; all the way on PostgreSQL, where each is a round trip. */
async function walk(handle: OrgHandle, plan: Compiled, values: unknown[], marks: Marks, wanted: number): Promise<void> {
  const seek = plan.seek as SeekOrder
  const bound = [...values]
  const at = marks.list.length
  const last = marks.list[at - 1]
  const where = last ? `${plan.where} and ${after(seek, last, bound)}` : plan.where
  const columns = seek.columns.map((column, index) => `${column} as k${index}`).join(', ')
  const strides = handle.dialect.name === 'postgres' ? wanted - at : 1
  bound.push(handle.dialect.name === 'postgres' ? strides : STRIDE - 1)
  const text =
    handle.dialect.name === 'postgres'
      ? `select ${seek.columns.map((_, index) => `m.k${index}`).join(', ')} from (
           select ${columns}, row_number() over (order by ${plan.order}) as n from ${plan.from} where ${where}) m
         where m.n % ${STRIDE} = 0 order by m.n limit $${bound.length}`
      : `select ${columns} from ${plan.from} where ${where} order by ${plan.order} limit 1 offset $${bound.length}`
  const rows = await handle.query<AnyRow>(text, bound)
  // Two requests may walk the same list at once; whoever comes second has nothing to add.
  if (marks.list.length !== at) return
  for (const row of rows) marks.list.push(Object.values(row))
  marks.end = rows.length < strides
}

/** `(a, b) > ($1, $2)`: after the marked row in the list's order. */
function after(seek: SeekOrder, keys: unknown[], bound: unknown[]): string {
  const placeholders = keys.map((key) => `$${bound.push(key)}`)
  return `(${seek.columns.join(', ')}) ${seek.direction === 'asc' ? '>' : '<'} (${placeholders.join(', ')})`
}

/** Where the clock decides too, a list stays the same until the next moment at which it decides otherwise. */
async function listKey(handle: OrgHandle, resource: Resource, plan: Compiled, values: unknown[], version: number): Promise<string> {
  const until = plan.where.includes(':now') ? await nextBoundary(handle, version) : ''
  return `${handle.org}|${resource.table}|${plan.where}|${until}|${values.length > 0 ? JSON.stringify(values) : ''}|`
}

// ---- Totals ----------------------------------------------------------------------------------------------------------

/** Counted once per filter and kept until the organization's data changes. */
async function countTotal(
  handle: OrgHandle,
  resource: Resource,
  plan: Compiled,
  values: unknown[],
  offset: number,
  count: number,
): Promise<number> {
  if (offset === 0 && count === 0) return 0
  const { data: version } = await handle.versions()
  const key = await listKey(handle, resource, plan, values, version)
  const totals = totalsOf(handle.engine)
  const known = totals.get(key)
  if (known?.version === version && !resource.isVolatile) return known.total
  const [row] = await handle.query<{ total: number }>(`select count(*) as total from ${plan.from} where ${plan.where}`, [...values])
  const total = row?.total ?? 0
  totals.set(key, { version, total })
  return total
}
