import { invalid } from '../core/errors.ts'
import type { Fields } from '../core/fields.ts'
import { searchWords } from '../core/fold.ts'
import { type Condition, type Filter, filterable, filtersIn, parseFilter } from './filters.ts'
import { parseGroup } from './groups.ts'
import { fromBrackets, meant } from './hints.ts'
import { type OrderTerm, parseOrder } from './order.ts'
import { eachPair, FIELD, quote } from './pairs.ts'
import {
  fault,
  findParameter,
  type ParameterSet,
  parseBounded,
  readParameter,
  repeatedParameter,
  unknownParameter,
  type ValuesOf,
} from './parameters.ts'
import { type Embed, type FieldsOfTable, parseSelect } from './select.ts'

/** `order` is empty and `select` null when the query does not say. */
export interface ListQuery<X = object> {
  page: number
  limit: number
  /** Instead of `page`: empty, or where the page before ended. */
  cursor?: string
  order: OrderTerm[]
  select: string[] | null
  /** Those of the selected names that stand for items that are referred to. */
  embeds?: Embed[]
  search: string | null
  /** All of them hold. */
  filters: Condition[]
  /** The values of the endpoint's own parameters. */
  extra: X
}

export type ListParameter = 'page' | 'limit' | 'cursor' | 'order' | 'select' | 'search' | 'filters'

/** What a list offers that says nothing else: `or` goes with filters. */
export const EVERY_PARAMETER: ReadonlySet<ListParameter> = new Set([
  'page',
  'limit',
  'cursor',
  'order',
  'select',
  'search',
  'filters',
])

const MAX_PAGE = 2_147_483_647
const MAX_LIMIT = 100
const DEFAULT_LIMIT = 10
const MAX_FILTERS = 20
export const MAX_SEARCH_WORDS = 10
/** No index serves a pattern: each is compared with every row that the other filters leave. */
const MAX_PATTERNS = 5

/** What a file, which is a whole list, has no use for. */
export const PAGING: ReadonlySet<string> = new Set(['page', 'limit', 'cursor'])

/** Never read as filters: PostgREST's parameters, and ours where they are not offered. */
const RESERVED: ReadonlySet<string> = new Set(['page', 'limit', 'cursor', 'order', 'select', 'search', 'offset', 'and'])
const GROUP = 'or'

const NO_PARAMETERS = {}
const NOTHING_TO_EMBED: FieldsOfTable = () => undefined

/** `rawQuery` is the text after "?", undecoded. Faults are reported in query-string order, the first one only. */
export function parseListQuery<const P extends ParameterSet = Record<never, never>>(
  rawQuery: string,
  fields: Fields,
  offered: ReadonlySet<ListParameter>,
  extra?: P,
  fieldsOf = NOTHING_TO_EMBED,
): ListQuery<ValuesOf<P>> {
  const values: Record<string, unknown> = {}
  const query: ListQuery<ValuesOf<P>> = {
    page: 1,
    limit: DEFAULT_LIMIT,
    order: [],
    select: null,
    search: null,
    filters: [],
    extra: values as ValuesOf<P>,
  }
  if (rawQuery === '') return query

  const declared: ParameterSet = extra ?? NO_PARAMETERS
  const seen = new Set<string>()
  eachPair(rawQuery, (key, value) => {
    const parameter = findParameter(declared, key)
    const isFilter = parameter?.takes !== undefined && Object.hasOwn(fields, key) && !parameter.takes(value)
    if (parameter && !isFilter) return readParameter(parameter, values, key, value)
    if (RESERVED.has(key)) {
      if (!offered.has(key as ListParameter)) throw notOffered(key, value, fields, offered, declared)
      if (seen.has(key)) throw repeatedParameter(key)
      seen.add(key)
      if (seen.has('page') && seen.has('cursor')) throw pageAndCursor(key)
      return setParameter(query, key, value, fields, fieldsOf)
    }
    if (!offered.has('filters') || !FIELD.test(key)) throw notOffered(key, value, fields, offered, declared)
    query.filters.push(
      key === GROUP ? parseGroup(value, fields) : parseFilter(key, value, fields, () => namesOf(offered, declared)),
    )
    checkCount(key, filtersIn(query.filters))
  })
  return query
}

function checkCount(key: string, filters: readonly Filter[]): void {
  if (filters.length > MAX_FILTERS) throw tooMany(key, `${MAX_FILTERS} filters`)
  if (filters.filter(isPattern).length > MAX_PATTERNS) throw tooMany(key, `${MAX_PATTERNS} like or ilike`)
}

const isPattern = ({ operator }: Filter): boolean => operator === 'like' || operator === 'ilike'
const tooMany = (key: string, most: string) =>
  invalid(key, 'filter.too_many', `Parameter ${quote(key)}: expected at most ${most}`)
const pageAndCursor = (key: string) =>
  invalid(key, 'cursor.with_page', 'Parameters "page" and "cursor" are two ways through a list; expected one of them')

function notOffered(
  key: string,
  value: string,
  fields: Fields,
  offered: ReadonlySet<ListParameter>,
  declared: ParameterSet,
) {
  const names = namesOf(offered, declared)
  if (!offered.has('filters')) return unknownParameter(key, names)
  const hint = fromBrackets(key, value, filterable(fields)) ?? meant(key, names)
  return unknownParameter(key, [...names, 'a filter on a field (field=operator.value)'], hint)
}

const namesOf = (offered: ReadonlySet<ListParameter>, declared: ParameterSet): string[] => [
  ...[...offered].map((name) => (name === 'filters' ? GROUP : name)),
  ...Object.keys(declared),
]

function setParameter(query: ListQuery, name: string, value: string, fields: Fields, fieldsOf: FieldsOfTable): void {
  switch (name) {
    case 'page':
      query.page = parseBounded(name, name, value, 1, MAX_PAGE)
      break
    case 'limit':
      query.limit = parseBounded(name, name, value, 1, MAX_LIMIT)
      break
    case 'cursor':
      query.cursor = value
      break
    case 'order':
      query.order = parseOrder(value, fields)
      break
    case 'select': {
      const selection = parseSelect(value, fields, fieldsOf)
      query.select = selection?.names ?? null
      if (selection && selection.embeds.length > 0) query.embeds = selection.embeds
      break
    }
    case 'search':
      query.search = parseSearch(value)
      break
  }
}

/** Each different word is a condition of its own for the database. */
function parseSearch(value: string): string | null {
  if (new Set(searchWords(value)).size > MAX_SEARCH_WORDS) {
    throw fault('search', 'search.too_many_words', value, `at most ${MAX_SEARCH_WORDS} different words`)
  }
  return value === '' ? null : value
}
