import { LRUCache } from 'lru-cache'
import { perEngine } from '../db/kept/per-engine.ts'
import type { Stretches } from '../db/lists/list-plan.ts'
import { OrgHandle } from '../db/org.ts'
import { join, raw, type Sql, sql } from '../db/sql.ts'
import { type Condition, type Filter, isGroup } from '../query/filters.ts'
import { growthOf } from './growth.ts'
import { type AskedKind, addKind, askedKind, countFitting, KIND_COLUMNS, type Kind, type KindCounts, Kinds, kindSql } from './kinds.ts'

// Events are stored in about the order in which they happen. Of each stretch of that order it is known when what lies in it happened, and
// how many there are of each kind: what is asked for by time is looked for in few of them, and what is asked for by time and kind is
// counted by what is known.

const SIZE = 2000
/** So many are added while somebody waits; more are read beside. */
const SOON = 20_000
/** So many stretches are read with one statement, and so many are counted in part while somebody waits. */
const TOGETHER = 50
const IN_PART = 20
/** So many stretches are told apart. */
const MOST = 8

type TimeField = 'occurred_at' | 'received_at'
type Times = Record<TimeField, { first: string; last: string }>

interface Block {
  counts: KindCounts
  /** Undefined where it is empty. */
  times: Times | undefined
}

/** What a time must be. */
interface Bound {
  field: TimeField
  operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
  value: string
}

/** So many are read where whoever asks is served. */
const FEW = 500
const GROWN = `select (t.sequence - 1) / ${SIZE} as block, count(*) as count,
    min(t.occurred_at) as occurred_first, max(t.occurred_at) as occurred_last,
    min(t.received_at) as received_first, max(t.received_at) as received_last, ${KIND_COLUMNS}
  from access_events t where t.org = :org and t.sequence > $1 and t.sequence <= $2 group by 1, ${KIND_COLUMNS}`

class Blocks {
  readonly gone: number
  readonly list: Block[] = []
  readonly kinds = new Kinds()
  through = 0
  private growing: Promise<void> | undefined

  constructor(gone: number) {
    this.gone = gone
  }

  /** Whether all up to there is known; what is missing is read by somebody who may take their time. */
  async reaches(handle: OrgHandle, last: number): Promise<boolean> {
    while (this.through < last) {
      const isSoon = last - this.through <= SOON
      this.growing ??= this.grow(handle, last).finally(() => {
        this.growing = undefined
      })
      if (!isSoon) {
        // Whoever asks next tries again.
        this.growing.catch(() => undefined)
        return false
      }
      await this.growing
    }
    return true
  }

  private async grow({ engine, org, instant }: OrgHandle, last: number): Promise<void> {
    const handle = new OrgHandle(engine, org, instant, engine.unhurried)
    while (this.through < last) {
      const to = Math.min(last, (Math.floor(this.through / SIZE) + TOGETHER) * SIZE)
      const rows = await handle.query<Grown>(GROWN, [this.through, to], to - this.through <= FEW ? 'few' : 'all')
      while (this.list.length * SIZE < to) this.list.push({ counts: [], times: undefined })
      for (const row of rows) this.add(row)
      this.through = to
    }
  }

  private add(row: Grown): void {
    const block = this.list[row.block] as Block
    const times = {
      occurred_at: { first: row.occurred_first, last: row.occurred_last },
      received_at: { first: row.received_first, last: row.received_last },
    }
    addKind(block.counts, this.kinds.numberOf(row), row.count)
    for (const field of ['occurred_at', 'received_at'] as const) {
      const known = block.times?.[field]
      if (!known) continue
      if (known.first < times[field].first) times[field].first = known.first
      if (known.last > times[field].last) times[field].last = known.last
    }
    block.times = times
  }
}

interface Grown extends Kind {
  block: number
  count: number
  occurred_first: string
  occurred_last: string
  received_first: string
  received_last: string
}

const known = perEngine(() => new LRUCache<number, Blocks>({ max: 100 }))

/** Where in the order that lies which is asked for, and how many there are where time and kind are all that is asked for. */
interface Found {
  stretches?: Stretches
  total?: (() => Promise<number>) | undefined
}

