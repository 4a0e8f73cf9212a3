import type { Engine, Session } from '../engine.ts'
import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import type { OrgHandle } from '../org.ts'
import { STRETCHES_AMISS, STRETCHES_ANEW } from './event-stretches.ts'
import { namesOf, recounting, tallied, tallyName } from './tally-triggers.ts'
import { DOORS_AMISS, DOORS_ANEW } from './where-doors-stand.ts'

/** Whether somebody keeps count of a table's rows, and by this column. */
export const isTallied = (table: string, column?: string): boolean => {
  const columns = tallied.get(table)
  return columns !== undefined && (column === undefined || columns.includes(column))
}

const counts = perEngine((engine) => new Kept<Map<string, number>>(engine, { name: 'tallies', max: 1000 }))

/**
 * How many rows of a table there are by each value of a column; without a column, under the empty text how many there
 * are.
 */
export const talliesOf = (
  handle: OrgHandle,
  table: string,
  column?: string,
): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>> =>
  counts(handle.engine).get(handle, `${handle.org} ${tallyName(table, column)}`, (own) => load(own, table, column))

async function load(handle: OrgHandle, table: string, column: string | undefined): Promise<Map<string, number>> {
  // What is counted moves the counts: the triggers are named in no statement.
  handle.reads.noteLooking(table, column === undefined ? [] : [column])
  const rows = await handle.query<{ value: string; count: number }>(
    'select t.value, t.count from tallies t where t.org = :org and t.name = $1',
    [tallyName(table, column)],
  )
  return new Map(rows.filter(({ count }) => count !== 0).map(({ value, count }) => [value, count]))
}

export const tallyOf = async (handle: OrgHandle, table: string): Promise<number> =>
  (await talliesOf(handle, table)).get('') ?? 0

export interface Miscount {
  org: number
  name: string
  value: string
  /** As kept, and as the rows are. */
  kept: number
  counted: number
}

/** Counts everything that is kept, and names what differs. One name at a time: both of it as of one moment. */
export async function miscounts(session: Session): Promise<Miscount[]> {
  const found: Miscount[] = []
  for (const name of allNames()) {
    const rows = await session.all<Miscount>(
      `select org, name, value, sum(kept) as kept, sum(counted) as counted from (
         select org, name, value, count as kept, 0 as counted from tallies where name = $1
         union all select org, name, value, 0, count from (${recounting(name)} group by t.org, value) as c) as b
       group by org, name, value having sum(kept) <> sum(counted) order by org, value`,
      [name],
    )
    found.push(...rows)
  }
  for (const amiss of [STRETCHES_AMISS, DOORS_AMISS]) found.push(...(await session.all<Miscount>(amiss, [])))
  return found
}

/** Counts everything anew, and keeps that. */
export const recount = (engine: Engine): Promise<void> =>
  engine.transaction(
    async (session) => {
      await session.run('delete from tallies', [])
      for (const name of allNames())
        await session.run(`insert into tallies (org, name, value, count) ${recounting(name)} group by 1, 2, 3`, [])
      await session.run('delete from event_stretches', [])
      await session.run(STRETCHES_ANEW, [])
      await session.run(DOORS_ANEW, [])
    },
    { isUnhurried: true },
  )

const allNames = (): string[] => [...tallied].flatMap(([table, columns]) => namesOf(table, columns))
