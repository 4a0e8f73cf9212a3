import type { Reads } from '../kept/reads.ts'
import type { OrgHandle } from '../org.ts'

/** What a caller was found by, and how many changes there were then. */
export interface MadeFrom {
  readonly reads: Reads
  readonly since: number
}

/** Whoever makes a change, found out before it waited for others. */
export interface Calling extends MadeFrom {
  /** Looks anew, in the transaction and before it has done anything: throws where they may not any more. */
  readonly stillMay: (handle: OrgHandle) => Promise<void>
  /** It is looked at before the work, not beside it. */
  readonly isLookedAtFirst: boolean
}

/** What they were found by was changed by others, and what was done meanwhile is taken back: it is to be made again. */
export class CallerMoved extends Error {}
