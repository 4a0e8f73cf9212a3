import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, invalid, notFound } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Item } from '../../db/resource.ts'
import { findIdByKey, getSeen } from '../../db/rows.ts'
import { pathOf } from '../address.ts'
import { bodyOf, inPath, parentCondition, parentValue } from '../items/item.ts'
import { readItem } from '../items/read-item.ts'
import { write } from '../items/write.ts'
import type { ListOptions } from '../lists/open.ts'
import { article, type RouteDoc } from '../route-doc.ts'
import { perform } from './perform.ts'
import type { Writable } from './writable.ts'

const SEGMENT = 'by-external-id'
const CHANGES = 'changes it (200): the fields given are set, null clears, all others stay, as in PATCH'
const FINDS = 'finds it as it is (200): it is not changed once it is made, so what is said otherwise of it is refused'
const ERRORS: ErrorCode[] = [
  'VALIDATION_ERROR',
  'CONFLICT',
  'INVALID_STATE',
  'VERSION_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
]

type Doc = (
  operationId: string,
  doc: Omit<RouteDoc, 'tag' | 'operationId' | 'success'> & { success?: Partial<RouteDoc['success']> },
) => RouteDoc

interface KeyRoutes {
  collection: string
  name: string
  read: Permission
  reading: Pick<ListOptions, 'decorate' | 'outdated'>
  /** What a creation answers with, where that is more than the item. */
  made: Partial<RouteDoc['success']>
  doc: Doc
  /** What a single creation or change goes through before its handler. */
  guards: object
}

function keyOf(request: FastifyRequest): string {
  const external_id = inPath(request, 'external_id')
  if (external_id.includes('\0')) throw new AppError('MALFORMED_REQUEST', 'The path has a text with the NUL character')
  return external_id
}

/** `GET …/by-external-id/{external_id}`: the item with a key of the caller's own. */
export function getByKey(
  app: FastifyInstance,
  writable: Writable,
  { collection, name, read, reading, doc }: KeyRoutes,
): void {
  const { resource, options } = writable
  const find = async (request: FastifyRequest, handle: OrgHandle): Promise<Item> => {
    // Of a nested collection the parent must be seen; the item's own parent is compared below.
    await parentCondition(handle, request, options.parent)
    const within = options.parent ? { [options.parent.field]: inPath(request, 'parent_id').toLowerCase() } : {}
    const id = await findIdByKey(handle, resource, keyOf(request), request.scope, within)
    if (id === undefined) throw notFound()
    return getSeen(handle, resource, id, request.scope)
  }
  app.get(
    `${collection}/${SEGMENT}/:external_id`,
    {
      config: {
        permission: read,
        doc: doc(`get${name}ByExternalId`, {
          summary: `Get ${article(resource.singular)} by your own key`,
          description: 'The item whose `external_id` this is.',
          hasEtag: true,
          errors: ['NOT_FOUND'],
        }),
      },
    },
    readItem(resource, reading, find),
  )
}

/** `PUT …/by-external-id/{external_id}`: creates the item with this key, or changes it. */
export function putByKey(
  app: FastifyInstance,
  writable: Writable,
  { collection, name, made, doc, guards }: KeyRoutes,
): void {
  const { resource, options, bodies } = writable
  app.put(
    `${collection}/${SEGMENT}/:external_id`,
    {
      config: {
        permission: writable.permission,
        doc: doc(`put${name}ByExternalId`, {
          summary: `Create or change ${article(resource.singular)} by your own key`,
          description:
            `Creates the item with this \`external_id\` (201), or ${writable.has('patch') ? CHANGES : FINDS}. What ` +
            'is required is so only to create. Sent twice, the second changes nothing and is not on the record. With ' +
            '`If-Match` it never creates, with `If-None-Match: *` it never changes what is there (412).' +
            (options.creation?.shows ? ' What is shown once is in the answer that creates it alone.' : ''),
          body: {
            name: `${name}Put`,
            get schema() {
              return bodies.upsert.made
            },
            mediaTypes: ['application/merge-patch+json', 'application/json'],
          },
          success: { mayCreate: true, ...made },
          hasEtag: true,
          errors: ERRORS,
        }),
      },
      schema: { body: bodies.upsert },
      ...guards,
    },
    async (request, reply) => {
      const external_id = keyOf(request)
      const body = bodyOf(request)
      checkKey(writable, external_id, body)
      return write(request, reply, async (tx) => {
        const within = await parentValue(tx, request, options)
        const { 'if-match': if_match, 'if-none-match': if_none_match } = request.headers
        const asked = { op: 'upsert', external_id, body, if_match, if_none_match } as const
        const { outcome, row, secret, msg } = await perform(tx, writable, asked, request.scope, within)
        await writable.decorate(tx, [row], request.caller)
        const isNew = outcome === 'created'
        const [before = ''] = pathOf(request).split(`/${SEGMENT}/`, 1)
        return {
          msg:
            msg ??
            `${isNew ? 'Created' : outcome === 'changed' ? 'Updated' : 'Nothing to change in'} ${writable.called(row)}`,
          ...(isNew ? { status: 201, location: `${before}/${row.id}` } : {}),
          ...(secret ? { secret } : {}),
          data: row,
        }
      })
    },
  )
}

/** The key in the path is the item's: one in the body may repeat it. */
function checkKey(writable: Writable, external_id: string, body: AnyRow): void {
  if (body.external_id !== undefined && body.external_id !== external_id)
    throw invalid(
      'external_id',
      'external_id.differs',
      'external_id: the body has another one than the path; leave it out, or use PATCH to change it',
    )
  writable.check('upsert', { external_id })
}
