import { LRUCache } from 'lru-cache'
import { perEngine } from '../kept/per-engine.ts'
import { type Reading, readingOf } from '../kept/statement.ts'
import { keyOfValues } from '../kept/value-key.ts'
import type { OrgHandle } from '../org.ts'
import type { Growth } from '../resource.ts'
import type { AskedList } from './list-plan.ts'

/** What fits of what only grows. */
export interface Grown {
  readonly total: number
  /** Where they stand, in their order; undefined: they are not few. */
  readonly places: readonly number[] | undefined
}

interface Kept extends Grown {
  readonly through: number
  readonly gone: number
  /** After so many changes it was found, by what it was looked for. */
  readonly data: number
  readonly live: number
  readonly elsewhere: Reading
}

/** Of so many it is kept where they stand: a page of them is found without looking for them again. */
export const FEW = 5000
const AT_MOST = 1_000_000
const kept = perEngine(
  () =>
    new LRUCache<string, Kept>({
      max: 1000,
      maxSize: AT_MOST,
      sizeCalculation: ({ places }) => 1 + (places?.length ?? 0),
    }),
)
/** So many that came since are looked at one by one; what has a limit is worked out by itself, on both engines. */
const AT_ONCE = 2000
/** Conditions that the index serves then: the organization, and both ends of what came. */
const SERVED = 3

/** Looked for once; from then on those that came since are added to those that were there. */
export async function grownOf(handle: OrgHandle, list: AskedList, growth: Growth): Promise<Grown> {
  const { plan, values } = list
  const { last, gone, stored } = await growth.of(handle)
  if (plan.where === 't.org = :org') return { total: stored, places: undefined }
  const unwritten = plan.isOfLater ? await growth.later.firstWithout(handle) : undefined
  const through = Math.min(last, (unwritten ?? Number.POSITIVE_INFINITY) - 1)
  const key = `${handle.org}|${plan.from}|${plan.where}|${keyOfValues(values)}`
  // Rows that are there do not change; what they are looked for by may, such as the name of a door.
  const versions = await handle.versions()
  const { data, live } = versions
  const known = kept(handle.engine).get(key)
  const isKnown =
    known?.gone === gone && known.through <= through && !versions.hasMovedIn(known.elsewhere, known.data, known.live)
  const found = isKnown ? await grownBy(handle, list, known, known.through, through) : await anew(handle, list, through)
  const elsewhere = known?.elsewhere ?? elsewhereIn(list)
  kept(handle.engine).set(key, { ...found, through, gone, data, live, elsewhere })
  // What may still change is looked at each time.
  return grownBy(handle, list, found, through, last)
}

/** What it goes by beside its own rows. */
function elsewhereIn({ plan, resource }: AskedList): Reading {
  const reading = readingOf(`select 1 from ${plan.from} where ${plan.where}`)
  return { ...reading, tables: new Map([...reading.tables].filter(([table]) => table !== resource.table)) }
}

async function anew(handle: OrgHandle, list: AskedList, last: number): Promise<Grown> {
  const { stretches } = list
  const ranges: Range[] = stretches ? [...stretches.list, [stretches.through + 1, last]] : [[1, last]]
  // Of all that there is, an index of what is asked for leads to what fits; SQLite would go through all of it in its
  // order.
  const isLed = !stretches && last > AT_ONCE && handle.dialect.name === 'sqlite'
  const found: Grown = { total: 0, places: [] }
  // What is known of where they lie may reach further than what is settled.
  return ranges
    .map(([from, to]): Range => [from, Math.min(to, last)])
    .filter(([from, to]) => from <= to)
    .reduce(async (before, range) => grownIn(handle, list, await before, range, isLed), Promise.resolve(found))
}

const grownBy = async (
  handle: OrgHandle,
  list: AskedList,
  before: Grown,
  after: number,
  last: number,
): Promise<Grown> => (after < last ? grownIn(handle, list, before, [after + 1, last]) : before)

type Range = readonly [from: number, to: number]

/** Adds what fits between two places. */
async function grownIn(
  handle: OrgHandle,
  list: AskedList,
  before: Grown,
  [from, to]: Range,
  isLed = false,
): Promise<Grown> {
  const { plan, resource, values } = list
  const isMuch = to - from >= AT_ONCE
  const sequence = isLed ? '+t.sequence' : 't.sequence'
  const between = (row: string, at: string) =>
    `${row}.org = :org and ${at} >= $${values.length + 1} and ${at} <= $${values.length + 2}`
  // What came since is read by itself first: an index of what is asked for may lead to all that was there before.
  const rows = isMuch
    ? `${resource.table} t`
    : `(select e.* from ${resource.table} e where ${between('e', 'e.sequence')} limit ${AT_ONCE}) t`
  const ask = <Row>(what: string, limit: string): Promise<Row[]> =>
    handle.query<Row>(
      `select ${what} from ${rows} where ${plan.where}${isLed ? plan.present : ''}
        and ${between('t', sequence)}${limit}`,
      [...values, from, to],
      isMuch ? 'all' : SERVED,
    )
  if (before.places) {
    const found = await ask<{ sequence: number }>('t.sequence', ` limit ${FEW + 1}`)
    const more = found.map((row) => row.sequence).sort((one, other) => one - other)
    const places = more.length === 0 ? before.places : [...before.places, ...more]
    if (places.length <= FEW) return { total: places.length, places }
  }
  const [row] = await ask<{ total: number }>('count(*) as total', '')
  return { total: before.total + (row?.total ?? 0), places: undefined }
}
