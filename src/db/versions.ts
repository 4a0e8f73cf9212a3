import type { Reads } from './reads.ts'
import { type Reading, WRITTEN_ALONG, type Writing } from './statement.ts'
import { emptiedWith } from './tables.ts'

/** A committed change: its number, and the names of what it moved. A name is a table (rows came or went) or `table.column`. */
export interface Change {
  readonly data: number
  readonly moved: readonly string[]
  /** Of these tables only the named rows were written; of the others it is not known. */
  readonly rows?: ReadonlyMap<string, readonly string[]> | undefined
}

/** Where nobody can say what was written. */
const EVERYTHING = '*'

interface Moved {
  /** The last change by which rows came or went, that wrote this column, and that wrote any. */
  rows: number
  columns: Map<string, number>
  latest: number
  /** The last change that wrote this row, of the rows written lately, and the last one of which that is not known. */
  byRow: Map<unknown, number>
  anyRow: number
}

/** So many rows of a table are told apart. */
const ROWS_KNOWN = 2000

/**
 * How many changes of an organization are committed, and which of them was the last to write each table and column. What was made
 * from the database after so many changes is good as long as none of what it was made from has been written since.
 */
export class OrgVersions {
  data: number
  private readonly tables = new Map<string, Moved>()
  private everything = 0

  constructor(data = 0) {
    this.data = data
  }

  move(name: string, change: number, ids?: readonly string[]): void {
    if (name === EVERYTHING) this.everything = change
    const [table = '', column] = name.split('.')
    let moved = this.tables.get(table)
    if (!moved) {
      moved = { rows: 0, columns: new Map(), latest: 0, byRow: new Map(), anyRow: 0 }
      this.tables.set(table, moved)
    }
    moved.latest = Math.max(moved.latest, change)
    if (column === undefined) moved.rows = change
    else moved.columns.set(column, change)
    if (ids) noteRows(moved, ids, change)
    else moved.anyRow = change
  }

  /** The change that follows the last one known. */
  apply({ data, moved, rows }: Change): void {
    for (const name of moved) this.move(name, data, rows?.get(tableOf(name)))
    this.data = data
  }

  /** Takes in a change where it is the next one; after a gap the next reading will tell. */
  follow(change: Change): void {
    if (change.data === this.data + 1) this.apply(change)
  }

  /** Whether any of it has been written by a change after `since`. */
  hasMoved(reads: Reads, since: number): boolean {
    if (this.data === since) return false
    return this.everything > since || reads.some((reading, ids) => this.isWritten(reading, since, ids))
  }

  private isWritten({ tables, row }: Reading, since: number, ids?: ReadonlySet<unknown>): boolean {
    for (const [table, { columns, isWide }] of tables) {
      const moved = this.tables.get(table)
      if (!moved || moved.latest <= since) continue
      if (ids && row?.table === table && !areWritten(moved, ids, since)) continue
      if (isWide || moved.rows > since) return true
      for (const [column, change] of moved.columns) if (change > since && columns.includes(` ${column} `)) return true
    }
    return false
  }
}

/** Of a table or `table.column`. */
export const tableOf = (name: string): string => name.split('.', 1)[0] as string

function noteRows(moved: Moved, ids: readonly string[], change: number): void {
  for (const id of ids) {
    moved.byRow.delete(id)
    moved.byRow.set(id, change)
  }
  for (const [id, last] of moved.byRow) {
    if (moved.byRow.size <= ROWS_KNOWN) break
    moved.byRow.delete(id)
    moved.anyRow = Math.max(moved.anyRow, last)
  }
}

function areWritten({ anyRow, byRow }: Moved, ids: ReadonlySet<unknown>, since: number): boolean {
  if (anyRow > since) return true
  for (const id of ids) if ((byRow.get(id) ?? 0) > since) return true
  return false
}

/** The names of what a statement moves. */
export function movedBy(writing: Writing | undefined): Iterable<string> {
  if (!writing) return [EVERYTHING]
  const { table, columns, isRemoval } = writing
  if (!columns) return isRemoval ? emptiedWith(table) : [table]
  // Whoever looks at what is written along looks at everything, so it need not be named beside others.
  const named = columns.filter((column) => !WRITTEN_ALONG.has(column))
  return (named.length > 0 ? named : columns).map((column) => `${table}.${column}`)
}

/** Of one organization ($1), what was moved after a change ($2). One statement: all of it is of one moment. */
export const VERSIONS_SINCE = `select o.data_version as data, v.name, v.version from organizations o
  left join table_versions v on v.org = o.key and v.version > $2 where o.key = $1`

export interface VersionRow {
  data: number
  name: string | null
  version: number | null
}

/** Takes in what `VERSIONS_SINCE` gave. */
export function catchUp(versions: OrgVersions, rows: readonly VersionRow[]): OrgVersions {
  for (const { data, name, version } of rows) {
    versions.data = data
    if (name !== null && version !== null) versions.move(name, version)
  }
  return versions
}
