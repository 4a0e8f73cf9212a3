import type { Rights } from '../../core/rights.ts'
import { rightsInAbsence } from '../../db/assignments.ts'
import type { OrgHandle } from '../../db/org.ts'
import { allFeeds } from '../../live/feeds.ts'

export type Blocked = 'owner_suspended' | 'owner_lacks_permission'

/** What a webhook may send at this moment: what its owner may read, or why that is nothing. */
export async function rightsOfOwner(handle: OrgHandle, ownerId: string): Promise<Rights | Blocked> {
  const rights = await rightsInAbsence(handle, { id: ownerId })
  if (rights === undefined) return 'owner_suspended'
  return allFeeds.some(({ permission }) => rights.can(permission)) ? rights : 'owner_lacks_permission'
}
