import type { FastifyRequest } from 'fastify'
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
import { rawQueryOf } from '../address.ts'
import type { Outdated } from '../answers/up-to-date.ts'

/** Fills in the fields that are declared `decorated()`, for a whole page at once. */
export type Decorate = (handle: OrgHandle, rows: Item[], caller: Caller, names: readonly string[]) => Promise<void>

interface Decorator {
  /** Fills in the fields that are declared `decorated()`. */
  readonly decorate?: Decorate | undefined
  /** Stored fields that it fills in too. */
  readonly completes?: readonly string[] | undefined
  /** What brings up to date what is shown of them; undefined: it is. */
  readonly outdated?: Outdated | undefined
}

const decorators = perEngine(() => new Map<string, Decorator>())

/** What the items of a table are decorated by, wherever they are shown. */
export function decorateWith(engine: Engine, { table }: Resource, decorator: Decorator): void {
  if (decorator.decorate) decorators(engine).set(table, decorator)
}

/**
 * What brings up to date what a list's items refer to, where something is asked of that which stands beside it.
 * `embedsOf` is asked where anything is.
 */
export const outdatedEmbeds =
  (engine: Engine, embedsOf: (request: FastifyRequest) => readonly Embed[] | undefined) =>
  (request: FastifyRequest): Outdated | undefined => {
    const query = rawQueryOf(request)
    if (!SELECT.test(query) || !BRACKET.test(query)) return undefined
    for (const { table, names } of embedsOf(request) ?? []) {
      const other = resourcesOf(engine).of(table)
      const isBeside = other && names.some((name) => other.fields[name]?.spec.beside || isDecorated(other, name))
      const outdated = isBeside ? decorators(engine).get(table)?.outdated : undefined
      if (outdated) return outdated
    }
    return undefined
  }

const SELECT = /select=/i
const BRACKET = /\(|%28/i

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
  const isWhole = names.some((name) => isDecorated(other, name) || decorator?.completes?.includes(name))
  const columns = selectList(other, isWhole ? visibleNames(other) : [...new Set(['id', ...names])], isLimited)
  const found = await handle.all<Item>(sql`
    select ${raw(columns)} from ${handle.dialect.ids(ids, 'l')} cross join ${raw(other.table)} t
    where t.org = :org and t.id = l.id and ${seen}`)
  const rows = await hideUnseen(handle, other, decodeRows(other, handle.dialect, found), scope)
  if (isWhole) await decorator?.decorate?.(handle, rows, caller, names)
  return new Map(rows.map((row) => [row.id, Object.fromEntries(names.map((name) => [name, row[name]]))]))
}
