import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Action, ChangeVerb } from '../core/change-verbs.ts'
import { AppError, invalid, notFound } from '../core/errors.ts'
import type { Fields, RowOf } from '../core/fields.ts'
import { searchWords } from '../core/fold.ts'
import { Pauses } from '../core/pauses.ts'
import type { Scope } from '../core/rights.ts'
import { instantIn } from '../core/time/instant.ts'
import type { Tx } from './change.ts'
import type { Kind } from './gathering.ts'
import { NotUnique } from './not-unique.ts'
import type { OrgHandle } from './org.ts'
import {
  type AnyRow,
  decodeRows,
  hasSeenText,
  type Item,
  isDecorated,
  isSeenInPart,
  isStored,
  type Resource,
  readPermissionOf,
  selectList,
  visibleNames,
} from './resource.ts'
import { resourcesOf } from './resources.ts'
import { hideUnseen, noSuch, outside, putOutside, sightOf } from './scope.ts'
import { join, raw, type Sql, sql } from './sql.ts'
import { takenBy } from './taken-by.ts'

/** What a resource adds to the generic create, patch and delete. */
export interface Rules<Row = AnyRow> {
  /**
   * Sees the row as it will be stored (and as it was, on a patch), may change it in place and may return further
   * columns to store. Throws to refuse.
   */
  prepare?(tx: Tx, next: Row, current: Row | undefined): Promise<AnyRow | undefined> | AnyRow | undefined
  beforeDelete?(tx: Tx, row: Row): Promise<void>
}

/** What a creation made. */
export interface Made {
  row: Item
  /** Shown in the answer to this creation and nowhere else. */
  secret?: Record<string, unknown>
  /** What is said of it; unless given, that it was created. */
  msg?: string
}

/** A row that lies in the caller's places: one that may be changed there. */
export const findRow = <F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  id: string,
  scope: Scope,
  names = visibleNames(resource),
): Promise<RowOf<F> | undefined> => readRow(handle, resource, id, scope, 'managed', names)

async function readRow<F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  id: string,
  scope: Scope,
  sight: 'managed' | 'seen',
  names: readonly string[],
): Promise<RowOf<F> | undefined> {
  const { isLimited, [sight]: condition } = await sightOf(handle, resource, scope)
  const scoped = isLimited ? sql` and ${condition}` : raw('')
  const statement = sql`select ${raw(selectList(resource, names, isLimited))} from ${raw(resource.table)} t
    where t.org = :org and t.id = ${id.toLowerCase()}${scoped}`
  const rows = await handle.all<AnyRow>(statement)
  return decodeRows(resource, handle.dialect, rows)[0] as RowOf<F> | undefined
}

/** A row that the caller sees, with what they see of it. */
export async function findSeen<F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  id: string,
  scope: Scope,
): Promise<RowOf<F> | undefined> {
  const row = await readRow(handle, resource, id, scope, 'seen', visibleNames(resource))
  return row && (await hideUnseen(handle, resource, [row], scope))[0]
}

/** Of the item with this key of the caller's own; undefined where none is seen by it. */
export async function findIdByKey(
  handle: OrgHandle,
  resource: Resource,
  key: string,
  scope: Scope,
  within: AnyRow = {},
): Promise<string | undefined> {
  const row = await handle.one<{ id: string }>(sql`select t.id from ${raw(resource.table)} t
    where t.org = :org and t.external_id = ${key} and ${await foundByKey(handle, resource, scope, within)}`)
  return row?.id
}

async function foundByKey(handle: OrgHandle, resource: Resource, scope: Scope, within: AnyRow): Promise<Sql> {
  const { managed, seen } = await sightOf(handle, resource, scope)
  const inside = Object.entries(within).map(([name, value]) => sql` and ${raw(`t.${name}`)} = ${value}`)
  // Of what is seen in part the key may not be: then it is not found by it either.
  return sql`${isSeenInPart(resource, 'external_id') ? seen : managed}${join(inside, '')}`
}

/** The same of many keys at once: those that are found. */
export async function findIdsByKeys(
  handle: OrgHandle,
  resource: Resource,
  keys: readonly string[],
  scope: Scope,
  within: AnyRow = {},
): Promise<Map<string, string>> {
  const rows = await handle.all<{
    id: string
    key: string
  }>(sql`select t.id, t.external_id as key from ${raw(resource.table)} t
    where t.org = :org and ${handle.dialect.inList('t.external_id', keys, 'text')}
    and ${await foundByKey(handle, resource, scope, within)}`)
  return new Map(rows.map(({ id, key }) => [key, id]))
}

