import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold, searchWords } from '../../core/fold.ts'
import { Pauses } from '../../core/pauses.ts'
import type { HistoryTable } from '../../db/along/history.ts'
import { inAll } from '../../db/lists/counted.ts'
import { type ListPage, listPage } from '../../db/lists/list.ts'
import { listRecords } from '../../db/lists/list-records.ts'
import { containing } from '../../db/lists/search.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { filtersIn } from '../../query/filters.ts'
import type { ListQuery } from '../../query/parse.ts'
import type { Keys } from '../../query/sql.ts'
import type { Settings } from '../settings.ts'
import type { Candidates } from './candidates.ts'

/** People at doors, or doors of somebody: rows of a table, each with what `decide()` says of it. */
export interface Listing {
  /** The rows as they are answered; every field can be filtered and sorted by. */
  readonly resource: Resource
  /** Which of their fields the table itself has, by the column. */
  readonly columns: Readonly<Record<string, string>>
  readonly table: HistoryTable & ('individuals' | 'access_points')
  /** The column with folded text in which all is that a search looks for, and more than the rows show. */
  readonly text: 'search_text' | 'seen_text'
  /** Who or what has a right at that moment, as a condition on row `t`. */
  candidates(settings: Settings, at: string): Promise<Candidates>
  /** How many they are now, where that is known without counting them. */
  count?(settings: Settings): Promise<number>
  /** Fills in what is decided, for rows by their id. */
  judge(settings: Settings, at: string, rows: readonly AnyRow[]): Promise<void>
}

/** So many rows are judged in one go; then others have their turn. */
const SLICE = 250

/**
 * One page of a listing. Where neither filter nor order asks for what is decided, the table gives the page and only its
 * rows are judged; otherwise everybody with a right is, and filter and order see the outcome.
 */
export async function listingPage(
  listing: Listing,
  settings: Settings,
  at: string,
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters' | 'search'>,
  after?: Keys | null,
): Promise<ListPage<AnyRow>> {
  if (isJudgedFirst(listing, query)) {
    const rows = await allRows(listing, settings, at, query.search)
    return listRecords(settings.handle, listing.resource, query, rows, after)
  }
  const { condition, isFew } = await listing.candidates(settings, at)
  // The settings of another day are not in the table.
  if (isFew || settings.asOf !== undefined) {
    const page = await listRecords(
      settings.handle,
      listing.resource,
      query,
      await rowsWhere(listing, settings, condition, query.search),
      after,
    )
    await listing.judge(settings, at, page.rows)
    return page
  }
  const count = listing.count?.bind(listing)
  const conditions = [condition, ...(await foundBy(listing, settings, condition, query.search))]
  const isWhole = query.filters.length === 0 && conditions.length === 1 && at === settings.handle.instant
  const page = await listPage(settings.handle.at(at), inTable(listing), {
    query: { ...query, search: null },
    scope: 'all',
    scopeOf: () => 'all',
    conditions,
    after,
    counted: isWhole && count ? inAll(() => count(settings)) : undefined,
    names: Object.keys(listing.columns),
  })
  await listing.judge(settings, at, page.rows)
  return page
}

/** Whether filter or order ask for what is decided. */
function isJudgedFirst({ columns }: Listing, { filters, order }: Pick<ListQuery, 'order' | 'filters'>): boolean {
  return [...filtersIn(filters), ...order].some(({ field }) => !(field in columns))
}

/** All of a listing, some rows at a time. What must be judged before it can be filtered or sorted is judged once. */
export async function* listingPieces(
  listing: Listing,
  settings: Settings,
  at: string,
  query: Pick<ListQuery, 'page' | 'order' | 'filters' | 'search'>,
): AsyncGenerator<AnyRow[]> {
  if (settings.asOf !== undefined || isSearched(query) || isJudgedFirst(listing, query)) {
    const rows = await allRows(listing, settings, at, query.search)
    yield* inSlices(
      (await listRecords(settings.handle, listing.resource, { ...query, limit: rows.length + 1 }, rows, null)).rows,
    )
    return
  }
  for (let after: Keys | null = null, isMore = true; isMore; ) {
    const page = await listingPage(listing, settings, at, { ...query, limit: SLICE }, after)
    yield page.rows
    await nextTurn()
    after = 'next' in page ? page.next : null
    isMore = after !== null
  }
}

/** Rows that are there already, with turns for others between. */
export async function* inSlices(rows: readonly AnyRow[]): AsyncGenerator<AnyRow[]> {
  for (let from = 0; from < rows.length; from += SLICE) {
    yield rows.slice(from, from + SLICE)
    await nextTurn()
  }
}

