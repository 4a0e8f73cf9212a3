import { describe, expect, it } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import { tables, tenantTables } from '../../src/db/tables.ts'
import { startHouse } from '../support/app.ts'

const { engine } = await startHouse()
const isPostgres = engine.dialect.name === 'postgres'
const ask = <Row>(postgres: string, sqlite: string) => engine.reader.all<Row>(isPostgres ? postgres : sqlite, [])
const sorted = (pairs: Iterable<string>) => [...new Set(pairs)].sort()

describe('what is declared of the tables is what the database has', () => {
  it('every table with a column org', async () => {
    const names = await ask<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'org'`,
      `select m.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'org'`,
    )
    expect(sorted(names.map((row) => row.name))).toEqual(sorted(tenantTables))
  })

  it('what is removed with rows of other tables', async () => {
    const found = await ask<{ name: string; above: string }>(
      `select c.conrelid::regclass::text as name, c.confrelid::regclass::text as above from pg_constraint c
        where c.confdeltype = 'c'`,
      `select m.name, f."table" as above from sqlite_master m join pragma_foreign_key_list(m.name) f
        where m.type = 'table' and f.on_delete = 'CASCADE'`,
    )
    const declared = Object.entries(tables).flatMap(([name, { removedWith = [] }]) =>
      removedWith.map((above) => `${name} with ${above}`),
    )
    expect(sorted(found.map(({ name, above }) => `${name} with ${above}`))).toEqual(sorted(declared))
  })

  it('nothing else is written behind a statement: no set null, and no trigger but those of text indexes, histories, tallies, stretches of events and what is declared to be carried along', async () => {
    const others = await ask<{ name: string }>(
      `select c.conname as name from pg_constraint c where c.confdeltype in ('n', 'd')
        or c.confupdtype in ('c', 'n', 'd')`,
      `select m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
       where m.type = 'table' and (f.on_delete like 'SET%' or f.on_update in ('CASCADE', 'SET NULL', 'SET DEFAULT'))`,
    )
    expect(others).toEqual([])
    const triggers = await ask<{ name: string; tbl: string }>(
      `select tgname as name, tgrelid::regclass::text as tbl from pg_trigger where not tgisinternal`,
      `select name, tbl_name as tbl from sqlite_master where type = 'trigger'`,
    )
    const known = /^_((fts|words|history|stretch)_(insert|update|delete)|tally_\w+)$/
    const unknown = triggers.filter(({ name, tbl }) => !known.test(name.replace(tbl.replace(/_words$/, ''), '')))
    const carried = Object.entries(tables).flatMap(([table, { carries }]) => (carries ? [table] : []))
    expect(new Set(unknown.map(({ tbl }) => tbl))).toEqual(new Set(carried))
    expect(unknown.filter(({ name, tbl }) => !name.startsWith(`${tbl}_stand`))).toEqual([])
  })

  it('nothing is unique over an expression, whose columns neither engine names', async () => {
    const found = await ask<{ name: string }>(
      `select i.indexrelid::regclass::text as name from pg_index i where i.indisunique and i.indexprs is not null
         and i.indrelid::regclass::text not like 'pg_%'`,
      `select m.name from sqlite_master m join pragma_index_xinfo(m.name) x where m.type = 'index' and x.cid = -2
        and m.sql like 'create unique%'`,
    )
    expect(found).toEqual([])
  })

  it('columns of the windows, and every column that a derived field compares with the clock', () => {
    const compared = allResources.flatMap(({ table, fields, isVolatile }) => {
      if (isVolatile) return []
      return Object.values(fields).flatMap(({ spec }) =>
        [...(spec.expression ?? '').matchAll(/\bt\.(\w+) (?:<|<=|>|>=) :now/g)].map(
          ([, column]) => `${table}.${column}`,
        ),
      )
    })
    const declared = Object.entries(tables).flatMap(([table, { windows = {} }]) =>
      Object.keys(windows).map((column) => `${table}.${column}`),
    )
    expect(compared.length).toBeGreaterThan(3)
    expect(compared.filter((name) => !declared.includes(name))).toEqual([])
  })
})
