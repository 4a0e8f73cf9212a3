import type { OrgHandle } from '../org.ts'
import { perEngine } from './per-engine.ts'
import type { Change } from './versions.ts'

/** What looks at the rows that a transaction writes, and moves something kept along with them. */
export interface Following {
  /** A row is about to be written, perhaps again. */
  before(table: string, id: string): Promise<void>
  /** All is written: what moves, once it is committed. Of other tables, and of other rows, nobody has asked before. */
  written(rows: ReadonlyMap<string, readonly string[]>): Promise<(change: Change) => void>
}

/** Undefined: there is nothing to move. */
type Follow = (handle: OrgHandle) => Promise<Following | undefined>

/** What is kept of a database and follows its changes, instead of being made anew after each. */
export const followersOf = perEngine(() => new Set<Follow>())
