import { createHash, hash } from 'node:crypto'
import type { Engine, Session } from '../engine.ts'
import type { Shape } from './shape.ts'

type Dialect = Engine['dialect']['name']
export type Row = readonly unknown[]

const SLICE = 2000
const SLICE_OF_LARGE = 10

/**
 * All rows of a table, slice by slice, as values that both engines take. Within a transaction: what is read is of one
 * moment.
 */
export async function* readRows(session: Session, dialect: Dialect, shape: Shape): AsyncGenerator<Row[]> {
  const most = shape.isLarge ? SLICE_OF_LARGE : SLICE
  const plain = (row: Record<string, unknown>): Row =>
    shape.columns.map((column) => plainValue(row[column], shape.json.has(column)))
  if (dialect === 'postgres') {
    const columns = shape.columns.map((column) =>
      shape.json.has(column) ? `"${column}"::text as "${column}"` : `"${column}"`,
    )
    await session.script(`declare copied no scroll cursor for select ${columns.join(', ')} from "${shape.table}"`)
    for (;;) {
      const rows = await session.all<Record<string, unknown>>(`fetch ${most} from copied`, [])
      if (rows.length > 0) yield rows.map(plain)
      if (rows.length < most) break
    }
    await session.script('close copied')
    return
  }
  const columns = shape.columns.map((column) => `t."${column}"`).join(', ')
  const text = `select t.rowid as "rowid ", ${columns} from "${shape.table}" t where t.rowid > $1 order by t.rowid
    limit ${most}`
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await session.all<Record<string, unknown>>(text, [after], undefined, most)
    if (rows.length > 0) yield rows.map(plain)
    if (rows.length < most) return
    after = Number(rows.at(-1)?.['rowid '])
  }
}

/** One text for one meaning: keys of JSON in order, true and false as SQLite has them. */
function plainValue(value: unknown, isJson: boolean): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return isJson ? JSON.stringify(JSON.parse(String(value))) : value
}

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  )
}

/** What a table holds, in whatever order: how many rows, and the sum of their digests. */
export class Content {
  rows = 0
  private sum = 0n

  add(shape: Shape, rows: readonly Row[]): void {
    const jsons = shape.columns.map((column) => shape.json.has(column))
    for (const row of rows) {
      const values = row.map((value, index) => {
        if (value instanceof Uint8Array) return hash('sha256', value)
        return jsons[index] && value !== null ? ordered(JSON.parse(String(value))) : value
      })
      this.sum = (this.sum + createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE()) & MASK
      this.rows++
    }
  }

  equals(other: Content): boolean {
    return this.rows === other.rows && this.sum === other.sum
  }
}

const MASK = (1n << 64n) - 1n
