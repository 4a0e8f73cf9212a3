import { searchWords } from '../../core/fold.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Scope } from '../../core/rights.ts'
import type { OrgHandle } from '../org.ts'
import { hasSeenText, type Resource, readPermissionOf } from '../resource.ts'
import { type Resources, resourcesOf } from '../resources.ts'
import { type Sight, sightOf } from '../scope.ts'
import { join, raw, type Sql, sql } from '../sql.ts'

/**
 * Up to so many rows the text index leads and its rows are sorted; a more common word is faster found by walking the
 * list in its order.
 */
const FEW_ROWS = 20_000
/** So many words that contain the one looked for, without beginning with it, are looked up one by one. */
const FEW_WORDS = 200
/** A trigram index knows nothing of shorter words. */
const INDEXED_LENGTH = 3

export interface Search {
  /** Conditions on `t`, one per word of the search; every word must be found. */
  conditions: Sql[]
  /** A condition `t.rid in (…)` more that leaves few rows: they are to be read by it, not by an index of the table. */
  lead: Sql | undefined
}

/** Where the caller may read items of a resource; undefined: nowhere. */
export type ScopeOf = (resource: Resource) => Scope | undefined

/**
 * Nobody learns by searching what they may not see: no word is looked for in an item, or in a field, that the caller
 * does not see. `isLedAtAll`: otherwise only what is true of a row that is found is asked for, not where it is found.
 */
export async function searchFor(
  handle: OrgHandle,
  resource: Resource,
  text: string,
  scope: Scope,
  scopeOf: ScopeOf,
  isLedAtAll = true,
): Promise<Search> {
  const search: Search = { conditions: [], lead: undefined }
  const sight = await sightOf(handle, resource, scope)
  for (const word of new Set(searchWords(text))) {
    const further = await resource.searchAlso?.(handle, word)
    const others = [...(await throughReferences(handle, resource, 't', word, scopeOf)), ...(further ? [further] : [])]
    const own = resource.search.length === 0 ? [] : [inText(handle, resource, sight, 't', word)]
    search.conditions.push(anyOf([...own, ...others]))
    // One lead is enough: the other words are looked for in its rows.
    if (!isLedAtAll || handle.dialect.name === 'postgres' || search.lead || own.length === 0) continue
    const rows = await rowsWith(handle, resource, word, others)
    if (rows) search.lead = sql`t.rid in (${rows})`
  }
  return search
}

/** Without which permissions a search looks through less than it could. */
export function unsearched(resources: Resources, resource: Resource, scopeOf: ScopeOf): ReadonlySet<Permission> {
  const others = (resource.searchThrough ?? []).flatMap((name) => resources.namedBy(resource, name) ?? [])
  return new Set(
    others.flatMap((other) =>
      scopeOf(other) === undefined ? [readPermissionOf(other)] : [...unsearched(resources, other, scopeOf)],
    ),
  )
}

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('false') : sql`(${join(conditions, ' or ')})`

/** In a row that is seen in part, only what is seen of it is looked through. */
function inText(
  { dialect }: OrgHandle,
  resource: Resource,
  { isLimited, managed }: Sight,
  row: string,
  word: string,
): Sql {
  // PostgreSQL weighs its trigram index itself.
  const contains = (column: string): Sql =>
    dialect.name === 'postgres'
      ? containing(`${row}.${column}`, word)
      : sql`instr(${raw(`${row}.${column}`)}, ${word}) > 0`
  if (!isLimited || !hasSeenText(resource)) return contains('search_text')
  return sql`(${contains('search_text')} and (${contains('seen_text')} or ${managed}))`
}

