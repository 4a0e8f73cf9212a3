import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

declare module 'node:sqlite' {
  interface StatementSync {
    /** How many steps SQLite's machine has taken for it; not there before Node 26.8. */
    stat?(counter: 'vmStep'): number
    resetStats?(): void
  }
}

// One connection to a SQLite file, on the main thread or in a thread of its own (sqlite/thread.ts): nothing else is
// imported here.

const STATEMENT_LIMIT = 500
/**
 * How long opening waits for another process; from then on nobody waits inside SQLite, where the whole thread would.
 */
const OPENING_MS = 5000

/** Nobody waits for the disk here, neither for the log nor while it is copied into the database: sqlite/wal.ts does. */
const WRITING = `pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma
  busy_timeout = 0;
  pragma temp_store = memory`

export interface Prepared {
  statement: StatementSync
  columns: readonly string[]
}

export class SqliteConnection {
  readonly db: DatabaseSync
  private readonly statements = new Map<string, Prepared>()

  constructor(path: string, { cacheKiB, readOnly = false }: { cacheKiB: number; readOnly?: boolean }) {
    this.db = new DatabaseSync(path, { timeout: OPENING_MS, enableForeignKeyConstraints: true, readOnly })
    // Sorting a million rows takes a hundred megabytes: where that happens, in a file that has no name beside the
    // database.
    if (readOnly)
      this.db.exec(`pragma temp_store = file; pragma temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`)
    else this.db.exec(WRITING)
    this.db.exec(`pragma cache_size = -${cacheKiB}`)
    this.db.function('lower_unicode', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
  }

  prepared(text: string): Prepared {
    const known = this.statements.get(text)
    if (known) return known
    if (this.statements.size >= STATEMENT_LIMIT) this.statements.clear()
    const statement = this.db.prepare(withPlaces(text))
    statement.setReturnArrays(true)
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    this.statements.set(text, prepared)
    return prepared
  }

  /** Rows as arrays, in the order of the columns. */
  arrays({ statement }: Prepared, values: unknown[]): unknown[][] {
    return statement.all(...bindable(values)) as unknown as unknown[][]
  }

  all<Row>(text: string, values: unknown[]): Row[] {
    const prepared = this.prepared(text)
    return named<Row>(this.arrays(prepared, values), prepared.columns)
  }

  run(text: string, values: unknown[]): number {
    return Number(this.prepared(text).statement.run(...bindable(values)).changes)
  }
}

/**
 * A text as SQLite takes it. Where each value stands once and in its turn, no place has a number: numbers are names to
 * SQLite, and Node looks for each among all, which with the thousand of fifty rows takes longer than to store them.
 */
export function withPlaces(text: string): string {
  const isInTurn = text.match(/\$\d+/g)?.every((place, index) => place === `$${index + 1}`)
  return text.replace(/\$(\d+)/g, isInTurn ? '?' : '?$1')
}

export function bindable(values: unknown[]): SQLInputValue[] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (typeof value === 'boolean') values[i] = value ? 1 : 0
    else if (value === undefined) values[i] = null
  }
  return values as SQLInputValue[]
}

/**
 * The objects that node:sqlite makes of rows have no prototype, and V8 treats those as dictionaries: reading them takes
 * several times as long.
 */
export function named<Row>(rows: readonly (readonly unknown[])[], columns: readonly string[]): Row[] {
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) object[columns[index] as string] = row[index]
    return object as Row
  })
}