export const isSeen = async (handle: OrgHandle, resource: Resource, id: string, scope: Scope): Promise<boolean> =>
  (await readRow(handle, resource, id, scope, 'seen', ['id'])) !== undefined

export async function getSeen<F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  id: string,
  scope: Scope,
): Promise<RowOf<F>> {
  const row = await findSeen(handle, resource, id, scope)
  if (!row) throw notFound()
  return row
}

/** To be changed: what is seen and lies elsewhere is refused, what is not seen is not there. */
export async function getRow<F extends Fields>(
  handle: OrgHandle,
  resource: Resource<F>,
  id: string,
  scope: Scope,
): Promise<RowOf<F>> {
  const row = await findRow(handle, resource, id, scope)
  if (row) return row
  if (resource.reaches && (await readRow(handle, resource, id, scope, 'seen', ['id'])))
    throw outside(`This ${resource.singular} lies outside the places you may manage: you can see it and not change it`)
  throw notFound()
}

export async function createRow<F extends Fields>(
  tx: Tx,
  resource: Resource<F>,
  body: AnyRow,
  scope: Scope,
  rules: Rules,
): Promise<RowOf<F>> {
  const columns = await newColumns(tx, resource, body, scope, rules)
  await clashing(resource, columns, scope, () => tx.insert(resource.table, columns))
  const row = await getWritten(tx, resource, columns.id, scope)
  recordCreated(tx, resource, row)
  return row
}

/**
 * The same of one of many, while they are gathered: it is stored together with those that are made next. Gives its id.
 */
export async function createLater(
  tx: Tx,
  resource: Resource,
  body: AnyRow,
  scope: Scope,
  rules: Rules,
): Promise<string> {
  const columns = await newColumns(tx, resource, body, scope, rules)
  await tx.later(kindOf(tx, resource, scope), columns)
  return columns.id
}

const kinds = new WeakMap<Tx, Map<Resource, Kind & { scope: Scope }>>()

function kindOf(tx: Tx, resource: Resource, scope: Scope): Kind {
  const own = kinds.get(tx) ?? new Map<Resource, Kind & { scope: Scope }>()
  kinds.set(tx, own)
  const known = own.get(resource)
  if (known?.scope === scope) return known
  const store = async (rows: readonly Item[]) => {
    await tx.insertAll(resource.table, rows)
    for (const row of await getAllWritten(tx, resource, rows, scope)) recordCreated(tx, resource, row)
  }
  const kind = { table: resource.table, scope, store }
  own.set(resource, kind)
  return kind
}

const recordCreated = (tx: Tx, resource: Resource, row: Item): void =>
  tx.record({
    action: actionName(resource, 'created'),
    resource: resource.noun,
    resourceId: row.id,
    before: null,
    after: itself(resource, row),
  })

/**
 * An item as it is at this moment, for the record: without what is filled in for whoever is shown it, which says of
 * other items what this caller may see of them.
 */
function itself(resource: Resource, row: AnyRow): AnyRow {
  const own: AnyRow = {}
  for (const name of Object.keys(row)) if (!isDecorated(resource, name)) own[name] = row[name]
  return own
}

/** A new row as it is to be stored, once nothing speaks against it. */
async function newColumns(tx: Tx, resource: Resource, body: AnyRow, scope: Scope, rules: Rules): Promise<Item> {
  const id = randomUUIDv7()
  const next: Item = { id, created_at: tx.now, updated_at: tx.now, version: 1 }
  for (const [name, { spec }] of Object.entries(resource.fields)) {
    if (name in next || !spec.isStored) continue
    next[name] = body[name] === undefined ? (spec.fallback ?? null) : normalise(resource, name, body[name])
  }
  refuseKeyOfWhole(resource, next, undefined, scope)
  await checkReferences(tx, resource, next, undefined, scope)
  const more = await rules.prepare?.(tx, next, undefined)
  return { ...stored(resource, next), ...more, ...searchTexts(resource, { ...next, ...more }), id }
}

