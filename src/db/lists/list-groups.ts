import { orderSql } from '../../query/sql.ts'
import type { OrgHandle } from '../org.ts'
import { type AnyRow, columnOf, decodeRows, type Resource } from '../resource.ts'
import { askedList, type ListRequest } from './asked-list.ts'
import { ranked, sumOf } from './counted.ts'

/** More groups than anybody reads: a reference can have as many as there are rows. */
export const MAX_GROUPS = 1000

export interface Groups {
  /** Each with the fields that it was grouped by and `count`, the largest first; at most so many. */
  rows: AnyRow[]
  groups: number
  total: number
}

/**
 * How many rows of a list have each value of some fields. Each field is compared, so that of what is seen in part none
 * is told.
 */
export async function listGroups(
  handle: OrgHandle,
  resource: Resource,
  request: Omit<ListRequest, 'names' | 'after' | 'first'>,
  fields: readonly string[],
): Promise<Groups> {
  const counted = await request.counted?.(fields)
  if (counted) {
    const rows = ranked(counted, fields).map(({ values, count }) => ({ ...values, count }))
    return { rows: rows.slice(0, MAX_GROUPS), groups: rows.length, total: sumOf(counted) }
  }
  const { plan, values } = await askedList(handle, resource, request, { compared: fields })
  const columns = fields.map((name) => `${columnOf(resource, name, plan.isLimited, plan.beside !== '')} as ${name}`)
  const terms = fields.map((field) => ({ field, direction: 'asc', nulls: 'last' }) as const)
  const grouped = fields.length === 0 ? '' : ` group by ${fields.map((_, index) => index + 1).join(', ')}`
  const order = [
    'g.count desc',
    orderSql(
      terms,
      (name) => `g.${name}`,
      resource.fields,
      handle.dialect,
      () => true,
    ),
  ].filter(Boolean)
  const found = await handle.query<AnyRow & { groups: number; total: number }>(
    `select ${[...fields, 'count'].map((name) => `g.${name}`).join(', ')}, count(*) over () as groups,
      sum(g.count) over () as total from (
       select ${[...columns, 'count(*) as count'].join(', ')} from ${plan.from} where ${plan.where}${grouped}) g
     order by ${order.join(', ')} limit ${MAX_GROUPS}`,
    [...values],
    'all',
  )
  const { groups = 0, total = 0 } = found[0] ?? {}
  const rows = found.map(({ groups: _groups, total: _total, ...row }) => row)
  return { rows: decodeRows(resource, handle.dialect, rows), groups, total }
}
