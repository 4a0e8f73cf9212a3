import type { Tx } from '../../db/change.ts'
import { keepAnOwner } from '../last-owner.ts'
import type { ServiceUser } from './schema.ts'

export async function prepareServiceUser(
  tx: Tx,
  next: ServiceUser,
  current: ServiceUser | undefined,
): Promise<undefined> {
  if (current?.status === 'active' && next.status === 'suspended')
    await keepAnOwner(tx, (owner) => owner.holder_id === next.id)
}

/** Its tokens and roles go with it, each on the record. */
export const beforeServiceUserDelete = (tx: Tx, row: ServiceUser): Promise<void> =>
  keepAnOwner(tx, (owner) => owner.holder_id === row.id)
