import type { FastifyRequest } from 'fastify'
import type { Permission } from '../../core/permissions.ts'
import type { Caller, PlaceSet, Scope } from '../../core/rights.ts'
import type { TSchema } from '../../core/schema.ts'
import type { ListRequest } from '../../db/lists/asked-list.ts'
import type { CountedBy } from '../../db/lists/counted.ts'
import { type ListPage, listIds, listPage } from '../../db/lists/list.ts'
import { unsearched } from '../../db/lists/search.ts'
import type { OrgHandle } from '../../db/org.ts'
import {
  type AnyRow,
  type Item,
  isDecorated,
  type Resource,
  readPermissionOf,
  visibleNames,
} from '../../db/resource.ts'
import { resourcesOf } from '../../db/resources.ts'
import { hideUnseen } from '../../db/scope.ts'
import type { Sql } from '../../db/sql.ts'
import type { ParameterSet, ValuesOf } from '../../query/parameters.ts'
import type { ListQuery } from '../../query/parse.ts'
import type { Keys } from '../../query/sql.ts'
import type { Outdated } from '../answers/up-to-date.ts'
import { type Parent, parentCondition } from '../items/item.ts'
import type { RouteDoc } from '../route-doc.ts'
import { askedPlaces, withinPlaces } from '../within.ts'
import { embedInto } from './embed.ts'

/** What an endpoint's own parameters ask for; see ListRequest. */
export interface ListFilter {
  where: Sql[]
  first?: Sql
  stretches?: ListRequest['stretches']
  /**
   * How many there are in all of these places, if nothing but the query's filters leaves others out. Undefined: count
   * them.
   */
  counted?: (places: readonly PlaceSet[], ...asked: Parameters<CountedBy>) => ReturnType<CountedBy>
}

/** What is particular about a list. */
export interface ListOptions<P extends ParameterSet = ParameterSet> {
  parent?: Parent
  /**
   * Fills in the fields that are declared `decorated()`, for a whole page at once; it is asked where one of them, or of
   * `completes`, is.
   */
  decorate?(handle: OrgHandle, rows: Item[], caller: Caller, names: readonly string[]): Promise<void>
  /** What brings up to date what an answer shows; undefined: it is. */
  outdated?: Outdated
  /** Stored fields that `decorate` completes too. */
  completes?: readonly string[]
  /** Query parameters of its own beside the list grammar's. */
  parameters?: P
  parameterDocs?: RouteDoc['parameters']
  conditions?(handle: OrgHandle, values: ValuesOf<P>, query: ListQuery): Promise<ListFilter> | ListFilter
  /** It is read on as a feed too: the `meta` of such an answer. */
  feedMeta?: TSchema
  /** Where a list's items have fewer fields than the item itself. */
  listFields?: readonly string[]
  /** Of what is the caller's alone (`self`): which rows are. Places do not matter then. */
  own?: (caller: Caller, handle: OrgHandle) => Sql[]
}

/** A list as one caller asks for it: which rows, and what is shown of them. */
export interface OpenedList {
  readonly scope: Scope
  readonly asked: Omit<ListRequest, 'after'>
  /** Permissions that the caller lacks, and without which something is not looked through that is searched. */
  readonly missing: readonly Permission[]
  /** A page with its rows as they are answered; `after`: behind that row, instead of the page of the query. */
  page(after: Keys | null | undefined): Promise<ListPage<AnyRow>>
  /** Rows as they are stored, behind that row; and what is answered of them. */
  read(after: Keys | null, limit: number): Promise<ListPage>
  shown(rows: Item[]): Promise<AnyRow[]>
  /** Whether an index leads through it from the first row to the last. */
  readonly isWalked: boolean
  /** Which rows come next, for what is not walked, and those of them that still fit, as they are answered. */
  ids(after: Keys | null, limit: number): Promise<{ ids: string[]; next: Keys | null }>
  rows(ids: readonly string[]): Promise<AnyRow[]>
}

