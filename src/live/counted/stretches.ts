import { LRUCache } from 'lru-cache'
import type { PlaceSet } from '../../core/rights.ts'
import { kindIn, STRETCH } from '../../db/along/event-stretches.ts'
import { idsSelected } from '../../db/kept/kept-ids.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { type Counted, inAll } from '../../db/lists/counted.ts'
import type { Stretches } from '../../db/lists/list-plan.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOfScope } from '../../db/scope.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { type Condition, type Filter, filtersIn, isGroup } from '../../query/filters.ts'
import { systemsStandingThere } from '../intake/event-row.ts'
import { type Block, Blocks, type CountedKind, type TimeField, type Told } from './blocks.ts'
import { addTo, Groups } from './groups.ts'
import { growthOf } from './growth.ts'
import { isAsked, isByPlace, isByVerdict, type KindTest, kindTest } from './kinds.ts'

// Events are stored in about the order in which they happen. Of each stretch of that order it is known when what lies
// in it happened, and how many there are of each kind: what is asked for by time is looked for in few of them, and what
// is asked for by time and kind is counted by what is known.

/** So many are gone through as quickly as looked up. */
const FEW = 20_000
/** So many stretches are counted in part while somebody waits. */
const IN_PART = 20
/** So many stretches are told apart. */
const MOST = 8

/** What a time must be. */
interface Bound {
  field: TimeField
  operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
  value: string
}

const known = perEngine(() => new LRUCache<string, Blocks>({ max: 200 }))

/**
 * Where in the order that lies which is asked for, and how many there are in some places, where time and kind are all
 * that is asked for.
 */
interface Found {
  stretches?: Stretches
  counted?: (places: readonly PlaceSet[], by: readonly string[]) => Promise<readonly Counted[] | undefined>
}

export async function stretchesOf(handle: OrgHandle, filters: readonly Condition[]): Promise<Found> {
  const bounds = filters.flatMap((filter) => boundOf(filter) ?? [])
  const kinds = filters.flatMap((filter) => kindTest(filter) ?? [])
  const counted: Found['counted'] = async (places, by) => {
    const groups = Groups.by(by)
    const fields = [...by, ...filtersIn(filters).map(({ field }) => field)]
    if (!groups) return undefined
    // How many there are in all is known anyway.
    if (fields.length + places.length === 0) return inAll(async () => (await growthOf(handle)).stored)(by)
    return countedIn(handle, { bounds, kinds, fields, groups }, places)
  }
  const isKnown = bounds.length + kinds.length === filters.length
  if (bounds.length === 0) return isKnown ? { counted } : {}
  const blocks = await blocksOf(handle, 'kind')
  if (!blocks) return {}
  return {
    stretches: { list: stretched(blocks, bounds), through: blocks.through },
    ...(isKnown ? { counted } : {}),
  }
}

/** All up to now; undefined: they are so few that none is needed. */
async function blocksOf(handle: OrgHandle, told: Told, isByVerdict = false): Promise<Blocks | undefined> {
  const { last, gone } = await growthOf(handle)
  if (last <= FEW) return undefined
  const key = `${handle.org} ${told}`
  let blocks = known(handle.engine).get(key)
  if (blocks?.gone !== gone) {
    blocks = new Blocks(gone, told)
    known(handle.engine).set(key, blocks)
  }
  await blocks.reach(handle, last, isByVerdict)
  return blocks
}

/** None of it is asked for, or all. */
const isSettled =
  (bounds: readonly Bound[]) =>
  (block: Block): boolean =>
    !bounds.every((bound) => mayFit(block, bound)) || bounds.every((bound) => fits(block, bound))

