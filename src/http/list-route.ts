import type { FastifyInstance } from 'fastify'
import type { Permission } from '../core/permissions.ts'
import type { Caller } from '../core/rights.ts'
import { defaultOrderOf, listPage } from '../db/list.ts'
import type { OrgHandle } from '../db/org.ts'
import { type AnyRow, type Resource, visibleNames } from '../db/resource.ts'
import { hideUnseen, type LimitingPlace, limitsOf } from '../db/scope.ts'
import type { Sql } from '../db/sql.ts'
import { linkHeader, metaA, metaB, metaC } from '../query/meta.ts'
import type { ParameterSet, ValuesOf } from '../query/parameters.ts'
import { type ListParameter, type ListQuery, parseListQuery } from '../query/parse.ts'
import { cachedGet } from './cached-get.ts'
import { pathOf, type RoutePermission, rawQueryOf } from './context.ts'
import { type Parent, parentCondition } from './item.ts'
import type { RouteDoc } from './route-doc.ts'
import { withinDocs, withinParameters, withinPlaces } from './within.ts'

/** What an endpoint's own parameters ask for; see ListRequest. */
export interface ListFilter {
  where: Sql[]
  first?: Sql
}

/** What is particular about a list. */
export interface ListOptions<P extends ParameterSet = ParameterSet> {
  parent?: Parent
  /** Fills in the fields that are declared `decorated()`, for a whole page at once. */
  decorate?(handle: OrgHandle, rows: AnyRow[], caller: Caller, names: readonly string[]): Promise<void>
  /** Query parameters of its own beside the list grammar's. */
  parameters?: P
  parameterDocs?: RouteDoc['parameters']
  conditions?(handle: OrgHandle, values: ValuesOf<P>): Promise<ListFilter> | ListFilter
  /** Where a list's items have fewer fields than the item itself. */
  listFields?: readonly string[]
}

interface ListRoute<P extends ParameterSet> extends ListOptions<P> {
  permission: RoutePermission
  doc: RouteDoc
  shape?: 'A' | 'B' | 'C'
  offered?: ReadonlySet<ListParameter>
  /** Of what is the caller's alone (`self`): which rows are. Places do not matter then. */
  own?: (caller: Caller, handle: OrgHandle) => Sql[]
}

/** A list of a declared resource, in any of the three shapes. */
export function listRoute<const P extends ParameterSet>(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  options: ListRoute<P>,
): void {
  const shape = options.shape ?? 'A'
  const offered = options.offered ?? EVERYTHING
  const hasPlace = shape === 'A' && resource.place !== undefined && !options.own
  const doc: RouteDoc = {
    ...options.doc,
    list: { resource, shape, offered },
    errors: ['VALIDATION_ERROR', ...(options.parent ? (['NOT_FOUND'] as const) : [])],
    parameters: [...(hasPlace ? withinDocs : []), ...(options.parameterDocs ?? [])],
  }
  const declared = { ...(hasPlace ? withinParameters : {}), ...options.parameters }
  const allNames = options.listFields ?? visibleNames(resource)
  app.get(
    path,
    { config: { permission: options.permission, doc } },
    cachedGet(
      async (request, handle) => {
        const rawQuery = rawQueryOf(request)
        const query = parseListQuery(rawQuery, resource.fields, offered, declared)
        const filter = await options.conditions?.(handle, query.extra)
        const own = options.own?.(request.caller, handle)
        const scope = own ? 'all' : request.scope
        const conditions = [
          ...(await parentCondition(handle, request, options.parent)),
          ...(hasPlace ? await withinPlaces(handle, resource, query.extra, request.scope) : []),
          ...(filter?.where ?? []),
          ...(own ?? []),
        ]
        const names = query.select ?? allNames
        const { rows, total } = await listPage(handle, resource, {
          query,
          scope,
          scopeOf: ({ noun }) => (own ? 'all' : request.caller.rights.scopeOf(`${noun}:read` as Permission)),
          conditions,
          first: filter?.first,
          names: query.select ? withNeeded(resource, names) : names,
        })
        await hideUnseen(handle, resource, rows, scope)
        if (rows.length > 0) await options.decorate?.(handle, rows, request.caller, names)
        const data = query.select || options.listFields ? rows.map((row) => pick(row, names)) : rows
        const link = linkHeader(pathOf(request), rawQuery, query, total)
        return {
          msg: listMessage(rows.length, resource),
          data,
          meta: metaOf(shape, query, resource, rows.length, total, await limitsOf(handle, scope)),
          link,
        }
      },
      false,
      resource.isVolatile,
    ),
  )
}

export const listMessage = (count: number, resource: Resource): string =>
  `Retrieved ${count} ${count === 1 ? resource.singular : resource.plural}`

function metaOf(
  shape: 'A' | 'B' | 'C',
  query: ListQuery,
  resource: Resource,
  count: number,
  total: number,
  limits: LimitingPlace[] | undefined,
): object {
  if (shape === 'A') return { ...metaA(query, resource.fields, total, defaultOrderOf(resource)), ...(limits ? { limited_to: limits } : {}) }
  return shape === 'B' ? metaB(query, count, total) : metaC(query, count, total)
}

const EVERYTHING: ReadonlySet<ListParameter> = new Set(['page', 'limit', 'order', 'select', 'search', 'filters'])

/** Decorating needs to know which row is which, and so does hiding what is not seen of it. */
const withNeeded = (resource: Resource, names: readonly string[]): readonly string[] => {
  const isDecorated =
    resource.reaches?.fields !== undefined ||
    names.some((name) => resource.fields[name]?.spec.isStored === false && !resource.fields[name]?.spec.expression)
  return isDecorated ? visibleNames(resource) : names
}

const pick = (row: AnyRow, names: readonly string[]): AnyRow => Object.fromEntries(names.map((name) => [name, row[name]]))
