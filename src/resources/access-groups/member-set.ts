import { AppError, invalid, within } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { decodeRows, selectList, visibleNames } from '../../db/resource.ts'
import { createRow, deleteRow, patchRow, type Rules } from '../../db/rows.ts'
import { raw, sql } from '../../db/sql.ts'
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
  const members = await membersOf(tx, groupId)
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
  const left = [...(await membersOf(tx, groupId))].filter(([individualId]) => !wanted.has(individualId))
  for (const [, member] of left) await deleteRow(tx, accessGroupMembers, member, {}, scope)
  return { ...counts, removed: left.length }
}

/** Who is given is no member any more; who is none already is passed over. */
export async function removeMembers(
  tx: Tx,
  groupId: string,
  individualIds: readonly string[],
  scope: Scope,
): Promise<MembersChanged> {
  const members = await membersOf(tx, groupId)
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0 }
  for (const id of new Set(individualIds.map((id) => id.toLowerCase()))) {
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

/** By individual. */
async function membersOf(tx: Tx, groupId: string): Promise<Map<string, AccessGroupMember>> {
  const rows = await tx.all<AccessGroupMember>(sql`select
      ${raw(selectList(accessGroupMembers, visibleNames(accessGroupMembers), false))}
    from access_group_members t where t.org = :org and t.access_group_id = ${groupId}`)
  return new Map(decodeRows(accessGroupMembers, tx.dialect, rows).map((row) => [row.individual_id, row]))
}
