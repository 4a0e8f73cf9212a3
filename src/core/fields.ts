import { type Static, type TSchema, Type } from './schema.ts'

/**
 * A resource declares its fields once, here. Validation, serialisation, SQL columns, the list grammar, OpenAPI and the
 * TypeScript types all come from that one declaration.
 */
export type FieldType = 'uuid' | 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp' | 'json'

/** rw: client sets it. ro: never set by a client. wo: set, never shown. create: set at creation, fixed afterwards. */
type FieldMode = 'rw' | 'ro' | 'wo' | 'create'

interface FieldSpec {
  readonly type: FieldType
  readonly schema: TSchema
  readonly mode: FieldMode
  readonly isNullable: boolean
  readonly isRequired: boolean
  readonly fallback: unknown
  readonly values: readonly string[] | undefined
  /** Those of the values that a creation takes; the others are reached by actions alone. */
  readonly initialValues: readonly string[] | undefined
  readonly references: string | undefined
  /** The table of what it names, where nothing holds it to be there; see `pointer`. */
  readonly pointsTo: string | undefined
  /** The row is part of what it refers to and goes with it. */
  readonly isOwned: boolean
  readonly expression: string | undefined
  /** Where the expression reads nothing but a column of the row with the same id in another table. */
  readonly beside: { readonly table: string; readonly column: string } | undefined
  readonly isStored: boolean
  readonly description: string | undefined
  readonly example: unknown
  readonly isQueryable: boolean
  readonly mayBeAbsent: boolean
  readonly countsEverywhere: boolean
  readonly isPartlyHidden: boolean
}

export class Field<T = unknown, M extends FieldMode = FieldMode, R extends boolean = boolean> {
  declare readonly _type: T
  declare readonly _mode: M
  declare readonly _required: R
  readonly spec: FieldSpec

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  private with<T2, M2 extends FieldMode, R2 extends boolean>(change: Partial<FieldSpec>): Field<T2, M2, R2> {
    return new Field<T2, M2, R2>({ ...this.spec, ...change })
  }

  /** Must be given at creation: there is nothing that would be stored without it. */
  required(): Field<T, M, true> {
    return this.with({ isRequired: true, fallback: undefined })
  }

  /** May be null, and is null unless given. */
  nullable(): Field<T | null, M, R> {
    return this.with({ isNullable: true, fallback: null })
  }

  /** What a creation that leaves the field out stores. */
  default(value: T): Field<T, M, R> {
    return this.with({ fallback: value })
  }

  readOnly(): Field<T, 'ro', R> {
    return this.with({ mode: 'ro' })
  }

  writeOnly(): Field<T, 'wo', R> {
    return this.with({ mode: 'wo', isQueryable: false })
  }

  /** Answers leave out some of what was set, by what it is called. */
  partlyHidden(): Field<T, M, R> {
    return this.with({ isPartlyHidden: true })
  }

  /** Deleting what this refers to deletes this row too, instead of being refused. */
  owned(): Field<T, M, R> {
    return this.with({ isOwned: true })
  }

  fixedAtCreation(): Field<T, 'create', R> {
    return this.with({ mode: 'create' })
  }

  /** Set at creation, to one of these alone; actions lead to the others. */
  startsAs(...initialValues: Array<T & string>): Field<T, 'create', R> {
    return this.with({ mode: 'create', initialValues })
  }

  /** Computed by SQL on every read; `t` is the row. Sortable and filterable like a column, never stored. */
  derived(expression: string): Field<T, 'ro', R> {
    return this.with({ mode: 'ro', expression, isStored: false })
  }

  /**
   * A column of another table, which has a row with the same id for each. A list that filters or sorts by it is led
   * from there.
   */
  beside(table: string, column: string): Field<T, 'ro', R> {
    const expression = `select b.${column} from ${table} b where b.org = :org and b.id = t.id`
    return this.with({ mode: 'ro', expression, isStored: false, beside: { table, column } })
  }

  /** Filled in after the page is read (`decorate` of the resource): shown, but neither stored, sorted nor filtered. */
  decorated(): Field<T, 'ro', R> {
    return this.with({ mode: 'ro', isStored: false, isQueryable: false })
  }

  /** Left out of an answer to a caller who may not see it. */
  absentWhenForbidden(): Field<T | undefined, M, R> {
    return this.with({ mayBeAbsent: true })
  }

