import { readableNames } from '../query/meta.ts'
import type { ListQuery } from '../query/parse.ts'
import { operandsOf, orderSql, whereSql } from '../query/sql.ts'
import type { RecordType } from './engine.ts'
import { defaultOrderOf, type ListPage } from './list.ts'
import type { OrgHandle } from './org.ts'
import type { AnyRow, Resource } from './resource.ts'
import { render } from './sql.ts'

const recordTypes: Partial<Record<string, RecordType>> = { uuid: 'uuid', boolean: 'boolean', timestamp: 'timestamp', integer: 'integer' }

/**
 * A page of rows that were worked out rather than stored. They are handed to the engine as rows, so that filters and orders mean
 * what they mean everywhere. What is neither filtered nor ordered by stays behind and joins the page by its place.
 */
export async function listRecords(
  handle: OrgHandle,
  resource: Resource,
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters'>,
  rows: readonly AnyRow[],
): Promise<ListPage> {
  const named = new Set(query.order.map((term) => term.field))
  const order = [...query.order, ...defaultOrderOf(resource).filter((term) => !named.has(term.field))]
  const used = new Set([...order.map((term) => term.field), ...query.filters.map((filter) => filter.field)])
  const columns: Record<string, RecordType> = { place_in_rows: 'integer' }
  for (const name of readableNames(resource.fields)) {
    if (used.has(name)) columns[name] = recordTypes[resource.fields[name]?.spec.type ?? ''] ?? 'text'
  }
  const records = rows.map((row, place_in_rows) => ({ ...Object.fromEntries([...used].map((name) => [name, row[name]])), place_in_rows }))
  const source = render(handle.dialect.records(records, 't', columns))
  let placeholders = source.values.length
  const column = (name: string) => `t.${name}`
  const where = whereSql(query.filters, column, resource.fields, handle.dialect, () => `$${++placeholders}`)
  const values = [...source.values, ...operandsOf(query.filters, resource.fields, handle.dialect)]
  const from = `from ${source.text}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`
  const found = await handle.query<{ place_in_rows: number; found: number }>(
    `select t.place_in_rows, count(*) over () as found ${from} order by ${orderSql(order, column, resource.fields, handle.dialect)} limit $${placeholders + 1} offset $${placeholders + 2}`,
    [...values, query.limit, (query.page - 1) * query.limit],
  )
  const total =
    found[0]?.found ?? (query.page === 1 ? 0 : ((await handle.query<{ n: number }>(`select count(*) as n ${from}`, values))[0]?.n ?? 0))
  return { rows: found.map(({ place_in_rows }) => ({ ...(rows[place_in_rows] as AnyRow) })), total }
}
