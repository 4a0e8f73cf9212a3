import { type Following, followersOf } from '../kept/following.ts'
import { Kept } from '../kept/kept.ts'
import { perEngine } from '../kept/per-engine.ts'
import { keyOfValues } from '../kept/value-key.ts'
import type { OrgHandle } from '../org.ts'
import type { AnyRow } from '../resource.ts'
import type { AskedList, SeekOrder } from './list-plan.ts'
import { type Keys, MarkList } from './mark-list.ts'

// OFFSET reads and throws away every row before the page. Marks remember the sort keys of every STRIDE-th row passed on
// the way, per list as it is now, so that the next deep page starts at the nearest one. They move with what is written
// here: a list of a million is not walked again for one row.

const STRIDE = 100
/**
 * Whoever leafs on gets there without another walk, mostly: so many strides at first, then so many times what is known.
 */
const AT_FIRST = 50
const AHEAD = 4
/** So many lists follow a change of so many rows; others are walked anew when they are asked for. */
const FOLLOWING = 8
const FEW_ROWS = 20

interface Mark {
  position: number
  keys: Keys
}

interface Marks {
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  readonly asked: AskedList
  readonly seek: SeekOrder
  readonly list: MarkList
  /** Whoever comes while the list is walked waits for the same walk. */
  walking: Promise<void> | undefined
}

/** Bounded by the marks of all lists together: a few megabytes, whatever is asked for. */
const marksOf = perEngine((engine) => {
  const kept = new Kept<Marks>(engine, {
    name: 'marks',
    max: 100,
    maxSize: 50_000,
    sizeOf: ({ list }) => list.length + 1,
  })
  followersOf(engine).add((tx, table) => follow(kept, tx, table))
  return kept
})

/** The mark nearest before a row, where the list's order allows any. */
export async function nearestMark(handle: OrgHandle, asked: AskedList, offset: number): Promise<Mark | undefined> {
  const { seek, order, from, where } = asked.plan
  if (offset < STRIDE || !seek) return undefined
  const kept = marksOf(handle.engine)
  const key = `${handle.org}|${from}|${where}|${order}|${keyOfValues(asked.values)}`
  const marks = await kept.get(handle, key, async (own) => {
    const made = { handle: own, asked, seek, list: new MarkList(STRIDE, seek.direction), walking: undefined }
    await walk(made, offset)
    return made
  })
  while (marks.list.isShortOf(offset)) {
    marks.walking ??= walk(marks, offset).finally(() => {
      marks.walking = undefined
      kept.measure(key, marks)
    })
    await marks.walking
  }
  return marks.list.nearest(offset)
}

/**
 * From the last mark as far as is wanted and a good way on, in one statement: in an order without an index every walk
 * is a sort.
 */
async function walk({ handle, asked: { plan, values }, seek, list }: Marks, offset: number): Promise<void> {
  const bound = [...values]
  const last = list.last
  const where = last ? `${plan.where} and ${after(seek, last.keys, bound)}` : plan.where
  const strides = Math.max(Math.floor(offset / STRIDE), AT_FIRST, AHEAD * list.length) - list.length
  bound.push(strides)
  const rows = await handle.query<AnyRow>(
    `select ${seek.columns.map((_, index) => `m.k${index}`).join(', ')} from (
       select ${keysIn(seek)}, row_number() over (order by ${plan.order}) as n from ${plan.from} where ${where}) m
     where m.n % ${STRIDE} = 0 order by m.n limit $${bound.length}`,
    bound,
    'all',
  )
  list.add(
    rows.map((row) => Object.values(row)),
    rows.length < strides,
  )
}

const keysIn = ({ columns }: SeekOrder): string => columns.map((column, index) => `${column} as k${index}`).join(', ')

/** `(a, b) > ($1, $2)`: after the marked row in the list's order. */
export function after(seek: SeekOrder, keys: Keys, bound: unknown[]): string {
  const placeholders = keys.map((key) => `$${bound.push(key)}`)
  return `(${seek.columns.join(', ')}) ${seek.direction === 'asc' ? '>' : '<'} (${placeholders.join(', ')})`
}

interface Move {
  key: string
  marks: Marks
  from: Array<Keys | undefined>
  to: Array<Keys | undefined>
  length: number
}

/** The lists of a table that are as the organization is before a transaction, and where in each its rows stand. */
async function follow(kept: Kept<Marks>, tx: OrgHandle, table: string): Promise<Following | undefined> {
  const isOwn = ({ handle, asked }: Marks) => handle.org === tx.org && asked.resource.table === table && isByRow(asked)
  // Most of what is written is of no list that somebody has leafed through.
  const versions = kept.some(isOwn) ? await tx.committed() : undefined
  const current = versions ? [...kept.current(isOwn, versions)].slice(0, FOLLOWING) : []
  if (current.length === 0) return undefined
  const stood = current.map(([key, marks]) => ({ key, marks, rows: new Map<string, Keys | undefined>() }))
  return {
    async before(id) {
      for (const { marks, rows } of stood) {
        if (rows.has(id) || rows.size >= FEW_ROWS) continue
        const keys = await keysOf(tx, marks, id)
        // What was waiting to be stored is stored before it is looked for, and looked at by then.
        if (!rows.has(id)) rows.set(id, keys)
      }
    },
    async written(ids) {
      const moves: Move[] = []
      for (const { key, marks, rows } of stood) {
        if (!ids.every((id) => rows.has(id))) continue
        const from = ids.map((id) => rows.get(id))
        const to: typeof from = []
        for (const id of ids) to.push(await keysOf(tx, marks, id))
        moves.push({ key, marks, from, to, length: marks.list.length })
      }
      return (change) => {
        for (const { key, marks, from, to, length } of moves) {
          // Whoever walked on meanwhile may have counted from what is there now.
          const isAsBefore = marks.walking === undefined && marks.list.length === length
          if (isAsBefore && kept.moveAlong(key, marks, table, change)) marks.list.move(from, to)
        }
      }
    },
  }
}

/**
 * Whether a row alone says if it is in the list, and where: none of it hangs on other rows of its table. What somebody
 * limited to places sees may take long to tell, and whoever writes does not wait for that.
 */
function isByRow({ resource: { table }, plan: { from, where, order, isLimited } }: AskedList): boolean {
  if (isLimited) return false
  const text = `${from} ${where} ${order}`
  return text.split(/\W+/).filter((word) => word === table).length === 1
}

/** Where a row stands in a list; undefined: nowhere. */
async function keysOf(tx: OrgHandle, { asked, seek }: Marks, id: string): Promise<Keys | undefined> {
  const { plan, values } = asked
  const bound = [...values, id]
  const [row] = await tx.query<AnyRow>(
    `select ${keysIn(seek)} from ${plan.from} where ${plan.where} and t.id = $${bound.length}`,
    bound,
  )
  return row && Object.values(row)
}