/** JSON Merge Patch; a patch that changes nothing writes nothing. */
export async function patchRow<F extends Fields>(
  tx: Tx,
  resource: Resource<F>,
  current: RowOf<F>,
  body: AnyRow,
  scope: Scope,
  rules: Rules<RowOf<F>>,
): Promise<RowOf<F>> {
  const stands: AnyRow = current
  const patched = Object.entries(body).map(([name, value]) => [
    name,
    mergePatch(stands[name], normalise(resource, name, value)),
  ])
  const next: RowOf<F> = { ...current, ...Object.fromEntries(patched) }
  refuseKeyOfWhole(resource, next, current, scope)
  await checkReferences(tx, resource, next, current, scope)
  await checkTaken(tx, resource, next, current, scope)
  const more = await otherwise(tx, resource, current, await rules.prepare?.(tx, next, current))
  const before = stored(resource, current)
  const after = stored(resource, next)
  const changed = Object.keys(after).filter((name) => !isSame(after[name], before[name]))
  if (changed.length === 0 && Object.keys(more).length === 0) return current
  const change = Object.fromEntries(changed.map((name) => [name, after[name]]))
  return updateRow(tx, resource, current, { ...change, ...more }, 'updated', scope)
}

/** Of further columns, those that are stored otherwise: a PIN that is given once more is no other PIN. */
async function otherwise(tx: Tx, resource: Resource, current: Item, more: AnyRow = {}): Promise<AnyRow> {
  const columns = Object.keys(more)
  if (columns.length === 0) return more
  const [row = {}] = await tx.all<AnyRow>(
    sql`select ${raw(columns.map((column) => `t.${column}`).join(', '))} from ${raw(resource.table)} t
      where t.org = :org and t.id = ${current.id}`,
  )
  return Object.fromEntries(Object.entries(more).filter(([column, value]) => row[column] !== value))
}

/** Stores a change of columns, moves version and updated_at, and records it. */
export async function updateRow<F extends Fields>(
  tx: Tx,
  resource: Resource<F>,
  current: Item,
  change: AnyRow,
  verb: ChangeVerb,
  scope: Scope = 'all',
): Promise<RowOf<F>> {
  await askToWake(tx, resource, current, change)
  const columns = {
    ...change,
    ...searchTexts(resource, { ...current, ...change }),
    updated_at: tx.now,
    version: Number(current.version) + 1,
  }
  const row = await clashing(resource, { ...current, ...columns }, scope, async () => {
    await tx.updateAhead(resource.table, current.id, columns)
    return getWritten(tx, resource, current.id, scope)
  })
  tx.record({
    action: actionName(resource, verb),
    resource: resource.noun,
    resourceId: current.id,
    before: itself(resource, current),
    after: itself(resource, row),
  })
  return row
}

/** Says of a value that is taken whose it would have been. */
async function clashing<T>(resource: Resource, row: AnyRow, scope: Scope, store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (!(error instanceof NotUnique)) throw error
    throw error.explainedBy((handle, columns) => takenBy({ resource, row, scope }, handle, columns))
  }
}

/** Every way in which a status changes comes by here. */
export async function askToWake(tx: Tx, { onWake }: Resource, current: Item, change: AnyRow): Promise<void> {
  const isWoken = current.status === 'suspended' && change.status !== undefined && change.status !== 'suspended'
  if (isWoken && typeof onWake === 'function') await onWake(tx, { ...current, ...change })
}

export async function deleteRow(
  tx: Tx,
  resource: Resource,
  row: Item,
  rules: Rules,
  scope: Scope = 'all',
): Promise<void> {
  await rules.beforeDelete?.(tx, row)
  await refuseIfInUse(tx, resource, row.id, scope)
  await recordOwned(tx, resource, row.id)
  await tx.remove(resource.table, row.id)
  recordDeleted(tx, resource, row)
}

const recordDeleted = (tx: Tx, resource: Resource, row: Item): void =>
  tx.record({
    action: actionName(resource, 'deleted'),
    resource: resource.noun,
    resourceId: row.id,
    before: itself(resource, row),
    after: null,
  })

/** So many are read in one go: a group may have everybody in it. */
const OWNED = 500

/**
 * What goes with a row is gone as well, and each of it on the record: the database takes it along and tells nobody. On
 * SQLite many are removed some at a time, or nobody else had a turn until all of them are.
 */
