import type { Fields } from '../core/fields.ts'
import { type Condition, isGroup } from './filters.ts'
import type { OrderTerm } from './order.ts'
import { eachPair } from './pairs.ts'
import type { ListQuery } from './parse.ts'
import { readableNames } from './readable.ts'
import { selectedTexts } from './select.ts'

/** What a list without `order` is sorted by. */
export const DEFAULT_ORDER: readonly OrderTerm[] = [{ field: 'created_at', direction: 'asc', nulls: 'last' }]

export interface Paging {
  readonly page: number
  readonly limit: number
}

export const pagesOf = (total: number, limit: number): number => Math.ceil(total / limit)

/** Shape A: what was applied, defaults included. */
export function metaA(query: ListQuery, fields: Fields, place: Place, defaultOrder = DEFAULT_ORDER) {
  const { limit, page } = query
  return {
    filters: query.filters.map(echoOf),
    order: query.order.length > 0 ? query.order : defaultOrder,
    pagination:
      'total' in place ? { limit, page, pages: pagesOf(place.total, limit), total: place.total } : { limit, ...place },
    select: query.select ? selectedTexts(query.select, query.embeds) : readableNames(fields),
  }
}

/** Where a page stands in its list: among so many rows, or before what the cursor leads to (null: it is the last). */
export type Place = { total: number } | { next_cursor: string | null }

export function echoOf(condition: Condition) {
  const { negated, value } = condition
  if (isGroup(condition)) return { field: condition.group, operator: condition.group, value }
  return { field: condition.field, operator: negated ? `not.${condition.operator}` : condition.operator, value }
}

/** Shape B: the locking-system list. */
export function metaB({ page, limit }: Paging, count: number, total: number) {
  return { pagination: { total, count, per_page: limit, current_page: page, total_pages: pagesOf(total, limit) } }
}

/** Shape C: the spaces list. */
export function metaC({ page, limit }: Paging, count: number, total: number) {
  return {
    pagination: {
      current_count: count,
      current_page: page,
      per_page: limit,
      total_pages: pagesOf(total, limit),
      total_items: total,
    },
  }
}

/** What may not stand between < and > of a Link, nor in a header at all. */
const NOT_IN_LINK = /[^!#-;=?-~]/g

/** RFC 8288; undefined when there is no other page. */
export function linkHeader(path: string, rawQuery: string, { page, limit }: Paging, place: Place): string | undefined {
  if (!('total' in place)) {
    if (place.next_cursor === null) return undefined
    const [start, end] = around(path, rawQuery, 'cursor')
    return `${start}${place.next_cursor}${end}"next"`
  }
  const pages = pagesOf(place.total, limit)
  if (pages <= 1) return undefined
  const [start, end] = around(path, rawQuery, 'page')
  const links = [`${start}1${end}"first"`]
  if (page > 1) links.push(`${start}${Math.min(page - 1, pages)}${end}"prev"`)
  if (page < pages) links.push(`${start}${page + 1}${end}"next"`)
  links.push(`${start}${pages}${end}"last"`)
  return links.join(', ')
}

/** What stands before and behind the value of a parameter. The others keep their own spelling and place. */
function around(path: string, rawQuery: string, name: string): [string, string] {
  let before = ''
  let after = ''
  let hasPassed = false
  eachPair(rawQuery, (key, _value, pair) => {
    if (key === name) hasPassed = true
    else if (hasPassed) after += `&${pair}`
    else before += `${pair}&`
  })
  const escaped = (text: string) => text.replace(NOT_IN_LINK, encodeByte)
  return [`<${escaped(`${path}?${before}`)}${name}=`, `${escaped(after)}>; rel=`]
}

/** Node gives a byte beyond ASCII as one Latin-1 character. */
const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
