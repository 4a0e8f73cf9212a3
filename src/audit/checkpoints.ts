import type { AuditSigner } from '../db/audit.ts'
import type { Engine, Session } from '../db/engine.ts'
import type { AuditFault, AuditTrust, Position } from './position.ts'
import { isSignedThroughout } from './signed-entries.ts'
import { checkpointStatement, type Format, type SignedMark } from './signing.ts'
import { anchorFault, beginningOf, readBounds, verifySince } from './verify.ts'

export interface DueOrganization {
  org: number
  id: string
  name: string
  unsigned: number
  signed_at: string | null
}

/** Organizations with entries that no checkpoint covers yet. */
export const dueForCheckpoint = (session: Session): Promise<DueOrganization[]> =>
  session.all<DueOrganization>(
    `select o.key as org, o.id, o.name, o.audit_sequence - coalesce(c.sequence, 0) as unsigned, c.signed_at
      from organizations o
     left join audit_checkpoints c on c.org = o.key
       and c.sequence = (select max(last.sequence) from audit_checkpoints last where last.org = o.key)
     where o.audit_sequence > coalesce(c.sequence, 0) order by o.key`,
    [],
  )

/**
 * Signs the head of an organization's chain. What was added since the last signature that this installation remembers
 * is checked first: a log that somebody altered is not signed.
 */
export async function writeCheckpoint(
  engine: Engine,
  org: number,
  now: string,
  signer: AuditSigner,
  trust: AuditTrust,
): Promise<{ mark: SignedMark | undefined } | { fault: AuditFault }> {
  const bounds = await readBounds(engine.unhurried, org)
  const begin = beginningOf(bounds, trust)
  const { witness } = trust
  const at: Position =
    witness && witness.sequence > begin.sequence
      ? { sequence: witness.sequence, hash: witness.hash, signed: witness }
      : begin
  const fault = anchorFault(bounds, trust) ?? (await verifySince(engine.unhurried, org, bounds, at, trust))
  if (fault) return { fault }
  // Entries of before there were signatures of their own are covered by a checkpoint of the old kind, once.
  const format: Format = isSignedThroughout(at, bounds.organizationId, trust) ? 2 : 1
  return engine.transaction(
    async (session) => {
      if (engine.dialect.name === 'postgres')
        // What refers to the organization, and is being written, does not matter here: nobody waits for it.
        await session.all('select key from organizations where key = $1 for no key update', [org])
      // Another process may have been faster; then its checkpoint is as good, and checked the next time.
      const last = await lastCheckpoint(session, org)
      if (last && last.sequence >= at.sequence) return { mark: undefined }
      const mark = {
        sequence: at.sequence,
        hash: at.hash,
        number: (last?.number ?? begin.signed?.number ?? 0) + 1,
        format,
      }
      const signature = signer.sign(checkpointStatement(bounds.organizationId, { ...mark, signed_at: now }, format))
      await session.run(
        'insert into audit_checkpoints (org, number, sequence, hash, signed_at, key_id, signature) values ($1, $2, ' +
          '$3, $4, $5, $6, $7)',
        [org, mark.number, mark.sequence, mark.hash, now, signer.keyId, signature],
      )
      await session.run('update organizations set audit_checkpoint = $2 where key = $1', [org, mark.number])
      return { mark }
    },
    { isUnhurried: true },
  )
}

async function lastCheckpoint(session: Session, org: number): Promise<SignedMark | undefined> {
  const [row] = await session.all<SignedMark>(
    'select number, sequence, hash from audit_checkpoints where org = $1 order by sequence desc limit 1',
    [org],
  )
  return row
}
