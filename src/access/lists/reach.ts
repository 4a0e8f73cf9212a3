import type { Permission } from '../../core/permissions.ts'
import type { Rights } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { resourcesOf } from '../../db/resources.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { isInDoor } from '../in-door.ts'

/**
 * What a key of this type opens, by the locking plan, and how many people hold one. A list is null when the caller may
 * not read that family at all, and leaves out what lies outside the caller's places.
 */
export async function reachOf(handle: OrgHandle, keyTypeId: string, rights: Rights) {
  const list = lister(handle, rights)
  const opened = (column: string): Sql => sql`select ${raw(`oc.${column}`)} from plan_cells op
    join cylinders oc on oc.org = :org and oc.id = op.cylinder_id and ${isInDoor('oc')}
    where op.org = :org and op.key_type_id = ${keyTypeId}`
  const doors = sql`select od.space_id from access_points od where od.org = :org
    and od.id in (${opened('access_point_id')})`
  return {
    opens: {
      cylinders: await list('cylinders', 'cylinders:read', ['id', 'number', 'label'], opened('id')),
      access_points: await list('access_points', 'access-points:read', ['id', 'name'], opened('access_point_id')),
      spaces: await list('spaces', 'spaces:read', ['id', 'name'], doors),
      limited_to: await limitsOfAny(handle, rights, ['cylinders:read', 'access-points:read', 'spaces:read']),
    },
    holders_of_same_type: await holdersOf(handle, keyTypeId),
  }
}

const lister =
  (handle: OrgHandle, rights: Rights) =>
  async (
    table: string,
    permission: Permission,
    names: readonly [string, string, ...string[]],
    ids: Sql,
  ): Promise<object[] | null> => {
    const resource = resourcesOf(handle.engine).of(table)
    const scope = rights.scopeOf(permission)
    if (!resource || scope === undefined) return null
    const columns = names.map((name) => `t.${name}`)
    return handle.all(sql`select ${raw(columns.join(', '))} from ${raw(table)} t
      where ${await visible(handle, resource, scope)} and t.id in (${ids}) order by ${raw(`t.${names[1]}`)}, t.id`)
  }

async function holdersOf(handle: OrgHandle, keyTypeId: string): Promise<number> {
  const row = await handle.one<{ n: number }>(
    sql`select count(distinct t.individual_id) as n from keys t where t.org = :org and t.key_type_id = ${keyTypeId}`,
  )
  return row?.n ?? 0
}
