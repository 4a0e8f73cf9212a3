import { AppError, notFound } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { createRow, deleteRow, getRow, patchRow } from '../../db/rows.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import type { House } from '../../http/context.ts'
import { Writable } from '../../http/writes/writable.ts'
import { addMembers, removeMembers, setMembers } from '../../resources/access-groups/member-set.ts'
import { prepareGroup } from '../../resources/access-groups/queries.ts'
import { type AccessGroup, accessGroups } from '../../resources/access-groups/schema.ts'
import { isAsked } from './attributes.ts'
import { GROUP, isId, type Json, patched, text, whole, withVersion } from './messages.ts'
import { groupOperations, idsIn, type MemberSteps } from './operations.ts'
import { ofText, pageOf } from './page.ts'

type Row = AccessGroup & { scim_external_id: string | null }

interface Member {
  access_group_id: string
  value: string
  display: string
}

const rules = { prepare: prepareGroup }
const writable = new Writable(accessGroups, rules, 'scim:write', new Set())
/** Ids in one statement. */
const SLICE = 500
const COLUMNS: Sql = sql`t.*, s.*`
const FROM: Sql = sql`(select g.access_group_id, g.external_id as scim_external_id from scim_groups g
  where g.org = :org) s
  join access_groups t on t.org = :org and t.id = s.access_group_id where t.org = :org`

const NONE: Sql = sql`1 = 0`
const hasMember = (value: string): Sql =>
  isId(value)
    ? sql`exists (select 1 from access_group_members m where m.org = :org and m.access_group_id = t.id
      and m.individual_id = ${value.toLowerCase()})`
    : NONE

export const listGroups = (handle: OrgHandle, query: URLSearchParams, base: string): Promise<Json> =>
  pageOf<Row>(handle, query, {
    columns: COLUMNS,
    from: FROM,
    order: sql`s.access_group_id`,
    conditions: {
      displayName: ofText((value) => sql`t.name = ${value}`),
      externalId: ofText((value) => sql`s.scim_external_id = ${value}`),
      id: ofText((value) => (isId(value) ? sql`t.id = ${value.toLowerCase()}` : NONE)),
      members: ofText(hasMember),
      'members.value': ofText(hasMember),
    },
    shown: (rows) => groupsOf(handle, rows, query, base),
  })

export async function shownGroup(
  handle: OrgHandle,
  id: string,
  base: string,
  query = new URLSearchParams(),
): Promise<Json> {
  const [group] = await groupsOf(handle, [await findGroup(handle, id)], query, base)
  return group ?? {}
}

async function findGroup(handle: OrgHandle, id: string): Promise<Row> {
  const row = isId(id)
    ? await handle.one<Row>(sql`select ${COLUMNS} from ${FROM} and t.id = ${id.toLowerCase()}`)
    : undefined
  if (!row) throw notFound()
  return row
}

/** Without members a group has no version: what it says of itself would be of the half of it. */
async function groupsOf(
  handle: OrgHandle,
  rows: readonly Row[],
  query: URLSearchParams,
  base: string,
): Promise<Json[]> {
  if (!isAsked(query, 'members') || rows.length === 0) return rows.map((row) => groupOf(row, base))
  const ids = join(
    rows.map(({ id }) => sql`${id}`),
    ', ',
  )
  const members = await handle.all<Member>(sql`select t.access_group_id, i.id as value, i.display_name as display
      from access_group_members t
    join individuals i on i.org = :org and i.id = t.individual_id where t.org = :org and t.access_group_id in (${ids})
    order by i.id`)
  const byGroup = Map.groupBy(members, ({ access_group_id }) => access_group_id)
  return rows.map((row) => {
    const list = byGroup.get(row.id) ?? []
    const shown = list.map(({ value, display }) => ({ value, display, type: 'User', $ref: `${base}/Users/${value}` }))
    return withVersion({ ...groupOf(row, base), members: shown })
  })
}

const groupOf = (row: Row, base: string) => ({
  schemas: [GROUP],
  id: row.id,
  externalId: row.scim_external_id ?? undefined,
  displayName: row.name,
  meta: {
    resourceType: 'Group',
    created: row.created_at,
    lastModified: row.updated_at,
    location: `${base}/Groups/${row.id}`,
  },
})

