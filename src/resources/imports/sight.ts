import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../../core/errors.ts'
import type { Caller } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import { type Item, readPermissionOf } from '../../db/resource.ts'
import { findRow } from '../../db/rows.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import { idOf } from '../../http/items/item.ts'
import { type Import, imports } from './schema.ts'
import { errorsOf } from './store.ts'

const MOST_ERRORS = 100

/**
 * Its maker sees an import, and whoever may see imports, and what this one takes in, everywhere: a file tells what its
 * rows do.
 */
export function seenBy(app: FastifyInstance, { id, rights }: Caller): Sql {
  const nouns = [...app.writables.values()]
    .filter(
      ({ resource }) =>
        rights.scopeOf('imports:read') === 'all' && rights.scopeOf(readPermissionOf(resource)) === 'all',
    )
    .map(({ resource }) => sql`${resource.noun}`)
  return nouns.length === 0
    ? sql`t.maker_id = ${id}`
    : sql`(t.maker_id = ${id} or t.resource in (${join(nouns, ', ')}))`
}

export async function getImport(request: FastifyRequest, handle: OrgHandle, id = idOf(request)): Promise<Import> {
  const row = await findRow(handle, imports, id, 'all')
  const seen = await handle.one(
    sql`select t.id from imports t where t.org = :org and t.id = ${id} and ${seenBy(request.server, request.caller)}`,
  )
  if (!row || !seen) throw notFound()
  await decorateErrors(handle, [row])
  return row
}

export async function decorateErrors(handle: OrgHandle, rows: Item[]): Promise<void> {
  for (const row of rows) row.errors = await errorsOf(handle, row.id, MOST_ERRORS)
}
