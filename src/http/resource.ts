import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../core/access.ts'
import { AppError, type ErrorCode, invalid } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import { defaultOrderOf, listPage } from '../db/list.ts'
import type { OrgHandle } from '../db/org.ts'
import { type AnyRow, type Resource, visibleNames } from '../db/resource.ts'
import { createRow, deleteRow, findRow, getRow, patchRow, type Rules } from '../db/rows.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { linkHeader, metaA, metaB, metaC } from '../query/meta.ts'
import type { ParameterSet, ValuesOf } from '../query/parameters.ts'
import { type ListParameter, type ListQuery, parseListQuery } from '../query/parse.ts'
import { sendLarge } from './compress.ts'
import { pathOf, rawQueryOf, reading } from './context.ts'
import { checkIfMatch, etagOf, isNotModified } from './etag.ts'
import type { RouteDoc } from './route-doc.ts'
import { createSchema, itemSchema, NoBody, patchSchema } from './schemas.ts'
import { write } from './write.ts'

/** What an endpoint's own parameters ask for; see ListRequest. */
export interface ListFilter {
  where: Sql[]
  first?: Sql
}

type Operation = 'list' | 'get' | 'create' | 'patch' | 'delete'

/** What is particular about a resource's routes; most say nothing. */
export interface ResourceRoutes<P extends ParameterSet = ParameterSet> extends Rules {
  operations?: readonly Operation[]
  /** The chapter of the API reference; the resource's plural unless said. */
  tag?: string
  permissions?: { read: Permission; write: Permission }
  /** A collection inside another item: `/api/v1/access-groups/{id}/members`. */
  parent?: { resource: Resource; field: string; segment: string }
  /** Fills in the fields that are declared `decorated()`, for a whole page at once. */
  decorate?(handle: OrgHandle, rows: AnyRow[], caller: Caller, names: readonly string[]): Promise<void>
  /** Query parameters of its own beside the list grammar's. */
  parameters?: P
  parameterDocs?: RouteDoc['parameters']
  conditions?(handle: OrgHandle, values: ValuesOf<P>): Promise<ListFilter> | ListFilter
  /** Where a list's items have fewer fields than the item itself. */
  listFields?: readonly string[]
  /** With what its own rules refuse, beyond what every resource can. */
  errors?: Partial<Record<Operation, readonly ErrorCode[]>>
  example?: Record<string, unknown>
}

const ALL: readonly Operation[] = ['list', 'get', 'create', 'patch', 'delete']

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id that is no UUID is an item that does not exist. */
export function idOf(request: FastifyRequest, name = 'id'): string {
  const id = (request.params as Record<string, string>)[name] ?? ''
  if (!UUID.test(id)) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  return id.toLowerCase()
}

