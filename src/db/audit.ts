import { hash, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Action } from '../core/change-verbs.ts'
import { Pauses } from '../core/pauses.ts'
import type { Caller, Rights } from '../core/rights.ts'
import type { AuditEntry, AuditRow } from './along/audit-row.ts'
import type { AuditHead, OrgHead } from './along/org-head.ts'
import type { Engine, Session } from './engine.ts'
import { insertMany } from './insert-many.ts'
import { perEngine } from './kept/per-engine.ts'

/** Who did it and from where; recorded with every change. */
export interface Actor {
  kind: 'user' | 'service_user' | 'command_line' | 'system'
  id: string | null
  name: string
  address: string | null
  reqId: string | null
  /**
   * What a caller may do, for rules about what it may give to others. The command line and the system have no bounds.
   */
  rights?: Rights
  /** How a caller proved itself, for rules about what a token may not do. */
  credential?: Caller['credential']
  /**
   * The token, the application or the identity at another issuer that it acts by: what goes on after the answer ends
   * with it.
   */
  by?: { token: string } | { application: string } | { identity: string }
}

export interface ChangeRecord {
  action: Action
  resource: string
  resourceId: string | null
  before: unknown
  after: unknown
}

export interface AuditSigner {
  readonly keyId: string
  sign(statement: string): string
}

const signers = perEngine((): { open?: () => AuditSigner } => ({}))

/** What signs entries as they are appended; whoever opens a database to write to it says so. */
export function signAuditWith(engine: Engine, open: () => AuditSigner): void {
  let signer: AuditSigner | undefined
  signers(engine).open = () => {
    signer ??= open()
    return signer
  }
}

/** For what is signed beside entries; undefined where nothing signs here. */
export const signerOf = (engine: Engine): AuditSigner | undefined => signers(engine).open?.()

/** What an entry's signature says: that it stands there, in this organization's chain, with all before it. */
export const entryStatement = (organizationId: string, { sequence, hash }: AuditHead): string =>
  JSON.stringify(['gatehouse audit entry 1', organizationId, sequence, hash])

/** An entry that says whose contents were erased; a content that is gone without one was removed by somebody else. */
export const ERASED = 'audit_log.erased'

export const sha256 = (text: string) => hash('sha256', text, 'hex')

/** The chain covers the content through its hash, so that a content may be erased later without breaking the chain. */
export const rowHash = (previous: string, row: Omit<AuditRow, 'hash' | 'content' | 'salt' | 'key_id' | 'signature'>) =>
  sha256(
    JSON.stringify([
      previous,
      row.sequence,
      row.id,
      row.occurred_at,
      row.action,
      row.resource,
      row.resource_id,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.address,
      row.req_id,
      row.content_hash,
    ]),
  )

const COLUMNS = [
  'sequence',
  'id',
  'occurred_at',
  'action',
  'resource',
  'resource_id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'address',
  'req_id',
  'salt',
  'content',
  'content_hash',
  'hash',
] as const satisfies Array<keyof AuditEntry>
const INTO_LOG = `insert into audit_log (org, ${COLUMNS.join(', ')}, key_id, signature)`

interface Appended {
  /** Where the chain ends so far. */
  readonly head: AuditHead
  readonly now: string
  readonly actor: Actor
}

/**
 * What is recorded as entries of the organization's chain, and its new head. The caller holds the organization's row,
 * so nobody else appends meanwhile; they are stored by `storeAudit`.
 */
export async function appendAudit(
  { head, now, actor }: Appended,
  records: readonly ChangeRecord[],
): Promise<{ last: AuditHead; entries: AuditEntry[] }> {
  let { hash: previous, sequence } = head
  const entries: AuditEntry[] = []
  const pauses = new Pauses()
  for (const record of records) {
    await pauses.take()
    sequence += 1
    // Node makes ids out of a store of random bytes; to ask for sixteen takes as long as half of all else here.
    const salt = randomUUID().replaceAll('-', '')
    const content = JSON.stringify({ before: record.before ?? null, after: record.after ?? null })
    const row = {
      sequence,
      id: randomUUIDv7(),
      occurred_at: now,
      action: record.action,
      resource: record.resource,
      resource_id: record.resourceId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      address: actor.address,
      req_id: actor.reqId,
      content_hash: sha256(salt + content),
    }
    previous = rowHash(previous, row)
    entries.push({ ...row, salt, content, hash: previous })
  }
  return { last: { sequence, hash: previous }, entries }
}

/** Stores what was appended in one transaction. The last of it is signed: with it everything before is. */
export async function storeAudit(
  engine: Engine,
  session: Session,
  { key, id }: Pick<OrgHead, 'key' | 'id'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  const signer = signerOf(engine)
  const pauses = new Pauses()
  const rows: unknown[][] = []
  for (const entry of entries) {
    await pauses.take()
    const isSigned = signer && (entry === entries.at(-1) || entry.action === ERASED)
    rows.push([
      key,
      ...COLUMNS.map((column) => entry[column]),
      isSigned ? signer.keyId : null,
      isSigned ? signer.sign(entryStatement(id, entry)) : null,
    ])
  }
  const { rowsAtOnce } = engine.dialect
  // Few are not waited for: what follows is sent behind them.
  const write = rows.length <= rowsAtOnce ? 'send' : 'run'
  await insertMany((text, values) => session[write](text, values), INTO_LOG, rows, rowsAtOnce)
}
