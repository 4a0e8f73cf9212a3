import { inOrder } from '../../core/in-order.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Rights } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import { resourcesOf } from '../../db/resources.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import { isInDoor } from '../in-door.ts'
import { slicesOf } from '../slices.ts'

/**
 * What a key of this type opens, by the locking plan, and how many people hold one. A list is null when the caller may
 * not read that family at all, and leaves out what lies outside the caller's places.
 */
export async function reachOf(handle: OrgHandle, keyTypeId: string, rights: Rights) {
  const list = lister(handle, rights)
  const opened = await handle.all<{ id: string; access_point_id: string }>(sql`
    select oc.id, oc.access_point_id from plan_cells op cross join cylinders oc
    where op.org = :org and op.key_type_id = ${keyTypeId} and oc.org = :org and oc.id = op.cylinder_id
      and ${isInDoor('oc')}`)
  const cylinders = new Set(opened.map(({ id }) => id))
  const doors = new Set(opened.map(({ access_point_id }) => access_point_id))
  return {
    opens: {
      cylinders: await list('cylinders', 'cylinders:read', ['id', 'number', 'label'], cylinders),
      access_points: await list('access_points', 'access-points:read', ['id', 'name'], doors),
      spaces: await list('spaces', 'spaces:read', ['id', 'name'], await spacesOf(handle, doors)),
      limited_to: await limitsOfAny(handle, rights, ['cylinders:read', 'access-points:read', 'spaces:read']),
    },
    holders_of_same_type: await holdersOf(handle, keyTypeId),
  }
}

/** The spaces that these doors lead into. */
async function spacesOf(handle: OrgHandle, doors: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const [some, extent] of slicesOf(handle, [...doors]))
    for (const { space_id } of await handle.all<{ space_id: string }>(
      sql`select od.space_id from ${handle.dialect.ids(some, 'l')} cross join access_points od
        where od.org = :org and od.id = l.id`,
      extent,
    ))
      found.add(space_id)
  return found
}

/** Each is found by its id. */
const lister =
  (handle: OrgHandle, rights: Rights) =>
  async (
    table: string,
    permission: Permission,
    names: readonly [string, string, ...string[]],
    ids: ReadonlySet<string>,
  ): Promise<object[] | null> => {
    const resource = resourcesOf(handle.engine).of(table)
    const scope = rights.scopeOf(permission)
    if (!resource || scope === undefined) return null
    const columns = raw(names.map((name) => `t.${name}`).join(', '))
    const seen = await visible(handle, resource, scope)
    const found: Array<Readonly<Record<string, string>>> = []
    for (const [some, extent] of slicesOf(handle, [...ids]))
      for (const row of await handle.all<Readonly<Record<string, string>>>(
        sql`select ${columns} from ${handle.dialect.ids(some, 'l')} cross join ${raw(table)} t
          where ${seen} and t.id = l.id`,
        extent,
      ))
        found.push(row)
    return inOrder(found, (row) => `${row[names[1]]}\n${row.id}`)
  }

/** Counted here: to count each once, SQLite would walk through the keys of all types by their holders. */
async function holdersOf(handle: OrgHandle, keyTypeId: string): Promise<number> {
  const rows = await handle.all<{ individual_id: string | null }>(
    sql`select t.individual_id from keys t where t.org = :org and t.key_type_id = ${keyTypeId}`,
  )
  return new Set(rows.flatMap(({ individual_id }) => individual_id ?? [])).size
}
