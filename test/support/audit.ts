import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { openAuditKey } from '../../src/audit/key.ts'
import type { AuditTrust } from '../../src/audit/position.ts'
import { createSigner } from '../../src/audit/signing.ts'
import { type AuditVerdict, verifyAudit } from '../../src/audit/verify.ts'
import { readWitness } from '../../src/audit/witness.ts'
import type { AuditRow } from '../../src/db/along/audit-row.ts'
import { type AuditSigner, rowHash } from '../../src/db/audit.ts'
import type { Engine, Session } from '../../src/db/engine.ts'
import { AuditCheckpoints } from '../../src/jobs/audit-checkpoints.ts'
import type { TestClock } from './app.ts'
import { houseKeyPem } from './audit-key.ts'

export interface Signing {
  config: { dataDir: string; auditSigningKeyFile: undefined; auditRetentionDays: number }
  /** What the job logged as an error. */
  errors: string[]
  /** Signs everything that is not signed yet; gives how many organizations were. */
  sign(): Promise<number>
  prune(): Promise<number>
  signer(): AuditSigner
  trust(organizationId: string): Promise<AuditTrust>
  verify(org: number, organizationId: string): Promise<AuditVerdict>
}

/** The job that signs, with a folder of its own for the house's key and what it remembers. */
export async function startSigning(engine: Engine, clock: TestClock, auditRetentionDays = 0): Promise<Signing> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-audit-'))
  afterAll(() => rm(dataDir, { recursive: true, force: true }))
  await writeFile(join(dataDir, 'audit-signing-key.pem'), houseKeyPem, { mode: 0o600 })
  const config = { dataDir, auditSigningKeyFile: undefined, auditRetentionDays }
  const errors: string[] = []
  const logger = pino({ level: 'error' }, { write: (line) => void errors.push(line) })
  const job = new AuditCheckpoints({ engine, clock, logger, config })
  const trust = async (organizationId: string): Promise<AuditTrust> => ({
    keys: openAuditKey(config).trusted,
    witness: (await readWitness(config))[organizationId],
  })
  return {
    config,
    errors,
    sign: () => job.sign(true),
    prune: () => job.prune(),
    signer: () => openAuditKey(config).signer,
    trust,
    verify: async (org, organizationId) => verifyAudit(engine, org, await trust(organizationId)),
  }
}

export const strangersKey = (): AuditSigner => createSigner(generateKeyPairSync('ed25519').privateKey)

/** What somebody can do who may write to the database and knows how the chain is made: everything but sign. */
export async function recompute(session: Session, org: number, from: number): Promise<void> {
  const [before] = await session.all<{ hash: string }>('select hash from audit_log where org = $1 and sequence = $2', [
    org,
    from - 1,
  ])
  const [anchor] = await session.all<{ hash: string }>('select hash from audit_anchors where org = $1', [org])
  let hash = before?.hash ?? anchor?.hash ?? ''
  const rows = await session.all<AuditRow>(
    'select * from audit_log where org = $1 and sequence >= $2 order by sequence',
    [org, from],
  )
  for (const row of rows) {
    hash = rowHash(hash, row)
    await session.run('update audit_log set hash = $1 where org = $2 and sequence = $3', [hash, org, row.sequence])
  }
  await fixHead(session, org)
}

/** Makes the organization say that its chain ends where it does. */
export async function fixHead(session: Session, org: number): Promise<void> {
  await session.run(
    `update organizations set
       audit_sequence = coalesce((select max(l.sequence) from audit_log l where l.org = $1), 0),
       audit_hash = coalesce((select l.hash from audit_log l where l.org = $1 order by l.sequence desc limit 1), ''),
       audit_checkpoint = coalesce((select max(c.number) from audit_checkpoints c where c.org = $1), 0)
     where key = $1`,
    [org],
  )
}
