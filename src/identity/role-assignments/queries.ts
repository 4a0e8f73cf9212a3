import { AppError, invalid } from '../../core/errors.ts'
import { refuseTwoPlaces } from '../../core/one-place.ts'
import { placeSet } from '../../db/assignments.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf } from '../../db/places.ts'
import { getRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { refuseGiving } from '../giving.ts'
import { keepAnOwner } from '../last-owner.ts'
import { roles } from '../roles/schema.ts'
import type { RoleAssignment } from './schema.ts'

function requireOneHolder({ user_id, service_user_id }: RoleAssignment): void {
  if ((user_id === null) === (service_user_id === null))
    throw invalid('user_id', 'role_assignment.one_holder', 'Give a user_id or a service_user_id: one of them, not both')
}

export async function prepareRoleAssignment(tx: Tx, next: RoleAssignment): Promise<undefined> {
  requireOneHolder(next)
  refuseTwoPlaces(next)
  const role = await getRow(tx, roles, next.role_id, 'all')
  const scope = placeSet(await placesOf(tx), next) ?? 'all'
  refuseGiving(
    tx.actor,
    next,
    role.permissions.map((permission) => [permission, scope]),
  )
  await refuseTwice(tx, next)
}

async function refuseTwice(
  tx: Tx,
  { role_id, user_id, service_user_id, location_id, building_id }: RoleAssignment,
): Promise<void> {
  const same = await tx.one<{
    id: string
  }>(sql`select t.id from role_assignments t where t.org = :org and t.role_id = ${role_id}
    and t.user_id is not distinct from ${user_id} and t.service_user_id is not distinct from ${service_user_id}
    and t.location_id is not distinct from ${location_id}
    and t.building_id is not distinct from ${building_id}`)
  if (!same) return
  throw new AppError('CONFLICT', `They have this role there already: role assignment ${same.id}`, {
    reason: 'role_assignment.exists',
  })
}

export const beforeRoleAssignmentDelete = (tx: Tx, row: RoleAssignment): Promise<void> =>
  keepAnOwner(tx, (owner) => owner.id === row.id)