/** Of a column that holds folded text. */
export const containing = (column: string, word: string): Sql =>
  sql`${raw(column)} like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** For what is written past the resource, by few and in plain letters: the columns as they are. */
export const inColumns =
  (...columns: readonly string[]) =>
  async (_handle: OrgHandle, word: string): Promise<Sql> =>
    anyOf(columns.map((column) => containing(`lower(t.${column})`, word)))

/**
 * The items that a row refers to, and those that they are found through in turn: a handover by its key, a key by its
 * type.
 */
async function throughReferences(
  handle: OrgHandle,
  resource: Resource,
  alias: string,
  word: string,
  scopeOf: ScopeOf,
): Promise<Sql[]> {
  const conditions: Sql[] = []
  for (const name of resource.searchThrough ?? []) {
    const other = resourcesOf(handle.engine).namedBy(resource, name)
    if (!other) throw new Error(`${resource.noun}.${name} refers to nothing that can be searched`)
    const scope = scopeOf(other)
    if (scope === undefined) continue
    const inner = `${alias}r`
    const further = await throughReferences(handle, other, inner, word, scopeOf)
    const sight = await sightOf(handle, other, scope, inner)
    conditions.push(await refersTo(handle, `${alias}.${name}`, other, { inner, sight, word, further }))
  }
  return conditions
}

interface Through {
  /** What the item that is referred to is called in the statement. */
  inner: string
  sight: Sight
  word: string
  /** What finds it beside its own text. */
  further: readonly Sql[]
}

/**
 * On SQLite the other table's text index leads, where it leaves few rows; otherwise the item of each row is looked at.
 */
async function refersTo(
  handle: OrgHandle,
  reference: string,
  other: Resource,
  { inner, sight, word, further }: Through,
): Promise<Sql> {
  const seen = sight.isLimited ? sql` and ${sight.seen}` : raw('')
  const items = sql`${raw(`${other.table} ${inner}`)} where ${raw(inner)}.org = :org${seen}`
  const among = (matching: readonly Sql[]): Sql =>
    sql`${raw(reference)} in (select ${raw(inner)}.id from ${items} and ${anyOf(matching)})`
  if (other.search.length === 0) return among(further)
  const own = inText(handle, other, sight, inner, word)
  if (handle.dialect.name === 'postgres') return among([own, ...further])
  const rows = await rowsWith(handle, other, word, [])
  if (!rows)
    return sql`exists (select 1 from ${items} and ${raw(inner)}.id = ${raw(reference)} and ${anyOf([own, ...further])})`
  // SQLite keeps to the written order of a cross join; by itself it would walk all items and see whether the index has
  // them.
  const led = sql`${raw(reference)} in (select ${raw(inner)}.id from (${rows}) m cross join ${items}
    and ${raw(inner)}.rid = m.rowid
    and ${own})`
  return further.length === 0 ? led : sql`(${led} or ${among(further)})`
}

/** SQLite cannot weigh a text index against an ordered walk, so we look how many rows it gives. */
async function rowsWith(
  handle: OrgHandle,
  resource: Resource,
  word: string,
  others: readonly Sql[],
): Promise<Sql | undefined> {
  const within = await wordsAround(handle, resource, word)
  if (within.length > FEW_WORDS) return undefined
  const index = raw(`${resource.table}_fts`)
  const asked = [`${phrase(word)} *`, ...within.map(phrase)].join(' OR ')
  const matching = sql`select rowid from ${index} where ${index} match ${asked}`
  const rows =
    others.length === 0
      ? matching
      : sql`${matching} union select t.rid from ${raw(resource.table)} t where t.org = :org and ${anyOf(others)}`
  const found = await handle.one<{ n: number }>(
    sql`select count(*) as n from (select 1 from (${rows}) limit ${FEW_ROWS + 1})`,
  )
  return (found?.n ?? 0) > FEW_ROWS ? undefined : rows
}

/** The words that contain it further in; those that begin with it are found without. */
async function wordsAround(handle: OrgHandle, resource: Resource, word: string): Promise<string[]> {
  const words = raw(`${resource.table}_words`)
  const index = raw(`${resource.table}_words_fts`)
  const isIndexed = [...word].length >= INDEXED_LENGTH
  const isCandidate = isIndexed
    ? sql`w.id in (select rowid from ${index} where ${index} match ${phrase(word)})`
    : sql`true`
  const found = await handle.all<{ word: string }>(
    sql`select w.word from ${words} w where ${isCandidate} and instr(w.word, ${word}) > 1 limit ${FEW_WORDS + 1}`,
  )
  return found.map((row) => row.word)
}

const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`
