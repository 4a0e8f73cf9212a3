import type { Fields, FieldType } from '../core/fields.ts'
import { type Comparison, type Condition, type Filter, filtersIn, isGroup } from './filters.ts'
import type { Scalar } from './operands.ts'
import type { OrderTerm } from './order.ts'
import type { ListQuery } from './parse.ts'

/** `lowerCollation`: PostgreSQL's collation for `lower()` as SQL, quotes included; one that knows Unicode. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  readonly lowerCollation?: string
}

/** Gives a field's SQL. An expression comes in parentheses: operators are put behind it. */
export type ColumnOf = (field: string) => string

/** Queries of one shape share one SQL text: fields, operators and null placement, never operands. */
export function shapeOf(query: Pick<ListQuery, 'filters' | 'order'>): string {
  let shape = conditionShapes(query.filters)
  for (const { field, direction, nulls } of query.order) shape += `,${field}.${direction}.${nulls}`
  return shape
}

function conditionShapes(conditions: readonly Condition[]): string {
  let shape = ''
  for (const condition of conditions) {
    const not = condition.negated ? '.not.' : '.'
    if (isGroup(condition)) shape += `${not}${condition.group}(${conditionShapes(condition.members)})&`
    else
      shape +=
        `${condition.field}${not}${condition.operator}` +
        `${condition.operator === 'is' ? `.${condition.operand}` : ''}&`
  }
  return shape
}

const SYMBOLS: Readonly<Record<Comparison, string>> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }
/** `not (a > b)` as `a <= b`: the same for null, and an index can serve it. */
const INVERSE: Readonly<Record<Comparison, Comparison>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
}

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

/** One boolean expression per condition. `placeholder` is called once per operand, in the order of `operandsOf`. */
export function whereSql(
  conditions: readonly Condition[],
  column: ColumnOf,
  fields: Fields,
  dialect: SqlDialect,
  placeholder: () => string,
): string[] {
  return conditions.map((condition) => {
    if (!isGroup(condition))
      return conditionSql(condition, column(condition.field), typeOf(fields, condition.field), dialect, placeholder)
    const members = whereSql(condition.members, column, fields, dialect, placeholder)
    return `${condition.negated ? 'not ' : ''}(${members.map((member) => `(${member})`).join(` ${condition.group} `)})`
  })
}

/** A pattern of few values is a list of those that it fits. */
const asList = (filter: Filter): Filter =>
  'values' in filter && filter.values ? { ...filter, operator: 'in', operand: [...filter.values] } : filter

