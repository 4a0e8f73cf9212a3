import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../core/errors.ts'
import type { Fields, RowOf } from '../../core/fields.ts'
import type { TSchema } from '../../core/schema.ts'
import { isRecord } from '../../core/typed.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Item, Resource } from '../../db/resource.ts'
import { getRow, getSeen } from '../../db/rows.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'

/** A collection inside another item: `/api/v1/access-groups/{id}/members`. */
export interface Parent {
  resource: Resource
  field: string
  segment: string
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What a request's path has in a place that its route names. */
export function inPath({ params }: FastifyRequest, name: string): string {
  const value = isRecord(params) ? params[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** An id that is no UUID is an item that does not exist. */
export function idOf(request: FastifyRequest, name = 'id'): string {
  const id = inPath(request, name)
  if (!UUID.test(id)) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  return id.toLowerCase()
}

/** To read an item is to see it; to change it, it must lie in the caller's places. */
type Getting = typeof getRow

/** The row of the path; of a nested collection, only if it belongs to the parent in the path. */
export async function rowOf<F extends Fields>(
  request: FastifyRequest,
  handle: OrgHandle,
  resource: Resource<F>,
  options: { parent?: Parent },
  get: Getting = getRow,
): Promise<RowOf<F>> {
  const row = await get(handle, resource, idOf(request), request.scope)
  const fields: AnyRow = row
  if (options.parent) {
    const parent = await parentOf(handle, request, options.parent, get)
    if (fields[options.parent.field] !== parent.id)
      throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  }
  return row
}

const parentOf = (handle: OrgHandle, request: FastifyRequest, parent: Parent, get: Getting): Promise<Item> =>
  get(handle, parent.resource, idOf(request, 'parent_id'), request.scope)

export async function parentCondition(
  handle: OrgHandle,
  request: FastifyRequest,
  parent: Parent | undefined,
): Promise<Sql[]> {
  if (!parent) return []
  const row = await parentOf(handle, request, parent, getSeen)
  return [sql`${raw(`t.${parent.field}`)} = ${row.id}`]
}

export async function parentValue(
  handle: OrgHandle,
  request: FastifyRequest,
  options: { parent?: Parent },
): Promise<AnyRow> {
  if (!options.parent) return {}
  return { [options.parent.field]: (await parentOf(handle, request, options.parent, getRow)).id }
}

/** A body is an object, always; `schema`: that of its route. What does not fit it does not come this far. */
export function bodyOf<T = AnyRow>(request: FastifyRequest, _schema?: TSchema<T>): T {
  if (request.body === undefined || request.body === null)
    throw invalid('', 'body.required', 'A JSON object is expected as the body')
  return request.body as T
}

/** The body of a route that does without. */
export const bodyIfAny = <T>(request: FastifyRequest, schema?: TSchema<T>): Partial<T> =>
  request.body === undefined || request.body === null ? {} : bodyOf(request, schema)
