import type { Fields, FieldType } from '../core/fields.ts'
import type { Scalar } from './operands.ts'
import type { Comparison, Filter, ListQuery, OrderTerm } from './parse.ts'

/** `lowerCollation`: PostgreSQL's collation for `lower()` as SQL, quotes included; one that knows Unicode. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  readonly lowerCollation?: string
}

/** Gives a field's SQL. An expression comes in parentheses: operators are put behind it. */
export type ColumnOf = (field: string) => string

/** Queries of one shape share one SQL text: fields, operators and null placement, never operands. */
export function shapeOf(query: Pick<ListQuery, 'filters' | 'order'>): string {
  let shape = ''
  for (const { field, negated, operator, operand } of query.filters) {
    shape += `${field}${negated ? '.not.' : '.'}${operator}${operator === 'is' ? `.${operand}` : ''}&`
  }
  for (const { field, direction, nulls } of query.order) shape += `,${field}.${direction}.${nulls}`
  return shape
}

const SYMBOLS: Readonly<Record<Comparison, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }
/** `not (a > b)` as `a <= b`: the same for null, and an index can serve it. */
const INVERSE: Readonly<Record<Comparison, Comparison>> = { eq: 'neq', neq: 'eq', gt: 'lte', gte: 'lt', lt: 'gte', lte: 'gt' }

/** bigint for integers of any width: an operand beyond the column's range then matches nothing instead of failing. */
const POSTGRES_TYPES: Readonly<Record<FieldType, string>> = {
  uuid: 'uuid',
  string: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
}

function typeOf(fields: Fields, name: string): FieldType {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) throw new Error(`no field ${name}`)
  return field.spec.type
}

/** One boolean expression per filter. `placeholder` is called once per operand, in the order of `operandsOf`. */
export function whereSql(
  filters: readonly Filter[],
  column: ColumnOf,
  fields: Fields,
  dialect: SqlDialect,
  placeholder: () => string,
): string[] {
  return filters.map((filter) => conditionSql(filter, column(filter.field), typeOf(fields, filter.field), dialect, placeholder))
}

function conditionSql(filter: Filter, column: string, type: FieldType, dialect: SqlDialect, placeholder: () => string): string {
  const isPostgres = dialect.name === 'postgres'
  const not = filter.negated ? 'not ' : ''
  switch (filter.operator) {
    case 'is': {
      const isNot = filter.negated !== (filter.operand === 'not_null')
      const value = filter.operand === 'not_null' ? 'null' : filter.operand
      // SQLite serves `is 1` from an index, `is true` not.
      const literal = isPostgres || value === 'null' ? value : value === 'true' ? '1' : '0'
      return `${column} is ${isNot ? 'not ' : ''}${literal}`
    }
    case 'in':
      if (!isPostgres) return `${column} ${not}in (select value from json_each(${placeholder()}))`
      return `${column} ${filter.negated ? '<> all' : '= any'} (${placeholder()}::${POSTGRES_TYPES[type]}[])`
    case 'like':
      return isPostgres ? `${column} ${not}like ${placeholder()}::text` : `${column} ${not}glob ${placeholder()}`
    case 'ilike': {
      if (!isPostgres) return `${foldSigma(`lower_unicode(${column})`)} ${not}glob ${placeholder()}`
      const collation = dialect.lowerCollation === undefined ? '' : ` collate ${dialect.lowerCollation}`
      // Of one character alone the lower case has two, and only some collations make them: İ.
      return `${foldSigma(`lower(replace(${column}, 'İ', 'i\u0307')${collation})`)} ${not}like ${placeholder()}::text`
    }
    default: {
      const operator = filter.negated ? INVERSE[filter.operator] : filter.operator
      const symbol = SYMBOLS[operator]
      if (!isPostgres) return `${column} ${symbol} ${placeholder()}`
      const collation = type === 'string' && symbol !== '=' && symbol !== '<>' ? ' collate "C"' : ''
      return `${column}${collation} ${symbol} ${placeholder()}::${POSTGRES_TYPES[type]}`
    }
  }
}

/** Lower case makes a capital sigma ς at a word's end and σ elsewhere; where a pattern's star stands decides neither. */
const foldSigma = (sql: string): string => `replace(${sql}, 'ς', 'σ')`
const lowerPattern = (pattern: string): string => pattern.toLowerCase().replaceAll('ς', 'σ')

/** The values to bind, in the order of the placeholders. */
export function operandsOf(filters: readonly Filter[], fields: Fields, dialect: SqlDialect): unknown[] {
  const operands: unknown[] = []
  const isPostgres = dialect.name === 'postgres'
  for (const filter of filters) {
    const type = typeOf(fields, filter.field)
    switch (filter.operator) {
      case 'is':
        break
      case 'in': {
        const items = type === 'timestamp' ? filter.operand.map((item) => bindable(item, type, isPostgres)) : filter.operand
        operands.push(isPostgres ? items : JSON.stringify(items))
        break
      }
      case 'like':
        operands.push(isPostgres ? likePattern(filter.operand) : globPattern(filter.operand))
        break
      case 'ilike': {
        const lowered = lowerPattern(filter.operand)
        operands.push(isPostgres ? likePattern(lowered) : globPattern(lowered))
        break
      }
      default:
        operands.push(bindable(filter.operand, type, isPostgres))
    }
  }
  return operands
}

function bindable(operand: Scalar, type: FieldType, isPostgres: boolean): Scalar {
  if (typeof operand === 'boolean') return isPostgres ? operand : Number(operand)
  if (type !== 'timestamp' || typeof operand !== 'string' || operand.length === 24) return operand
  // Finer than the stored milliseconds: any point between two of them compares alike. PostgreSQL would round the seventh digit.
  return isPostgres ? `${operand.slice(0, 23)}5Z` : `${operand.slice(0, 23)}Zx`
}

/** Only the star is a wildcard: GLOB's others are made classes of one. */
const globPattern = (pattern: string): string => pattern.replace(/[?[]/g, '[$&]')
const likePattern = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')

/**
 * The terms of `order by`, without the tie-breaker. The engines disagree on where null sorts, so it is always written out
 * where null can be; where it cannot, saying so would keep SQLite from reading the order out of an index.
 */
export function orderSql(terms: readonly OrderTerm[], column: ColumnOf, fields: Fields, dialect: SqlDialect): string {
  return terms
    .map(({ field, direction, nulls }) => {
      const collation = dialect.name === 'postgres' && typeOf(fields, field) === 'string' ? ' collate "C"' : ''
      const placement = fields[field]?.spec.isNullable ? ` nulls ${nulls}` : ''
      return `${column(field)}${collation} ${direction}${placement}`
    })
    .join(', ')
}
