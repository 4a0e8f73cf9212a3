import { LRUCache } from 'lru-cache'
import { isTallied, talliesOf, tallyOf } from '../along/tallies.ts'
import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import type { OrgHandle } from '../org.ts'
import type { Resource } from '../resource.ts'
import type { AskedList } from './list-plan.ts'

/** A backend of PostgreSQL counts for nobody once all have left; a thread on SQLite has its end in sight, and others will be glad of it. */
const countsOf = perEngine(
  (engine) => new Kept<object[]>(engine, { name: 'totals', max: 2000, isGivenUp: engine.dialect.name === 'postgres' }),
)

/** What a statement counts: asked once, whoever asks at once, and kept while nothing that it looks at has changed. */
export const counted = <Row extends object>(handle: OrgHandle, text: string, values: readonly unknown[]): Promise<Row[]> =>
  countsOf(handle.engine).get(handle, `${handle.org}|${text}|${JSON.stringify(values)}`, (own) =>
    own.query<object>(text, [...values], 'all'),
  ) as Promise<Row[]>

interface Grown {
  total: number
  through: number
  gone: number
}

const grown = perEngine(() => new LRUCache<string, Grown>({ max: 1000 }))

/** So many that came since are looked at one by one; what has a limit is worked out by itself, on both engines. */
const FEW = 2000
/** Conditions that the index serves then: the organization, and both ends of what came. */
const SERVED = 3

/** Of what only grows, those that came since are counted, and added to those that were there. */
async function grownTotal(handle: OrgHandle, { plan, values, resource, stretches }: AskedList, growth: NonNullable<Resource['growth']>) {
  const { last, gone, stored } = await growth(handle)
  if (plan.where === 't.org = :org') return stored
  const key = `${handle.org}|${plan.from}|${plan.where}|${JSON.stringify(values)}`
  const known = grown(handle.engine).get(key)
  const before = known?.gone === gone && known.through <= last ? known : { total: 0, through: 0, gone }
  if (before.through === last) return before.total
  const places = values.length
  const isAnew = before.through === 0
  const isMuch = last - before.through > FEW
  // Of all that there is, an index of what is asked for leads to what fits; SQLite would go through all of it in its order.
  const sequence = isAnew && isMuch && !stretches && handle.dialect.name === 'sqlite' ? '+t.sequence' : 't.sequence'
  const between = (row: string, at = sequence) => `${row}.org = :org and ${at} >= $${places + 1} and ${at} <= $${places + 2}`
  // What came since is read by itself first: an index of what is asked for may lead to all that was there before.
  const from = isMuch ? `${resource.table} t` : `(select e.* from ${resource.table} e where ${between('e', 'e.sequence')} limit ${FEW}) t`
  const missing = isAnew && stretches ? [...stretches.list, [stretches.through + 1, last] as const] : [[before.through + 1, last] as const]
  let { total } = before
  for (const [first, end] of missing) {
    if (first > end) continue
    const [row] = await handle.query<{ total: number }>(
      `select count(*) as total from ${from} where ${plan.where} and ${between('t')}`,
      [...values, first, end],
      isMuch ? 'all' : SERVED,
    )
    total += row?.total ?? 0
  }
  grown(handle.engine).set(key, { total, through: last, gone })
  return total
}

export async function totalOf(handle: OrgHandle, list: AskedList): Promise<number> {
  const { resource, plan, values } = list
  if (resource.growth) return grownTotal(handle, list, resource.growth)
  const kept = await keptTotal(handle, resource.table, plan.where, values)
  if (kept !== undefined) return kept
  const text = `select count(*) as total from ${plan.from} where ${plan.where}`
  const [row] = await (resource.isVolatile
    ? handle.query<{ total: number }>(text, [...values], 'all')
    : counted<{ total: number }>(handle, text, values))
  return row?.total ?? 0
}

/** Of all rows, or of those with one value of a column, where that is kept. */
async function keptTotal(handle: OrgHandle, table: string, where: string, values: readonly unknown[]): Promise<number | undefined> {
  if (!isTallied(table)) return undefined
  if (where === 't.org = :org') return tallyOf(handle, table)
  const column = ONE_VALUE.exec(where)?.[1]
  if (column === undefined || !isTallied(table, column)) return undefined
  return (await talliesOf(handle, table, column)).get(String(values[0])) ?? 0
}
const ONE_VALUE = /^t\.org = :org and t\.([a-z_]+) = \$1$/
