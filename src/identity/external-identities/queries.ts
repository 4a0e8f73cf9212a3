import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import { refuseGivingAllOf } from '../giving.ts'
import type { ExternalIdentity } from './schema.ts'

/** Whoever says whom a token stands for could act as them: they must hold all that it would have. */
export async function prepareExternalIdentity(
  tx: Tx,
  next: ExternalIdentity,
  trusted: ReadonlySet<string>,
): Promise<undefined> {
  const { issuer, user_id, service_user_id, permissions } = next
  if (!trusted.has(issuer))
    throw invalid('issuer', 'issuer.not_trusted', `issuer: the configuration does not trust ${issuer}`)
  if ((user_id === null) === (service_user_id === null))
    throw invalid('user_id', 'one_of', 'Give either user_id or service_user_id')
  const narrowing = { permissions, location_id: null, building_id: null }
  await refuseGivingAllOf(tx, next, narrowing)
}
