import type { Scope } from '../../core/rights.ts'
import { isTallied, talliesOf, tallyOf } from '../along/tallies.ts'
import type { OrgHandle } from '../org.ts'
import { columnOf, isSeenInPart, joinBeside, type Resource } from '../resource.ts'
import { sightOf } from '../scope.ts'
import { raw, render, type Sql, sql } from '../sql.ts'
import { counted } from './totals.ts'

/** The rows `t` of a resource that the caller sees; with `fields`, that they see these of. */
export async function visible(
  handle: OrgHandle,
  resource: Resource,
  scope: Scope,
  fields: readonly string[] = [],
): Promise<Sql> {
  const { isLimited, seen, managed } = await sightOf(handle, resource, scope)
  if (!isLimited) return sql`t.org = :org`
  return sql`t.org = :org and ${fields.every((name) => isSeenInPart(resource, name)) ? seen : managed}`
}

/** How many rows of the caller's scope there are by each value of a field. */
export async function countBy(
  handle: OrgHandle,
  resource: Resource,
  name: string,
  scope: Scope,
): Promise<ReadonlyMap<string, number>> {
  if (scope === 'all' && resource.fields[name]?.spec.isStored && isTallied(resource.table, name))
    return talliesOf(handle, resource.table, name)
  const beside = resource.fields[name]?.spec.beside
  // Beside each row there is one: where all of them count, those alone say how many.
  const each =
    scope === 'all' && beside
      ? sql`select ${raw(`t.${beside.column}`)} as value from ${raw(beside.table)} t where t.org = :org`
      : sql`select ${raw(columnOf(resource, name, false, true))} as value
          from ${raw(resource.table)} t${raw(joinBeside(resource, [name]))}
          where ${await visible(handle, resource, scope, [name])}`
  const { text, values } = render(sql`select c.value, count(*) as n from (${each}) c group by c.value order by c.value`)
  const rows = await counted<{ value: string; n: number }>(handle, text, values)
  return new Map(rows.map(({ value, n }) => [value, n]))
}

/**
 * How many rows of the caller's scope there are, of those that a condition on `t` (and `beside`) holds for; it looks at
 * these fields.
 */
export async function countWhere(
  handle: OrgHandle,
  resource: Resource,
  scope: Scope,
  condition?: Sql,
  fields: readonly string[] = [],
): Promise<number> {
  if (scope === 'all' && !condition && isTallied(resource.table)) return tallyOf(handle, resource.table)
  const { text, values } = render(
    sql`select count(*) as n from ${raw(resource.table)} t${raw(joinBeside(resource, fields))}
      where ${await visible(handle, resource, scope, fields)} and ${condition ?? sql`true`}`,
  )
  const [row] = await counted<{ n: number }>(handle, text, values)
  return row?.n ?? 0
}

export const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((total, n) => total + n, 0)

/** Every name with its count, those that do not occur too. */
export const withAll = (names: readonly string[], counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0]))
