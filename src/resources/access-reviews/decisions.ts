import type { Permission } from '../../core/permissions.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { deleteRow, findRow, getRow, updateRow } from '../../db/rows.ts'
import { type AccessGrant, accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { forbidden, refuseReview } from './queries.ts'
import { type AccessReview, type AccessReviewLine, accessReviewLines, accessReviews } from './schema.ts'

/** Of a running review alone. */
async function mustRun(tx: Tx, { access_review_id }: AccessReviewLine): Promise<void> {
  const { status } = (await getRow(tx, accessReviews, access_review_id, 'all')) as AccessReview
  if (status !== 'running')
    throw refuseReview(`access_review.${status}`, `This review is ${status}: only those of a running one are decided`)
}

/** A confirmation can be taken back while the review runs; what was revoked stays revoked. */
export async function reopen(tx: Tx, line: AccessReviewLine): Promise<AnyRow> {
  await mustRun(tx, line)
  if (line.decision !== 'confirmed')
    throw refuseReview(`access_review_line.${line.decision}`, `This is ${line.decision}: only what was confirmed is decided again`)
  return updateRow(tx, accessReviewLines, line, { decision: 'open', decided_at: null, decided_by: null, note: null }, 'reopened')
}

export async function decide(tx: Tx, line: AccessReviewLine, decision: 'confirmed' | 'revoked', note: string | null): Promise<AnyRow> {
  await mustRun(tx, line)
  if (decision === 'confirmed' && line.decision === 'revoked')
    throw refuseReview(`access_review_line.${line.decision}`, 'This was revoked already; to give it back, make a new grant or membership')
  if (decision === 'revoked') await end(tx, line)
  const change = { decision, decided_at: tx.now, decided_by: tx.actor.name, note }
  return updateRow(tx, accessReviewLines, line, change, decision)
}

/** As whoever decides would end it themselves. A key cannot be ended from afar: it is in their hands until it is given back. */
async function end(tx: Tx, { means, access_grant_id, access_group_member_id }: AccessReviewLine): Promise<void> {
  if (means === 'grant') {
    const grant = (await theirs(tx, accessGrants, access_grant_id, 'access-grants:write')) as AccessGrant | undefined
    if (grant?.status === 'active' || grant?.status === 'scheduled')
      await updateRow(tx, accessGrants, grant, { revoked_at: tx.now }, 'revoked')
  }
  if (means === 'group') {
    const membership = await theirs(tx, accessGroupMembers, access_group_member_id, 'access-groups:write')
    if (membership) await deleteRow(tx, accessGroupMembers, membership, {})
  }
}

/** Undefined: it is gone already, and nothing is left to end. */
async function theirs(tx: Tx, resource: Resource, id: string | null, permission: Permission): Promise<AnyRow | undefined> {
  const found = id === null ? undefined : await findRow(tx, resource, id, 'all')
  if (!found) return undefined
  const scope: Scope | undefined = tx.actor.rights ? tx.actor.rights.scopeOf(permission) : 'all'
  const row = scope && (await findRow(tx, resource, found.id as string, scope))
  if (row) return row
  throw forbidden(
    `Revoking this ends an ${resource.singular} that you may not end (${permission}, where it lies): ask somebody who may, and confirm nothing meanwhile`,
  )
}