/** `hasPlace`: its items lie somewhere, and it can be asked for those within a place. */
export async function openList<P extends ParameterSet>(
  request: FastifyRequest,
  handle: OrgHandle,
  resource: Resource,
  query: ListQuery<ValuesOf<P>>,
  { hasPlace, ...options }: ListOptions<P> & { hasPlace: boolean },
): Promise<OpenedList> {
  const { caller } = request
  const filter = await options.conditions?.(handle, query.extra, query)
  const own = options.own?.(caller, handle)
  const scope = own ? 'all' : request.scope
  const names = query.select ?? options.listFields ?? visibleNames(resource)
  const needed = query.select ? neededFor(resource, query, scope, options.completes) : names
  const isDecorating = names.some((name) => isDecorated(resource, name) || options.completes?.includes(name))
  // Rows that are read as they are shown are not made again.
  const isPicked = needed !== names || (options.listFields !== undefined && isDecorating)
  const places = hasPlace ? await askedPlaces(handle, query.extra, request.scope) : []
  const others = [...(await parentCondition(handle, request, options.parent)), ...(filter?.where ?? []), ...(own ?? [])]
  const asked: OpenedList['asked'] = {
    query,
    scope,
    scopeOf: (other) => (own ? 'all' : caller.rights.scopeOf(readPermissionOf(other))),
    conditions: [...(await withinPlaces(handle, resource, places)), ...others],
    first: filter?.first,
    stretches: filter?.stretches,
    names: needed,
  }
  if (filter?.counted && others.length === 0 && query.search === null && !resource.reaches) {
    const { counted } = filter
    asked.counted = (fields) => counted(scope === 'all' ? places : [scope, ...places], fields)
  }
  const shown = async (rows: Item[]): Promise<AnyRow[]> => {
    await hideUnseen(handle, resource, rows, scope)
    if (rows.length > 0 && isDecorating) await options.decorate?.(handle, rows, caller, names)
    await embedInto(handle, caller, rows, query.embeds)
    return isPicked ? rows.map((row) => pick(row, names)) : rows
  }
  const read = (after: Keys | null | undefined, limit: number, more: Partial<ListRequest> = {}) =>
    listPage(handle, resource, { ...asked, ...more, query: { ...query, limit }, after })
  const missing = query.search === null ? [] : unsearched(resourcesOf(handle.engine), resource, asked.scopeOf)
  return {
    scope,
    asked,
    missing: [...missing].toSorted(),
    async page(after) {
      const page = await read(after, query.limit)
      return { ...page, rows: await shown(page.rows) }
    },
    read: (after, limit) => read(after, limit),
    shown,
    isWalked: query.order.length === 0 && query.search === null && !resource.isVolatile,
    ids: (after, limit) => listIds(handle, resource, { ...asked, query: { ...query, limit } }, after),
    async rows(ids) {
      const among = handle.dialect.inList('t.id', ids, 'uuid')
      return shown((await read(null, ids.length, { conditions: [...(asked.conditions ?? []), among] })).rows)
    },
  }
}

/** Decorating needs to know which row is which, hiding what is not seen of it, and embedding what it refers to. */
function neededFor(
  resource: Resource,
  { select, embeds = [] }: ListQuery,
  scope: Scope,
  completes: readonly string[] = [],
): readonly string[] {
  const embedded = new Set(embeds.map(({ name }) => name))
  const own = (select ?? []).filter((name) => !embedded.has(name))
  const isHidden = scope !== 'all' && resource.reaches?.fields !== undefined
  if (isHidden || own.some((name) => isDecorated(resource, name) || completes.includes(name)))
    return visibleNames(resource)
  return embeds.length === 0 ? (select ?? own) : [...new Set([...own, ...embeds.map(({ field }) => field)])]
}

export function pick(row: AnyRow, names: readonly string[]): AnyRow {
  const picked: AnyRow = {}
  for (const name of names) picked[name] = row[name]
  return picked
}
