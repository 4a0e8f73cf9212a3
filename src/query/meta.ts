import type { Fields } from '../core/fields.ts'
import { eachPair } from './pairs.ts'
import type { ListQuery, OrderTerm } from './parse.ts'

/** What a list without `order` is sorted by. */
export const DEFAULT_ORDER: readonly OrderTerm[] = [{ field: 'created_at', direction: 'asc', nulls: 'last' }]

export interface Paging {
  readonly page: number
  readonly limit: number
}

export const pagesOf = (total: number, limit: number): number => Math.ceil(total / limit)

const readable = new WeakMap<Fields, string[]>()

/** Every field a reader sees, in the order of declaration. */
export function readableNames(fields: Fields): string[] {
  let names = readable.get(fields)
  if (!names) {
    names = Object.keys(fields).filter((name) => fields[name]?.spec.mode !== 'wo')
    readable.set(fields, names)
  }
  return names
}

/** Shape A: what was applied, defaults included. */
export function metaA(query: ListQuery, fields: Fields, total: number, defaultOrder = DEFAULT_ORDER) {
  return {
    filters: query.filters.map(({ field, negated, operator, value }) => ({
      field,
      operator: negated ? `not.${operator}` : operator,
      value,
    })),
    order: query.order.length > 0 ? query.order : defaultOrder,
    pagination: { limit: query.limit, page: query.page, pages: pagesOf(total, query.limit), total },
    select: query.select ?? readableNames(fields),
  }
}

/** Shape B: the locking-system list. */
export function metaB({ page, limit }: Paging, count: number, total: number) {
  return { pagination: { total, count, per_page: limit, current_page: page, total_pages: pagesOf(total, limit) } }
}

/** Shape C: the spaces list. */
export function metaC({ page, limit }: Paging, count: number, total: number) {
  return {
    pagination: { current_count: count, current_page: page, per_page: limit, total_pages: pagesOf(total, limit), total_items: total },
  }
}

/** What may not stand between < and > of a Link, nor in a header at all. */
const NOT_IN_LINK = /[^!#-;=?-~]/g

/** RFC 8288. The other parameters keep their own spelling and place; undefined when there is one page or none. */
export function linkHeader(path: string, rawQuery: string, { page, limit }: Paging, total: number): string | undefined {
  const pages = pagesOf(total, limit)
  if (pages <= 1) return undefined

  let before = ''
  let after = ''
  let hasPage = false
  eachPair(rawQuery, (key, _value, pair) => {
    if (key === 'page') hasPage = true
    else if (hasPage) after += `&${pair}`
    else before += `${pair}&`
  })
  const escaped = (text: string) => text.replace(NOT_IN_LINK, encodeByte)
  const start = `<${escaped(`${path}?${before}`)}page=`
  const end = `${escaped(after)}>; rel=`
  const links = [`${start}1${end}"first"`]
  if (page > 1) links.push(`${start}${Math.min(page - 1, pages)}${end}"prev"`)
  if (page < pages) links.push(`${start}${page + 1}${end}"next"`)
  links.push(`${start}${pages}${end}"last"`)
  return links.join(', ')
}

/** Node gives a byte beyond ASCII as one Latin-1 character. */
const encodeByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
