import { searchWords } from '../core/fold.ts'
import type { OrgHandle } from './org.ts'
import type { Resource } from './resource.ts'
import { raw, type Sql, sql } from './sql.ts'

/** Up to so many hits the text index leads; a more common word is faster found by walking the list in its order. */
const FEW = 2000
/** A trigram index knows nothing of shorter words. */
const INDEXED_LENGTH = 3

/** Conditions on `t`, one per word of the search; every word must be found. */
export async function searchConditions(handle: OrgHandle, resource: Resource, text: string): Promise<Sql[]> {
  const conditions: Sql[] = []
  for (const word of searchWords(text)) {
    const also = await resource.searchAlso?.(handle, word)
    const inText = handle.dialect.name === 'postgres' ? like(word) : sql`instr(t.search_text, ${word}) > 0`
    conditions.push(also ? sql`(${inText} or ${also})` : inText)
    if (handle.dialect.name === 'sqlite' && word.length >= INDEXED_LENGTH) {
      const indexed = await leadByIndex(handle, resource, word, also)
      if (indexed) conditions.push(indexed)
    }
  }
  return conditions
}

/** PostgreSQL weighs its trigram index itself. */
const like = (word: string): Sql => sql`t.search_text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`

/** SQLite cannot weigh a full-text index against an ordered walk, so we look how many hits there are. */
async function leadByIndex(handle: OrgHandle, resource: Resource, word: string, also: Sql | undefined): Promise<Sql | undefined> {
  const index = raw(`${resource.table}_fts`)
  const phrase = `"${word.replaceAll('"', '""')}"`
  const hits = await handle.one<{ n: number }>(
    sql`select count(*) as n from (select 1 from ${index} where ${index} match ${phrase} limit ${FEW + 1})`,
  )
  if ((hits?.n ?? 0) > FEW) return undefined
  const inIndex = sql`t.rid in (select rowid from ${index} where ${index} match ${phrase})`
  if (!also) return inIndex
  const others = await handle.one<{ n: number }>(
    sql`select count(*) as n from (select 1 from ${raw(resource.table)} t where t.org = :org and ${also} limit ${FEW + 1})`,
  )
  return (others?.n ?? 0) > FEW ? undefined : sql`(${inIndex} or ${also})`
}
