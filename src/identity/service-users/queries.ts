import type { Tx } from '../../db/change.ts'
import type { Resource } from '../../db/resource.ts'
import { deleteRow, getRow } from '../../db/rows.ts'
import { raw, sql } from '../../db/sql.ts'
import { keepAnOwner } from '../last-owner.ts'
import { roleAssignments } from '../role-assignments/schema.ts'
import { tokens } from '../tokens/schema.ts'
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
export async function beforeServiceUserDelete(tx: Tx, row: ServiceUser): Promise<void> {
  await keepAnOwner(tx, (owner) => owner.holder_id === row.id)
  await deleteOf(tx, tokens, row)
  await deleteOf(tx, roleAssignments, row)
}

async function deleteOf(tx: Tx, resource: Resource, { id }: ServiceUser): Promise<void> {
  const rows = await tx.all<{ id: string }>(
    sql`select t.id from ${raw(resource.table)} t where t.org = :org and t.service_user_id = ${id} order by t.id`,
  )
  for (const row of rows) await deleteRow(tx, resource, await getRow(tx, resource, row.id, 'all'), {})
}
