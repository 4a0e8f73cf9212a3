import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { TSchema } from '../../core/schema.ts'
import {
  type AnyRow,
  type Item,
  type Resource,
  readPermissionOf,
  visibleNames,
  writePermissionOf,
} from '../../db/resource.ts'
import { deleteRow, getSeen, patchRow, type Rules } from '../../db/rows.ts'
import type { ParameterSet } from '../../query/parameters.ts'
import { pathOf } from '../address.ts'
import { checkIfMatch } from '../answers/etag.ts'
import { listRoute } from '../list-route.ts'
import type { ListOptions } from '../lists/open.ts'
import { article, CHANGE_ERRORS, type RouteDoc } from '../route-doc.ts'
import { itemSchema, NoBody } from '../schemas.ts'
import { batchRoute } from '../writes/batch.ts'
import { getByKey, putByKey } from '../writes/by-external-id.ts'
import { perform } from '../writes/perform.ts'
import { type Conceal, type Creation, type Wording, Writable } from '../writes/writable.ts'
import { bodyOf, parentValue, rowOf } from './item.ts'
import { readItem } from './read-item.ts'
import { write } from './write.ts'

type Operation = 'list' | 'get' | 'create' | 'patch' | 'delete'

/** What is particular about a resource's routes; most say nothing. */
export interface ResourceRoutes<P extends ParameterSet = ParameterSet> extends Rules, ListOptions<P> {
  operations?: readonly Operation[]
  /** The chapter of the API reference; the resource's plural unless said. */
  tag?: string
  permissions?: { read: Permission; write: Permission }
  /** With what its own rules refuse, beyond what every resource can. */
  errors?: Partial<Record<Operation, readonly ErrorCode[]>>
  example?: Record<string, unknown>
  /** Refuses a creation or change before its body is read, for what its permission alone does not decide. */
  beforeWrite?: (request: FastifyRequest) => Promise<void>
  conceal?: Conceal
  creation?: Creation
  wording?: Wording
  /** What an item is called in messages, where it is not what its resource is called. */
  called?(row: Item): string
}

const ALL: readonly Operation[] = ['list', 'get', 'create', 'patch', 'delete']

/** list, get, create, patch and delete of a declared resource. */
export function resourceRoutes(app: FastifyInstance, resource: Resource, options: ResourceRoutes = {}): void {
  const names = namesFor(resource)
  const operations = new Set(options.operations ?? ALL)
  const read = options.permissions?.read ?? readPermissionOf(resource)
  const writing: Permission = options.permissions?.write ?? writePermissionOf(resource)
  const { parent } = options
  const collection = parent
    ? `/api/v1/${parent.resource.noun}/:parent_id/${parent.segment}`
    : `/api/v1/${resource.noun}`
  const writable = new Writable(resource, options, writing, operations)
  if (writable.has('create')) app.writables.set(resource.noun, writable.fromFiles())
  const guarded = {
    ...(options.beforeWrite ? { onRequest: options.beforeWrite } : {}),
    ...(options.conceal
      ? {
          preHandler: ({ server, caller, body }: FastifyRequest) =>
            writable.conceal(server.house.engine, caller.org, body as AnyRow),
        }
      : {}),
  }
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
      get schema() {
        return itemSchema(resource)
      },
      ...(options.example ? { example: options.example } : {}),
      ...more.success,
    },
  })

  const { shows } = options.creation ?? {}
  const made = shows ? { name: shows.name, schema: withMore(itemSchema(resource), shows.properties) } : {}
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
          doc: doc('get', {
            summary: `Get ${article(resource.singular)}`,
            description: `One ${resource.singular} with all its fields, by its id.`,
            hasEtag: 'version' in resource.fields,
            errors: ['NOT_FOUND'],
          }),
        },
      },
      readItem(resource, options, (request, handle) => rowOf(request, handle, resource, options, getSeen)),
    )
  }

  if ('external_id' in resource.fields) {
    const keyed = {
      collection,
      name: names.one,
      read,
      reading: options,
      made,
      guards: guarded,
      doc: (
        operationId: string,
        more: Omit<RouteDoc, 'tag' | 'operationId' | 'success'> & { success?: Partial<RouteDoc['success']> },
      ) => ({
        ...doc('get', more),
        operationId,
      }),
    }
    if (operations.has('get')) getByKey(app, writable, keyed)
    if (writable.has('create')) {
      putByKey(app, writable, keyed)
      batchRoute(
        app,
        writable,
        collection,
        { made: made.name ?? names.one, ...names, tag: options.tag ?? resource.plural },
        options.beforeWrite,
      )
    }
  }

  if (operations.has('create')) {
    const body = writable.bodies.create
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
            summary: options.creation?.summary ?? `Create ${article(resource.singular)}`,
            description:
              options.creation?.description ??
              'Answers with the whole item, its id and what was put where nothing was given.',
            body: {
              name: `${names.one}Create`,
              get schema() {
                return body.made
              },
            },
            success: { status: 201, ...made },
            hasEtag: true,
            errors,
          }),
        },
        schema: { body },
        ...guarded,
      },
      async (request, reply) =>
        write(
          request,
          reply,
          async (tx) => {
            const within = await parentValue(tx, request, options)
            const asked = { op: 'create', body: bodyOf(request) } as const
            const { row, msg, secret } = await perform(tx, writable, asked, request.scope, within)
            await writable.decorate(tx, [row], request.caller)
            return {
              msg: msg ?? `Created ${writable.called(row)}`,
              status: 201,
              location: `${pathOf(request).replace(/\/$/, '')}/${row.id}`,
              data: row,
              ...(secret ? { secret } : {}),
            }
          },
          { isBrief: true },
        ),
    )
  }

  if (operations.has('patch')) {
    const body = writable.bodies.patch
    const mediaTypes = ['application/merge-patch+json', 'application/json']
    app.patch(
      `${collection}/:id`,
      {
        config: {
          permission: writing,
          doc: doc('patch', {
            summary: `Change ${article(resource.singular)}`,
            description: 'JSON Merge Patch (RFC 7396): the fields given are set, null clears, all others stay.',
            body: {
              name: `${names.one}Patch`,
              get schema() {
                return body.made
              },
              mediaTypes,
            },
            hasEtag: true,
            errors: CHANGE_ERRORS,
          }),
        },
        schema: { body },
        ...guarded,
      },
      async (request, reply) =>
        write(
          request,
          reply,
          async (tx) => {
            const current = await rowOf(request, tx, resource, options)
            checkIfMatch(request, current)
            const row = await patchRow(tx, resource, current, bodyOf(request), request.scope, options)
            await options.decorate?.(tx, [row], request.caller, visibleNames(resource))
            return { msg: `Updated ${writable.called(row)}`, data: row }
          },
          { isBrief: true },
        ),
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
            description: 'For good. Refused with 409 while something else needs it; the answer says what and how many.',
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
          await deleteRow(tx, resource, row, options, request.scope)
          return { msg: `Deleted ${writable.called(row)}`, data: row }
        }),
    )
  }
}

export const pascal = (text: string): string =>
  text
    .split(/[\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** An item with what is shown besides its fields, where there is such. */
const withMore = (item: TSchema, more: Readonly<Record<string, TSchema>>): TSchema => ({
  ...item,
  properties: { ...item.properties, ...more },
})

function namesFor(resource: Resource): { one: string; many: string } {
  return { one: pascal(resource.singular), many: pascal(resource.plural) }
}
