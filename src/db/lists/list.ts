import { afterSql, type Keys } from '../../query/sql.ts'
import type { OrgHandle } from '../org.ts'
import { type AnyRow, decodeRows, type Growth, type Item, joinBeside, type Resource, selectList } from '../resource.ts'
import { askedList, type ListRequest, NEAREST } from './asked-list.ts'
import { sumOf } from './counted.ts'
import { FEW, grownOf } from './grown.ts'
import type { AskedList, Stretches } from './list-plan.ts'
import { after, nearestMark } from './marks.ts'
import { shortList, type Whole } from './short-lists.ts'
import { totalOf } from './totals.ts'

/**
 * A page by its number knows how many rows there are in all; one that goes on from a row, where the next goes on from.
 */
export type ListPage<Row = Item> = { rows: Row[] } & ({ total: number } | { next: Keys | null })

/** The column in which a list tells how many rows it has in all. */
const FOUND = 'found_in_all'

/** One page. Its ids come first, by filter and order alone; columns and joins only for those. */
export async function listPage(handle: OrgHandle, resource: Resource, request: ListRequest): Promise<ListPage> {
  const { query, names, after } = request
  const offset = (query.page - 1) * query.limit
  const short = await shortList(handle, resource, request)
  if (short) return pageOf(handle, resource, short, names, offset, query.limit)
  const list = await askedList(handle, resource, request)
  if (after !== undefined) return readBehind(handle, list, names, after, query.limit)
  if (resource.growth && list.plan.isAsItGrew && !list.stretches)
    return grownPage(handle, list, request, resource.growth)
  const rows = await readPage(handle, list, names, offset, query.limit)
  const found = list.plan.isLed ? takeFound(rows) : undefined
  const isImplied = rows.length > 0 ? rows.length < query.limit : offset === 0
  const total = isImplied
    ? offset + rows.length
    : (found ?? (await countedTotal(request)) ?? (await totalOf(handle, list)))
  return { rows: decodeRows(resource, handle.dialect, rows), total }
}

async function countedTotal({ counted }: ListRequest): Promise<number | undefined> {
  const known = await counted?.([])
  return known && sumOf(known)
}

/**
 * Of what only grows, it is kept where those stand that fit, while they are few: the order would lead through
 * everything that is stored to find them, each time.
 */
async function grownPage(handle: OrgHandle, list: AskedList, request: ListRequest, growth: Growth): Promise<ListPage> {
  const { query, names } = request
  const { resource, plan } = list
  const offset = (query.page - 1) * query.limit
  const counted = await countedTotal(request)
  const { total, places } =
    counted !== undefined && counted > FEW ? { total: counted } : await grownOf(handle, list, growth)
  if (offset >= total) return { rows: [], total }
  if (!places)
    return {
      rows: decodeRows(resource, handle.dialect, await readPage(handle, list, names, offset, query.limit)),
      total,
    }
  const inOrder = plan.terms[0]?.direction === 'asc' ? places : places.toReversed()
  const wanted = inOrder.slice(offset, offset + query.limit)
  const bound = [...list.values]
  const behind = `t.sequence in (${wanted.map((place) => `$${bound.push(place)}`).join(', ')})`
  const columns = columnsOf(resource, names, plan.isLimited)
  const rows = await read(handle, list, {
    columns,
    behind,
    bound,
    window: `limit $${bound.push(query.limit)}`,
    isPassing: false,
  })
  return { rows: decodeRows(resource, handle.dialect, rows), total }
}

/** Of a list that is known as a whole. */
async function pageOf(
  handle: OrgHandle,
  resource: Resource,
  list: Whole,
  names: readonly string[],
  offset: number,
  limit: number,
) {
  const ids = list.ids.slice(offset, offset + limit)
  const rows = ids.length > 0 ? await list.rows(columnsOf(resource, names, false), ids) : []
  return { rows: decodeRows(resource, handle.dialect, rows), total: list.ids.length }
}

