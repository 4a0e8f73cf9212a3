import type { Permission } from '../../core/permissions.ts'
import type { Tx } from '../../db/change.ts'
import { refuseGivingAllOf, refuseMoreThanOwn } from '../giving.ts'
import { refuseTokensOf } from '../sessions/caller.ts'

/** As much of an application as says what comes with it. */
export interface Decided {
  permissions: readonly Permission[]
  service_user_id: string | null
}

/**
 * Whoever decides where an application sends people, what it asks for, what its secret is or that it works again could
 * come by what it is given: they must have logged in, and hold all of it themselves and all that its service user would
 * have through it.
 */
export async function refuseDecidingOver(tx: Tx, { permissions, service_user_id }: Decided): Promise<void> {
  refuseTokensOf(tx.actor)
  refuseMoreThanOwn(
    tx.actor,
    permissions.map((permission) => [permission, 'all']),
  )
  await refuseGivingAllOf(tx, { user_id: null, service_user_id }, { permissions, location_id: null, building_id: null })
}