async function recordOwned(tx: Tx, resource: Resource, id: string): Promise<void> {
  for (const { resource: other, field } of resourcesOf(tx.engine).ownedBy(resource.table)) {
    const found = await tx.all<{ id: string }>(
      sql`select t.id from ${raw(other.table)} t where t.org = :org and ${raw(`t.${field}`)} = ${id}`,
    )
    found.sort((a, b) => (a.id < b.id ? -1 : 1))
    const pauses = new Pauses(tx.signal)
    for (let from = 0; from < found.length; from += OWNED) {
      const some = found.slice(from, from + OWNED)
      for (const row of await getAllWritten(tx, other, some, 'all')) {
        await pauses.take()
        await recordOwned(tx, other, row.id)
        recordDeleted(tx, other, row)
      }
      if (found.length > OWNED && tx.dialect.name === 'sqlite') await removeAll(tx, other, some)
    }
  }
}

const removeAll = (tx: Tx, { table }: Resource, rows: readonly Item[]): Promise<number> => {
  const ids = rows.map(({ id }) => id)
  return tx.run(sql`delete from ${raw(table)} as t where t.org = :org and ${tx.dialect.inList('t.id', ids, 'uuid')}`)
}

export const actionName = (resource: Resource, verb: ChangeVerb): Action => `${subjectOf(resource)}.${verb}`

/** What an item is called where it is told what became of it. */
export const subjectOf = ({ singular }: Resource): string => singular.replaceAll(' ', '_').toLowerCase()

/** What the write left must lie in the caller's places too; otherwise it could push a row out of sight. */
async function getWritten<F extends Fields>(
  tx: Tx,
  resource: Resource<F>,
  id: string,
  scope: Scope,
): Promise<RowOf<F>> {
  const row = await findRow(tx, resource, id, scope)
  if (row) return row
  throw putOutside()
}

/** The same of many, in the order in which they were made. */
export async function getAllWritten(
  tx: Tx,
  resource: Resource,
  written: readonly Item[],
  scope: Scope,
): Promise<Item[]> {
  const ids = written.map(({ id }) => id)
  const { isLimited, managed } = await sightOf(tx, resource, scope)
  const rows = await tx.all<Item>(sql`select ${raw(selectList(resource, visibleNames(resource), isLimited))}
      from ${raw(resource.table)} t
    where t.org = :org and ${tx.dialect.inList('t.id', ids, 'uuid')}${isLimited ? sql` and ${managed}` : raw('')}`)
  const found = new Map(decodeRows(resource, tx.dialect, rows).map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    if (!row) throw putOutside()
    return row
  })
}

const places = new Set(['locations', 'buildings'])

/**
 * A place is moved by those who also manage the one it hangs on: whoever is limited to it would otherwise take it from
 * those above, and out of every grant that denies something there.
 */
async function checkTaken(tx: Tx, resource: Resource, next: AnyRow, current: AnyRow, scope: Scope): Promise<void> {
  if (scope === 'all' || !places.has(resource.table)) return
  for (const [name, { spec }] of Object.entries(resource.fields)) {
    const above = current[name]
    if (!spec.references || !places.has(spec.references) || typeof above !== 'string' || above === next[name]) continue
    const found = await findRow(tx, resourcesOf(tx.engine).of(spec.references) ?? resource, above, scope, ['id'])
    if (!found) throw outside('This would take the item out of a place that you may not manage')
  }
}

async function checkReferences(
  tx: Tx,
  resource: Resource,
  next: AnyRow,
  current: AnyRow | undefined,
  scope: Scope,
): Promise<void> {
  for (const [name, { spec }] of Object.entries(resource.fields)) {
    const id = next[name]
    if (!spec.references || !spec.isStored || typeof id !== 'string' || id === current?.[name]) continue
    const target = resourcesOf(tx.engine).of(spec.references)
    if (!target) throw new Error(`${resource.table}.${name} refers to ${spec.references}, which is not defined`)
    const sight = referableIn(tx, target, scope)
    if (!(await readRow(tx, target, id, sight, 'seen', ['id']))) throw noSuch(name, target, id, sight)
  }
}

/**
 * Whoever sees a person or a role may name it wherever they write, and nobody who does not; an item that lies somewhere
 * must be seen from the places they write in. Who writes without seeing any refers within those too.
 */
export function referableIn({ actor }: Tx, target: Resource, scope: Scope): Scope {
  const isBySight = target.isReferredToBySight || !target.place
  return isBySight ? (actor.rights?.scopeOf(readPermissionOf(target)) ?? scope) : scope
}

