import SCIMMY from 'scimmy'
import { AppError } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { filterOf, isObject, type Json, refuseEndless } from './messages.ts'

const MOST = 200

/** By the names of attributes; undefined: such a value the attribute cannot have. */
type Conditions = Readonly<Record<string, (value: unknown) => Sql | undefined>>

/** A condition on an attribute that is text. */
export const ofText =
  (make: (value: string) => Sql) =>
  (value: unknown): Sql | undefined =>
    typeof value === 'string' ? make(value) : undefined

/** A condition on one that is true or false; Entra writes those as texts. */
export const ofTruth =
  (make: (value: boolean) => Sql) =>
  (value: unknown): Sql | undefined =>
    /^(?:true|false)$/i.test(String(value)) ? make(String(value).toLowerCase() === 'true') : undefined

interface Paged<Row> {
  columns: Sql
  /** Ends with a condition. */
  from: Sql
  order: Sql
  conditions: Conditions
  shown(rows: Row[]): Promise<Json[]>
}

/** A page of rows as RFC 7644 has it: from `startIndex`, at most `count`. */
export async function pageOf<Row>(handle: OrgHandle, query: URLSearchParams, paged: Paged<Row>): Promise<Json> {
  const { columns, from, order, conditions, shown } = paged
  const startIndex = Math.max(1, wholeNumber(query, 'startIndex', 1))
  const count = Math.min(MOST, Math.max(0, wholeNumber(query, 'count', 100)))
  const where = conditionOf(query.get('filter'), conditions)
  const [{ n } = { n: 0 }] = await handle.all<{ n: number }>(sql`select count(*) as n from ${from} and ${where}`)
  const rows = await handle.all<Row>(
    sql`select ${columns} from ${from} and ${where} order by ${order} limit ${count} offset ${startIndex - 1}`,
  )
  const Resources = await shown(rows)
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: Number(n),
    startIndex,
    itemsPerPage: Resources.length,
    Resources,
  }
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name)
  if (given === null) return fallback
  if (!/^-?\d{1,9}$/.test(given)) throw new AppError('VALIDATION_ERROR', `${name} must be a whole number`)
  return Number(given)
}

/**
 * What identity providers ask by: equality of a few attributes, joined by and, or. All else is refused rather than
 * passed over.
 */
function conditionOf(filter: string | null, conditions: Conditions): Sql {
  if (filter === null) return raw('1 = 1')
  refuseEndless('filter', filter)
  if (filter.trim() === '') throw refusedFilter('filter: it is empty; leave it out to ask for all')
  // The core passes over what nothing follows.
  if (/\b(?:and|or|not)\s*$/i.test(filter)) throw refusedFilter(`filter: "${filter}" ends where something must follow`)
  const known = new Map(Object.entries(conditions).map(([name, make]) => [name.toLowerCase(), make]))
  const one = ([name, comparison]: Compared): Sql => {
    const make = known.get(name.replace(URN, '').toLowerCase())
    const [operator, value] = comparison
    const condition = make && operator === 'eq' && comparison.length === 2 ? make(value) : undefined
    if (condition) return condition
    const offered = Object.keys(conditions).join(', ')
    throw refusedFilter(
      `filter: only eq is offered, of ${offered}, each with a value of its type; "${filter}" asks for something else`,
    )
  }
  const any = filterOf(filter).map((all) => {
    const every = Object.entries(all).flatMap(([name, said]) => comparisonsIn(name, said).map(one))
    return sql`(${join(every, ' and ')})`
  })
  return sql`(${join(any, ' or ')})`
}

/** Names may be whole (RFC 7644, 3.10). */
const URN = /^urn:ietf:params:scim:schemas:(?:core:2\.0:(?:User|Group)|extension:enterprise:2\.0:User):/i

type Compared = [name: string, comparison: readonly unknown[]]

/**
 * What is said of an attribute, and of the parts of one that has some: `emails[type eq "work"].value eq "…"` says two
 * things.
 */
function comparisonsIn(name: string, said: unknown): Compared[] {
  if (isObject(said)) return Object.entries(said).flatMap(([part, inner]) => comparisonsIn(`${name}.${part}`, inner))
  const list = Array.isArray(said) ? said : []
  return Array.isArray(list[0]) ? list.map((one: readonly unknown[]) => [name, one]) : [[name, list]]
}

const refusedFilter = (message: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { cause: new SCIMMY.Types.Error(400, 'invalidFilter', message) })
