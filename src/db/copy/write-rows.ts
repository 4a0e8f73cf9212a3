import type { Engine, Session } from '../engine.ts'
import type { Row } from './read-rows.ts'
import type { Shape } from './shape.ts'

type Dialect = Engine['dialect']['name']

/** So many values are bound at once; both engines take more. */
const MOST_VALUES = 20_000

export async function writeRows(session: Session, dialect: Dialect, shape: Shape, rows: readonly Row[]): Promise<void> {
  const width = shape.columns.length
  const most = Math.max(1, Math.floor(MOST_VALUES / width))
  // Keys that the database counts by itself are taken over.
  const overriding = dialect === 'postgres' ? ' overriding system value' : ''
  for (let from = 0; from < rows.length; from += most) {
    const some = rows.slice(from, from + most)
    const values = some.map(
      (_, row) => `(${shape.columns.map((_, column) => `$${row * width + column + 1}`).join(', ')})`,
    )
    const names = shape.columns.map((column) => `"${column}"`).join(', ')
    await session.run(`insert into "${shape.table}" (${names})${overriding} values ${values.join(', ')}`, some.flat())
  }
}

/** Rows refer to rows that come later: what ties them together is checked when all are there. */
export async function untied<T>(session: Session, dialect: Dialect, work: () => Promise<T>): Promise<T> {
  if (dialect === 'sqlite') {
    await session.script('pragma defer_foreign_keys = on')
    return work()
  }
  const ties = await session.all<{ table: string; name: string; definition: string }>(
    `select c.conrelid::regclass::text as "table", c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`,
    [],
  )
  for (const { table, name } of ties) await session.script(`alter table ${table} drop constraint "${name}"`)
  const result = await work()
  for (const { table, name, definition } of ties)
    await session.script(`alter table ${table} add constraint "${name}" ${definition}`)
  return result
}

/** What counts by itself goes on after what was copied; SQLite sees to that. */
export async function setCounters(session: Session, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return
  const counters = await session.all<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
    [],
  )
  for (const { table, column } of counters) {
    await session.all(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), coalesce(max("${column}"), 1),
        max("${column}") is not null) from "${table}"`,
      [],
    )
  }
}
