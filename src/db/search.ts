import { searchWords } from '../core/fold.ts'
import type { OrgHandle } from './org.ts'
import type { Resource } from './resource.ts'
import { raw, type Sql, sql } from './sql.ts'

/** Up to so many rows the text index leads and its rows are sorted; a more common word is faster found by walking the list in its order. */
const FEW_ROWS = 20_000
/** So many words that contain the one looked for, without beginning with it, are looked up one by one. */
const FEW_WORDS = 200
/** A trigram index knows nothing of shorter words. */
const INDEXED_LENGTH = 3

export interface Search {
  /** Conditions on `t`, one per word of the search at least; every word must be found. */
  conditions: Sql[]
  /** A condition `t.rid in (…)` is among them that leaves few rows: they are to be read by it, not by an index of the table. */
  isLed: boolean
}

export async function searchFor(handle: OrgHandle, resource: Resource, text: string): Promise<Search> {
  const search: Search = { conditions: [], isLed: false }
  for (const word of searchWords(text)) {
    const also = await resource.searchAlso?.(handle, word)
    const inText = handle.dialect.name === 'postgres' ? like(word) : sql`instr(t.search_text, ${word}) > 0`
    search.conditions.push(also ? sql`(${inText} or ${also})` : inText)
    // One lead is enough: the other words are looked for in its rows.
    if (handle.dialect.name === 'postgres' || search.isLed) continue
    const rows = await rowsWith(handle, resource, word, also)
    if (!rows) continue
    search.conditions.push(sql`t.rid in (${rows})`)
    search.isLed = true
  }
  return search
}

/** PostgreSQL weighs its trigram index itself. */
const like = (word: string): Sql => sql`t.search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`

/** SQLite cannot weigh a text index against an ordered walk, so we look how many rows it gives. */
async function rowsWith(handle: OrgHandle, resource: Resource, word: string, also: Sql | undefined): Promise<Sql | undefined> {
  const within = await wordsAround(handle, resource, word)
  if (within.length > FEW_WORDS) return undefined
  const index = raw(`${resource.table}_fts`)
  const asked = [`${phrase(word)} *`, ...within.map(phrase)].join(' OR ')
  const matching = sql`select rowid from ${index} where ${index} match ${asked}`
  const others = also && sql`select t.rid from ${raw(resource.table)} t where t.org = :org and ${also}`
  const rows = others ? sql`${matching} union ${others}` : matching
  const found = await handle.one<{ n: number }>(sql`select count(*) as n from (select 1 from (${rows}) limit ${FEW_ROWS + 1})`)
  return (found?.n ?? 0) > FEW_ROWS ? undefined : rows
}

/** The words that contain it further in; those that begin with it are found without. */
async function wordsAround(handle: OrgHandle, resource: Resource, word: string): Promise<string[]> {
  const words = raw(`${resource.table}_words`)
  const index = raw(`${resource.table}_words_fts`)
  const isIndexed = [...word].length >= INDEXED_LENGTH
  const containing = isIndexed ? sql`w.id in (select rowid from ${index} where ${index} match ${phrase(word)})` : sql`true`
  const found = await handle.all<{ word: string }>(
    sql`select w.word from ${words} w where ${containing} and instr(w.word, ${word}) > 1 limit ${FEW_WORDS + 1}`,
  )
  return found.map((row) => row.word)
}

const phrase = (word: string): string => `"${word.replaceAll('"', '""')}"`
