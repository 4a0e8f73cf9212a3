import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../core/errors.ts'
import { orderOf } from '../../db/lists/asked-list.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { openHandedOut, sealAlikeToHandOut } from '../../db/sealing.ts'
import { eachPair, quote } from '../../query/pairs.ts'
import type { ListQuery } from '../../query/parse.ts'
import type { Keys } from '../../query/sql.ts'
import { pathOf, rawQueryOf } from '../address.ts'

/** A cursor holds the values that its list is ordered by, and must fit into an address with the rest of the query. */
const MAX_CHARACTERS = 1000

const contextOf = ({ org }: OrgHandle): string => `list cursor ${org}`

/**
 * What the cursor in a query leads to: behind the row with these keys; null: the list begins. Undefined: pages have
 * numbers here.
 */
export function startOf(
  request: FastifyRequest,
  handle: OrgHandle,
  resource: Resource,
  query: ListQuery,
): Keys | null | undefined {
  const { cursor } = query
  if (cursor === undefined) return undefined
  if (cursor === '') {
    checkOrder(resource, query)
    return null
  }
  const opened = openHandedOut(handle.engine, cursor, contextOf(handle))
  if (opened === undefined)
    throw invalid(
      'cursor',
      'cursor.invalid',
      `Parameter "cursor": ${quote(cursor)} is not one that a list gave; begin with an empty one`,
    )
  const [asked, ...keys]: [string, ...Keys] = JSON.parse(opened)
  if (asked !== questionOf(request)) {
    const message =
      'Parameter "cursor": it belongs to another query; give the other parameters as they were, or begin with an ' +
      'empty one'
    throw invalid('cursor', 'cursor.other_query', message)
  }
  return keys
}

/**
 * Sealed, since what it holds may be more than the caller asked to see; alike, so that an unchanged page has the same
 * ETag.
 */
export const cursorTo = (request: FastifyRequest, handle: OrgHandle, keys: Keys | null): string | null =>
  keys && sealAlikeToHandOut(handle.engine, JSON.stringify([questionOf(request), ...keys]), contextOf(handle))

/** The path and every parameter but the cursor, in whatever sequence they come. */
function questionOf(request: FastifyRequest): string {
  const pairs: string[] = []
  eachPair(rawQueryOf(request), (key, value) => {
    if (key !== 'cursor') pairs.push(JSON.stringify([key, value]))
  })
  return hash('sha256', `${pathOf(request).replace(/\/$/, '')}?${pairs.sort().join('&')}`, 'base64url').slice(0, 22)
}

function checkOrder(resource: Resource, { order }: ListQuery): void {
  const lengthOf = (name: string): number => {
    const { type, values, schema } = resource.fields[name]?.spec ?? {}
    return type === 'string' && !values ? (schema?.maxLength ?? MAX_CHARACTERS) : 0
  }
  const characters = orderOf(resource, order).reduce((sum, { field }) => sum + lengthOf(field), 0)
  if (characters <= MAX_CHARACTERS) return
  const message =
    `Parameter "cursor": what the list is ordered by can be ${characters} characters long, more than the ` +
    `${MAX_CHARACTERS} that a cursor holds; order by fewer or shorter fields`
  throw invalid('cursor', 'cursor.order', message)
}
