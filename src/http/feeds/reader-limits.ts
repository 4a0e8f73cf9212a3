import { allPermissions, type Permission } from '../../core/permissions.ts'
import type { Rights } from '../../core/rights.ts'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import { resourcesOf } from '../../db/resources.ts'
import { type LimitingPlace, limitsOfAny } from '../../db/scope.ts'
import type { Feed } from '../../live/feed.ts'
import { LimitedTo } from '../schemas.ts'

/** Why a reader may see less of a feed than there is: without it, what is not told would pass for what never was. */
export interface ReaderLimits {
  limited_to?: LimitingPlace[]
  missing_permissions?: Permission[]
}

export const readerLimits = {
  limited_to: LimitedTo,
  missing_permissions: Type.Optional(
    Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: allPermissions }), {
      description: 'Permissions that you lack: what needs one of them is not told here. Absent where you lack none.',
    }),
  ),
}

/** The same to whoever reads a feed page by page and to whoever has it streamed. */
export async function limitsOfReader(handle: OrgHandle, feed: Feed, rights: Rights): Promise<ReaderLimits> {
  const shownBy = feed.shownBy(resourcesOf(handle.engine))
  const limits = await limitsOfAny(handle, rights, shownBy)
  const missing = shownBy.filter((permission) => !rights.can(permission))
  return {
    ...(limits ? { limited_to: limits } : {}),
    ...(missing.length > 0 ? { missing_permissions: missing.toSorted() } : {}),
  }
}
