import type { Rights } from '../../core/rights.ts'
import { rightsOf } from '../../db/assignments.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { allFeeds } from '../../live/feeds.ts'

export type Blocked = 'owner_suspended' | 'owner_lacks_permission'

/** What a webhook may send at this moment: what its owner may read, or why that is nothing. */
export async function rightsOfOwner(handle: OrgHandle, ownerId: string): Promise<Rights | Blocked> {
  const owner = await handle.one<{ status: string }>(
    sql`select t.status from users t where t.org = :org and t.id = ${ownerId}
        union all select t.status from service_users t where t.org = :org and t.id = ${ownerId}`,
  )
  if (owner?.status !== 'active') return 'owner_suspended'
  const rights = await rightsOf(handle, ownerId)
  return allFeeds.some(({ permission }) => rights.can(permission)) ? rights : 'owner_lacks_permission'
}
