import type { Reads } from './reads.ts'
import { type Reading, WRITTEN_ALONG, type Writing } from './statement.ts'
import { emptiedWith } from './tables.ts'

/** A committed change: its number, and the names of what it moved. A name is a table (rows came or went) or `table.column`. */
export interface Change {
  readonly data: number
  readonly moved: readonly string[]
}

/** Where nobody can say what was written. */
const EVERYTHING = '*'

interface Moved {
  /** The last change by which rows came or went, that wrote this column, and that wrote any. */
  rows: number
  columns: Map<string, number>
  latest: number
}

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

  move(name: string, change: number): void {
    if (name === EVERYTHING) this.everything = change
    const [table = '', column] = name.split('.')
    let moved = this.tables.get(table)
    if (!moved) {
      moved = { rows: 0, columns: new Map(), latest: 0 }
      this.tables.set(table, moved)
    }
    moved.latest = Math.max(moved.latest, change)
    if (column === undefined) moved.rows = change
    else moved.columns.set(column, change)
  }

  /** The change that follows the last one known. */
  apply({ data, moved }: Change): void {
    for (const name of moved) this.move(name, data)
    this.data = data
  }

  /** Whether any of it has been written by a change after `since`. */
  hasMoved(reads: Reads, since: number): boolean {
    if (this.data === since) return false
    return this.everything > since || reads.some((reading) => this.isWritten(reading, since))
  }

  private isWritten({ tables }: Reading, since: number): boolean {
    for (const [table, { columns, isWide }] of tables) {
      const moved = this.tables.get(table)
      if (!moved || moved.latest <= since) continue
      if (isWide || moved.rows > since) return true
      for (const [column, change] of moved.columns) if (change > since && columns.includes(` ${column} `)) return true
    }
    return false
  }
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
