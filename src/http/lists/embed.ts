import type { Caller, Scope } from '../../core/rights.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import {
  type AnyRow,
  decodeRows,
  type Item,
  isDecorated,
  type Resource,
  readPermissionOf,
  selectList,
  visibleNames,
} from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { hideUnseen, sightOf } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import type { Embed } from '../../query/select.ts'

/** Fills in the fields that are declared `decorated()`, for a whole page at once. */
export type Decorate = (handle: OrgHandle, rows: Item[], caller: Caller, names: readonly string[]) => Promise<void>

const decorators = perEngine(() => new Map<string, { decorate: Decorate; completes: readonly string[] }>())

/**
 * What the items of a table are decorated by, wherever they are shown; `completes`: stored fields that it fills in too.
 */
export function decorateWith(
  engine: Engine,
  { table }: Resource,
  decorate: Decorate | undefined,
  completes: readonly string[] = [],
): void {
  if (decorate) decorators(engine).set(table, { decorate, completes })
}

/** Rows that are changed off the record: nothing that they are in is kept. */
const LIVE = { tables: new Map(), usesClock: false, isLive: true, row: undefined }

/**
 * Puts into rows what they refer to: null where they refer to nothing. An item that the caller may not read is left
 * out, and so is a field of it that they do not see: what is not there is not told apart from what is not shown.
 */
export async function embedInto(
  handle: OrgHandle,
  caller: Caller,
  rows: AnyRow[],
  embeds: readonly Embed[] = [],
): Promise<void> {
  for (const { name, field, table, names } of embeds) {
    const other = resourcesOf(handle.engine).of(table)
    if (!other) throw new Error(`${field} refers to ${table}, which is no resource`)
    const ids = new Set(rows.map((row) => row[field]).filter((id) => typeof id === 'string'))
    const scope = caller.rights.scopeOf(readPermissionOf(other))
    const items =
      scope === undefined || ids.size === 0 ? new Map() : await itemsOf(handle, caller, other, { ids, scope, names })
    for (const row of rows) row[name] = row[field] === null ? null : items.get(row[field])
  }
}

interface Wanted {
  ids: ReadonlySet<string>
  scope: Scope
  names: readonly string[]
}

async function itemsOf(
  handle: OrgHandle,
  caller: Caller,
  other: Resource,
  { ids, scope, names }: Wanted,
): Promise<Map<unknown, AnyRow>> {
  if (other.isVolatile) handle.reads.note(LIVE)
  const { seen, isLimited } = await sightOf(handle, other, scope)
  const decorator = decorators(handle.engine).get(other.table)
  const isWhole = names.some((name) => isDecorated(other, name) || decorator?.completes.includes(name))
  const columns = selectList(other, isWhole ? visibleNames(other) : [...new Set(['id', ...names])], isLimited)
  const found = await handle.all<Item>(sql`
    select ${raw(columns)} from ${handle.dialect.ids(ids, 'l')} cross join ${raw(other.table)} t
    where t.org = :org and t.id = l.id and ${seen}`)
  const rows = await hideUnseen(handle, other, decodeRows(other, handle.dialect, found), scope)
  if (isWhole) await decorator?.decorate(handle, rows, caller, names)
  return new Map(rows.map((row) => [row.id, Object.fromEntries(names.map((name) => [name, row[name]]))]))
}