  /** It counts what may lie anywhere, so it is null to a caller whose right holds in some places only. */
  acrossPlaces(): Field<T | null, M, R> {
    return this.with({ countsEverywhere: true, isNullable: true })
  }

  /** An example of null: examples show it without a value. */
  describe(description: string, example: unknown = this.spec.example): Field<T, M, R> {
    return this.with({ description, example })
  }
}

function field<T>(type: FieldType, schema: TSchema, more: Partial<FieldSpec> = {}): Field<T, 'rw', false> {
  return new Field<T, 'rw', false>({
    type,
    schema,
    mode: 'rw',
    isNullable: false,
    isRequired: false,
    fallback: undefined,
    values: undefined,
    initialValues: undefined,
    references: undefined,
    pointsTo: undefined,
    isOwned: false,
    expression: undefined,
    beside: undefined,
    isStored: true,
    description: undefined,
    example: undefined,
    isQueryable: type !== 'json',
    mayBeAbsent: false,
    countsEverywhere: false,
    isPartlyHidden: false,
    ...more,
  })
}

/** Whether what is set is shown again, all of it. */
export const isShown = ({ spec }: Field): boolean => spec.mode !== 'wo' && !spec.isPartlyHidden

export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

export const text = (maxLength: number, options: { minLength?: number; pattern?: string } = {}) =>
  field<string>('string', Type.String({ maxLength, ...options }))
/** Text that people read in one line, without characters that they do not see (core/line.ts). */
export const line = (maxLength: number, options: { minLength?: number; pattern?: string } = {}) =>
  field<string>('string', Type.String({ maxLength, ...options, format: 'line' }))
/** A name: never empty. */
export const name = (maxLength = 200) => line(maxLength, { minLength: 1 })
/** A short code, number or label. */
export const code = () => line(100)
/** Prose. */
export const prose = () => text(2000)
export const integer = (minimum: number, maximum: number) =>
  field<number>('integer', Type.Integer({ minimum, maximum }))
export const number = (minimum: number, maximum: number) => field<number>('number', Type.Number({ minimum, maximum }))
export const boolean = () => field<boolean>('boolean', Type.Boolean())
export const date = () => field<string>('date', Type.String({ format: 'date' }), { example: '2027-03-31' })
export const timestamp = () =>
  field<string>('timestamp', Type.String({ format: 'date-time' }), { example: '2026-05-04T08:30:00.000Z' })
export const uuid = () => field<string>('uuid', Type.String({ format: 'uuid' }))
/** The id of a row of another table of the same organization. */
export const reference = (table: string) =>
  field<string>('uuid', Type.String({ format: 'uuid' }), { references: table })
/**
 * The id of a row that is not held to be there: it is kept when the row is gone, or found by way of another. It is read
 * as a reference is, embedded and counted by, and never checked as one.
 */
export const pointer = (table: string) => field<string>('uuid', Type.String({ format: 'uuid' }), { pointsTo: table })
/** The table of what a field names, for whoever reads it. */
export const namedTable = ({ spec }: Field): string | undefined => spec.references ?? spec.pointsTo
export const oneOf = <const V extends readonly string[]>(...values: V) =>
  field<V[number]>('string', Type.Unsafe<V[number]>({ type: 'string', enum: values }), {
    values,
    fallback: values.includes('active') ? 'active' : values[0],
  })
export const json = <S extends TSchema>(schema: S) => field<Static<S>>('json', schema)
/** A count made by SQL at reading time. */
export const count = (expression: string) => integer(0, Number.MAX_SAFE_INTEGER).derived(expression)

export type Fields = Readonly<Record<string, Field>>
/** A row as it is read: whatever else it has, it has an id. */
export type RowOf<F extends Fields> = {
  -readonly [K in keyof F as F[K]['_mode'] extends 'wo' ? never : K]: F[K]['_type']
} & { id: string }

/** The fields every stored resource has. */
export const common = {
  id: uuid().readOnly().describe('Identifier (UUIDv7).', '01997d2a-4c00-7000-8000-000000000001'),
  external_id: name()
    .nullable()
    .describe('Your own key for it, unique within the organization and resource.', 'sap-4711'),
  created_at: timestamp().readOnly().describe('When it was created.'),
  updated_at: timestamp().readOnly().describe('When it was last changed.'),
  version: integer(1, Number.MAX_SAFE_INTEGER).readOnly().describe('Counts its changes; the ETag.', 1),
} satisfies Fields
