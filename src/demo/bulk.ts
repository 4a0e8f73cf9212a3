import { at, isKeyOf } from '../core/typed.ts'
import type { Tx } from '../db/change.ts'
import type { AnyRow } from '../db/resource.ts'
import { searchTexts } from '../db/rows.ts'
import { join, raw, Sql, sql } from '../db/sql.ts'
import { resources } from './resources.ts'
import type { DemoTable } from './world.ts'

/** Where what is live of a row stands, beside it. */
const beside = {
  access_control_systems: 'access_control_system_states',
  access_points: 'access_point_states',
  credentials: 'credential_uses',
} as const

type LiveTable = (typeof beside)[keyof typeof beside]
export type BulkTable = DemoTable | LiveTable | 'plan_cells'

/** node:sqlite looks every numbered parameter up in a list: with more of them a statement gets slower by the square. */
const SQLITE_PARAMETERS = 100
const POSTGRES_ROWS = 4000
/** From so many rows on a table is worth having statistics. */
const ANALYZE_FIRST = 500

/** Many rows into tables, in as few statements as each engine likes; all in one transaction. */
export class Bulk {
  readonly counts: Record<string, number> = {}
  private readonly tx: Tx
  private readonly onRows: (rows: number) => void
  private readonly waiting = new Map<string, AnyRow[]>()
  private readonly analyzeAt = new Map<string, number>()
  private readonly types = new Map<string, Map<string, string>>()
  private readonly statements = new Map<string, readonly string[]>()

  constructor(tx: Tx, onRows: (rows: number) => void) {
    this.tx = tx
    this.onRows = onRows
  }

  /**
   * All rows of a table name the same columns. They are stored when there are enough of them, and at `flush`. What is
   * `live` of one goes where that is kept.
   */
  async add(table: BulkTable, whole: object): Promise<void> {
    const { live, ...row }: AnyRow = { ...whole }
    if (live && isKeyOf(beside, table)) await this.add(beside[table], { id: row.id, ...live })
    let rows = this.waiting.get(table)
    if (!rows) {
      rows = []
      this.waiting.set(table, rows)
    }
    rows.push(complete(table, row))
    if (rows.length >= this.capacity(row)) await this.store(table, rows)
  }

  async addAll(table: BulkTable, rows: Iterable<object>): Promise<void> {
    for (const row of rows) await this.add(table, row)
    await this.flush(table)
  }

  async flush(table: BulkTable): Promise<void> {
    for (const name of isKeyOf(beside, table) ? [table, beside[table]] : [table]) {
      const rows = this.waiting.get(name) ?? []
      if (rows.length > 0) await this.store(name, rows)
    }
  }

  private capacity(row: object): number {
    return this.tx.dialect.name === 'postgres' ? POSTGRES_ROWS : Math.ceil(SQLITE_PARAMETERS / Object.keys(row).length)
  }

  private async store(table: string, rows: AnyRow[]): Promise<void> {
    const columns = Object.keys(at(rows, 0))
    const statement =
      this.tx.dialect.name === 'postgres' ? await this.unnest(table, columns, rows) : this.values(table, columns, rows)
    await this.tx.run(statement)
    const count = (this.counts[table] ?? 0) + rows.length
    this.counts[table] = count
    if (this.tx.dialect.name === 'postgres') await this.analyzeWhenGrown(table, count)
    this.onRows(rows.length)
    rows.length = 0
  }

  /**
   * PostgreSQL plans its checks of references once: on a table that looked empty any index seems as good as the right
   * one.
   */
  private async analyzeWhenGrown(table: string, count: number): Promise<void> {
    if (count < (this.analyzeAt.get(table) ?? ANALYZE_FIRST)) return
    this.analyzeAt.set(table, count * 8)
    await this.tx.run(sql`analyze ${raw(table)}`)
  }

  /** SQLite: one statement with many rows of placeholders, its text made once. */
  private values(table: string, columns: readonly string[], rows: readonly AnyRow[]): Sql {
    const key = `${table} ${rows.length}`
    let strings = this.statements.get(key)
    if (!strings) {
      const parts: string[] = []
      for (let row = 0; row < rows.length; row++) {
        const before = row === 0 ? `insert into ${table} (org, ${columns.join(', ')}) values (:org, ` : '), (:org, '
        for (let column = 0; column < columns.length; column++) parts.push(column === 0 ? before : ', ')
      }
      strings = [...parts, ')']
      this.statements.set(key, strings)
    }
    return new Sql(
      strings,
      rows.flatMap((row) => columns.map((column) => encode(row[column]))),
    )
  }

  /** PostgreSQL: one array per column. */
  private async unnest(table: string, columns: readonly string[], rows: readonly AnyRow[]): Promise<Sql> {
    const types = await this.typesOf(table)
    const arrays = columns.map(
      (column) => sql`${rows.map((row) => encode(row[column]))}::${raw(types.get(column) ?? 'text')}[]`,
    )
    return sql`insert into ${raw(table)} (org, ${raw(columns.join(', '))}) select :org, u.*
      from unnest(${join(arrays, ', ')}) u`
  }

  private async typesOf(table: string): Promise<Map<string, string>> {
    let types = this.types.get(table)
    if (!types) {
      const rows = await this.tx.all<{ name: string; type: string }>(
        sql`select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a
          where a.attrelid = ${table}::regclass and a.attnum > 0`,
      )
      types = new Map(rows.map(({ name, type }) => [name, type]))
      this.types.set(table, types)
    }
    return types
  }
}

const isResource = (table: BulkTable): table is DemoTable => table in resources

function complete(table: BulkTable, row: AnyRow): AnyRow {
  if (isResource(table) && resources[table].search.length > 0) Object.assign(row, searchTexts(resources[table], row))
  return row
}

const encode = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value
