import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultOrderOf } from '../db/lists/asked-list.ts'
import type { ListPage } from '../db/lists/list.ts'
import type { OrgHandle } from '../db/org.ts'
import { isSearched, type Resource, visibleNames } from '../db/resource.ts'
import { resourcesOf } from '../db/resources.ts'
import { cutOf } from '../db/scope.ts'
import { linkHeader, metaA, metaB, metaC, type Place } from '../query/meta.ts'
import type { ParameterSet } from '../query/parameters.ts'
import { EVERY_PARAMETER, type ListParameter, type ListQuery, parseListQuery } from '../query/parse.ts'
import { pathOf, rawQueryOf } from './address.ts'
import { cachedGet } from './answers/cached-get.ts'
import { upToDate } from './answers/up-to-date.ts'
import { exporting, type RoutePermission } from './context.ts'
import { columnsOf } from './lists/columns.ts'
import { cursorTo, startOf } from './lists/cursor.ts'
import { type Cut, saidOf } from './lists/cut.ts'
import { decorateWith, outdatedEmbeds } from './lists/embed.ts'
import { sendExport } from './lists/export.ts'
import { type Format, formatDoc, formatParameter, pageOrFile } from './lists/formats.ts'
import { type ListOptions, openList } from './lists/open.ts'
import { piecesOf } from './lists/pieces.ts'
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
  const resources = resourcesOf(app.house.engine)
  if (!resources.of(resource.table))
    throw new Error(`${path} lists ${resource.plural}, which are not among the resources`)
  const shape = options.shape ?? 'A'
  const offered = options.offered ?? EVERY_PARAMETER
  if (offered.has('search') && !isSearched(resource))
    throw new Error(`${path} offers a search that finds no ${resource.plural}`)
  const hasPlace = shape === 'A' && resource.place !== undefined && !options.own
  const ownDocs = [...(hasPlace ? withinDocs : []), ...(options.parameterDocs ?? [])]
  const doc: RouteDoc = {
    ...options.doc,
    list: { resource, shape, offered, isExported: shape === 'A', fieldsOf: resources.fieldsOf },
    ...(options.feedMeta ? { feedMeta: options.feedMeta } : {}),
    errors: ['VALIDATION_ERROR', ...(options.parent ? (['NOT_FOUND'] as const) : [])],
    parameters: [...ownDocs, ...(shape === 'A' ? [formatDoc(resource)] : [])],
  }
  const own = { ...(hasPlace ? withinParameters : {}), ...options.parameters } as P
  const declared: P = shape === 'A' ? { ...own, format: formatParameter } : own
  decorateWith(app.house.engine, resource, options)
  const asked = (request: FastifyRequest) =>
    parseListQuery(rawQueryOf(request), resource.fields, offered, declared, resources.fieldsOf)
  const outdatedOthers = outdatedEmbeds(app.house.engine, (request) => asked(request).embeds)
  const outdated = (request: FastifyRequest) => options.outdated ?? outdatedOthers(request)
  const opened = async (request: FastifyRequest, handle: OrgHandle) => {
    const query = asked(request)
    return { query, list: await openList(request, handle, resource, query, { ...options, hasPlace }) }
  }
  const asPage = cachedGet(
    async (request, handle) => {
      const { query, list } = await opened(request, handle)
      const page = await list.page(startOf(request, handle, resource, query))
      const place = placeOf(request, handle, page)
      const cut = { limits: await cutOf(handle, resource, list.scope), missing: list.missing }
      return {
        msg: listMessage(page.rows.length, resource),
        data: page.rows,
        meta: metaOf(shape, query, resource, page.rows.length, place, cut),
        link: linkHeader(pathOf(request), rawQueryOf(request), query, place),
      }
    },
    false,
    resource.isVolatile,
  )
  const asFile = async (request: FastifyRequest, reply: FastifyReply, format: Format) => {
    const handle = exporting(request)
    const { query, list } = await opened(request, handle)
    const columns = columnsOf(resource, query, options.listFields ?? visibleNames(resource))
    return sendExport(request, reply, handle, { resource, format, columns, scope: list.scope, pieces: piecesOf(list) })
  }
  const refuse = async (request: FastifyRequest, handle: OrgHandle) =>
    startOf(request, handle, resource, (await opened(request, handle)).query)
  const page = upToDate(outdated, refuse, asPage)
  app.get(
    path,
    { config: { permission: options.permission, doc } },
    shape === 'A' ? pageOrFile(page, upToDate(outdated, refuse, asFile)) : page,
  )
  if (shape === 'A')
    summaryRoute(app, options.summaryPath ?? `${path}/summary`, resource, {
      ...options,
      // What leads elsewhere than to a list of its items, such as to a feed, cannot be counted.
      doc: { ...doc, parameters: ownDocs.filter(({ name }) => name in own) },
      hasPlace,
      declared: own,
    })
}

export const placeOf = (request: FastifyRequest, handle: OrgHandle, page: ListPage<object>): Place =>
  'total' in page ? { total: page.total } : { next_cursor: cursorTo(request, handle, page.next) }

export const listMessage = (count: number, resource: Resource): string =>
  `Retrieved ${count} ${count === 1 ? resource.singular : resource.plural}`

function metaOf(
  shape: 'A' | 'B' | 'C',
  query: ListQuery,
  resource: Resource,
  count: number,
  place: Place,
  cut: Cut,
): object {
  if (shape === 'A')
    return {
      ...metaA(query, resource.fields, place, defaultOrderOf(resource)),
      ...saidOf(cut),
    }
  if (!('total' in place)) throw new Error(`a list of shape ${shape} has pages with numbers alone`)
  const { total } = place
  return shape === 'B' ? metaB(query, count, total) : metaC(query, count, total)
}