/** list, get, create, patch and delete of a declared resource. */
export function resourceRoutes(app: FastifyInstance, resource: Resource, options: ResourceRoutes = {}): void {
  const names = namesFor(resource)
  const operations = new Set(options.operations ?? ALL)
  const read: Permission = options.permissions?.read ?? (`${resource.noun}:read` as Permission)
  const writing: Permission = options.permissions?.write ?? (`${resource.noun}:write` as Permission)
  const { parent } = options
  const collection = parent ? `/api/v1/${parent.resource.noun}/:parent_id/${parent.segment}` : `/api/v1/${resource.noun}`
  const inherited = parent ? [parent.field] : []
  const doc = (
    operation: Operation,
    more: Omit<RouteDoc, 'tag' | 'operationId' | 'success'> & { success?: Partial<RouteDoc['success']> },
  ): RouteDoc => ({
    tag: options.tag ?? resource.plural,
    operationId: `${operation}${operation === 'list' ? names.many : names.one}`,
    ...more,
    errors: [
      ...(more.errors ?? []),
      ...(options.errors?.[operation] ?? []),
      ...(parent && operation === 'create' ? (['NOT_FOUND'] as const) : []),
    ],
    success: {
      status: 200,
      name: names.one,
      schema: itemSchema(resource),
      ...(options.example ? { example: options.example } : {}),
      ...more.success,
    },
  })

  if (operations.has('list'))
    listRoute(app, collection, resource, {
      ...options,
      permission: read,
      doc: doc('list', { summary: `List ${resource.plural}`, description: resource.description }),
    })

  if (operations.has('get')) {
    app.get(
      `${collection}/:id`,
      {
        config: {
          permission: read,
          doc: doc('get', { summary: `Get ${article(resource.singular)}`, hasEtag: 'version' in resource.fields, errors: ['NOT_FOUND'] }),
        },
      },
      cachedGet(
        async (request, handle) => {
          const row = await rowOf(request, handle, resource, options)
          await options.decorate?.(handle, [row], request.caller, visibleNames(resource))
          return { msg: `Retrieved ${resource.singular}`, data: row }
        },
        hasDerived(resource),
        resource.isVolatile,
      ),
    )
  }

  if (operations.has('create')) {
    const schema = createSchema(resource, inherited)
    const errors: ErrorCode[] = [
      'VALIDATION_ERROR',
      'CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS',
      'IDEMPOTENCY_KEY_REUSED',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
    ]
    app.post(
      collection,
      {
        config: {
          permission: writing,
          doc: doc('create', {
            summary: `Create ${article(resource.singular)}`,
            body: { name: `${names.one}Create`, schema },
            success: { status: 201 },
            hasEtag: true,
            errors,
          }),
        },
        schema: { body: schema },
      },
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const body = { ...(bodyOf(request) as AnyRow), ...(await parentValue(tx, request, options)) }
          const row = await createRow(tx, resource, body, request.scope, options)
          await options.decorate?.(tx, [row], request.caller, visibleNames(resource))
          return {
            msg: `Created ${resource.singular}`,
            status: 201,
            location: `${pathOf(request).replace(/\/+$/, '')}/${row.id}`,
            data: row,
          }
        }),
    )
  }

  if (operations.has('patch')) {
    const schema = patchSchema(resource, inherited)
    const errors: ErrorCode[] = [
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'CONFLICT',
      'VERSION_CONFLICT',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
    ]
    const mediaTypes = ['application/merge-patch+json', 'application/json']
    app.patch(
      `${collection}/:id`,
      {
        config: {
          permission: writing,
          doc: doc('patch', {
            summary: `Change ${article(resource.singular)}`,
            description: 'JSON Merge Patch (RFC 7396): the fields given are set, null clears, all others stay.',
            body: { name: `${names.one}Patch`, schema, mediaTypes },
            hasEtag: true,
            errors,
          }),
        },
        schema: { body: schema },
      },
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const current = await rowOf(request, tx, resource, options)
          checkIfMatch(request, current)
          const row = await patchRow(tx, resource, current, bodyOf(request) as AnyRow, request.scope, options)
          await options.decorate?.(tx, [row], request.caller, visibleNames(resource))
          return { msg: `Updated ${resource.singular}`, data: row }
        }),
    )
  }

  if (operations.has('delete')) {
    app.delete(
      `${collection}/:id`,
      {
        config: {
          permission: writing,
          doc: doc('delete', {
            summary: `Delete ${article(resource.singular)}`,
            errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RESOURCE_IN_USE', 'VERSION_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
          }),
        },
        // A body that is sent nevertheless must be empty: what it asks for would be passed over otherwise.
        schema: { body: NoBody },
      },
      async (request, reply) =>
        write(request, reply, async (tx) => {
          const row = await rowOf(request, tx, resource, options)
          checkIfMatch(request, row)
          await options.decorate?.(tx, [row], request.caller, visibleNames(resource))
          await deleteRow(tx, resource, row, options)
          return { msg: `Deleted ${resource.singular}`, data: row }
        }),
    )
  }
}

interface ListRoute<P extends ParameterSet>
  extends Pick<ResourceRoutes<P>, 'decorate' | 'parameters' | 'parameterDocs' | 'conditions' | 'parent' | 'listFields'> {
  permission: Permission
  doc: RouteDoc
  shape?: 'A' | 'B' | 'C'
  offered?: ReadonlySet<ListParameter>
}

/** A list of a declared resource, in any of the three shapes. */
export function listRoute<const P extends ParameterSet>(
  app: FastifyInstance,
  path: string,
  resource: Resource,
  options: ListRoute<P>,
): void {
  const shape = options.shape ?? 'A'
  const offered = options.offered ?? offeredBy(resource)
  const doc: RouteDoc = {
    ...options.doc,
    list: { resource, shape, offered },
    errors: ['VALIDATION_ERROR', ...(options.parent ? (['NOT_FOUND'] as const) : [])],
    ...(options.parameterDocs ? { parameters: options.parameterDocs } : {}),
  }
  const allNames = options.listFields ?? visibleNames(resource)
  app.get(
    path,
    { config: { permission: options.permission, doc } },
    cachedGet(
      async (request, handle) => {
        const rawQuery = rawQueryOf(request)
        const query = parseListQuery(rawQuery, resource.fields, offered, options.parameters)
        const filter = await options.conditions?.(handle, query.extra)
        const conditions = [...(await parentCondition(handle, request, options.parent)), ...(filter?.where ?? [])]
        const names = query.select ?? allNames
        const { rows, total } = await listPage(handle, resource, {
          query,
          scope: request.scope,
          conditions,
          first: filter?.first,
          names: query.select ? withNeeded(resource, names) : names,
        })
        await options.decorate?.(handle, rows, request.caller, names)
        const data = query.select || options.listFields ? rows.map((row) => pick(row, names)) : rows
        const link = linkHeader(pathOf(request), rawQuery, query, total)
        return { msg: listMessage(rows.length, resource), data, meta: metaOf(shape, query, resource, rows.length, total), link }
      },
      false,
      resource.isVolatile,
    ),
  )
}

