import type { Case } from './case.ts'
import type { KeyFact } from './facts.ts'
import type { Reason } from './reasons.ts'
import type { Finding } from './rule.ts'

/** What one instant's judgement comes to. */
export interface Judgement {
  readonly case: Case
  readonly isGranted: boolean
  readonly reason: Reason
  /** All that stands in the way, in order; empty where access is granted. */
  readonly obstacles: readonly Finding[]
  /** What opened it, where it was no grant. */
  readonly opener: Finding | undefined
  readonly key: KeyFact | undefined
}
