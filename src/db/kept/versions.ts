import { emptiedWith, tables } from '../tables.ts'
import type { Known, Reads } from './reads.ts'
import { type Reading, WRITTEN_ALONG, type Writing } from './statement.ts'

/**
 * A committed change: its number, and the names of what it moved. A name is a table (rows came or went) or
 * `table.column`.
 */
export interface Change {
  readonly data: number
  readonly moved: readonly string[]
  /** Of these tables only the named rows were written; of the others it is not known. */
  readonly rows?: ReadonlyMap<string, readonly string[]> | undefined
  /** Of what happens at the doors: numbered by itself, beside the changes of the register. */
  readonly isLive?: boolean
  /** What was made in the same transaction before it: whoever follows it has not heard of that either. */
  readonly before?: readonly Change[]
  /** Moves along what is kept in this process; called once it is committed, and does so once. */
  readonly onCommit?: () => void
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

/** Which change was the last to write each table, column and row. */
class Moves {
  private readonly tables = new Map<string, Moved>()
  private everything = 0

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
    // Names that were read from the database come in any order.
    else moved.anyRow = Math.max(moved.anyRow, change)
  }

  /** Whether any of it has been written by a change after `since`. */
  after(reads: Reads, since: number, isBesideCorrected?: boolean): boolean {
    return (
      this.everything > since || reads.some((reading, ids) => this.isWritten(reading, since, ids), isBesideCorrected)
    )
  }

  /** The same of a statement, but for some of its tables. */
  afterBeside(reading: Reading, since: number, beside?: readonly string[], ids?: ReadonlySet<unknown>): boolean {
    return this.everything > since || this.isWritten(reading, since, ids, beside)
  }

  rowsAfter(table: string, since: number): string[] | undefined {
    const moved = this.tables.get(table)
    if (this.everything > since || (moved && moved.anyRow > since)) return undefined
    return moved ? [...moved.byRow].flatMap(([id, change]) => (change > since ? [String(id)] : [])) : []
  }

  isColumnAfter(table: string, column: string, since: number): boolean {
    return (this.tables.get(table)?.columns.get(column) ?? 0) > since
  }

