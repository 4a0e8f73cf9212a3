import { AppError, notFound } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { createRow, deleteRow, getRow, patchRow } from '../../db/rows.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { setMembers } from '../../resources/access-groups/member-set.ts'
import { prepareGroup } from '../../resources/access-groups/queries.ts'
import { type AccessGroup, accessGroups } from '../../resources/access-groups/schema.ts'
import { GROUP, isObject, type Json } from './messages.ts'
import { pageOf } from './page.ts'
import { isId } from './users.ts'

type Row = AccessGroup & { scim_external_id: string | null }

const rules = { prepare: prepareGroup as never }
const FROM: Sql = sql`access_groups t join (select g.access_group_id, g.external_id as scim_external_id from scim_groups g where g.org = :org) s
  on s.access_group_id = t.id where t.org = :org`

export const listGroups = (handle: OrgHandle, query: URLSearchParams, base: string): Promise<Json> =>
  pageOf<Row>(
    handle,
    query,
    FROM,
    {
      displayName: (value) => sql`t.name = ${String(value)}`,
      externalId: (value) => sql`s.scim_external_id = ${String(value)}`,
      id: (value) => (isId(value) ? sql`t.id = ${value.toLowerCase()}` : sql`1 = 0`),
    },
    (rows) => Promise.all(rows.map((row) => shownGroup(handle, row, query, base))),
  )

export async function findGroup(handle: OrgHandle, id: string): Promise<Row> {
  const row = isId(id) ? await handle.one<Row>(sql`select t.*, s.* from ${FROM} and t.id = ${id.toLowerCase()}`) : undefined
  if (!row) throw notFound()
  return row
}

export async function shownGroup(handle: OrgHandle, row: Row, query: URLSearchParams, base: string): Promise<Json> {
  const isWithout = /(^|,)\s*members\s*(,|$)/i.test(query.get('excludedAttributes') ?? '')
  const members = isWithout
    ? []
    : await handle.all<{ value: string; display: string }>(sql`select i.id as value, i.display_name as display from access_group_members t
        join individuals i on i.org = :org and i.id = t.individual_id where t.org = :org and t.access_group_id = ${row.id} order by i.id`)
  return {
    schemas: [GROUP],
    id: row.id,
    ...(row.scim_external_id === null ? {} : { externalId: row.scim_external_id }),
    displayName: row.name,
    ...(isWithout ? {} : { members: members.map((member) => ({ ...member, type: 'User', $ref: `${base}/Users/${member.value}` })) }),
    meta: {
      resourceType: 'Group',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${base}/Groups/${row.id}`,
      version: `W/"${row.version}"`,
    },
  }
}

export async function createGroup(tx: Tx, group: Json): Promise<Row> {
  const made = await createRow(tx, accessGroups, { name: nameOf(group) }, 'all', rules)
  await tx.run(sql`insert into scim_groups (org, access_group_id, external_id)
    values (:org, ${String(made.id)}, ${keyOf(group)})`)
  await fill(tx, String(made.id), group)
  return findGroup(tx, String(made.id))
}

export async function replaceGroup(tx: Tx, id: string, group: Json): Promise<Row> {
  const before = await findGroup(tx, id)
  const groupId = before.id
  const current = await getRow(tx, accessGroups, groupId, 'all')
  await patchRow(tx, accessGroups, current, { name: nameOf(group) }, 'all', rules)
  await rename(tx, before, keyOf(group))
  await fill(tx, groupId, group)
  return findGroup(tx, groupId)
}

export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  const { id: groupId } = await findGroup(tx, id)
  await deleteRow(tx, accessGroups, await getRow(tx, accessGroups, groupId, 'all'), {})
}

const keyOf = ({ externalId }: Json): string | null => (typeof externalId === 'string' ? externalId : null)

async function rename(tx: Tx, { id, scim_external_id }: Row, key: string | null): Promise<void> {
  if (key === scim_external_id) return
  await tx.run(sql`update scim_groups as t set external_id = ${key} where t.org = :org and t.access_group_id = ${id}`)
  const [before, after] = [{ external_id: scim_external_id }, { external_id: key }]
  tx.record({ action: 'access_group.renamed_by_scim', resource: accessGroups.noun, resourceId: id, before, after })
}

function nameOf({ displayName }: Json): string {
  if (typeof displayName === 'string' && displayName.trim() !== '') return displayName.trim()
  throw new AppError('VALIDATION_ERROR', 'displayName is required')
}

/** Its members are those given, who must be users of the same provider. */
async function fill(tx: Tx, groupId: string, { members = [] }: Json): Promise<void> {
  const ids = new Set((Array.isArray(members) ? members.filter(isObject) : []).map(({ value }) => String(value).toLowerCase()))
  for (const id of ids) {
    const known = isId(id) && (await tx.one(sql`select t.individual_id from scim_users t where t.org = :org and t.individual_id = ${id}`))
    if (!known) throw new AppError('VALIDATION_ERROR', `members: ${id} is no user of this provider`)
  }
  await setMembers(
    tx,
    groupId,
    [...ids].map((individual_id) => ({ individual_id })),
    'all',
  )
}
