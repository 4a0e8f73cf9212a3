import type { Actor, AuditSigner } from '../db/audit.ts'
import { change } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { sql } from '../db/sql.ts'
import { Erasures } from './erasures.ts'
import type { AuditFault, AuditTrust } from './position.ts'
import { anchorStatement } from './signing.ts'
import { anchorFault, beginningOf, readBounds, walk } from './verify.ts'

const YOUNG = 'young'
/** Entries per transaction, about: nobody waits long for the writer. */
const BATCH = 10_000
const SLICE = 500

const actor: Actor = { kind: 'system', id: null, name: 'Audit log retention', address: null, reqId: null }

/**
 * Removes one batch of entries from before `cutoff`: the oldest, up to a checkpoint, and leaves a signed anchor in
 * their place. What is removed is checked first: evidence of an alteration is not thrown away.
 */
export async function removeOldEntries(
  engine: Engine,
  org: number,
  now: string,
  cutoff: string,
  signer: AuditSigner,
  trust: AuditTrust,
): Promise<{ removed: number; fault?: AuditFault }> {
  const bounds = await readBounds(engine.unhurried, org)
  const begin = beginningOf(bounds, trust)
  const wanted = await lastBefore(engine, org, cutoff, begin.sequence)
  if (wanted === undefined) return { removed: 0 }
  const at = { ...begin }
  const fault =
    anchorFault(bounds, trust) ??
    // The clock may have been wrong for a while: what is young by its own date stays, and all after it.
    (await walk(engine.unhurried, org, bounds, at, wanted, trust, new Erasures(), ({ sequence, occurred_at }) =>
      occurred_at < cutoff ? undefined : { sequence, fault: YOUNG },
    ))
  if (fault && fault.fault !== YOUNG) return { removed: 0, fault }
  const until = at.signed
  if (!until || until.sequence === begin.sequence) return { removed: 0 }

  return change(
    engine,
    org,
    now,
    actor,
    async (tx) => {
      const current = await tx.one<{ sequence: number }>(sql`select t.sequence from audit_anchors t where t.org = :org`)
      if ((current?.sequence ?? 0) !== begin.sequence) return { removed: 0 }
      const { sequence, hash, number } = until
      let removed = 0
      // On SQLite nobody has a turn during a statement, but between two of them.
      for (let to = begin.sequence; to < sequence; ) {
        to = Math.min(to + SLICE, sequence)
        removed += await tx.run(sql`delete from audit_log as t where t.org = :org and t.sequence <= ${to}`)
      }
      await tx.run(sql`delete from audit_checkpoints as t where t.org = :org and t.sequence <= ${sequence}`)
      await tx.run(sql`delete from audit_anchors as t where t.org = :org`)
      const anchor = {
        sequence,
        hash,
        removed: (bounds.anchor?.removed ?? 0) + removed,
        checkpoint: number,
        signed_at: now,
      }
      const signature = signer.sign(anchorStatement(bounds.organizationId, anchor, until.format ?? 1))
      await tx.insert('audit_anchors', { ...anchor, key_id: signer.keyId, signature })
      const after = { from: begin.sequence + 1, to: sequence, removed }
      tx.record({ action: 'audit_log.pruned', resource: 'audit-log', resourceId: null, before: null, after })
      return { removed }
    },
    { isUnhurried: true },
  )
}

/** The checkpoint to remove up to: the last within a batch, or the next one if that is further away. */
async function lastBefore(engine: Engine, org: number, cutoff: string, from: number): Promise<number | undefined> {
  const [row] = await engine.unhurried.all<{ within: number | null; next: number | null }>(
    `select max(case when sequence <= $4 then sequence end) as within, min(sequence) as next from audit_checkpoints
     where org = $1 and signed_at < $2 and sequence > $3`,
    [org, cutoff, from, from + BATCH],
  )
  return row?.within ?? row?.next ?? undefined
}