  private isWritten(
    { tables, row }: Reading,
    since: number,
    ids?: ReadonlySet<unknown>,
    beside?: readonly string[],
  ): boolean {
    for (const [table, { columns, isWide }] of tables) {
      const moved = this.tables.get(table)
      if (!moved || moved.latest <= since || beside?.includes(table)) continue
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

/**
 * How many changes of an organization are committed, of its register and of what is live, and which of them was the
 * last to write what. What was made from the database after so many changes is good as long as none of what it was made
 * from has been written since.
 */
export class OrgVersions {
  data: number
  live = 0
  private readonly register = new Moves()
  private readonly doors = new Moves()

  constructor(data = 0) {
    this.data = data
  }

  move(name: string, change: number, ids?: readonly string[], isLive = false): void {
    if (isLive) this.doors.move(name, change, ids)
    else this.register.move(name, change, ids)
  }

  /** The change that follows the last one known. */
  apply({ data, moved, rows, isLive = false }: Change): void {
    for (const name of moved) this.move(name, data, rows?.get(tableOf(name)), isLive)
    if (isLive) this.live = data
    else this.data = data
  }

  /** Takes in a change where it is the next one. False: there is a gap, and only reading will tell. */
  follow(change: Change): boolean {
    const isNext = change.data === (change.isLive ? this.live : this.data) + 1
    if (isNext) this.apply(change)
    return isNext
  }

  /** Whether any of it has been written by a change after `since`, or by a live one after `live`. */
  hasMoved(reads: Reads, since: number, live = this.live, isBesideCorrected = false): boolean {
    return (
      (this.data !== since && this.register.after(reads, since, isBesideCorrected)) ||
      (this.live !== live && this.doors.after(reads, live, isBesideCorrected))
    )
  }

  /** The same of a statement; `ids`: where it reads single rows. */
  hasMovedIn(reading: Reading, since: number, live: number, ids?: ReadonlySet<unknown>): boolean {
    return (
      (this.data !== since && this.register.afterBeside(reading, since, undefined, ids)) ||
      (this.live !== live && this.doors.afterBeside(reading, live, undefined, ids))
    )
  }

  /**
   * Whether all that was read after `since` is as it was at one moment: what was written meanwhile, one statement alone
   * reads, so all else is as it was when that was asked. What is corrected by itself is not asked.
   */
  isOfOneMoment(reads: Reads, since: number, live: number): boolean {
    return reads.isOfOneMomentBeside((reading, ids) => this.hasMovedIn(reading, since, live, ids))
  }

  /** The same of a statement, but for what changes of the register wrote of one of its tables. */
  hasMovedBeside(reading: Reading, table: string, since: number, live: number): boolean {
    return this.register.afterBeside(reading, since, [table]) || this.doors.afterBeside(reading, live)
  }

  /**
   * The rows of a table of the register that came, went or were written after a change; undefined: nobody can say
   * which.
   */
  rowsAfter(table: string, since: number): string[] | undefined {
    return this.register.rowsAfter(table, since)
  }

  /**
   * The rows of these tables that were written since, by table; undefined: nobody can say, or something else was that
   * was read.
   */
  rowsWritten(
    reads: Reads,
    among: readonly string[],
    since: number,
    live: number,
  ): Map<string, readonly string[]> | undefined {
    if (this.doors.after(reads, live) || reads.some((reading) => this.register.afterBeside(reading, since, among)))
      return undefined
    const written = new Map<string, readonly string[]>()
    for (const table of among) {
      if (!reads.some(({ tables }) => tables.has(table))) continue
      const rows = this.rowsAfter(table, since)
      if (!rows) return undefined
      written.set(table, rows)
    }
    return written
  }

  /** Whether a column of the register was written after a change. */
  isColumnAfter(table: string, column: string, since: number): boolean {
    return this.register.isColumnAfter(table, column, since)
  }
}

/** Whether a change that is committed has not been heard of. */
export const isBehind = ({ data, live }: Known, atLeast: Known | undefined): boolean =>
  atLeast !== undefined && (data < atLeast.data || live < atLeast.live)

/** The names of what a statement moves. */
export function movedBy(writing: Writing | undefined): Iterable<string> {
  if (!writing) return [EVERYTHING]
  const { table, columns, isRemoval } = writing
  if (!columns) return isRemoval ? emptiedWith(table) : [table]
  // Whoever looks at what is written along looks at everything, so it need not be named beside others.
  const named = columns.filter((column) => !WRITTEN_ALONG.has(column))
  return (named.length > 0 ? named : columns).flatMap((column) => [
    `${table}.${column}`,
    ...(tables[table]?.carries?.[column] ?? []),
  ])
}

/** How many changes of some organizations ($1) are committed. */
export const HEADS = `select o.key as org, o.data_version as data, coalesce(h.version, 0) as live from organizations o
  left join live_heads h on h.org = o.key where o.key = any($1::bigint[])`

/**
 * Of one organization ($1), what was moved after a change ($2) and a live one ($3). One statement: all of it is of one
 * moment.
 */
export const VERSIONS_SINCE = `select 0 as is_live, o.data_version as data, v.name, v.version from organizations o
  left join table_versions v on v.org = o.key and v.version > $2 where o.key = $1
  union all select 1 as is_live, h.version as data, w.name, w.version from live_heads h
  left join live_versions w on w.org = h.org and w.version > $3 where h.org = $1`

export interface VersionRow {
  is_live: number
  data: number
  name: string | null
  version: number | null
}

/** Takes in what `VERSIONS_SINCE` gave. */
export function catchUp(versions: OrgVersions, rows: readonly VersionRow[]): OrgVersions {
  for (const { is_live, data, name, version } of rows) {
    if (is_live) versions.live = data
    else versions.data = data
    if (name !== null && version !== null) versions.move(name, version, undefined, is_live === 1)
  }
  return versions
}