/** Neighbours as one; the nearest to each other too, until they are few. */
function stretched(blocks: Blocks, bounds: readonly Bound[]): Array<[number, number]> {
  const { through } = blocks
  const list: Array<[number, number]> = []
  for (const { block, first, size } of blocks.inOrder(isSettled(bounds))) {
    if (!bounds.every((bound) => mayFit(block, bound))) continue
    const [from, to] = [first * STRETCH + 1, Math.min(through, (first + size) * STRETCH)]
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
  kinds: readonly KindTest[]
  /** By all of which they are told apart. */
  fields: readonly string[]
  groups: Groups
}

/**
 * Whole stretches by what is known of them, and what happened at their edges by looking. Undefined: there are too many
 * edges.
 */
async function countedIn(handle: OrgHandle, asked: Asked, places: readonly PlaceSet[]): Promise<Counted[] | undefined> {
  const { bounds, fields, groups } = asked
  const blocks = await blocksOf(handle, places.length > 0 || isByPlace(fields) ? 'place' : 'kind', isByVerdict(fields))
  if (!blocks) return undefined
  const kinds = [...asked.kinds, ...(await seenFrom(handle, places))]
  const fitting = blocks.kinds.fitting(kinds, (kind) => groups.of(kind))
  if (bounds.length === 0) {
    addTo(
      fitting,
      blocks.sums.flatMap((count, kind) => [kind, count]),
    )
    return groups.list
  }
  const edges: number[] = []
  for (const { block, first } of blocks.inOrder(isSettled(bounds))) {
    if (!bounds.every((bound) => mayFit(block, bound))) continue
    if (bounds.every((bound) => fits(block, bound))) addTo(fitting, block.counts)
    else edges.push(first)
  }
  if (edges.length > IN_PART) return undefined
  for (const edge of edges)
    for (const row of await lookedAt(handle, blocks, edge, asked))
      if (isAsked(row, kinds)) groups.of(row).count += row.count
  return groups.list
}

/** What a full stretch holds stays as it is, but for verdicts: that is looked at once. */
async function lookedAt(
  handle: OrgHandle,
  blocks: Blocks,
  stretch: number,
  { bounds, fields }: Asked,
): Promise<readonly CountedKind[]> {
  const [after, to] = [stretch * STRETCH, (stretch + 1) * STRETCH]
  const isKept = to <= blocks.through && !isByVerdict(fields)
  const key = JSON.stringify([stretch, bounds])
  const kept = isKept ? blocks.looked.get(key) : undefined
  if (kept) return kept
  const times = bounds.map(({ field, operator, value }) => sql`${raw(`t.${field} ${SIGNS[operator]}`)} ${value}`)
  // Few rows, however many events: what is asked for of them is told by the caller.
  const rows = await handle.all<CountedKind>(sql`select e.*, count(*) as count from (select ${raw(kindIn('t'))}
    from (select * from access_events t where t.org = :org and t.sequence > ${after}
    and t.sequence <= ${Math.min(blocks.through, to)}
      limit ${STRETCH}) t where ${join(times, ' and ')}) e
    group by 1, 2, 3, 4, 5, 6, 7`)
  if (isKept) blocks.looked.set(key, rows)
  return rows
}

/** As `isSeenFrom` says it of rows: a building, or of what has no door where its system stands. */
async function seenFrom(handle: OrgHandle, places: readonly PlaceSet[]): Promise<KindTest[]> {
  const tests: KindTest[] = []
  for (const place of places) {
    const there = new Set(await idsSelected(handle, systemsStandingThere(await placesOfScope(handle, place))))
    tests.push(({ building_id = '', system_id = '' }) => place.buildings.has(building_id) || there.has(system_id))
  }
  return tests
}

const SIGNS: Record<Bound['operator'], string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function boundOf(condition: Condition): Bound | undefined {
  if (isGroup(condition) || condition.negated || !isTime(condition.field) || !(condition.operator in SIGNS))
    return undefined
  const { field, operator, operand } = condition as Filter & { operator: Bound['operator'] }
  // Finer than what is stored is not compared as a text.
  return typeof operand === 'string' && operand.length === MILLISECONDS && isTime(field)
    ? { field, operator, value: operand }
    : undefined
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
