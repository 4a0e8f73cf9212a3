import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Dialect, Engine, OrgVersions, Session } from './engine.ts'
import { raw, sql } from './sql.ts'
import { SqliteStorage } from './sqlite-storage.ts'
import { tryWriting } from './try-writing.ts'
import { Turns } from './turns.ts'

const STATEMENT_LIMIT = 500

function bindable(values: unknown[]): SQLInputValue[] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (typeof value === 'boolean') values[i] = value ? 1 : 0
    else if (value === undefined) values[i] = null
  }
  return values as SQLInputValue[]
}

function open(path: string, cacheKiB: number): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -${cacheKiB}; pragma temp_store = memory`)
  db.function('lower_unicode', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text))
  return db
}

interface Prepared {
  statement: StatementSync
  columns: readonly string[]
}

class SqliteSession implements Session {
  private readonly db: DatabaseSync
  private readonly storage: SqliteStorage
  private readonly statements = new Map<string, Prepared>()

  constructor(db: DatabaseSync, storage: SqliteStorage) {
    this.db = db
    this.storage = storage
  }

  /** Synchronous: node:sqlite answers in microseconds, a thread hop would cost more than the query. */
  allSync<Row>(text: string, values: unknown[]): Row[] {
    const { statement, columns } = this.prepared(text)
    const found = statement.all(...bindable(values)) as unknown as unknown[][]
    return found.map((row) => named(row, columns)) as Row[]
  }

  async all<Row>(text: string, values: unknown[], signal?: AbortSignal): Promise<Row[]> {
    signal?.throwIfAborted()
    try {
      return this.allSync<Row>(text, values)
    } catch (error) {
      throw this.storage.translate(error)
    }
  }

  async run(text: string, values: unknown[]): Promise<number> {
    try {
      return Number(this.prepared(text).statement.run(...bindable(values)).changes)
    } catch (error) {
      throw this.storage.translate(error)
    }
  }

  async script(text: string): Promise<void> {
    this.db.exec(text)
  }

  private prepared(text: string): Prepared {
    const known = this.statements.get(text)
    if (known) return known
    if (this.statements.size >= STATEMENT_LIMIT) this.statements.clear()
    const statement = this.db.prepare(text.replace(/\$(\d+)/g, '?$1'))
    statement.setReturnArrays(true)
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    this.statements.set(text, prepared)
    return prepared
  }
}

/** The objects that node:sqlite makes of rows have no prototype, and V8 treats those as dictionaries: reading them takes several times as long. */
function named(row: readonly unknown[], columns: readonly string[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) object[columns[index] as string] = row[index]
  return object
}

const dialect: Dialect = {
  name: 'sqlite',
  inList: (column, values) => sql`${raw(column)} in (select value from json_each(${JSON.stringify([...values])}))`,
  records: (rows, alias, columns) => {
    const list = Object.keys(columns).map((name) => `value ->> '${name}' as ${name}`)
    return sql`(select ${raw(list.join(', '))} from json_each(${JSON.stringify(rows)})) ${raw(alias)}`
  },
  // One writer at a time: whoever is inside the transaction has every lock there is.
  tryLock: async () => true,
}

export function openSqlite(path: string): Engine {
  mkdirSync(dirname(path), { recursive: true })
  const storage = new SqliteStorage(path)
  const writerDb = open(path, 4_000)
  const readerDb = open(path, 16_000)
  const writer = new SqliteSession(writerDb, storage)
  const reader = new SqliteSession(readerDb, storage)
  let turn: Promise<unknown> = Promise.resolve()
  let stamp = -1
  // Asked once per turn of the event loop: within a turn nobody can tell the order of two requests.
  let isFresh = false
  const refresh = () => {
    isFresh = false
  }
  const known = new Map<number, OrgVersions>()

  const begin = async <T>(work: (session: Session) => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    signal?.throwIfAborted()
    storage.assertSound()
    await writer.run('begin immediate', [])
    try {
      const result = await work(writer)
      signal?.throwIfAborted()
      await writer.run('commit', [])
      isFresh = false
      storage.assertSound()
      return result
    } catch (error) {
      // A full disk may have rolled back already. Should this fail too, what went wrong first is what counts.
      if (writerDb.isTransaction) await writer.run('rollback', []).catch(() => undefined)
      throw error
    }
  }

  const engine: Engine = {
    dialect,
    reader,
    unhurried: reader,
    writers: new Turns(1, 1),
    transaction(work, { signal } = {}) {
      const result = turn.then(() => begin(work, signal))
      turn = result.catch(() => undefined)
      return result
    },
    versions(org) {
      try {
        if (!isFresh) {
          // Moves with every commit of any other connection, our own writer and other processes alike.
          const now = reader.allSync<{ data_version: number }>('pragma data_version', [])[0]?.data_version ?? 0
          if (now !== stamp) {
            stamp = now
            known.clear()
          }
          isFresh = true
          setImmediate(refresh)
        }
        let versions = known.get(org)
        if (!versions) {
          const row = reader.allSync<OrgVersions>(
            'select data_version as data, places_version as places, access_version as access from organizations where key = $1',
            [org],
          )[0]
          versions = row ?? { data: 0, places: 0, access: 0 }
          known.set(org, versions)
        }
        return versions
      } catch (error) {
        throw storage.translate(error)
      }
    },
    announce: async () => undefined,
    committed: () => undefined,
    ping: async () => {
      await reader.all('select 1 as one', [])
      await storage.probe(() => engine.transaction(tryWriting))
    },
    close: async () => {
      await turn
      readerDb.close()
      writerDb.close()
    },
  }
  return engine
}