/** Everybody, or every door, with a right: judged, slice by slice. */
export async function allRows(
  listing: Listing,
  settings: Settings,
  at: string,
  search: string | null = null,
): Promise<AnyRow[]> {
  const rows = await rightsOn(listing, settings, at, search)
  await judgeAll(listing, settings, at, rows)
  return rows
}

/** Fills in what is decided, slice by slice. */
async function judgeAll(listing: Listing, settings: Settings, at: string, rows: readonly AnyRow[]): Promise<void> {
  for await (const slice of inSlices(rows)) await listing.judge(settings, at, slice)
}

/** The rows without a judgement. */
export async function rightsOn(
  listing: Listing,
  settings: Settings,
  at: string,
  search: string | null = null,
): Promise<AnyRow[]> {
  const { condition } = await listing.candidates(settings, at)
  return rowsWhere(listing, settings, condition, search)
}

const wordsOf = (search: string | null): string[] => (search === null ? [] : [...new Set(searchWords(search))])
const isSearched = ({ search }: Pick<ListQuery, 'search'>): boolean => wordsOf(search).length > 0

/** Words are looked for in what the rows show, as it was called under these settings, and in nothing else. */
async function rowsWhere(
  listing: Listing,
  settings: Settings,
  condition: Sql,
  search: string | null,
): Promise<AnyRow[]> {
  const { resource, table } = listing
  const words = wordsOf(search)
  const columns = Object.entries(listing.columns).map(([name, column]) => `t.${column} as ${name}`)
  // The text beside the rows is that of today.
  const conditions = [
    condition,
    ...(settings.asOf === undefined ? words.map((word) => hasWord(listing, settings, word)) : []),
  ]
  const rows = await settings.handle.all<AnyRow>(sql`
    select ${raw(columns.join(', '))} from ${settings.from(table, 't')} where t.org = :org
    and ${join(conditions, ' and ')}`)
  if (words.length === 0) return rows
  const found: AnyRow[] = []
  const pauses = new Pauses(settings.handle.signal)
  for (const row of rows) {
    const pause = pauses.take()
    if (pause) await pause
    const text = fold(resource.search.map((name) => row[name]).join(' '))
    if (words.every((word) => text.includes(word))) found.push(row)
  }
  return found
}

const idOf = ({ columns }: Listing): string => Object.keys(columns).find((name) => columns[name] === 'id') ?? 'id'

/**
 * The same as a condition on the table, for lists that may be long: where the rows show nothing but ASCII the engine
 * finds the words, and the others are looked through before.
 */
async function foundBy(listing: Listing, settings: Settings, condition: Sql, search: string | null): Promise<Sql[]> {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const { resource, columns } = listing
  const { dialect } = settings.handle
  const shown = raw(resource.search.map((name) => `t.${columns[name]}`).join(` || ' ' || `))
  const isPostgres = dialect.name === 'postgres'
  const isPlain = isPostgres ? sql`(${shown}) !~ '[^ -~]'` : sql`(${shown}) not glob '*[^ -~]*'`
  const others = await rowsWhere(listing, settings, sql`${condition} and not (${isPlain})`, search)
  const ids = others.map((row) => String(row[idOf(listing)]))
  const has = (word: string) => sql`${raw(isPostgres ? 'strpos' : 'instr')}(lower(${shown}), ${word}) > 0`
  const found = sql`(${isPlain} and ${join(words.map(has), ' and ')})`
  // The text beside the rows is the shorter way to those that cannot fit.
  const might = words.map((word) => hasWord(listing, settings, word))
  return [...might, ids.length === 0 ? found : sql`(${found} or ${dialect.inList('t.id', ids, 'uuid')})`]
}

const hasWord = ({ text }: Listing, { handle }: Settings, word: string): Sql =>
  handle.dialect.name === 'postgres' ? containing(`t.${text}`, word) : sql`instr(${raw(`t.${text}`)}, ${word}) > 0`

const tables = new WeakMap<Listing['resource'], Resource>()

/** The listing's rows as rows of its table: what is decided is filled in afterwards. */
function inTable({ resource, columns, table }: Listing): Resource {
  let known = tables.get(resource)
  if (!known) {
    const fields = Object.entries(resource.fields).map(([name, field]) => {
      const column = columns[name]
      return [name, column === undefined ? field.decorated() : column === name ? field : field.derived(`t.${column}`)]
    })
    known = { ...resource, table, fields: Object.fromEntries(fields) }
    tables.set(resource, known)
  }
  return known
}
