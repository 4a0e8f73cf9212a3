import { Kept } from './kept.ts'
import type { AskedList } from './list-plan.ts'
import type { OrgHandle } from './org.ts'
import { perEngine } from './per-engine.ts'

/** A backend of PostgreSQL counts for nobody once all have left; a thread on SQLite has its end in sight, and others will be glad of it. */
const countsOf = perEngine(
  (engine) => new Kept<object[]>(engine, { name: 'totals', max: 2000, isGivenUp: engine.dialect.name === 'postgres' }),
)

/** What a statement counts: asked once, whoever asks at once, and kept while nothing that it looks at has changed. */
export const counted = <Row extends object>(handle: OrgHandle, text: string, values: readonly unknown[]): Promise<Row[]> =>
  countsOf(handle.engine).get(handle, `${handle.org}|${text}|${JSON.stringify(values)}`, (own) =>
    own.query<object>(text, [...values], 'all'),
  ) as Promise<Row[]>

export async function totalOf(handle: OrgHandle, { resource, plan, values }: AskedList): Promise<number> {
  const text = `select count(*) as total from ${plan.from} where ${plan.where}`
  const [row] = await (resource.isVolatile
    ? handle.query<{ total: number }>(text, [...values], 'all')
    : counted<{ total: number }>(handle, text, values))
  return row?.total ?? 0
}
