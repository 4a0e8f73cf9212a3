import { LRUCache } from 'lru-cache'
import { shapeOf } from '../../query/sql.ts'
import { perEngine } from '../kept/per-engine.ts'
import { type Corrected, type Known, Reads } from '../kept/reads.ts'
import { boundReading, isOfRowsAlone, type Reading, WRITTEN_ALONG } from '../kept/statement.ts'
import type { OrgVersions } from '../kept/versions.ts'
import { metricsOf } from '../metrics.ts'
import type { OrgHandle } from '../org.ts'
import type { Item, Resource } from '../resource.ts'
import { type Resources, resourcesOf } from '../resources.ts'
import { render } from '../sql.ts'
import { tables } from '../tables.ts'
import { askedList, type ListRequest } from './asked-list.ts'
import { foundAmong, looksTogether } from './found-among.ts'
import type { AskedList } from './list-plan.ts'

// A search or filter that finds few rows is known as a whole, by their ids in order. After a change only the rows that
// it wrote are looked at again: mostly they are none of the list's, and every answer that was made from it is good
// still.

/** A list of more rows is read page by page. */
const FEW = 500
/** Of more changed rows than these the list is made anew. */
const FEW_CHANGED = 50
/** So many lists of one shape are corrected together. */
const FEW_LISTS = 64

/** By the ids of all lists together: a few megabytes. */
const listsOf = perEngine((engine) => {
  const lists = new LRUCache<string, ShortList | 'asked' | 'long'>({
    maxSize: 60_000,
    sizeCalculation: (list) => (list instanceof ShortList ? 10 + list.ids.length : 10),
    // Answers that were made from it would keep it in memory.
    dispose: (list) => list instanceof ShortList && list.leave(),
  })
  const shapes = new Map<string, Set<ShortList>>()
  return { lists, shapes, asked: metricsOf(engine).watchCache('short_lists', () => lists.size) }
})

/** The list as a whole, where it is short and not asked for the first time: whoever types a search asks once. */
export async function shortList(
  handle: OrgHandle,
  resource: Resource,
  request: ListRequest,
): Promise<Whole | undefined> {
  if (!isCandidate(handle, resource, request)) return undefined
  const { lists, asked } = listsOf(handle.engine)
  const key = keyOf(handle, resource, request)
  const known = lists.get(key)
  if (known instanceof ShortList) {
    await known.correct()
    if (!known.isGone) {
      asked.hits += 1
      return use(handle, known)
    }
  }
  asked.misses += 1
  if (known === 'long') return undefined
  const made = known === undefined ? 'asked' : ((await make(handle, resource, request)) ?? 'long')
  lists.set(key, made)
  return made instanceof ShortList ? use(handle, made) : undefined
}

/** A list as it is at the moment. */
export interface Whole {
  readonly ids: readonly string[]
  /** Rows of it, by ids in its order. */
  rows(columns: string, ids: readonly string[]): Promise<Item[]>
}

function use(handle: OrgHandle, list: ShortList): Whole {
  list.isUsed = true
  handle.reads.noteCorrected(list)
  return { ids: list.ids, rows: (columns, ids) => list.rows(handle, columns, ids) }
}

/**
 * What a caller who is limited to places sees of a row depends on more than the row. Without any condition totals are
 * kept as it is.
 */
function isCandidate(
  handle: OrgHandle,
  resource: Resource,
  { query, scope, conditions = [], first, counted, after }: ListRequest,
): boolean {
  const isWhole = query.search === null && query.filters.length === 0 && conditions.length === 0
  return (
    !isWhole &&
    scope === 'all' &&
    !first &&
    !counted &&
    after === undefined &&
    !resource.isVolatile &&
    // Which of its rows what happens at the doors has written, nobody says.
    !tables[resource.table]?.isLive &&
    !resource.growth &&
    !handle.isTransaction
  )
}

function keyOf(handle: OrgHandle, resource: Resource, { query, conditions = [], scopeOf }: ListRequest): string {
  const own = conditions.map(render)
  return JSON.stringify([
    handle.org,
    resource.noun,
    query.search,
    shapeOf(query),
    resource.defaultOrder,
    query.filters,
    own,
    query.search === null ? [] : soughtThrough(resourcesOf(handle.engine), resource, scopeOf),
  ])
}

/** Where the caller may look in what the search goes through. */
function soughtThrough(resources: Resources, resource: Resource, scopeOf: ListRequest['scopeOf']): unknown[] {
  return (resource.searchThrough ?? []).map((name) => {
    const other = resources.namedBy(resource, name)
    const scope = other && scopeOf(other)
    const places = typeof scope === 'object' ? [[...scope.locations], [...scope.buildings]] : scope
    return other ? [places, soughtThrough(resources, other, scopeOf)] : []
  })
}

/** Undefined: it is not short, or more than a row tells whether the row belongs to it. */
async function make(handle: OrgHandle, resource: Resource, request: ListRequest): Promise<ShortList | undefined> {
  const { data: since, live } = await handle.versions()
  const conditions = new Reads()
  const asked = await askedList(handle.recording(conditions), resource, request, { isUnled: true })
  const { plan } = asked
  const text = `select t.id from ${plan.from} where ${plan.where} order by ${plan.order}`
  const reading = boundReading(text)
  if (reading.usesClock || reading.isLive || !isOfRowsAlone(text, resource.table)) return undefined
  const reads = new Reads()
  reads.include(conditions)
  const own = handle.recording(reads)
  const led = request.query.search === null ? asked : await askedList(own, resource, request)
  const bound = [...led.values, FEW + 1]
  const rows = await own.query<{ id: string }>(
    `select t.id from ${led.plan.from} where ${led.plan.where} order by ${led.plan.order} limit $${bound.length}`,
    bound,
    led.plan.conditions,
  )
  if (rows.length > FEW) return undefined
  const ids = rows.map(({ id }) => id)
  const shape = JSON.stringify([handle.org, resource.table, plan.where])
  return new ShortList(
    { handle: handle.recording(new Reads()), asked, shape, reading, conditions, reads, since, live },
    ids,
  )
}

