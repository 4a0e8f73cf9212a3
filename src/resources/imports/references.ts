import { type AppError, invalid } from '../../core/errors.ts'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import { placesOf, SEPARATOR } from '../../db/places.ts'
import { type AnyRow, type Item, isSeenInPart, isStored, type Resource, readPermissionOf } from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { referableIn } from '../../db/rows.ts'
import { noSuch, type Sight, sightOf } from '../../db/scope.ts'
import { join, raw, sql } from '../../db/sql.ts'
import { UUID } from '../../http/items/item.ts'

/** By what people name an item, beside its id and their own key. */
const NAMES = ['display_name', 'name', 'code', 'number', 'label', 'email', 'personnel_number']

/** Of which rows of the file may make the item that is named: those before this one, in a dry run. */
export type MadeByFile = (target: Resource, text: string) => Promise<boolean>

/**
 * The id of the item that a cell names by id, key or name; by anything but the id the caller must see it. Undefined: a
 * row before makes it.
 */
export async function resolve(
  tx: Tx,
  name: string,
  table: string,
  text: string,
  scope: Scope,
  madeByFile: MadeByFile,
): Promise<string | undefined> {
  const target = resourcesOf(tx.engine).of(table)
  if (!target) throw new Error(`${name} refers to ${table}, which is not defined`)
  if (UUID.test(text)) return text.toLowerCase()
  const sight = await nameableIn(tx, name, target, text, scope)
  const named = await find(tx, target, text, sight)
  const other = named.length === 0 ? otherNames[target.table] : undefined
  const found = other ? await other(tx, target, text, sight) : named
  // A key of the caller's own is meant as one, whatever else is called so.
  const byKey = found.filter(({ external_id }) => external_id === text)
  const [first, second] = byKey.length > 0 ? byKey : found
  if (first && second) throw ambiguous(name, target, text, first, second)
  if (first) return first.id
  if (await madeByFile(target, text)) return undefined
  throw noSuch(name, target, JSON.stringify(text.slice(0, 100)), scope)
}

type Named = Pick<Sight, 'seen' | 'isLimited'>

/**
 * What can be named otherwise than by its id: what the caller may refer to, and read. That a name is found tells that
 * there is somebody of that name.
 */
async function nameableIn(tx: Tx, name: string, target: Resource, text: string, scope: Scope): Promise<Named> {
  const permission = readPermissionOf(target)
  const readable = tx.actor.rights ? tx.actor.rights.scopeOf(permission) : 'all'
  if (readable === undefined) {
    const told =
      `${name}: ${JSON.stringify(text.slice(0, 100))} is no id, and to name ${target.plural} otherwise needs the ` +
      `permission ${permission}`
    throw invalid(name, 'reference.not_found', told)
  }
  const referable = await sightOf(tx, target, referableIn(tx, target, scope))
  const { seen, isLimited } = await sightOf(tx, target, readable)
  return { seen: sql`${referable.seen} and ${seen}`, isLimited: isLimited || referable.isLimited }
}

/** Two are enough to know that it is not one. */
async function find(tx: Tx, target: Resource, text: string, { seen, isLimited }: Named): Promise<Item[]> {
  const isTold = (name: string) => isStored(target, name) && (!isLimited || isSeenInPart(target, name))
  const names = NAMES.filter(isTold)
  const hasKey = isTold('external_id')
  const rows: Item[] = []
  // One statement for each: an index serves an equality, and none serves all of them together.
  for (const column of [...(hasKey ? ['external_id'] : []), ...names]) {
    const columns = ['id', ...(hasKey ? ['external_id'] : []), ...names].map((name) => sql`${raw(`t.${name}`)}`)
    const found = await tx.all<Item>(sql`select ${join(columns, ', ')} from ${raw(target.table)} t
      where t.org = :org and ${raw(`t.${column}`)} = ${text} and ${seen} limit 2`)
    for (const row of found) if (!rows.some(({ id }) => id === row.id)) rows.push(row)
    if (rows.length > 1 || (column === 'external_id' && rows.length === 1)) break
  }
  return rows
}

/** As lists show where a space is: the names of the building and those above it, root first. */
async function findByPath(tx: Tx, _target: Resource, text: string, { seen }: Named): Promise<Item[]> {
  const at = text.lastIndexOf(SEPARATOR)
  if (at === -1) return []
  const last = text.slice(at + SEPARATOR.length)
  const rows = await tx.all<Item>(
    sql`select t.id, t.external_id from buildings t where t.org = :org and t.name = ${last} and ${seen} limit 100`,
  )
  const places = await placesOf(tx)
  return rows.filter(({ id }) => places.placeOf(id).building === text)
}

/** As people name a key: by the code of its type and its number. */
async function findByCode(tx: Tx, _target: Resource, text: string, { seen }: Named): Promise<Item[]> {
  const at = text.lastIndexOf(' ')
  if (at === -1) return []
  return tx.all<Item>(sql`select t.id, t.external_id from keys t where t.org = :org and t.number = ${text.slice(at + 1)}
    and ${seen}
    and t.key_type_id in (select k.id from key_types k where k.org = :org and k.code = ${text.slice(0, at)}) limit 2`)
}

const otherNames: Readonly<Record<string, typeof find>> = { buildings: findByPath, keys: findByCode }

function ambiguous(name: string, target: Resource, text: string, first: AnyRow, second: AnyRow): AppError {
  const told = (row: AnyRow) => [row.external_id, row.id].find((value) => typeof value === 'string')
  return invalid(
    name,
    'import.ambiguous',
    `${name}: ${JSON.stringify(text.slice(0, 100))} is more than one ${target.singular}, such as ` +
      `${told(first)} and ${told(second)}; name it by external_id or id`,
  )
}