export const listMessage = (count: number, resource: Resource): string =>
  `Retrieved ${count} ${count === 1 ? resource.singular : resource.plural}`

function metaOf(shape: 'A' | 'B' | 'C', query: ListQuery, resource: Resource, count: number, total: number): object {
  if (shape === 'A') return metaA(query, resource.fields, total, defaultOrderOf(resource))
  return shape === 'B' ? metaB(query, count, total) : metaC(query, count, total)
}

const offeredBy = (resource: Resource): ReadonlySet<ListParameter> =>
  new Set<ListParameter>(['page', 'limit', 'order', 'select', 'filters', ...(resource.search.length > 0 ? (['search'] as const) : [])])

/** Decorating needs to know which row is which. */
const withNeeded = (resource: Resource, names: readonly string[]): readonly string[] => {
  const isDecorated = names.some((name) => resource.fields[name]?.spec.isStored === false && !resource.fields[name]?.spec.expression)
  return isDecorated ? visibleNames(resource) : names
}

const pick = (row: AnyRow, names: readonly string[]): AnyRow => Object.fromEntries(names.map((name) => [name, row[name]]))

interface Answer {
  msg: string
  data: unknown
  meta?: object
  link?: string | undefined
  /** When the clock alone makes it another answer, where that is not a validity window's begin or end. */
  until?: string | undefined
}

/** Answers a GET from memory while nothing it depends on has changed; otherwise reads, answers and remembers. */
export function cachedGet(read: (request: FastifyRequest, handle: OrgHandle) => Promise<Answer>, isDerived: boolean, isVolatile = false) {
  const answer = (request: FastifyRequest, reply: FastifyReply, version: number): FastifyReply | Promise<FastifyReply> => {
    const { cache, clock } = request.server.house
    const key = `${request.caller.cacheKey}|${request.raw.url}`
    const known = isVolatile ? undefined : cache.get(key, version, clock.now())
    return known ? sendAnswer(request, reply, known.body, known.etag, known.link) : readAndSend(request, reply, key, version)
  }

  const readAndSend = async (request: FastifyRequest, reply: FastifyReply, key: string, version: number): Promise<FastifyReply> => {
    const { cache } = request.server.house
    const handle = reading(request)
    const { link, until, ...content } = await read(request, handle)
    const body = JSON.stringify(content)
    const etag = content.meta ? undefined : etagOf(content.data as AnyRow, isDerived || isVolatile ? body : undefined)
    if (!isVolatile) await cache.set(key, handle, version, { body: isWide(body) ? Buffer.from(body) : body, etag, link }, until)
    return sendAnswer(request, reply, body, etag, link)
  }

  // Without a promise where none is needed: most answers are known.
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const versions = request.server.house.cache.versionOf(request.caller.org)
    return versions instanceof Promise ? versions.then(({ data }) => answer(request, reply, data)) : answer(request, reply, versions.data)
  }
}

const isWide = (text: string): boolean => /[^\0-\xff]/.test(text)

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  etag: string | undefined,
  link: string | undefined,
): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'private, no-cache')
  if (etag) reply.header('etag', etag)
  if (link) reply.header('link', link)
  return isNotModified(request, etag) ? reply.code(304).send() : sendLarge(reply, body)
}

const hasDerived = (resource: Resource): boolean => Object.values(resource.fields).some(({ spec }) => !spec.isStored)

/** The row of the path; of a nested collection, only if it belongs to the parent in the path. */
export async function rowOf(
  request: FastifyRequest,
  handle: OrgHandle,
  resource: Resource,
  options: Pick<ResourceRoutes, 'parent'>,
): Promise<AnyRow> {
  const row = await getRow(handle, resource, idOf(request), options.parent ? 'all' : request.scope)
  if (options.parent) {
    const parent = await parentOf(handle, request, options.parent)
    if (row[options.parent.field] !== parent.id) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  }
  return row
}

async function parentOf(handle: OrgHandle, request: FastifyRequest, parent: NonNullable<ResourceRoutes['parent']>): Promise<AnyRow> {
  const row = await findRow(handle, parent.resource, idOf(request, 'parent_id'), request.scope)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  return row
}

async function parentCondition(handle: OrgHandle, request: FastifyRequest, parent: ResourceRoutes['parent']): Promise<Sql[]> {
  if (!parent) return []
  const row = await parentOf(handle, request, parent)
  return [sql`${raw(`t.${parent.field}`)} = ${row.id}`]
}

async function parentValue(handle: OrgHandle, request: FastifyRequest, options: ResourceRoutes): Promise<AnyRow> {
  if (!options.parent) return {}
  return { [options.parent.field]: (await parentOf(handle, request, options.parent)).id }
}

/** A body is an object, always. */
export function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) throw invalid('', 'body.required', 'A JSON object is expected as the body')
  return request.body
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

export const pascal = (text: string): string =>
  text
    .split(/[\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function namesFor(resource: Resource): { one: string; many: string } {
  return { one: pascal(resource.singular), many: pascal(resource.plural) }
}
