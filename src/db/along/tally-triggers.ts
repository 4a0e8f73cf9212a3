import type { Session } from '../engine.ts'
import { tables } from '../tables.ts'

type DialectName = 'sqlite' | 'postgres'

/** A name among the tallies: a table, or `table.column`. */
export const tallyName = (table: string, column?: string): string =>
  column === undefined ? table : `${table}.${column}`

/** The tables whose rows are counted as they come and go, and their columns whose values are. */
export const tallied: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(tables).flatMap(([table, { counted }]) => (counted ? [[table, counted] as const] : [])),
)

interface Count {
  name: string
  /** Its value in a row of this alias. */
  valueIn: (row: string) => string
}

const countOf = (table: string, column?: string): Count => ({
  name: tallyName(table, column),
  valueIn: (row) => (column === undefined ? `''` : `coalesce(${row}.${column}, '')`),
})

function onSqlite(table: string, columns: readonly string[]): string {
  const counts = [countOf(table), ...columns.map((column) => countOf(table, column))]
  const move = (row: 'old' | 'new', { name, valueIn }: Count) => `insert into tallies (org, name, value, count)
    values (${row}.org, '${name}', ${valueIn(row)}, ${row === 'new' ? 1 : -1})
    on conflict (org, name, value) do update set count = count + excluded.count;`
  const make = (name: string, on: string, moves: string[]) =>
    `create trigger ${table}_tally_${name} after ${on} begin\n  ${moves.join('\n  ')}\nend;`
  return [
    make(
      'insert',
      `insert on ${table}`,
      counts.map((count) => move('new', count)),
    ),
    make(
      'delete',
      `delete on ${table}`,
      counts.map((count) => move('old', count)),
    ),
    ...columns.map((column) => {
      const count = countOf(table, column)
      const when = `old.${column} is not new.${column}`
      return make(column, `update of ${column} on ${table} when ${when}`, [move('old', count), move('new', count)])
    }),
  ].join('\n')
}

/** Once per statement, however many rows it writes; nothing is written where nothing moves. */
function onPostgres(table: string, columns: readonly string[]): string {
  const counts = [countOf(table), ...columns.map((column) => countOf(table, column))]
  const rows = { added: 'select 1 as n, a.* from added a', removed: 'select -1 as n, r.* from removed r' }
  const move = (from: string, { name, valueIn }: Count) => `insert into tallies (org, name, value, count)
    select m.org, '${name}', ${valueIn('m')}, sum(m.n) from (${from}) m group by 1, 2, 3 having sum(m.n) <> 0
    on conflict (org, name, value) do update set count = tallies.count + excluded.count;`
  const make = (name: string, on: string, moves: string[]) =>
    `create function ${table}_tally_${name}() returns trigger language plpgsql as $tally$ begin
  ${moves.join('\n  ')}
  return null;
end $tally$;
create trigger ${table}_tally_${name} after ${on} for each statement execute function ${table}_tally_${name}();`
  const made = [
    make(
      'insert',
      `insert on ${table} referencing new table as added`,
      counts.map((count) => move(rows.added, count)),
    ),
    make(
      'delete',
      `delete on ${table} referencing old table as removed`,
      counts.map((count) => move(rows.removed, count)),
    ),
  ]
  if (columns.length === 0) return made.join('\n')
  const both = `${rows.removed} union all ${rows.added}`
  const changed = columns.map((column) => move(both, countOf(table, column)))
  return [
    ...made,
    make('update', `update on ${table} referencing old table as removed new table as added`, changed),
  ].join('\n')
}

const definitions = { sqlite: onSqlite, postgres: onPostgres }

/**
 * After the migrations: makes the triggers of what is declared anew where they are not those, and counts what is there.
 */
export async function keepTallies(session: Session, dialect: DialectName): Promise<void> {
  const known = new Map(
    (await session.all<{ name: string; definition: string }>('select name, definition from tally_sources', [])).map(
      (row) => [row.name, row.definition],
    ),
  )
  for (const table of known.keys()) if (!tallied.has(table)) await dropTriggers(session, dialect, table)
  for (const [table, columns] of tallied) {
    const definition = definitions[dialect](table, columns)
    if (known.get(table) === definition) continue
    if (known.has(table)) await dropTriggers(session, dialect, table)
    await session.script(definition)
    await session.run('insert into tally_sources (name, definition) values ($1, $2)', [table, definition])
    for (const name of namesOf(table, columns))
      await session.run(`insert into tallies (org, name, value, count) ${recounting(name)} group by 1, 2, 3`, [])
  }
}

export const namesOf = (table: string, columns: readonly string[]): string[] => [
  tallyName(table),
  ...columns.map((column) => tallyName(table, column)),
]

/** What a name's tallies are by the rows themselves; to be grouped by its first three columns. */
export function recounting(name: string): string {
  const [table, column] = name.split('.')
  return `select t.org, '${name}' as name, ${column === undefined ? `''` : `coalesce(t.${column}, '')`} as value,
    count(*) as count from ${table} t`
}

async function dropTriggers(session: Session, dialect: DialectName, table: string): Promise<void> {
  const found =
    dialect === 'sqlite'
      ? await session.all<{ name: string }>(
          `select name from sqlite_master where type = 'trigger' and tbl_name = $1 and name like $2`,
          [table, `${table}_tally_%`],
        )
      : await session.all<{ name: string }>(
          `select tgname as name from pg_trigger where tgrelid = to_regclass($1) and not tgisinternal
            and tgname like $2`,
          [table, `${table}_tally_%`],
        )
  for (const { name } of found)
    await session.script(
      dialect === 'sqlite' ? `drop trigger ${name}` : `drop trigger ${name} on ${table}; drop function ${name}()`,
    )
  await session.run('delete from tally_sources where name = $1', [table])
  await session.run('delete from tallies where name = $1 or name like $2', [table, `${table}.%`])
}
