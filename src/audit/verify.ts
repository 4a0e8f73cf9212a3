import { setImmediate } from 'node:timers/promises'
import type { AuditRow } from '../db/along/audit-row.ts'
import type { AuditHead } from '../db/along/org-head.ts'
import { ERASED, rowHash, sha256 } from '../db/audit.ts'
import type { Engine, Session } from '../db/engine.ts'
import { type Erasure, Erasures } from './erasures.ts'
import type { AuditFault, AuditTrust, Position } from './position.ts'
import { newestFault, noteSignature, settleDoubt } from './signed-entries.ts'
import { type AnchorRow, anchorStatement, type CheckpointRow, checkpointStatement, signedFormat } from './signing.ts'

export interface AuditVerdict {
  rows: number
  /** Up to which entry a signature vouches for the log; absent: none does yet. */
  signedUpTo?: number
  /** What was erased, and by whom; absent: nothing. */
  erasures?: readonly Erasure[]
  fault?: AuditFault
}

const PAGE = 1000
/**
 * Everything that says how a chain begins and ends, read in one statement: what is appended while we walk lies beyond
 * it.
 */
export interface AuditBounds extends AuditHead {
  organizationId: string
  checkpoint: number
  anchor: AnchorRow | undefined
  firstEntry: number | null
  lastEntry: number | null
  firstCheckpoint: number | null
  lastCheckpoint: number | null
}

interface BoundsRow extends Omit<AuditBounds, 'anchor' | 'organizationId'> {
  id: string
  anchor_sequence: number | null
  anchor_hash: string
  anchor_removed: number
  anchor_checkpoint: number
  anchor_signed_at: string
  anchor_key_id: string
  anchor_signature: string
}

export async function readBounds(session: Session, org: number): Promise<AuditBounds> {
  const [row] = await session.all<BoundsRow>(
    `select o.id, o.audit_sequence as sequence, o.audit_hash as hash, o.audit_checkpoint as checkpoint,
       (select min(l.sequence) from audit_log l where l.org = o.key) as "firstEntry",
       (select max(l.sequence) from audit_log l where l.org = o.key) as "lastEntry",
       (select min(c.sequence) from audit_checkpoints c where c.org = o.key) as "firstCheckpoint",
       (select max(c.sequence) from audit_checkpoints c where c.org = o.key) as "lastCheckpoint",
       a.sequence as anchor_sequence, a.hash as anchor_hash, a.removed as anchor_removed,
       a.checkpoint as anchor_checkpoint,
       a.signed_at as anchor_signed_at, a.key_id as anchor_key_id, a.signature as anchor_signature
     from organizations o left join audit_anchors a on a.org = o.key where o.key = $1`,
    [org],
  )
  if (!row) throw new Error('the organization is gone')
  const {
    id,
    anchor_sequence,
    anchor_hash,
    anchor_removed,
    anchor_checkpoint,
    anchor_signed_at,
    anchor_key_id,
    anchor_signature,
    ...rest
  } = row
  const anchor =
    anchor_sequence === null
      ? undefined
      : {
          sequence: anchor_sequence,
          hash: anchor_hash,
          removed: anchor_removed,
          checkpoint: anchor_checkpoint,
          signed_at: anchor_signed_at,
          key_id: anchor_key_id,
          signature: anchor_signature,
        }
  return { ...rest, organizationId: id, anchor }
}

export function beginningOf({ anchor, organizationId }: AuditBounds, { keys }: AuditTrust): Position {
  if (!anchor) return { sequence: 0, hash: '', signed: undefined }
  const { sequence, hash, checkpoint: number } = anchor
  const format = signedFormat(keys, (version) => anchorStatement(organizationId, anchor, version), anchor)
  return { sequence, hash, signed: { sequence, hash, number, format: format === 2 ? 2 : 1 } }
}

/**
 * The first entry of an organization's log that does not fit the chain, its checkpoints, its ends or what was
 * witnessed.
 */
export async function verifyAudit(
  { reader }: Pick<Engine, 'reader'>,
  org: number,
  trust: AuditTrust = { keys: new Map() },
): Promise<AuditVerdict> {
  for (let tries = 1; ; tries++) {
    const bounds = await readBounds(reader, org)
    const begin = beginningOf(bounds, trust)
    const at = { ...begin }
    const erased = new Erasures()
    const fault =
      anchorFault(bounds, trust) ??
      (await verifySince(reader, org, bounds, at, trust, erased)) ??
      // With entries of before there were signatures too: a checkpoint covers those.
      at.doubt
    const rows = at.sequence - begin.sequence
    const erasures = erased.seen.length > 0 ? { erasures: erased.seen } : {}
    if (!fault) return { rows, ...(at.signed ? { signedUpTo: at.signed.sequence } : {}), ...erasures }
    // Erasing and removing old entries are recorded: if nothing was, what we saw is how it is.
    const isStill = (await readBounds(reader, org)).sequence === bounds.sequence
    if (isStill || tries === 5) return { rows, ...erasures, fault }
  }
}

/**
 * Walks from a position that is known to be good to the end, and holds the end against what the organization says of
 * it.
 */
export async function verifySince(
  session: Session,
  org: number,
  bounds: AuditBounds,
  at: Position,
  trust: AuditTrust,
  erased = new Erasures(),
): Promise<AuditFault | undefined> {
  const end = Math.max(bounds.lastEntry ?? 0, bounds.sequence)
  return (
    (await walk(session, org, bounds, at, end, trust, erased)) ??
    endFault(bounds, at, trust) ??
    newestFault(at, bounds.organizationId, trust) ??
    (at.signed?.format === 2 ? at.doubt : undefined) ??
    erased.unrecorded()
  )
}

