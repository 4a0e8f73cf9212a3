import type { AuditRow } from '../db/along/audit-row.ts'
import { ERASED, entryStatement } from '../db/audit.ts'
import type { AuditFault, AuditTrust, Position } from './position.ts'
import { type Format, signatureFault } from './signing.ts'

/** Why an entry's own signature does not count; undefined when it does. */
function entryFault(row: AuditRow, organizationId: string, { keys }: AuditTrust): string | undefined {
  const { key_id, signature, occurred_at: signed_at } = row
  if (key_id === null || signature === null) return 'no key signed it'
  const reason = signatureFault(keys, entryStatement(organizationId, row), { key_id, signature, signed_at })
  return reason === undefined ? undefined : `it ${reason}`
}

/**
 * Notes what is to be said of an entry's own signature once it is known whether a checkpoint of the old kind stands in
 * for it.
 */
export function noteSignature(row: AuditRow, organizationId: string, at: Position, trust: AuditTrust): void {
  if (row.action === ERASED && at.doubt === undefined) {
    const reason = entryFault(row, organizationId, trust)
    if (reason !== undefined) at.doubt = { sequence: row.sequence, fault: `it says what was erased, and ${reason}` }
  }
  at.last = row
}

/**
 * A checkpoint covers all before it. One of the new kind says that entries were signed as they came: those that were
 * not are forged.
 */
export function settleDoubt(at: Position, format: Format): AuditFault | undefined {
  const { doubt } = at
  at.doubt = undefined
  at.last = undefined
  return format === 2 ? doubt : undefined
}

/** What no checkpoint covers yet ends with an entry that is signed, from the first checkpoint of the new kind on. */
export function newestFault(at: Position, organizationId: string, trust: AuditTrust): AuditFault | undefined {
  const { last, signed } = at
  if (!last || signed?.format !== 2) return undefined
  const reason = entryFault(last, organizationId, trust)
  return reason === undefined ? undefined : { sequence: last.sequence, fault: `it is the newest, and ${reason}` }
}

/** Whether everything since the last mark was signed as it came; then, and only then, a checkpoint says so. */
export const isSignedThroughout = (at: Position, organizationId: string, trust: AuditTrust): boolean =>
  at.doubt === undefined && (at.last === undefined || entryFault(at.last, organizationId, trust) === undefined)
