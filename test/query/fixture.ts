import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../src/core/errors.ts'
import { boolean, date, type Fields, integer, json, number, text, timestamp, uuid } from '../../src/core/fields.ts'
import { Type } from '../../src/core/schema.ts'
import type { OrderTerm } from '../../src/query/order.ts'
import { EVERY_PARAMETER, type ListQuery } from '../../src/query/parse.ts'
import { afterSql, type Keys, operandsOf, orderSql, type SqlDialect, whereSql } from '../../src/query/sql.ts'
import type { Row } from '../support/evaluate.ts'

/** The fields of the conformance fixture. */
export const caseFields: Fields = {
  id: uuid().readOnly(),
  name: text(200),
  label: text(200).nullable(),
  floor: integer(-1000, 1000).nullable(),
  active: boolean().nullable(),
  tags: json(Type.Array(Type.String())),
  created_at: timestamp().readOnly(),
}

/** And one of each remaining kind. */
export const allFields: Fields = {
  ...caseFields,
  owner_id: uuid().nullable(),
  ratio: number(-1e9, 1e9).nullable(),
  due_on: date().nullable(),
  seen_at: timestamp().nullable(),
  secret: text(200).writeOnly(),
}

export const everything = EVERY_PARAMETER

export const sqlite: SqlDialect = { name: 'sqlite' }
const COLUMNS = ['id', 'name', 'label', 'floor', 'active', 'created_at', 'owner_id', 'ratio', 'due_on', 'seen_at']

export function openTable(rows: readonly Row[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.function('lower_unicode', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value,
  )
  db.exec(`create table t (id text primary key, name text, label text, floor integer, active integer, created_at text,
    owner_id text, ratio real, due_on text, seen_at text)`)
  fill(db, rows)
  return db
}

export function fill(db: DatabaseSync, rows: readonly Row[]): void {
  db.exec('delete from t')
  const insert = db.prepare(`insert into t (${COLUMNS}) values (${COLUMNS.map(() => '?')})`)
  for (const row of rows) {
    insert.run(
      ...COLUMNS.map((name) => row[name] ?? null).map((value) => (typeof value === 'boolean' ? Number(value) : value)),
    )
  }
}

/** The ids of the page, as the list engine will ask for them. */
export function idsOf(db: DatabaseSync, query: ListQuery): string[] {
  let count = 0
  const column = (field: string) => `t.${field}`
  const where = whereSql(query.filters, column, allFields, sqlite, () => `?${++count}`)
  const order = orderSql(query.order, column, allFields, sqlite)
  const sql = `select id from t where ${['true', ...where].join(' and ')}
    order by ${order === '' ? '' : `${order}, `}created_at asc, id asc
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`
  const operands = operandsOf(query.filters, allFields, sqlite) as (string | number)[]
  return db
    .prepare(sql)
    .all(...operands)
    .map((row) => row.id as string)
}

/** What the action is refused with. */
export function faultOf(action: () => unknown): AppError {
  try {
    action()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('accepted')
}

/** The ids of what stands behind a row. */
export function idsBehind(db: DatabaseSync, asked: readonly OrderTerm[], row: Row): string[] {
  const named = new Set(asked.map(({ field }) => field))
  const ties = ['created_at', 'id'].filter((field) => !named.has(field))
  const terms: OrderTerm[] = [
    ...asked,
    ...ties.map((field) => ({ field, direction: 'asc' as const, nulls: 'last' as const })),
  ]
  const column = (field: string) => `t.${field}`
  const bound: (string | number)[] = []
  const bind = (value: unknown) => `?${bound.push(value as string)}`
  const behind = afterSql(terms, terms.map(({ field }) => row[field] ?? null) as Keys, column, allFields, sqlite, bind)
  const found = db
    .prepare(`select id from t where ${behind} order by ${orderSql(terms, column, allFields, sqlite)}`)
    .all(...bound)
  return found.map(({ id }) => String(id))
}
