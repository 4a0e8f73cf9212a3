import type { Engine, Session } from '../engine.ts'

/** A table's columns, in an order of their own. */
export interface Shape {
  readonly table: string
  readonly columns: readonly string[]
  /** Those that hold JSON, as far as the engine tells. */
  readonly json: ReadonlySet<string>
  /** Its rows hold files: few are read at once. */
  readonly isLarge: boolean
}

type Dialect = Engine['dialect']['name']

/** Triggers make those as rows come. */
const isOwn = (table: string): boolean =>
  table === 'migrations' ||
  /^(?:tallies$|tally_|event_stretches$|sqlite_)/.test(table) ||
  /_(?:fts|words)$/.test(table) ||
  table.includes('_fts_')

export async function shapesOf(session: Session, dialect: Dialect): Promise<Map<string, Shape>> {
  const rows =
    dialect === 'postgres'
      ? await session.all<{ table: string; column: string; type: string }>(
          `select c.table_name as "table", c.column_name as "column", c.data_type as type
            from information_schema.columns c
           join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
           where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
           order by 1, 2`,
          [],
        )
      : await session.all<{ table: string; column: string; type: string }>(
          `select m.name as "table", c.name as "column", c.type as type from sqlite_schema m
            join pragma_table_info(m.name) c
           where m.type = 'table' and m.sql not like 'create virtual%' and c.name <> 'rid' order by 1, 2`,
          [],
        )
  const shapes = new Map<string, Shape>()
  for (const { table } of rows) {
    if (isOwn(table) || shapes.has(table)) continue
    const own = rows.filter((row) => row.table === table)
    const json = new Set(own.filter(({ type }) => type === 'jsonb' || type === 'json').map(({ column }) => column))
    const isLarge = own.some(({ type }) => type === 'bytea' || type === 'blob')
    shapes.set(table, { table, columns: own.map(({ column }) => column), json, isLarge })
  }
  return shapes
}

/** So many differences say enough. */
const NAMED = 5

/** The same tables with the same columns on both sides, or nothing is copied. */
export function sameShapes(from: ReadonlyMap<string, Shape>, to: ReadonlyMap<string, Shape>): Shape[] {
  if (from.size === 0) throw new Error('there is nothing in it yet; start the service on it once')
  const told = (shapes: ReadonlyMap<string, Shape>) =>
    [...shapes.values()].map(({ table, columns }) => `${table}(${columns.join(',')})`)
  const target = new Set(told(to))
  const source = told(from)
  const odd = [...source.filter((text) => !target.has(text)), ...[...target].filter((text) => !source.includes(text))]
  if (odd.length > 0) throw new Error(`the two databases are not made alike: ${odd.slice(0, NAMED).join('; ')}`)
  return [...from.values()].map((shape) => ({
    ...shape,
    json: new Set([...shape.json, ...(to.get(shape.table)?.json ?? [])]),
  }))
}
