import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../core/errors.ts'
import type { OrgHandle } from '../db/org.ts'
import type { AnyRow, Resource } from '../db/resource.ts'
import { findRow, getRow } from '../db/rows.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

/** A collection inside another item: `/api/v1/access-groups/{id}/members`. */
export interface Parent {
  resource: Resource
  field: string
  segment: string
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id that is no UUID is an item that does not exist. */
export function idOf(request: FastifyRequest, name = 'id'): string {
  const id = (request.params as Record<string, string>)[name] ?? ''
  if (!UUID.test(id)) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  return id.toLowerCase()
}

/** The row of the path; of a nested collection, only if it belongs to the parent in the path. */
export async function rowOf(request: FastifyRequest, handle: OrgHandle, resource: Resource, options: { parent?: Parent }): Promise<AnyRow> {
  const row = await getRow(handle, resource, idOf(request), options.parent ? 'all' : request.scope)
  if (options.parent) {
    const parent = await parentOf(handle, request, options.parent)
    if (row[options.parent.field] !== parent.id) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  }
  return row
}

async function parentOf(handle: OrgHandle, request: FastifyRequest, parent: Parent): Promise<AnyRow> {
  const row = await findRow(handle, parent.resource, idOf(request, 'parent_id'), request.scope)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')
  return row
}

export async function parentCondition(handle: OrgHandle, request: FastifyRequest, parent: Parent | undefined): Promise<Sql[]> {
  if (!parent) return []
  const row = await parentOf(handle, request, parent)
  return [sql`${raw(`t.${parent.field}`)} = ${row.id}`]
}

export async function parentValue(handle: OrgHandle, request: FastifyRequest, options: { parent?: Parent }): Promise<AnyRow> {
  if (!options.parent) return {}
  return { [options.parent.field]: (await parentOf(handle, request, options.parent)).id }
}

/** A body is an object, always. */
export function bodyOf(request: FastifyRequest): unknown {
  if (request.body === undefined || request.body === null) throw invalid('', 'body.required', 'A JSON object is expected as the body')
  return request.body
}