export async function createGroup(tx: Tx, _house: House, body: unknown): Promise<string> {
  const group = whole('Group', body)
  const { id } = await createRow(tx, accessGroups, { name: nameOf(group) }, 'all', rules)
  await tx.run(
    sql`insert into scim_groups (org, access_group_id, external_id) values (:org, ${id}, ${text(group.externalId)})`,
  )
  await moveMembers(tx, String(id), { all: membersIn(group), added: new Set(), removed: new Set() })
  return String(id)
}

export async function replaceGroup(tx: Tx, _house: House, id: string, body: unknown): Promise<void> {
  const group = whole('Group', body)
  const before = await findGroup(tx, id)
  await become(tx, before, group)
  await moveMembers(tx, before.id, { all: membersIn(group) ?? new Set(), added: new Set(), removed: new Set() })
}

export async function patchGroup(tx: Tx, _house: House, id: string, body: unknown): Promise<void> {
  const before = await findGroup(tx, id)
  const { members, others } = groupOperations(body)
  if (others.length > 0) {
    const after = await patched('Group', others, groupOf(before, ''))
    await become(tx, before, { ...after, externalId: after.externalId ?? null })
  }
  await moveMembers(tx, before.id, members)
}

export async function deleteGroup(tx: Tx, _house: House, id: string): Promise<void> {
  const { id: groupId } = await findGroup(tx, id)
  await deleteRow(tx, accessGroups, await getRow(tx, accessGroups, groupId, 'all'), {})
}

async function become(tx: Tx, { id, scim_external_id }: Row, group: Json): Promise<void> {
  await patchRow(tx, accessGroups, await getRow(tx, accessGroups, id, 'all'), { name: nameOf(group) }, 'all', rules)
  const key = group.externalId === undefined ? scim_external_id : text(group.externalId)
  if (key === scim_external_id) return
  await tx.run(sql`update scim_groups as t set external_id = ${key} where t.org = :org and t.access_group_id = ${id}`)
  const [before, after] = [{ external_id: scim_external_id }, { external_id: key }]
  tx.record({ action: 'access_group.renamed_by_scim', resource: accessGroups.noun, resourceId: id, before, after })
}

function nameOf({ displayName }: Json): string {
  const name = text(displayName)
  if (name === null) throw new AppError('VALIDATION_ERROR', 'displayName is required')
  writable.check('create', { name })
  return name
}

const membersIn = ({ members }: Json): Set<string> | undefined =>
  members === undefined ? undefined : new Set(idsIn(members))

async function moveMembers(tx: Tx, groupId: string, { all, added, removed }: MemberSteps): Promise<void> {
  const wanted = [...added.union(all ?? new Set<string>())].filter((id) => !removed.has(id))
  await refuseStrangers(tx, wanted)
  const given = wanted.map((individual_id) => ({ individual_id }))
  if (all) await setMembers(tx, groupId, given, 'all')
  else if (given.length > 0) await addMembers(tx, groupId, given, 'all')
  if (!all && removed.size > 0) await removeMembers(tx, groupId, [...removed], 'all')
}

/** Members are users of the same provider: others it does not know, and could not take out again. */
async function refuseStrangers(tx: Tx, ids: readonly string[]): Promise<void> {
  const malformed = ids.find((id) => !isId(id))
  const known = new Set<string>()
  for (let at = 0; malformed === undefined && at < ids.length; at += SLICE) {
    const slice = ids.slice(at, at + SLICE).map((id) => sql`${id}`)
    const rows = await tx.all<{ individual_id: string }>(
      sql`select t.individual_id from scim_users t where t.org = :org and t.individual_id in (${join(slice, ', ')})`,
    )
    for (const { individual_id } of rows) known.add(individual_id)
  }
  const stranger = malformed ?? ids.find((id) => !known.has(id))
  if (stranger !== undefined)
    throw new AppError('VALIDATION_ERROR', `members: ${stranger.slice(0, 60)} is no user of this provider`)
}