/** Walks to the entry `end`, which must be there, and moves `at` along. */
export async function walk(
  session: Session,
  org: number,
  { organizationId, lastCheckpoint }: AuditBounds,
  at: Position,
  end: number,
  trust: AuditTrust,
  erased: Erasures,
  onRow?: (row: AuditRow) => AuditFault | undefined,
): Promise<AuditFault | undefined> {
  while (at.sequence < end) {
    const rows = await session.all<AuditRow>(
      `select * from audit_log where org = $1 and sequence > $2 and sequence <= $3 order by sequence limit ${PAGE}`,
      [org, at.sequence, end],
    )
    // SQLite answers without letting anybody else have a turn, and a log is long.
    await setImmediate()
    const last = rows.at(-1)?.sequence
    if (last === undefined) return missing(at.sequence + 1)
    // Another process may have signed since the bounds were read: its checkpoint lies beyond them.
    const signed = await session.all<CheckpointRow>(
      'select * from audit_checkpoints where org = $1 and sequence > $2 and sequence <= $3 order by sequence',
      [org, at.sequence, Math.min(last, lastCheckpoint ?? 0)],
    )
    const checkpoints = new Map(signed.map((checkpoint) => [checkpoint.sequence, checkpoint]))
    for (const row of rows) {
      const refused = onRow?.(row) ?? rowFault(row, at)
      if (refused) return refused
      noteSignature(row, organizationId, at, trust)
      const fault = checkpointFault(row, checkpoints.get(row.sequence), organizationId, at, trust)
      if (fault) return fault
      erased.see(row)
      at.sequence = row.sequence
      at.hash = row.hash
    }
  }
  return undefined
}

const missing = (sequence: number): AuditFault => ({ sequence, fault: 'the row is missing' })
const altered = (sequence: number): AuditFault => ({ sequence, fault: 'the row or its place in the chain was altered' })

function rowFault(row: AuditRow, at: Position): AuditFault | undefined {
  const { sequence, content, salt, content_hash } = row
  if (sequence !== at.sequence + 1) return missing(at.sequence + 1)
  // A content that was erased leaves no salt behind either; an entry that says what was erased is never erased itself.
  const isContent = content === null ? salt === '' && row.action !== ERASED : sha256(salt + content) === content_hash
  if (!isContent) return { sequence, fault: 'its content was altered' }
  return rowHash(at.hash, row) === row.hash ? undefined : altered(sequence)
}

function checkpointFault(
  row: AuditRow,
  checkpoint: CheckpointRow | undefined,
  organizationId: string,
  at: Position,
  { keys, witness }: AuditTrust,
): AuditFault | undefined {
  const { sequence, hash } = row
  if (witness?.sequence === sequence && witness.hash !== hash) {
    return { sequence, fault: `the chain up to here is not the one that was signed${since(at)}` }
  }
  if (!checkpoint) return undefined
  const format = signedFormat(keys, (version) => checkpointStatement(organizationId, checkpoint, version), checkpoint)
  if (typeof format === 'string') return { sequence, fault: `its checkpoint ${format}` }
  if (checkpoint.number !== (at.signed?.number ?? 0) + 1)
    return { sequence, fault: 'a checkpoint before this one is missing' }
  if (checkpoint.hash !== hash)
    return { sequence, fault: `the chain up to here is not the one that was signed${since(at)}` }
  at.signed = { sequence, hash, number: checkpoint.number, format }
  return settleDoubt(at, format)
}

const since = ({ signed }: Position): string => (signed ? `; what was altered lies after entry ${signed.sequence}` : '')

export function anchorFault({ anchor, organizationId }: AuditBounds, { keys }: AuditTrust): AuditFault | undefined {
  if (!anchor) return undefined
  const format = signedFormat(keys, (version) => anchorStatement(organizationId, anchor, version), anchor)
  return typeof format === 'string'
    ? { sequence: anchor.sequence, fault: `the record of the entries removed up to here ${format}` }
    : undefined
}

/**
 * A chain that is whole in itself must also begin and end where the organization, the checkpoints and the witness say.
 */
function endFault(bounds: AuditBounds, at: Position, trust: AuditTrust): AuditFault | undefined {
  const { witness } = trust
  const begin = beginningOf(bounds, trust)
  for (const first of [bounds.firstEntry, bounds.firstCheckpoint]) {
    if (first !== null && first <= begin.sequence)
      return { sequence: first, fault: 'the row was not added by this service' }
  }
  if ((bounds.lastEntry ?? 0) > bounds.sequence)
    return { sequence: bounds.sequence + 1, fault: 'the row was not added by this service' }
  if (bounds.hash !== at.hash || bounds.sequence !== at.sequence) return altered(at.sequence)
  const signed = Math.max(bounds.lastCheckpoint ?? 0, witness?.sequence ?? 0)
  if (signed > at.sequence)
    return { sequence: at.sequence + 1, fault: `the row is missing; entry ${signed} was signed` }
  const number = at.signed?.number ?? 0
  if (bounds.checkpoint !== number || (witness?.number ?? 0) > number) {
    return {
      sequence: at.sequence,
      fault: `checkpoints are missing: ${Math.max(bounds.checkpoint, witness?.number ?? 0)} were made`,
    }
  }
  return undefined
}
