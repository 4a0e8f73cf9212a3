import type { OrgHandle } from '../org.ts'
import { perEngine } from './per-engine.ts'
import type { Change } from './versions.ts'

/** What looks at the rows of a table that a transaction writes, and moves something kept along with them. */
export interface Following {
  /** A row is about to be written, perhaps again. */
  before(id: string): Promise<void>
  /** All is written, these rows and no others of the table: what moves, once it is committed. */
  written(ids: readonly string[]): Promise<(change: Change) => void>
}

/** Undefined: there is nothing to move with the rows of this table. */
type Follow = (handle: OrgHandle, table: string) => Promise<Following | undefined>

/** What is kept of a database and follows its changes, instead of being made anew after each. */
export const followersOf = perEngine(() => new Set<Follow>())
