import { AppError } from '../../core/errors.ts'
import { refuseTwoPlaces } from '../../core/one-place.ts'
import { checkWindow } from '../../core/time/window.ts'
import type { Tx } from '../../db/change.ts'
import { sql } from '../../db/sql.ts'
import type { AccessGroup, AccessGroupMember } from './schema.ts'

/**
 * A group that came from an identity provider is the provider's: what is changed here it would change back, or never
 * learn of.
 */
export async function refuseProvisioned(tx: Tx, groupId: string): Promise<void> {
  const found = await tx.one(
    sql`select t.access_group_id from scim_groups t where t.org = :org and t.access_group_id = ${groupId}`,
  )
  if (found)
    throw new AppError('CONFLICT', 'This access group comes from an identity provider (SCIM): change it there', {
      reason: 'access_group.provisioned',
    })
}

export function prepareGroup(_tx: Tx, next: AccessGroup): undefined {
  refuseTwoPlaces(next)
}

export function prepareMember(_tx: Tx, next: AccessGroupMember): undefined {
  checkWindow(next)
}
