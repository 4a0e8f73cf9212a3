import type { Fields, RowOf } from '../../core/fields.ts'
import { inOrder } from '../../core/in-order.ts'
import type { Scope } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { getRow } from '../../db/rows.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { keys } from '../keys/schema.ts'

/** A key that somebody still has. */
export interface HeldKey {
  id: string
  number: string
  key_type_code: string
  locking_system_name: string
  due_back_on: string | null
}

/** All of them, or those that somebody whose right holds in some places sees. */
export const keysHeldBy = async (handle: OrgHandle, individualId: string, scope: Scope = 'all'): Promise<HeldKey[]> =>
  handle.all<HeldKey>(sql`
    select t.id, t.number, kt.code as key_type_code, ls.name as locking_system_name, t.due_back_on from keys t
    join key_types kt on kt.org = :org and kt.id = t.key_type_id
    join locking_systems ls on ls.org = :org and ls.id = kt.locking_system_id
    where ${await visible(handle, keys, scope)} and t.individual_id = ${individualId}
    order by ls.name, kt.code, t.number`)

/** Rows of a resource that carry the individual's id. */
export async function belongings<F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  individualId: string,
  condition: Sql = sql`true`,
): Promise<Array<RowOf<F>>> {
  const found = await handle.all<{ id: string; created_at: string }>(
    sql`select t.id, t.created_at from ${raw(resource.table)} t where t.org = :org and t.individual_id = ${individualId}
      and ${condition}`,
  )
  const rows: Array<RowOf<F>> = []
  for (const { id } of inOrder(found, ({ created_at, id }) => `${created_at} ${id}`))
    rows.push(await getRow(handle, resource, id, 'all'))
  return rows
}
