import { Pauses } from '../../core/pauses.ts'
import { filtersIn } from '../../query/filters.ts'
import type { ListQuery } from '../../query/parse.ts'
import { readableNames } from '../../query/readable.ts'
import { afterSql, type Keys, operandsOf, orderSql, whereSql } from '../../query/sql.ts'
import type { RecordType } from '../engine.ts'
import type { OrgHandle } from '../org.ts'
import type { AnyRow, Resource } from '../resource.ts'
import { render } from '../sql.ts'
import { defaultOrderOf } from './asked-list.ts'
import type { ListPage } from './list.ts'

const recordTypes: Partial<Record<string, RecordType>> = {
  uuid: 'uuid',
  boolean: 'boolean',
  timestamp: 'timestamp',
  integer: 'integer',
}

/** So many are put in order in a few milliseconds. */
const MANY = 1000

/**
 * A page of rows that were worked out rather than stored. They are handed to the engine as rows, so that filters and
 * orders mean what they mean everywhere. What is neither filtered nor ordered by stays behind and joins the page by its
 * place.
 */
export async function listRecords(
  handle: OrgHandle,
  resource: Resource,
  query: Pick<ListQuery, 'page' | 'limit' | 'order' | 'filters'>,
  rows: readonly AnyRow[],
  after?: Keys | null,
): Promise<ListPage<AnyRow>> {
  const named = new Set(query.order.map((term) => term.field))
  const order = [...query.order, ...defaultOrderOf(resource).filter((term) => !named.has(term.field))]
  const used = new Set([...order.map((term) => term.field), ...filtersIn(query.filters).map((filter) => filter.field)])
  const columns: Record<string, RecordType> = { place_in_rows: 'integer' }
  for (const name of readableNames(resource.fields)) {
    if (used.has(name)) columns[name] = recordTypes[resource.fields[name]?.spec.type ?? ''] ?? 'text'
  }
  const records: AnyRow[] = []
  const pauses = new Pauses(handle.signal)
  for (const [place_in_rows, row] of rows.entries()) {
    const pause = pauses.take()
    if (pause) await pause
    records.push({ ...Object.fromEntries([...used].map((name) => [name, row[name]])), place_in_rows })
  }
  const extent = rows.length > MANY ? 'all' : undefined
  const source = render(handle.dialect.records(records, 't', columns))
  let placeholders = source.values.length
  const column = (name: string) => `t.${name}`
  const where = whereSql(query.filters, column, resource.fields, handle.dialect, () => `$${++placeholders}`)
  const values = [...source.values, ...operandsOf(query.filters, resource.fields, handle.dialect)]
  const bind = (value: unknown) => `$${values.push(value)}`
  if (after) where.push(afterSql(order, after, column, resource.fields, handle.dialect, bind))
  const from = `from ${source.text}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`
  const ordered = `order by ${orderSql(order, column, resource.fields, handle.dialect)}`
  const rowsAt = (found: readonly Found[]) => found.map(({ place_in_rows }) => ({ ...rows[place_in_rows] }))
  if (after !== undefined) {
    const found = await handle.query<Found>(
      `select t.place_in_rows ${from} ${ordered} limit ${bind(query.limit + 1)}`,
      values,
      extent,
    )
    const page = rowsAt(found.slice(0, query.limit))
    const last = found.length > query.limit ? page.at(-1) : undefined
    return { rows: page, next: last ? order.map(({ field }) => (last[field] ?? null) as Keys[number]) : null }
  }
  const found = await handle.query<Found & { found: number }>(
    `select t.place_in_rows, count(*) over () as found ${from} ${ordered} limit $${values.length + 1} offset
      $${values.length + 2}`,
    [...values, query.limit, (query.page - 1) * query.limit],
    extent,
  )
  const total =
    found[0]?.found ??
    (query.page === 1
      ? 0
      : ((await handle.query<{ n: number }>(`select count(*) as n ${from}`, values, extent))[0]?.n ?? 0))
  return { rows: rowsAt(found), total }
}

interface Found {
  place_in_rows: number
}
