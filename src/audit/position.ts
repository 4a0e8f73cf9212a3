import type { AuditRow } from '../db/along/audit-row.ts'
import type { AuditHead } from '../db/along/org-head.ts'
import type { SignedMark, TrustedKeys } from './signing.ts'

export interface AuditFault {
  sequence: number
  fault: string
}

export interface AuditTrust {
  keys: TrustedKeys
  /** The last entry that this installation remembers having signed; kept outside the database. */
  witness?: SignedMark | undefined
}

/** Where a walk along the chain stands: everything up to here fits. */
export interface Position extends AuditHead {
  /** The last entry that a signature vouches for. */
  signed: SignedMark | undefined
  /** The first erasure since then that no key signed by itself. */
  doubt?: AuditFault | undefined
  /** The last entry walked past since then. */
  last?: AuditRow | undefined
}