function conditionSql(
  asked: Filter,
  column: string,
  type: FieldType,
  dialect: SqlDialect,
  placeholder: () => string,
): string {
  const filter = asList(asked)
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
      if (!isPostgres) return `${lowerOnSqlite(column)} ${not}glob ${placeholder()}`
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

/**
 * Lower case makes a capital sigma ς at a word's end and σ elsewhere; where a pattern's star stands decides neither.
 */
const foldSigma = (sql: string): string => `replace(${sql}, 'ς', 'σ')`
/** What SQLite knows of case is ASCII: that is most of what there is, and our own function takes ten times as long. */
const lowerOnSqlite = (column: string): string =>
  `case when ${column} glob '*[^ -~]*' then ${foldSigma(`lower_unicode(${column})`)} else lower(${column}) end`
const lowerPattern = (pattern: string): string => pattern.toLowerCase().replaceAll('ς', 'σ')

/** The values to bind, in the order of the placeholders. */
export function operandsOf(conditions: readonly Condition[], fields: Fields, dialect: SqlDialect): unknown[] {
  const operands: unknown[] = []
  const isPostgres = dialect.name === 'postgres'
  for (const filter of filtersIn(conditions).map(asList)) {
    const type = typeOf(fields, filter.field)
    switch (filter.operator) {
      case 'is':
        break
      case 'in': {
        const items =
          type === 'timestamp' ? filter.operand.map((item) => bindable(item, type, isPostgres)) : filter.operand
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
  // Finer than the stored milliseconds: any point between two of them compares alike. PostgreSQL would round the
  // seventh digit.
  return isPostgres ? `${operand.slice(0, 23)}5Z` : `${operand.slice(0, 23)}Zx`
}

/** Only the star is a wildcard: GLOB's others are made classes of one. */
const globPattern = (pattern: string): string => pattern.replace(/[?[]/g, '[$&]')
const likePattern = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')

/** Whether a field's value can be null in a list: as declared, unless the list hides some. */
export type NullableOf = (field: string) => boolean

const declaredNullable =
  (fields: Fields): NullableOf =>
  (field) =>
    fields[field]?.spec.isNullable ?? true

const collated = (column: string, field: string, fields: Fields, dialect: SqlDialect): string =>
  dialect.name === 'postgres' && typeOf(fields, field) === 'string' ? `${column} collate "C"` : column

/**
 * The terms of `order by`, without the tie-breaker. The engines disagree on where null sorts, so it is always written
 * out where null can be; where it cannot, saying so would keep SQLite from reading the order out of an index.
 */
export function orderSql(
  terms: readonly OrderTerm[],
  column: ColumnOf,
  fields: Fields,
  dialect: SqlDialect,
  isNullable = declaredNullable(fields),
): string {
  return terms
    .map(({ field, direction, nulls }) => {
      const placement = isNullable(field) ? ` nulls ${nulls}` : ''
      return `${collated(column(field), field, fields, dialect)} ${direction}${placement}`
    })
    .join(', ')
}

/** A row's values in the terms of its list's order: where it stands in it. */
export type Keys = ReadonlyArray<Scalar | null>

/**
 * Behind the row with these keys, in the order of the terms, which together are unique. `bind` gives a value its
 * placeholder.
 */
export function afterSql(
  terms: readonly OrderTerm[],
  keys: Keys,
  column: ColumnOf,
  fields: Fields,
  dialect: SqlDialect,
  bind: (value: unknown) => string,
  isNullable = declaredNullable(fields),
): string {
  const isPostgres = dialect.name === 'postgres'
  const placed = terms.map((term, index) => {
    const key = keys[index] ?? null
    const bound = () => bind(typeof key === 'boolean' && !isPostgres ? Number(key) : key)
    return {
      ...term,
      column: collated(column(term.field), term.field, fields, dialect),
      symbol: term.direction === 'asc' ? '>' : '<',
      value: key === null ? null : isPostgres ? `${bound()}::${POSTGRES_TYPES[typeOf(fields, term.field)]}` : bound(),
      isNullable: isNullable(term.field),
    }
  })
  const [first] = placed
  if (!first) throw new Error('a list without an order has no place to go on from')
  // One comparison, which an index can serve.
  if (placed.every(({ symbol, isNullable, value }) => symbol === first.symbol && !isNullable && value !== null))
    return (
      `(${placed.map((term) => term.column).join(', ')}) ${first.symbol} ` +
      `(${placed.map((term) => term.value).join(', ')})`
    )

  const equals = (term: (typeof placed)[number]) =>
    term.value === null ? `${term.column} is null` : `${term.column} = ${term.value}`
  const further = (term: (typeof placed)[number]): string | undefined => {
    if (term.value === null) return term.nulls === 'first' ? `${term.column} is not null` : undefined
    const beyond = `${term.column} ${term.symbol} ${term.value}`
    return term.isNullable && term.nulls === 'last' ? `(${beyond} or ${term.column} is null)` : beyond
  }
  const ways = placed.flatMap((term, index) => {
    const last = further(term)
    return last === undefined ? [] : [`(${[...placed.slice(0, index).map(equals), last].join(' and ')})`]
  })
  const lead = first.isNullable || first.value === null ? '' : `${first.column} ${first.symbol}= ${first.value} and `
  return `(${lead}(${ways.length > 0 ? ways.join(' or ') : 'false'}))`
}
