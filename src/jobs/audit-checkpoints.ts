import type { FastifyBaseLogger } from 'fastify'
import { type DueOrganization, dueForCheckpoint, writeCheckpoint } from '../audit/checkpoints.ts'
import { type AuditKey, openAuditKey } from '../audit/key.ts'
import type { AuditFault } from '../audit/position.ts'
import { removeOldEntries } from '../audit/retention.ts'
import type { SignedMark } from '../audit/signing.ts'
import { readWitness, remember } from '../audit/witness.ts'
import type { Config } from '../config.ts'
import { type Clock, neverAhead } from '../core/time/clock.ts'
import type { Engine } from '../db/engine.ts'
import { attempt, repeat } from './repeat.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** How often it is looked whether something is due. */
const LOOK_EVERY = 10 * SECOND
/** A checkpoint is due once so many entries, or any so old, are not covered by one. */
const ENTRIES = 1000
const AGE = 60 * SECOND
/** A log that was altered is looked at again after so long. */
const RETRY_ALTERED = 10 * 60 * SECOND

export interface CheckpointParts {
  engine: Engine
  clock: Clock
  logger: FastifyBaseLogger
  config: Pick<Config, 'dataDir' | 'auditSigningKeyFile' | 'auditRetentionDays'>
}

/** Signs what was added to the audit logs, and removes what has had its time. */
export class AuditCheckpoints {
  private readonly parts: CheckpointParts
  private readonly steady: Clock
  private key: AuditKey | undefined
  private readonly alteredSince = new Map<number, number>()
  private prunedAt = Number.NEGATIVE_INFINITY

  constructor(parts: CheckpointParts) {
    this.parts = parts
    this.steady = neverAhead(parts.clock)
    this.steady.now()
  }

  /** Gives how many organizations were signed. `all`: also those with little to sign, as on the way out. */
  async sign(all = false): Promise<number> {
    const { engine, clock, config } = this.parts
    const now = clock.now()
    const due = (await dueForCheckpoint(engine.unhurried)).filter(
      (organization) => all || this.isDue(organization, now),
    )
    if (due.length === 0) return 0
    const { signer, trusted: keys } = this.openKey()
    const witnessed = await readWitness(config)
    const marks: Record<string, SignedMark> = {}
    for (const organization of due) {
      const { org, id } = organization
      const result = await writeCheckpoint(engine, org, now, signer, { keys, witness: witnessed[id] })
      if ('fault' in result) this.refuse(organization, result.fault, now)
      else if (result.mark) marks[id] = result.mark
    }
    await remember(config, marks)
    return Object.keys(marks).length
  }

  /**
   * Once an hour, when a time is configured: only what a checkpoint covers, so never faster than entries are signed.
   */
  async prune(): Promise<number> {
    const { engine, config } = this.parts
    const now = this.steady.now()
    const at = Date.parse(now)
    if (config.auditRetentionDays === 0 || at - this.prunedAt < HOUR) return 0
    this.prunedAt = at
    const cutoff = new Date(at - config.auditRetentionDays * DAY).toISOString()
    const { signer, trusted: keys } = this.openKey()
    const witnessed = await readWitness(config)
    let total = 0
    for (const organization of await engine.unhurried.all<DueOrganization>(
      'select key as org, id, name from organizations order by key',
      [],
    )) {
      for (;;) {
        const { removed, fault } = await removeOldEntries(engine, organization.org, now, cutoff, signer, {
          keys,
          witness: witnessed[organization.id],
        })
        total += removed
        if (fault) this.refuse(organization, fault, now)
        if (removed === 0) break
      }
    }
    return total
  }

  private isDue({ org, unsigned, signed_at }: DueOrganization, now: string): boolean {
    const at = Date.parse(now)
    const altered = this.alteredSince.get(org)
    if (altered !== undefined && at - altered < RETRY_ALTERED) return false
    return unsigned >= ENTRIES || signed_at === null || Math.abs(at - Date.parse(signed_at)) >= AGE
  }

  private refuse({ org, name }: DueOrganization, { sequence, fault }: AuditFault, now: string): void {
    this.alteredSince.set(org, Date.parse(now))
    this.parts.logger.error(
      { organization: name, sequence, fault },
      'the audit log was altered and is not signed any further; see gatehouse audit verify. If a backup was ' +
        'restored, remove audit-witness.json from the data folder',
    )
  }

  private openKey(): AuditKey {
    this.key ??= openAuditKey(this.parts.config)
    return this.key
  }
}

/** Looks every ten seconds; on the way out everything is signed. */
export function startCheckpoints(parts: CheckpointParts): { stop: () => Promise<void> } {
  const checkpoints = new AuditCheckpoints(parts)
  const run = async () => {
    await checkpoints.sign()
    await checkpoints.prune()
  }
  const failed = (err: unknown) => parts.logger.warn({ err }, 'the audit log could not be signed; it is tried again')
  const signing = { name: 'audit_checkpoints', engine: parts.engine, run, failed }
  const job = repeat(signing, { firstMs: LOOK_EVERY, everyMs: LOOK_EVERY })
  return {
    stop: async () => {
      await job.stop()
      await attempt({ ...signing, run: async () => void (await checkpoints.sign(true)) })
    },
  }
}