interface Made {
  /** What reads for it, whoever asks. */
  readonly handle: OrgHandle
  readonly asked: AskedList
  readonly shape: string
  /** What tells whether a row belongs to it, and where. */
  readonly reading: Reading
  /** What its conditions were made from. */
  readonly conditions: Reads
  readonly reads: Reads
  readonly since: number
  readonly live: number
}

class ShortList implements Corrected {
  readonly reads: Reads
  serial = 0
  ids: readonly string[]
  isGone = false
  /** Asked for since it was last corrected. */
  isUsed = false
  private since: number
  private live: number
  private readonly members: Set<string>
  private readonly made: Made
  private correcting: Promise<void> | undefined

  constructor(made: Made, ids: readonly string[]) {
    this.made = made
    this.reads = made.reads
    this.since = made.since
    this.live = made.live
    this.ids = ids
    this.members = new Set(ids)
    alikeOf(made).add(this)
  }

  /** For whoever is about to answer with what was made from it. */
  isGoodAt(known: Known): boolean {
    this.isUsed = true
    return this.isAt(known)
  }

  private isAt({ data, live }: Known): boolean {
    return !this.isGone && this.since >= data && this.live >= live
  }

  /** Whoever comes while it is corrected waits for that. */
  async correct(isAsked = true): Promise<void> {
    await this.correcting
    const versions = await this.made.handle.versions()
    if (this.isGone || this.isAt(versions)) return
    if (isAsked && !this.correcting) this.bringAlong()
    this.correcting ??= this.look(versions).finally(() => {
      this.correcting = undefined
    })
    await this.correcting
  }

  /** Those that were asked for lately will be asked for again: by then they have been looked at with this one. */
  private bringAlong(): void {
    const { handle, asked } = this.made
    if (!looksTogether(handle, asked)) return
    this.isUsed = false
    let count = 0
    for (const other of alikeOf(this.made)) {
      if (!other.isUsed) continue
      other.isUsed = false
      // Whoever asks for it is told why it could not be.
      other.correct(false).catch(() => undefined)
      count += 1
      if (count === FEW_LISTS) return
    }
  }

  rows(handle: OrgHandle, columns: string, ids: readonly string[]): Promise<Item[]> {
    const { resource, plan } = this.made.asked
    const { text, values } = render(handle.dialect.ids(ids, 'i'))
    return handle.queryRows<Item>(
      `select ${columns} from ${text} cross join ${resource.table} t${plan.beside} where t.org = :org and t.id = i.id
        order by ${plan.order}`,
      values,
      resource.table,
      ids,
    )
  }

  private async look(versions: OrgVersions): Promise<void> {
    const { asked, reading, conditions } = this.made
    const { table } = asked.resource
    const { data, live } = versions
    const changed = versions.rowsAfter(table, this.since)
    const isOther =
      versions.hasMoved(conditions, this.since, this.live) ||
      versions.hasMovedBeside(reading, table, this.since, this.live)
    if (isOther || !changed || changed.length > FEW_CHANGED) {
      this.leave()
      return
    }
    const found = changed.length > 0 ? await foundAmong(this.made.handle, asked, changed) : new Set<string>()
    const isMoved = this.isOrderWritten(versions)
    for (const id of changed) {
      const isMember = this.members.has(id)
      // Where in the list it stands now, nobody has looked.
      if (found.has(id) && (!isMember || isMoved)) {
        this.leave()
        return
      }
      if (isMember && !found.has(id)) this.remove(id)
    }
    this.since = data
    this.live = live
  }

  private isOrderWritten(versions: OrgVersions): boolean {
    const { resource, plan } = this.made.asked
    const columns = [...plan.order.matchAll(ROW_COLUMN)].map(([, column = '']) => column)
    return columns.some(
      (column) => WRITTEN_ALONG.has(column) || versions.isColumnAfter(resource.table, column, this.since),
    )
  }

  private remove(id: string): void {
    this.members.delete(id)
    this.ids = this.ids.filter((one) => one !== id)
    this.serial += 1
  }

  /** It has to be made anew, and nobody needs it any more. */
  leave(): void {
    this.isGone = true
    leaveShape(this, this.made)
    this.serial += 1
    this.ids = []
    this.members.clear()
  }
}

/** Those that look at changed rows by the same statement. */
function alikeOf(made: Made): Set<ShortList> {
  const { shapes } = listsOf(made.handle.engine)
  const alike = shapes.get(made.shape) ?? new Set<ShortList>()
  shapes.set(made.shape, alike)
  return alike
}

function leaveShape(list: ShortList, made: Made): void {
  const alike = alikeOf(made)
  alike.delete(list)
  if (alike.size === 0) listsOf(made.handle.engine).shapes.delete(made.shape)
}

const ROW_COLUMN = /\bt\.([a-z_]+)/g
