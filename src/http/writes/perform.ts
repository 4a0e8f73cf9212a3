import { type AppError, invalid, notFound } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow, Item, Resource } from '../../db/resource.ts'
import { deleteRow, findIdByKey, getRow, isSameValue, patchRow } from '../../db/rows.ts'
import { checkNoneMatch, checkTag } from '../answers/etag.ts'
import { UUID } from '../items/item.ts'
import type { Writable } from './writable.ts'

export type Outcome = 'created' | 'changed' | 'unchanged' | 'deleted'

export interface Performed {
  outcome: Outcome
  row: Item
  /** Of a creation: shown this once, and what is said of it. */
  secret?: Record<string, unknown>
  msg?: string
}

/** Which item: by our id or by the caller's own key. */
export interface Named {
  id?: string | undefined
  external_id?: string | undefined
  /** Whose key it is, where that was looked up before; null: nobody's. */
  found?: string | null | undefined
}

/** One change of one item, the body validated already; `within`: the parent of a nested collection. */
export interface Asked extends Named {
  op: 'create' | 'upsert' | 'update' | 'delete'
  body: AnyRow
  if_match?: string | undefined
  if_none_match?: string | undefined
}

/**
 * Does what a single call would do, by the same rights and rules. `last`: done to what goes, while what is shown of it
 * is still there.
 */
export async function perform(
  tx: Tx,
  writable: Writable,
  asked: Asked,
  scope: Scope,
  within: AnyRow,
  last?: (row: Item) => Promise<void>,
): Promise<Performed> {
  const { resource, options } = writable
  const body = writable.read(asked.body)
  if (asked.op === 'upsert') return upsert(tx, writable, { ...asked, body }, scope, within)
  if (asked.op === 'create') {
    const key = asked.external_id === undefined ? {} : { external_id: asked.external_id }
    return { outcome: 'created', ...(await writable.make(tx, { ...body, ...key, ...within }, scope)) }
  }
  const current = await getNamed(tx, writable, asked, scope, within)
  checkTag(asked.if_match, current)
  if (asked.op === 'update') return patched(tx, writable, current, body, scope)
  await last?.(current)
  await deleteRow(tx, resource, current, options, scope)
  return { outcome: 'deleted', row: current }
}

async function patched(
  tx: Tx,
  { resource, options }: Writable,
  current: Item,
  body: AnyRow,
  scope: Scope,
): Promise<Performed> {
  const row = await patchRow(tx, resource, current, body, scope, options)
  return { outcome: row === current ? 'unchanged' : 'changed', row }
}

/** Creates the item or changes it, whichever it takes; merge semantics. */
async function upsert(tx: Tx, writable: Writable, asked: Asked, scope: Scope, within: AnyRow): Promise<Performed> {
  const current = await findNamed(tx, writable, asked, scope, within)
  checkTag(asked.if_match, current)
  checkNoneMatch(asked.if_none_match, current)
  if (current) {
    const left = whatDiffers(writable, current, asked.body)
    return Object.keys(left).length === 0
      ? { outcome: 'unchanged', row: current }
      : patched(tx, writable, current, left, scope)
  }
  const { external_id } = asked
  // Only a key of the caller's own can name what is not there yet.
  if (external_id === undefined) throw notFound()
  const body = { ...asked.body, external_id }
  writable.checkCreation(body)
  return { outcome: 'created', ...(await writable.make(tx, { ...body, ...within }, scope)) }
}

/**
 * What is so already may be said again: of what is fixed from its creation on, and of an item that has ended and is
 * changed no more. Whoever sends all they have every night changes nothing by it.
 */
function whatDiffers(writable: Writable, current: AnyRow, body: AnyRow): AnyRow {
  const left: AnyRow = {}
  for (const [name, value] of Object.entries(body)) {
    if (isSameValue(writable.resource, name, value, current[name])) continue
    if (writable.isFixed(name)) throw fixed(name, current[name])
    left[name] = value
  }
  return left
}

const fixed = (name: string, value: unknown): AppError =>
  invalid(
    name,
    'body.fixed',
    `${name} is set at creation and not changed like this: it is ${JSON.stringify(value)}; leave it out or send that`,
  )

async function findNamed(
  tx: Tx,
  writable: Writable,
  named: Named,
  scope: Scope,
  within: AnyRow,
): Promise<Item | undefined> {
  const { resource } = writable
  const id = named.id ?? (await idByKey(tx, resource, named, scope, within))
  if (id === undefined) return undefined
  if (!UUID.test(id)) throw notFound()
  const row = await getRow(tx, resource, id, scope)
  if (Object.entries(within).some(([name, value]) => row[name] !== value)) throw notFound()
  return row
}

async function idByKey(
  tx: Tx,
  resource: Resource,
  { external_id, found }: Named,
  scope: Scope,
  within: AnyRow,
): Promise<string | undefined> {
  if (external_id === undefined) return undefined
  return found === undefined ? findIdByKey(tx, resource, external_id, scope, within) : (found ?? undefined)
}

async function getNamed(tx: Tx, writable: Writable, named: Named, scope: Scope, within: AnyRow): Promise<Item> {
  const row = await findNamed(tx, writable, named, scope, within)
  if (!row) throw notFound()
  return row
}
