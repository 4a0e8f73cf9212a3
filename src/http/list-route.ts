import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defaultOrderOf, type ListPage } from '../db/list.ts'
import type { OrgHandle } from '../db/org.ts'
import { fieldsOfTable, type Resource } from '../db/resource.ts'
import { type LimitingPlace, limitsOf } from '../db/scope.ts'
import { linkHeader, metaA, metaB, metaC, type Place } from '../query/meta.ts'
import type { ParameterSet } from '../query/parameters.ts'
import { EVERY_PARAMETER, type ListParameter, type ListQuery, parseListQuery } from '../query/parse.ts'
import { cachedGet } from './cached-get.ts'
import { pathOf, type RoutePermission, rawQueryOf } from './context.ts'
import { cursorTo, startOf } from './lists/cursor.ts'
import { decorateWith } from './lists/embed.ts'
import { type ListOptions, openList } from './lists/open.ts'
import { summaryRoute } from './lists/summary.ts'
import type { RouteDoc } from './route-doc.ts'
import { withinDocs, withinParameters } from './within.ts'

interface ListRoute<P extends ParameterSet> extends ListOptions<P> {
  permission: RoutePermission
  doc: RouteDoc
  shape?: 'A' | 'B' | 'C'
  offered?: ReadonlySet<ListParameter>
  /** Where its items are counted, if not below itself. */
  summaryPath?: string
}

/** A list of a declared resource, in any of the three shapes. */
export function listRoute<const P extends ParameterSet>(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  options: ListRoute<P>,
): void {
  const shape = options.shape ?? 'A'
  const offered = options.offered ?? EVERY_PARAMETER
  const hasPlace = shape === 'A' && resource.place !== undefined && !options.own
  const doc: RouteDoc = {
    ...options.doc,
    list: { resource, shape, offered },
    errors: ['VALIDATION_ERROR', ...(options.parent ? (['NOT_FOUND'] as const) : [])],
    parameters: [...(hasPlace ? withinDocs : []), ...(options.parameterDocs ?? [])],
  }
  const declared = { ...(hasPlace ? withinParameters : {}), ...options.parameters } as P
  decorateWith(resource, options.decorate)
  app.get(
    path,
    { config: { permission: options.permission, doc } },
    cachedGet(
      async (request, handle) => {
        const rawQuery = rawQueryOf(request)
        const query = parseListQuery(rawQuery, resource.fields, offered, declared, fieldsOfTable)
        const list = await openList(request, handle, resource, query, { ...options, hasPlace })
        const page = await list.page(startOf(request, handle, resource, query))
        const place = placeOf(request, handle, page)
        return {
          msg: listMessage(page.rows.length, resource),
          data: page.rows,
          meta: metaOf(shape, query, resource, page.rows.length, place, await limitsOf(handle, list.scope)),
          link: linkHeader(pathOf(request), rawQuery, query, place),
        }
      },
      false,
      resource.isVolatile,
    ),
  )
  if (shape === 'A') summaryRoute(app, options.summaryPath ?? `${path}/summary`, resource, { ...options, doc, hasPlace, declared })
}

export const placeOf = (request: FastifyRequest, handle: OrgHandle, page: ListPage): Place =>
  'total' in page ? { total: page.total } : { next_cursor: cursorTo(request, handle, page.next) }

export const listMessage = (count: number, resource: Resource): string =>
  `Retrieved ${count} ${count === 1 ? resource.singular : resource.plural}`

function metaOf(
  shape: 'A' | 'B' | 'C',
  query: ListQuery,
  resource: Resource,
  count: number,
  place: Place,
  limits: LimitingPlace[] | undefined,
): object {
  if (shape === 'A') return { ...metaA(query, resource.fields, place, defaultOrderOf(resource)), ...(limits ? { limited_to: limits } : {}) }
  if (!('total' in place)) throw new Error(`a list of shape ${shape} has pages with numbers alone`)
  const { total } = place
  return shape === 'B' ? metaB(query, count, total) : metaC(query, count, total)
}
