import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import { keyOfValues } from '../kept/value-key.ts'
import type { OrgHandle } from '../org.ts'
import type { AnyRow } from '../resource.ts'
import type { AskedList, SeekOrder } from './list-plan.ts'

// OFFSET reads and throws away every row before the page. Marks remember the sort keys of every STRIDE-th row passed on
// the way, per list as it is now, so that the next deep page starts at the nearest one.

const STRIDE = 100
/**
 * Whoever leafs on gets there without another walk, mostly: so many strides at first, then so many times what is known.
 */
const AT_FIRST = 50
const AHEAD = 4

interface Mark {
  position: number
  keys: unknown[]
}

interface Marks {
  /** What reads for it, whoever asks. */
  handle: OrgHandle
  /** The keys of the last row of each full stride; list[0] stands before row STRIDE. */
  list: unknown[][]
  end: boolean
  /** Whoever comes while the list is walked waits for the same walk. */
  walking: Promise<void> | undefined
}

/** Bounded by the marks of all lists together: a few megabytes, whatever is asked for. */
const marksOf = perEngine(
  (engine) =>
    new Kept<Marks>(engine, { name: 'marks', max: 100, maxSize: 50_000, sizeOf: ({ list }) => list.length + 1 }),
)

/** The mark nearest before a row, where the list's order allows any. */
export async function nearestMark(
  handle: OrgHandle,
  asked: AskedList,
  offset: number,
): Promise<Mark | 'past_the_end' | undefined> {
  const wanted = Math.floor(offset / STRIDE)
  const { seek, order, from, where } = asked.plan
  if (wanted === 0 || !seek) return undefined
  const kept = marksOf(handle.engine)
  const key = `${handle.org}|${from}|${where}|${order}|${keyOfValues(asked.values)}`
  const known = await kept.get(handle, key, async (own) => {
    const marks: Marks = { handle: own, list: [], end: false, walking: undefined }
    await walk(asked, seek, marks, wanted)
    return marks
  })
  while (known.list.length < wanted && !known.end) {
    known.walking ??= walk(asked, seek, known, wanted).finally(() => {
      known.walking = undefined
      kept.measure(key, known)
    })
    await known.walking
  }
  const keys = known.list[wanted - 1]
  return keys ? { position: wanted * STRIDE, keys } : 'past_the_end'
}

/**
 * From the last mark as far as is wanted and a good way on, in one statement: in an order without an index every walk
 * is a sort.
 */
async function walk({ plan, values }: AskedList, seek: SeekOrder, marks: Marks, wanted: number): Promise<void> {
  const bound = [...values]
  const last = marks.list.at(-1)
  const where = last ? `${plan.where} and ${after(seek, last, bound)}` : plan.where
  const columns = seek.columns.map((column, index) => `${column} as k${index}`).join(', ')
  const strides = Math.max(wanted, AT_FIRST, AHEAD * marks.list.length) - marks.list.length
  bound.push(strides)
  const rows = await marks.handle.query<AnyRow>(
    `select ${seek.columns.map((_, index) => `m.k${index}`).join(', ')} from (
       select ${columns}, row_number() over (order by ${plan.order}) as n from ${plan.from} where ${where}) m
     where m.n % ${STRIDE} = 0 order by m.n limit $${bound.length}`,
    bound,
    'all',
  )
  for (const row of rows) marks.list.push(Object.values(row))
  marks.end = rows.length < strides
}

/** `(a, b) > ($1, $2)`: after the marked row in the list's order. */
export function after(seek: SeekOrder, keys: readonly unknown[], bound: unknown[]): string {
  const placeholders = keys.map((key) => `$${bound.push(key)}`)
  return `(${seek.columns.join(', ')}) ${seek.direction === 'asc' ? '>' : '<'} (${placeholders.join(', ')})`
}
