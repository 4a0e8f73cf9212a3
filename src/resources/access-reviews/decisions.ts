import type { Permission } from '../../core/permissions.ts'
import type { Caller, Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Item, Resource } from '../../db/resource.ts'
import { deleteRow, findRow, getRow, updateRow } from '../../db/rows.ts'
import { wholeOf } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { forbidden, refuseReview } from './queries.ts'
import { type AccessReviewLine, accessReviewLines, accessReviews } from './schema.ts'

/** Of a running review alone. */
async function mustRun(tx: Tx, { access_review_id }: AccessReviewLine): Promise<void> {
  const { status } = await getRow(tx, accessReviews, access_review_id, 'all')
  if (status !== 'running')
    throw refuseReview(`access_review.${status}`, `This review is ${status}: only those of a running one are decided`)
}

/** A confirmation can be taken back while the review runs; what was revoked stays revoked. */
export async function reopen(tx: Tx, line: AccessReviewLine): Promise<AccessReviewLine> {
  await mustRun(tx, line)
  if (line.decision !== 'confirmed')
    throw refuseReview(
      `access_review_line.${line.decision}`,
      `This is ${line.decision}: only what was confirmed is decided again`,
    )
  return updateRow(
    tx,
    accessReviewLines,
    line,
    { decision: 'open', decided_at: null, decided_by: null, note: null },
    'reopened',
  )
}

export async function decide(
  tx: Tx,
  line: AccessReviewLine,
  decision: 'confirmed' | 'revoked',
  note: string | null,
): Promise<AccessReviewLine> {
  await mustRun(tx, line)
  if (decision === 'confirmed' && line.decision === 'revoked')
    throw refuseReview(
      `access_review_line.${line.decision}`,
      'This was revoked already; to give it back, make a new grant or membership',
    )
  if (decision === 'revoked') await end(tx, line)
  const change = { decision, decided_at: tx.now, decided_by: tx.actor.name, note }
  return updateRow(tx, accessReviewLines, line, change, decision)
}

/**
 * What a line would end, and by which right. A key cannot be ended from afar: it is in their hands until it is given
 * back.
 */
const ended = {
  grant: { resource: accessGrants, field: 'access_grant_id', permission: 'access-grants:write' },
  group: { resource: accessGroupMembers, field: 'access_group_member_id', permission: 'access-groups:write' },
} as const

/** As whoever decides would end it themselves. */
async function end(tx: Tx, line: AccessReviewLine): Promise<void> {
  if (line.means === 'grant') {
    const grant = await theirs(tx, line, ended.grant)
    if (grant?.status === 'active' || grant?.status === 'scheduled')
      await updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
  }
  if (line.means === 'group') {
    const membership = await theirs(tx, line, ended.group)
    if (membership) await deleteRow(tx, accessGroupMembers, membership, {})
  }
}

/** Undefined: it is gone already, and nothing is left to end. */
async function theirs(
  tx: Tx,
  line: AccessReviewLine,
  {
    resource,
    field,
    permission,
  }: { resource: Resource; field: (typeof ended)[keyof typeof ended]['field']; permission: Permission },
): Promise<Item | undefined> {
  const id = line[field]
  const found = id === null ? undefined : await findRow(tx, resource, id, 'all')
  if (!found) return undefined
  const scope: Scope | undefined = tx.actor.rights ? tx.actor.rights.scopeOf(permission) : 'all'
  const row = scope && (await findRow(tx, resource, found.id, scope))
  if (row) return row
  throw forbidden(
    `Revoking this ends an ${resource.singular} that you may not end (${permission}, where it lies): ask ` +
      'somebody who may, and confirm nothing meanwhile',
  )
}

/** Whether the caller may revoke each of them: the same question that `revoke` asks, of a page at once. */
export async function addMayRevoke(handle: OrgHandle, rows: Item[], { rights }: Caller): Promise<void> {
  const decided = await wholeOf(handle, accessReviewLines, idsIn(rows, 'id'), rights.scopeOf('access-reviews:write'))
  const others = new Set<string>()
  for (const { resource, field, permission } of Object.values(ended)) {
    const ids = idsIn(rows, field)
    const own = await wholeOf(handle, resource, ids, rights.scopeOf(permission))
    const left = ids.filter((id) => !own.has(id))
    for (const id of await existing(handle, resource, left)) others.add(id)
  }
  for (const row of rows)
    row.may_revoke = decided.has(row.id) && Object.values(ended).every(({ field }) => !others.has(String(row[field])))
}

const idsIn = (rows: readonly AnyRow[], field: string): string[] => [
  ...new Set(rows.map((row) => row[field]).filter((id) => typeof id === 'string')),
]

/** What is gone already is nobody's to end. */
async function existing(handle: OrgHandle, resource: Resource, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await handle.all<{ id: string }>(
    sql`select t.id from ${raw(resource.table)} t where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  return rows.map(({ id }) => id)
}
