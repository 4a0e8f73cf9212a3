import { AppError } from '../core/errors.ts'
import type { Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'

interface OwnerAssignment {
  id: string
  /** A user or a service user. */
  holder_id: string
}

/** Somebody active must remain who may do everything everywhere; `leaves` says which of them are about to go. */
export async function keepAnOwner(tx: Tx, leaves: (owner: OwnerAssignment) => boolean): Promise<void> {
  const owners = await tx.all<OwnerAssignment>(sql`select a.id, coalesce(a.user_id, a.service_user_id) as holder_id
      from role_assignments a
    join roles r on r.org = :org and r.id = a.role_id and r.is_built_in = ${true} and r.name = 'Owner'
    left join service_users s on s.org = :org and s.id = a.service_user_id and s.status = 'active'
    left join users u on u.org = :org and u.id = a.user_id and u.status = 'active'
    where a.org = :org and coalesce(s.id, u.id) is not null and a.location_id is null and a.building_id is null`)
  if (owners.length === 0 || !owners.every(leaves)) return
  throw new AppError('INVALID_STATE', 'This is the last Owner of the organization; make somebody else Owner first', {
    reason: 'role_assignment.last_owner',
  })
}