function takeFound(rows: AnyRow[]): number | undefined {
  const found = rows[0]?.[FOUND]
  for (const row of rows) delete row[FOUND]
  return found as number | undefined
}

const columnLists = {
  whole: new WeakMap<readonly string[], string>(),
  limited: new WeakMap<readonly string[], string>(),
}

function columnsOf(resource: Resource, names: readonly string[], isLimited: boolean): string {
  const lists = isLimited ? columnLists.limited : columnLists.whole
  let columns = lists.get(names)
  if (columns === undefined) {
    columns = selectList(resource, names, isLimited) || 't.id'
    lists.set(names, columns)
  }
  return columns
}

async function readPage(
  handle: OrgHandle,
  list: AskedList,
  names: readonly string[],
  offset: number,
  limit: number,
): Promise<Item[]> {
  const { plan, stretches } = list
  if (stretches && plan.isAsItGrew && offset + limit <= NEAREST)
    return readStretches(handle, list, stretches, names, offset, limit)
  const mark = await nearestMark(handle, list, offset)
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

/** One after the other until the page is full: mostly it is with what lies at the beginning of the first or second. */
async function readStretches(
  handle: OrgHandle,
  list: AskedList,
  { list: stretches, through }: Stretches,
  names: readonly string[],
  offset: number,
  limit: number,
): Promise<Item[]> {
  const columns = columnsOf(list.resource, names, list.plan.isLimited)
  const isUp = list.plan.terms[0]?.direction === 'asc'
  const all = [...stretches, [through + 1, Number.MAX_SAFE_INTEGER] as const]
  const rows: Item[] = []
  for (const [from, to] of isUp ? all : all.reverse()) {
    const near = isUp
      ? ([from, Math.min(to, from + 2 * NEAREST)] as const)
      : ([Math.max(from, to - 2 * NEAREST), to] as const)
    const wanted = offset + limit - rows.length
    let found: Item[] = []
    for (const [first, last] of near[0] === from && near[1] === to ? [near] : [near, [from, to] as const]) {
      const bound = [...list.values]
      const behind = `t.sequence >= $${bound.push(first)} and t.sequence <= $${bound.push(last)}`
      const window = `limit $${bound.push(wanted)}`
      // Where few fit, an index of what is asked for leads to them; one that gives the order would lead through the
      // whole stretch.
      const isSorted = first === from && last === to
      found = await read(handle, list, { columns, behind, bound, window, isPassing: true, isSorted })
      if (found.length === wanted) return [...rows, ...found].slice(offset)
    }
    rows.push(...found)
  }
  return rows.slice(offset)
}

/** The ids alone of what stands behind a row, in order: many at once, so nothing is done to each. */
export async function listIds(
  handle: OrgHandle,
  resource: Resource,
  request: Omit<ListRequest, 'names' | 'after'>,
  keys: Keys | null,
): Promise<{ ids: string[]; next: Keys | null }> {
  const { rows, next } = await readKeyed(
    handle,
    await askedList(handle, resource, request),
    ['id'],
    keys,
    request.query.limit,
  )
  return { ids: rows.map(({ id }) => id), next }
}

const LONG = 100

const keyName = (index: number) => `key_${index}`

async function readBehind(
  handle: OrgHandle,
  list: AskedList,
  names: readonly string[],
  keys: Keys | null,
  limit: number,
): Promise<ListPage> {
  const { rows, own, next } = await readKeyed(handle, list, names, keys, limit)
  if (own.length > 0) for (const row of rows) for (const name of own) delete row[name]
  return { rows: decodeRows(list.resource, handle.dialect, rows), next }
}

interface Keyed {
  rows: Item[]
  /** The keys that were read beside what was asked for, and are still in the rows. */
  own: string[]
  next: Keys | null
}

/** One row more than is asked for tells whether any follows. */
async function readKeyed(
  handle: OrgHandle,
  list: AskedList,
  names: readonly string[],
  keys: Keys | null,
  limit: number,
): Promise<Keyed> {
  const { resource, plan } = list
  const { terms, column, isNullable } = plan
  const bound = [...list.values]
  const bind = (value: unknown) => `$${bound.push(value)}`
  const behind = keys ? afterSql(terms, keys, column, resource.fields, handle.dialect, bind, isNullable) : undefined
  // A key that is read anyway is not read twice: what is taken out of a row again makes it slow from then on.
  const isRead = (field: string) =>
    !plan.isLimited && names.includes(field) && resource.fields[field]?.spec.isStored === true
  const keyNames = terms.map(({ field }, index) => (isRead(field) ? field : keyName(index)))
  const own = terms.flatMap(({ field }, index) =>
    isRead(field) ? [] : [{ name: keyName(index), text: column(field) }],
  )
  // PostgreSQL looks up what is beside a row for each column of it, unless it is joined.
  const isManyLookUps = handle.dialect.name === 'postgres' && limit > LONG
  const beside = isManyLookUps ? joinBeside(resource, names) : ''
  const from = plan.seek && !plan.beside ? plan.from + beside : plan.from
  const columns = [
    beside ? selectList(resource, names, plan.isLimited, true) : columnsOf(resource, names, plan.isLimited),
    ...own.map(({ name, text }) => `${text} as ${name}`),
  ].join(', ')
  const rows = await read(
    handle,
    { ...list, plan: { ...plan, from, beside: plan.beside || beside, isLed: false } },
    { columns, behind, bound, window: `limit ${bind(limit + 1)}`, isPassing: false, isLong: limit > LONG },
  )
  const hasMore = rows.length > limit
  if (hasMore) rows.pop()
  const last = rows.at(-1)
  const next = hasMore && last ? keyNames.map((name) => last[name] as Keys[number]) : null
  return { rows, own: own.map(({ name }) => name), next }
}

interface Reading {
  columns: string
  /** A condition more: behind a row of the list. */
  behind: string | undefined
  bound: unknown[]
  window: string
  /** Rows before the first one are passed over. */
  isPassing: boolean
  /** No index is to be chosen for the order. */
  isSorted?: boolean
  /** Longer than any page: to make so many rows takes longer than to find them. */
  isLong?: boolean
}

async function read(handle: OrgHandle, { resource, plan }: AskedList, reading: Reading): Promise<Item[]> {
  const { columns, behind, bound, window, isPassing, isSorted, isLong } = reading
  const where = behind === undefined ? plan.where : `${plan.where} and ${behind}`
  const isSqlite = handle.dialect.name === 'sqlite'
  const tail = `from ${plan.from} where ${where} order by ${isSorted && isSqlite ? '+' : ''}${plan.order} ${window}`
  // The ids first, then the columns of those alone. In an order that an index gives, SQLite does that by itself, and
  // PostgreSQL where it passes no rows over: it would work out the columns of those too.
  // All rows that a text index led to are read and sorted anyway: counting them on the way costs nothing.
  const found = plan.isLed ? `, count(*) over () as ${FOUND}` : ''
  // SQLite keeps to the written order of a cross join: the few ids first, whatever index would give the order.
  // PostgreSQL has the order from those, or it may walk the whole table in that order to find them.
  const own = isSqlite ? '' : `, ${plan.keys}`
  const joined =
    `${isSqlite ? 'cross ' : ''}join ${resource.table} t on t.org = :org and t.id = p.id${plan.beside} ` +
    `order by ${isSqlite ? plan.order : plan.keyOrder}`
  const text =
    plan.seek && (isSqlite || !isPassing)
      ? `select ${columns} ${tail}`
      : `select ${columns}${found && `, p.${FOUND}`} from (select t.id${own}${found} ${tail}) p ${joined}`
  const conditions = behind === undefined ? plan.conditions : plan.conditions + 1
  return handle.query<Item>(text, bound, isLong ? 'all' : conditions)
}
