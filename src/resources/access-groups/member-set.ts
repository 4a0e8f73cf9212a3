import { slicesOf } from '../../access/slices.ts'
import { AppError, invalid, within } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { decodeRows, selectList, visibleNames } from '../../db/resource.ts'
import { createRow, deleteRow, patchRow, type Rules } from '../../db/rows.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { prepareMember } from './queries.ts'
import { type AccessGroupMember, accessGroupMembers } from './schema.ts'

export interface MemberGiven {
  individual_id: string
  valid_from?: string | null
  valid_until?: string | null
}

export interface MembersChanged extends Record<string, unknown> {
  added: number
  changed: number
  removed: number
  unchanged: number
}

const rules: Rules<AccessGroupMember> = { prepare: prepareMember }

/** Who is given becomes a member, or is one already: what is not said of their time stays as it is. */
export async function addMembers(
  tx: Tx,
  groupId: string,
  given: readonly MemberGiven[],
  scope: Scope,
): Promise<MembersChanged> {
  refuseTwice(given)
  const members = await membersAmong(
    tx,
    groupId,
    given.map(({ individual_id }) => individual_id),
  )
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }
  for (const [index, { individual_id, ...time }] of given.entries()) {
    const current = members.get(individual_id.toLowerCase())
    try {
      const row = current
        ? await patchRow(tx, accessGroupMembers, current, time, scope, rules)
        : await createRow(tx, accessGroupMembers, { ...time, individual_id, access_group_id: groupId }, scope, rules)
      counts[!current ? 'added' : row === current ? 'unchanged' : 'changed'] += 1
    } catch (error) {
      throw error instanceof AppError ? within(`members[${index}]`, error) : error
    }
  }
  return counts
}

/** The members are these and no others. */
export async function setMembers(
  tx: Tx,
  groupId: string,
  given: readonly MemberGiven[],
  scope: Scope,
): Promise<MembersChanged> {
  const wanted = new Set(given.map(({ individual_id }) => individual_id.toLowerCase()))
  const counts = await addMembers(tx, groupId, given, scope)
  for await (const members of pagesOf(tx, groupId))
    for (const member of members) {
      if (wanted.has(member.individual_id)) continue
      await deleteRow(tx, accessGroupMembers, member, {}, scope)
      counts.removed += 1
    }
  return counts
}

/** Who is given is no member any more; who is none already is passed over. */
export async function removeMembers(
  tx: Tx,
  groupId: string,
  individualIds: readonly string[],
  scope: Scope,
): Promise<MembersChanged> {
  const ids = new Set(individualIds.map((id) => id.toLowerCase()))
  const members = await membersAmong(tx, groupId, [...ids])
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }
  for (const id of ids) {
    const member = members.get(id)
    counts[member ? 'removed' : 'unchanged'] += 1
    if (member) await deleteRow(tx, accessGroupMembers, member, {}, scope)
  }
  return counts
}

function refuseTwice(given: readonly MemberGiven[]): void {
  const seen = new Set<string>()
  for (const [index, { individual_id }] of given.entries()) {
    const path = `members[${index}].individual_id`
    if (seen.has(individual_id.toLowerCase()))
      throw invalid(path, 'members.twice', `${path}: an individual is a member once`)
    seen.add(individual_id.toLowerCase())
  }
}

/** Those of these people who are members, by individual: a group may have everybody in it. */
async function membersAmong(
  tx: Tx,
  groupId: string,
  individualIds: readonly string[],
): Promise<Map<string, AccessGroupMember>> {
  const found = new Map<string, AccessGroupMember>()
  for (const [some] of slicesOf(
    tx,
    individualIds.map((id) => id.toLowerCase()),
  ))
    for (const row of await read(tx, groupId, tx.dialect.inList('t.individual_id', some, 'uuid')))
      found.set(row.individual_id, row)
  return found
}

const PAGE = 500
/** Before every id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** All members, some at a time: others have their turn between two. */
async function* pagesOf(tx: Tx, groupId: string): AsyncGenerator<AccessGroupMember[]> {
  for (let last = NOBODY; ; ) {
    const page = sql`t.individual_id > ${last} order by t.individual_id limit ${PAGE}`
    const rows = await read(tx, groupId, page)
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.individual_id ?? last
  }
}

async function read(tx: Tx, groupId: string, which: Sql): Promise<AccessGroupMember[]> {
  const columns = raw(selectList(accessGroupMembers, visibleNames(accessGroupMembers), false))
  const rows = await tx.all<AccessGroupMember>(
    sql`select ${columns} from access_group_members t
      where t.org = :org and t.access_group_id = ${groupId} and ${which}`,
  )
  return decodeRows(accessGroupMembers, tx.dialect, rows)
}
