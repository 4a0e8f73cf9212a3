import SCIMMY from 'scimmy'
import { AppError } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { filterOf, type Json, refuseEndless } from './messages.ts'

const MOST = 200

type Conditions = Readonly<Record<string, (value: unknown) => Sql>>

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

/** What identity providers ask by: equality of a few attributes, joined by and, or. All else is refused rather than passed over. */
function conditionOf(filter: string | null, conditions: Conditions): Sql {
  if (filter === null) return raw('1 = 1')
  refuseEndless('filter', filter)
  const known = new Map(Object.entries(conditions).map(([name, make]) => [name.toLowerCase(), make]))
  const one = (name: string, comparison: unknown): Sql => {
    const make = known.get(name.toLowerCase())
    const [operator, value] = Array.isArray(comparison) ? comparison : []
    if (make && operator === 'eq') return make(value)
    const offered = Object.keys(conditions).join(', ')
    const message = `filter: only eq is offered, of ${offered}; "${filter}" asks for something else`
    throw new AppError('VALIDATION_ERROR', message, { cause: new SCIMMY.Types.Error(400, 'invalidFilter', message) })
  }
  const any = filterOf(filter).map((all) => {
    const every = Object.entries(all).map(([name, comparison]) => one(name, comparison))
    return sql`(${join(every, ' and ')})`
  })
  return sql`(${join(any, ' or ')})`
}