export async function stretchesOf(handle: OrgHandle, filters: readonly Condition[]): Promise<Found> {
  const bounds = filters.flatMap((filter) => boundOf(filter) ?? [])
  const kinds = filters.flatMap((filter) => askedKind(filter) ?? [])
  const isAsked = bounds.length + kinds.length > 0
  // The first who asks for anything has them made for whoever asks by time or kind.
  if (!isAsked && known(handle.engine).has(handle.org)) return {}
  const { last, gone } = await growthOf(handle)
  if (last <= SOON) return {}
  let blocks = known(handle.engine).get(handle.org)
  if (blocks?.gone !== gone) {
    blocks = new Blocks(gone)
    known(handle.engine).set(handle.org, blocks)
  }
  const isKnown = await blocks.reaches(handle, last)
  if (!isAsked || !isKnown) return {}
  const { through } = blocks
  const may = blocks.list.map((block) => bounds.every((bound) => mayFit(block, bound)))
  const total = bounds.length + kinds.length === filters.length ? counting(handle, blocks, { bounds, kinds }, may) : undefined
  return bounds.length === 0 ? { total } : { stretches: { list: stretched(may, through), through }, total }
}

/** Neighbours as one; the nearest to each other too, until they are few. */
function stretched(may: readonly boolean[], through: number): Array<[number, number]> {
  const list: Array<[number, number]> = []
  for (const [index, isAsked] of may.entries()) {
    if (!isAsked) continue
    const [from, to] = [index * SIZE + 1, Math.min(through, (index + 1) * SIZE)]
    const before = list.at(-1)
    if (before?.[1] === from - 1) before[1] = to
    else list.push([from, to])
  }
  while (list.length > MOST) {
    const gaps = list.slice(1).map(([from], index) => from - (list[index]?.[1] ?? 0))
    const nearest = gaps.indexOf(Math.min(...gaps))
    list.splice(nearest, 2, [list[nearest]?.[0] ?? 1, list[nearest + 1]?.[1] ?? through])
  }
  return list
}

interface Asked {
  bounds: readonly Bound[]
  kinds: readonly AskedKind[]
}

/** Whole stretches by what is known of them, and what happened at their edges one by one. */
function counting(handle: OrgHandle, blocks: Blocks, { bounds, kinds }: Asked, may: readonly boolean[]): Found['total'] {
  const isFitting = blocks.kinds.fitting(kinds)
  let whole = 0
  const parts: Sql[] = []
  for (const [index, block] of blocks.list.entries()) {
    if (!may[index]) continue
    if (bounds.every((bound) => fits(block, bound))) whole += countFitting(block.counts, isFitting)
    else parts.push(sql`t.sequence > ${index * SIZE} and t.sequence <= ${Math.min(blocks.through, (index + 1) * SIZE)}`)
  }
  if (parts.length > IN_PART) return undefined
  const times = bounds.map(({ field, operator, value }) => sql`${raw(`t.${field} ${SIGNS[operator]}`)} ${value}`)
  const conditions = join([...times, ...kindSql(handle.dialect, kinds)], ' and ')
  return async () => {
    let total = whole
    for (const part of parts) {
      const row = await handle.one<{ n: number }>(sql`
        select count(*) as n from (select t.occurred_at, t.received_at, ${raw(KIND_COLUMNS)} from access_events t
          where t.org = :org and ${part} limit ${SIZE}) t where ${conditions}`)
      total += row?.n ?? 0
    }
    return total
  }
}

const SIGNS: Record<Bound['operator'], string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function boundOf(condition: Condition): Bound | undefined {
  if (isGroup(condition) || condition.negated || !isTime(condition.field) || !(condition.operator in SIGNS)) return undefined
  const { field, operator, operand } = condition as Filter & { operator: Bound['operator'] }
  // Finer than what is stored is not compared as a text.
  return typeof operand === 'string' && operand.length === MILLISECONDS && isTime(field) ? { field, operator, value: operand } : undefined
}

const MILLISECONDS = '2026-05-04T08:30:00.000Z'.length

const isTime = (field: string): field is TimeField => field === 'occurred_at' || field === 'received_at'

/** Whether any of it may be asked for. */
function mayFit({ times }: Block, { field, operator, value }: Bound): boolean {
  if (!times) return false
  const { first, last } = times[field]
  if (operator === 'gt') return last > value
  if (operator === 'gte') return last >= value
  if (operator === 'lt') return first < value
  return operator === 'lte' ? first <= value : first <= value && last >= value
}

/** Whether all of it is. */
function fits({ times }: Block, { field, operator, value }: Bound): boolean {
  if (!times) return true
  const { first, last } = times[field]
  if (operator === 'gt') return first > value
  if (operator === 'gte') return first >= value
  if (operator === 'lt') return last < value
  return operator === 'lte' ? last <= value : first === value && last === value
}
