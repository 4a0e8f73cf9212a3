import { namesOf, recounting, tallied } from '../db/along/tally-triggers.ts'
import type { Tx } from '../db/change.ts'
import { raw, sql } from '../db/sql.ts'
import { fillSqliteSearchIndex } from '../db/sqlite/search.ts'

/** What grows with the number of spaces. */
const LARGE_TABLES = ['spaces', 'access_points']

/**
 * Takes the indexes of the largest tables away for the time of a large fill; building each in one go is many times
 * faster than keeping it up row by row. Unique ones stay: references need them. Gives the work that puts them back.
 */
export const setIndexesAside = (tx: Tx): Promise<(onStep: (stage: string) => void) => Promise<void>> =>
  tx.dialect.name === 'postgres' ? setAsidePostgres(tx) : setAsideSqlite(tx)

async function setAsidePostgres(tx: Tx) {
  const indexes = await tx.all<{ name: string; definition: string }>(
    sql`select x.indexname as name, x.indexdef as definition from pg_indexes x
        where x.schemaname = current_schema() and x.tablename = any(${LARGE_TABLES})
        and x.indexdef not like 'CREATE UNIQUE%'`,
  )
  for (const { name } of indexes) await tx.run(sql`drop index ${raw(name)}`)
  return async (onStep: (stage: string) => void) => {
    await tx.run(sql`set local maintenance_work_mem = '256MB'`)
    for (const { name, definition } of indexes) {
      onStep(`index ${name}`)
      await tx.run(raw(definition))
    }
    // Fresh tables have no statistics, and without them the first queries are planned badly.
    for (const table of LARGE_TABLES) await tx.run(sql`analyze ${raw(table)}`)
  }
}

async function setAsideSqlite(tx: Tx) {
  const found = await tx.all<{ type: string; name: string; table: string; definition: string }>(
    sql`select m.type, m.name, m.tbl_name as "table", m.sql as definition from sqlite_master m
        where m.type in ('index', 'trigger') and m.sql is not null and m.sql not like 'create unique%'
          and ${tx.dialect.inList('m.tbl_name', LARGE_TABLES, 'text')}`,
  )
  for (const { type, name } of found) await tx.run(sql`drop ${raw(type)} ${raw(name)}`)
  return async (onStep: (stage: string) => void) => {
    for (const { type, name, definition } of found) {
      if (type === 'index') onStep(`index ${name}`)
      await tx.run(raw(definition))
    }
    for (const table of LARGE_TABLES) {
      for (const name of namesOf(table, tallied.get(table) ?? []))
        await tx.run(sql`insert into tallies (org, name, value, count) ${raw(recounting(name))} where t.org = :org
          group by 1, 2, 3
          on conflict (org, name, value) do update set count = excluded.count`)
      onStep(`text index of ${table}`)
      for (const statement of fillSqliteSearchIndex(table)) await tx.run(raw(statement))
    }
  }
}
