import type { OrgHandle } from '../org.ts'
import { InSelected, render, Sql, sql } from '../sql.ts'
import { Kept } from './kept.ts'
import { perEngine } from './per-engine.ts'
import { keyOfValues } from './value-key.ts'

// What has to do with a caller's places is found by sets that hardly change: the groups that may go there, the key
// types that open a door there. Each list, search, count and item would work them out anew, and in many places that is
// most of its time.

/** More of them are worked out by each statement: to send so many takes longer. */
const MOST = 5000

interface Ids {
  /** Undefined: they are too many. */
  readonly list: readonly string[] | undefined
}

/** By the ids of all sets together: a few megabytes. */
const idsOf = perEngine(
  (engine) =>
    new Kept<Ids>(engine, {
      name: 'ids_of_places',
      max: 1000,
      maxSize: 200_000,
      sizeOf: ({ list }) => 10 + (list?.length ?? 0),
      isGivenUp: engine.dialect.name === 'postgres',
    }),
)

/** The same condition, the ids of its sets bound. */
export async function withKeptIds(handle: OrgHandle, condition: Sql): Promise<Sql> {
  if (condition instanceof InSelected) {
    const { list } = await keptIds(handle, condition.select)
    return list ? handle.dialect.inList(condition.column, list, 'uuid') : condition
  }
  const values: unknown[] = []
  let isOther = false
  for (const value of condition.values) {
    const known = value instanceof Sql ? await withKeptIds(handle, value) : value
    isOther ||= known !== value
    values.push(known)
  }
  return isOther ? new Sql(condition.strings, values) : condition
}

/** What such a set holds. */
export async function idsSelected(handle: OrgHandle, select: Sql): Promise<readonly string[]> {
  const { list } = await keptIds(handle, select)
  return list ?? (await handle.all<{ id: string }>(select)).map(({ id }) => id)
}

function keptIds(handle: OrgHandle, select: Sql): Ids | Promise<Ids> {
  const { text, values } = render(select)
  // A change that has written some of it asks as it would without: mostly about one row, which needs no set.
  const make = handle.isTransaction ? async () => UNKNOWN : (own: OrgHandle) => load(own, select)
  return idsOf(handle.engine).get(handle, `${handle.org}|${text}|${keyOfValues(values)}`, make)
}

const UNKNOWN: Ids = { list: undefined }

async function load(handle: OrgHandle, select: Sql): Promise<Ids> {
  const { text, values } = render(
    sql`with selected (id) as (${select}) select distinct c.id from selected c where c.id is not null limit
      ${MOST + 1}`,
  )
  const rows = await handle.query<{ id: string }>(text, values, 'all')
  return { list: rows.length > MOST ? undefined : rows.map(({ id }) => id) }
}
