import type { Rights } from '../../core/rights.ts'
import { todayOf } from '../../db/day.ts'
import { countBy, countWhere, sum, withAll } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { readPermissionOf } from '../../db/resource.ts'
import { cutOf } from '../../db/scope.ts'
import { type Family, families, valuesOf } from './families.ts'

/** Of each family what the caller may see of it; null: nothing. */
export async function overviewOf(handle: OrgHandle, rights: Rights): Promise<Record<string, object | null>> {
  const counted: Record<string, object | null> = {}
  const today = await todayOf(handle)
  for (const [name, family] of Object.entries(families)) counted[name] = await countsOf(handle, rights, family, today)
  return counted
}

async function countsOf(handle: OrgHandle, rights: Rights, family: Family, today: string): Promise<object | null> {
  const { resource, by, also = {} } = family
  const scope = rights.scopeOf(readPermissionOf(resource))
  if (scope === undefined) return null
  const byValue = by === undefined ? undefined : await countBy(handle, resource, by, scope)
  const counts: Record<string, unknown> = { total: byValue ? sum(byValue) : await countWhere(handle, resource, scope) }
  if (byValue) counts[`by_${by}`] = withAll(valuesOf(family), byValue)
  for (const [name, { on, where }] of Object.entries(also))
    counts[name] = await countWhere(handle, resource, scope, where(today), [on])
  const limits = await cutOf(handle, resource, scope)
  return limits ? { ...counts, limited_to: limits } : counts
}
