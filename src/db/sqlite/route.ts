import type { Extent } from '../engine.ts'
import type { SqliteConnection } from './connection.ts'

// Which statements may be read on the main thread: those whose plan says that they read little, and those on tables
// that hold little. Everything else is read in a thread. It is decided once per text, from what SQLite itself says
// about it.

/** Tables of up to so many rows are read through in a few milliseconds, whatever is asked. */
const SMALL_ROWS = 2000
/**
 * Steps of SQLite's machine: a few milliseconds' worth. Unlike time, they do not depend on what else the computer does.
 */
const FEW_STEPS = 50_000
const SLOW_MS = 5
/** A small table may grow. */
const LOOK_AGAIN_MS = 30_000
const KNOWN = 5000

interface Route {
  isQuick: boolean
  /** Until when it is good: the plan is for ever, the size of tables is not. */
  until: number
  /** It took long once: from then on its steps are counted. */
  isWatched: boolean
}

export class SqliteRoutes {
  private readonly connection: SqliteConnection
  private readonly smallRows: number
  private readonly slowMs: number
  private readonly routes = new Map<string, Route>()
  /** Of a text by which many rows are read: the same may read few at another time. */
  private readonly ofMany = new Map<string, Route>()

  constructor(connection: SqliteConnection, { smallRows = SMALL_ROWS, slowMs = SLOW_MS } = {}) {
    this.connection = connection
    this.smallRows = smallRows
    this.slowMs = slowMs
  }

  /** Whether a statement may be read on the main thread. */
  isQuick(text: string, extent: Extent | undefined): boolean {
    const routes = extent === 'all' ? this.ofMany : this.routes
    const known = routes.get(text)
    if (known && (known.until === Number.POSITIVE_INFINITY || known.until > performance.now())) return known.isQuick
    const route = this.decide(text, extent)
    if (routes.size >= KNOWN) routes.clear()
    routes.set(text, route)
    return route.isQuick
  }

  /** Reads on the main thread. A statement that takes many steps there is read in a thread from then on. */
  read<Row>(text: string, values: unknown[]): Row[] {
    const route = this.routes.get(text)
    if (!route?.isWatched) {
      const began = performance.now()
      const rows = this.connection.all<Row>(text, values)
      if (route && performance.now() - began > this.slowMs) route.isWatched = true
      return rows
    }
    const { statement } = this.connection.prepared(text)
    statement.resetStats?.()
    const rows = this.connection.all<Row>(text, values)
    if ((statement.stat?.('vmStep') ?? FEW_STEPS) >= FEW_STEPS)
      this.routes.set(text, { isQuick: false, until: Number.POSITIVE_INFINITY, isWatched: false })
    return rows
  }

  private decide(text: string, extent: Extent | undefined): Route {
    // Rows that are handed over stand in no table.
    if (extent === 'all' && !this.namesTable(text))
      return { isQuick: false, until: Number.POSITIVE_INFINITY, isWatched: false }
    const large = this.largeAmong(text)
    if (large.size === 0) return { isQuick: true, until: performance.now() + LOOK_AGAIN_MS, isWatched: false }
    const isQuick = extent === 'few' || (extent !== 'all' && readsLittle(this.planOf(text), large, extent))
    return { isQuick, until: Number.POSITIVE_INFINITY, isWatched: false }
  }

  private planOf(text: string): string[] {
    const statement = this.connection.db.prepare(`explain query plan ${text.replace(/\$(\d+)/g, '?$1')}`)
    return statement.all().map(({ detail }) => String(detail))
  }

  private namesTable(text: string): boolean {
    return text.matchAll(NAMED).some(([, table = '']) => this.counted(table) !== undefined)
  }

  /** The names under which large tables stand in a text. */
  private largeAmong(text: string): Set<string> {
    const large = new Set<string>()
    for (const [, table = '', alias] of text.matchAll(NAMED)) {
      const counted = this.counted(table)
      if (counted === undefined || !this.isLarge(counted)) continue
      large.add(table)
      if (alias !== undefined) large.add(alias)
    }
    return large
  }

  /**
   * The table whose row ids tell how many rows there are: of a text index, the one it is over. Undefined: it is no
   * table.
   */
  private counted(name: string): string | undefined {
    const [found] = this.connection.all(`select 1 as one from sqlite_master where type = 'table' and name = $1`, [name])
    return found === undefined ? undefined : name.replace(/_fts$/, '')
  }

  /** By the highest row id: as many rows at most, read in one step. A table without row ids is taken for large. */
  private isLarge(table: string): boolean {
    try {
      const [row] = this.connection.all<{ last: number | null }>(`select max(rowid) as last from ${table}`, [])
      return (row?.last ?? 0) > this.smallRows
    } catch {
      return true
    }
  }
}

const NAMED =
  /\b(?:from|join)\s+([a-z_0-9]+)\b(?:\s+(?:as\s+)?(?!where\b|on\b|order\b|group\b|limit\b|cross\b|left\b|join\b|not\b|union\b)([a-z_0-9]+))?/g

/** Whether a plan reads few rows of the large tables. `extent`: as many conditions as an index must serve. */
export function readsLittle(plan: readonly string[], large: ReadonlySet<string>, extent: number | undefined): boolean {
  if (extent !== undefined && plan.some((step) => /^USE TEMP B-TREE .*ORDER BY$/.test(step))) return false
  let isFirst = true
  for (const step of plan) {
    const [, verb, name = ''] = /^(SCAN|SEARCH) (\S+)/.exec(step) ?? []
    if (verb === undefined) continue
    const isPage = isFirst && extent !== undefined
    isFirst = false
    if (!large.has(name)) continue
    if (verb === 'SCAN' || step.includes(' AUTOMATIC ')) return false
    const served = step.slice(step.indexOf('(') + 1, Math.max(0, step.lastIndexOf(')'))).split(' AND ')
    if (
      isPage ? served.length !== extent : !served.some((condition) => condition.endsWith('=?') && condition !== 'org=?')
    )
      return false
  }
  return true
}
