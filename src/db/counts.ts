import type { Scope } from '../core/rights.ts'
import type { OrgHandle } from './org.ts'
import { columnOf, type Resource } from './resource.ts'
import { inScope } from './scope.ts'
import { join, raw, type Sql, sql } from './sql.ts'

/** The rows `t` of a resource in the caller's scope. */
export const visible = (handle: OrgHandle, resource: Resource, scope: Scope): Sql =>
  join([sql`t.org = :org`, ...(scope === 'all' ? [] : [inScope(resource, handle.dialect, scope)])], ' and ')

/** How many rows of the caller's scope there are by each value of a field. */
export async function countBy(handle: OrgHandle, resource: Resource, name: string, scope: Scope): Promise<Map<string, number>> {
  const rows = await handle.all<{ value: string; n: number }>(sql`
    select c.value, count(*) as n from (select ${raw(columnOf(resource, name))} as value
      from ${raw(resource.table)} t where ${visible(handle, resource, scope)}) c group by c.value order by c.value`)
  return new Map(rows.map(({ value, n }) => [value, n]))
}

/** How many rows of the caller's scope there are, of those that a condition on `t` holds for. */
export async function countWhere(handle: OrgHandle, resource: Resource, scope: Scope, condition: Sql = sql`true`): Promise<number> {
  const row = await handle.one<{ n: number }>(
    sql`select count(*) as n from ${raw(resource.table)} t where ${visible(handle, resource, scope)} and ${condition}`,
  )
  return row?.n ?? 0
}

export const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((total, n) => total + n, 0)

/** Every name with its count, those that do not occur too. */
export const withAll = (names: readonly string[], counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0]))
