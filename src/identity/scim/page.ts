import { AppError } from '../../core/errors.ts'
import type { OrgHandle } from '../../db/org.ts'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { filterOf, type Json } from './messages.ts'

const MOST = 200

/** A page of rows as RFC 7644 has it: from `startIndex`, at most `count`. */
export async function pageOf<Row>(
  handle: OrgHandle,
  query: URLSearchParams,
  from: Sql,
  conditions: Readonly<Record<string, (value: unknown) => Sql>>,
  shown: (rows: Row[]) => Promise<Json[]>,
): Promise<Json> {
  const whole = (name: string, fallback: number) => {
    const text = query.get(name)
    if (text === null) return fallback
    if (!/^-?\d{1,9}$/.test(text)) throw new AppError('VALIDATION_ERROR', `${name} must be a whole number`)
    return Number(text)
  }
  const startIndex = Math.max(1, whole('startIndex', 1))
  const count = Math.min(MOST, Math.max(0, whole('count', 100)))
  const where = conditionOf(query.get('filter'), conditions)
  const [{ n } = { n: 0 }] = await handle.all<{ n: number }>(sql`select count(*) as n from ${from} and ${where}`)
  const rows = await handle.all<Row>(
    sql`select t.*, s.* from ${from} and ${where} order by t.created_at, t.id limit ${count} offset ${startIndex - 1}`,
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

/** What identity providers ask by: equality of a few attributes, joined by and, or. All else is refused rather than passed over. */
function conditionOf(text: string | null, conditions: Readonly<Record<string, (value: unknown) => Sql>>): Sql {
  if (text === null) return raw('1 = 1')
  const known = new Map(Object.entries(conditions).map(([name, make]) => [name.toLowerCase(), make]))
  const one = (name: string, comparison: unknown): Sql => {
    const make = known.get(name.toLowerCase())
    const [operator, value] = Array.isArray(comparison) ? comparison : []
    if (!make || operator !== 'eq') {
      const offered = Object.keys(conditions).join(', ')
      throw new AppError('VALIDATION_ERROR', `filter: only eq is offered, of ${offered}; "${text}" asks for something else`)
    }
    return make(value)
  }
  const any = filterOf(text).map(
    (all) =>
      sql`(${join(
        Object.entries(all).map(([name, comparison]) => one(name, comparison)),
        ' and ',
      )})`,
  )
  return sql`(${join(any, ' or ')})`
}
