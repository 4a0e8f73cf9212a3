import { isTallied, talliesOf, tallyOf } from '../along/tallies.ts'
import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import { keyOfValues } from '../kept/value-key.ts'
import type { OrgHandle } from '../org.ts'
import { grownOf } from './grown.ts'
import type { AskedList } from './list-plan.ts'

/**
 * A backend of PostgreSQL counts for nobody once all have left; a thread on SQLite has its end in sight, and others
 * will be glad of it.
 */
const countsOf = perEngine(
  (engine) => new Kept<object[]>(engine, { name: 'totals', max: 2000, isGivenUp: engine.dialect.name === 'postgres' }),
)

/** What a statement counts: asked once, whoever asks at once, and kept while nothing that it looks at has changed. */
export const counted = <Row extends object>(
  handle: OrgHandle,
  text: string,
  values: readonly unknown[],
): Row[] | Promise<Row[]> =>
  countsOf(handle.engine).get(handle, `${handle.org}|${text}|${keyOfValues(values)}`, (own) =>
    own.query<object>(text, [...values], 'all'),
  ) as Row[] | Promise<Row[]>

export async function totalOf(handle: OrgHandle, list: AskedList): Promise<number> {
  const { resource, plan, values } = list
  if (resource.growth) return (await grownOf(handle, list, resource.growth)).total
  const kept = await keptTotal(handle, resource.table, plan.where, values)
  if (kept !== undefined) return kept
  const text = `select count(*) as total from ${plan.from} where ${plan.where}`
  const [row] = await (resource.isVolatile
    ? handle.query<{ total: number }>(text, [...values], 'all')
    : counted<{ total: number }>(handle, text, values))
  return row?.total ?? 0
}

/** Of all rows, or of those with one value of a column, where that is kept. */
async function keptTotal(
  handle: OrgHandle,
  table: string,
  where: string,
  values: readonly unknown[],
): Promise<number | undefined> {
  if (!isTallied(table)) return undefined
  if (where === 't.org = :org') return tallyOf(handle, table)
  const column = ONE_VALUE.exec(where)?.[1]
  if (column === undefined || !isTallied(table, column)) return undefined
  return (await talliesOf(handle, table, column)).get(String(values[0])) ?? 0
}
const ONE_VALUE = /^t\.org = :org and t\.([a-z_]+) = \$1$/