/**
 * A key that is unique in the whole organization would tell those who are limited to places of keys elsewhere: it is
 * not theirs to set.
 */
function refuseKeyOfWhole(resource: Resource, next: AnyRow, current: AnyRow | undefined, scope: Scope): void {
  if (scope === 'all' || !('external_id' in resource.fields)) return
  if (next.external_id === null || next.external_id === current?.external_id) return
  throw invalid(
    'external_id',
    'external_id.limited_role',
    'external_id: it is unique in the whole organization, so a role that is limited to places cannot set it; leave ' +
      'it out',
  )
}

/** Uses outside what the caller sees are not counted, and told only where nothing else stands in the way. */
async function refuseIfInUse(tx: Tx, resource: Resource, id: string, scope: Scope): Promise<void> {
  const uses: Array<{ path: string; text: string }> = []
  let isUsedUnseen = false
  for (const { resource: other, field } of resourcesOf(tx.engine).referencesTo(resource.table)) {
    // What the caller may not read is not counted for them either.
    const readable = tx.actor.rights ? tx.actor.rights.scopeOf(readPermissionOf(other)) : scope
    const seen = readable === undefined ? raw('false') : (await sightOf(tx, other, readable)).seen
    const row = await tx.one<{ n: number; seen: number }>(
      sql`select count(*) as n, count(case when ${seen} then 1 end) as seen from ${raw(other.table)} t
          where t.org = :org and ${raw(`t.${field}`)} = ${id}`,
    )
    const n = row?.seen ?? 0
    if (n > 0)
      uses.push({ path: `${other.noun}.${field}`, text: `${n} ${n === 1 ? other.singular : other.plural} (${field})` })
    if ((row?.n ?? 0) > n) isUsedUnseen = true
  }
  if (uses.length === 0 && isUsedUnseen) {
    throw new AppError(
      'RESOURCE_IN_USE',
      `This ${resource.singular} is used outside what you may see; ask somebody who may see it`,
      {
        reason: 'in_use',
      },
    )
  }
  if (uses.length === 0) return
  const texts = uses.map(({ text }) => text)
  const list = texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
  throw new AppError('RESOURCE_IN_USE', `This ${resource.singular} is used by ${list}; delete or move those first`, {
    reason: 'in_use',
    details: uses.map(({ path, text }) => ({ path, rule: 'in_use', message: text })),
  })
}

const stored = (resource: Resource, row: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => isStored(resource, name) && resource.fields[name]?.spec.mode !== 'wo'),
  )

/** What a search looks through: in the row, and in what is seen of it in part. */
export const searchTexts = (resource: Resource, row: AnyRow): { search_text: string; seen_text?: string } => ({
  search_text: foldedText(resource.search, row),
  ...(hasSeenText(resource)
    ? {
        seen_text: foldedText(
          resource.search.filter((name) => isSeenInPart(resource, name)),
          row,
        ),
      }
    : {}),
})

/** All of it at once: to fold a text takes longer than the text. */
const foldedText = (names: readonly string[], row: AnyRow): string =>
  searchWords(
    names
      .map((name) => row[name])
      .filter((value) => typeof value === 'string')
      .join(' '),
  ).join(' ')

/** PostgreSQL keeps the members of an object in an order of its own: that makes it no other object. */
const isSame = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && isDeepStrictEqual(a, b))

/** Whether what a body says of a field is what is stored. */
export const isSameValue = (resource: Resource, name: string, value: unknown, current: unknown): boolean =>
  isSame(normalise(resource, name, value), current)

/** Timestamps are kept in UTC to the millisecond, ids in lower case. */
function normalise(resource: Resource, name: string, value: unknown): unknown {
  const type = resource.fields[name]?.spec.type
  if (typeof value !== 'string') return value
  if (type === 'uuid') return value.toLowerCase()
  if (type !== 'timestamp') return value
  return instantIn(name, value)
}

/** RFC 7396, for fields that hold objects. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch) || !isObject(target)) return isObject(patch) ? withoutNulls(patch) : patch
  const merged: AnyRow = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(target[key], value)
  }
  return merged
}

const isObject = (value: unknown): value is AnyRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const withoutNulls = (value: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, isObject(item) ? withoutNulls(item) : item]),
  )
