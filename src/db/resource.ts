import type { Fields } from '../core/fields.ts'
import type { Permission } from '../core/permissions.ts'
import { readableNames } from '../query/readable.ts'
import type { Tx } from './change.ts'
import type { Dialect } from './engine.ts'
import type { OrgHandle } from './org.ts'
import { type Sql, sql } from './sql.ts'

/** The places in which a caller's right holds, as SQL. Each condition takes a column that holds an id. */
export interface PlacesSql {
  /** The row that is asked about. */
  readonly row: string
  /** A good part of all places: what is in them is better asked about one by one than gathered. */
  readonly areMany: boolean
  /** Where something was counts as well, if that is there no more: a space, a door. */
  readonly isOfPast?: boolean
  inBuildings(column: string): Sql
  inLocations(column: string): Sql
  /** The buildings and locations above those: what is granted there holds here too. */
  aboveInBuildings(column: string): Sql
  aboveInLocations(column: string): Sql
}

export type PlaceExpression = (places: PlacesSql) => Sql

/** What has to do with the caller's places without lying there: it is seen and not changed. */
export interface Reach {
  readonly rows: PlaceExpression
  /** What is seen of it; all other fields are absent. Not said: all of it. */
  readonly fields?: readonly string[]
}

/** Rows are added at the end alone, by `sequence`, and go from its beginning. */
export interface Growth {
  /** How far they reach, how many may be gone, and how many there are. */
  readonly of: (handle: OrgHandle) => Promise<{ last: number; gone: number; stored: number }>
  /** Fields that are written later than their row, and where the first is that lacks them. */
  readonly later: {
    readonly fields: readonly string[]
    readonly firstWithout: (handle: OrgHandle) => Promise<number | undefined>
  }
}

/**
 * What a resource is. Everything generic (list, get, create, patch, delete, search, scope, OpenAPI) is made from it.
 */
export interface Resource<F extends Fields = Fields> {
  /** As in the path and in permissions: `access-points`. */
  readonly noun: string
  readonly table: string
  /** Unless said, `<noun>:read` and `<noun>:write`. */
  readonly permissions?: { readonly read: Permission; readonly write: Permission }
  /** For sentences: "access point", "access points". */
  readonly singular: string
  readonly plural: string
  readonly description: string
  readonly fields: F
  /** Fields of its own that `search` looks in; they are kept folded in `search_text`, with a text index. */
  readonly search: readonly string[]
  /**
   * Where a row is. Absent: it belongs to the organization as a whole, and a role limited to places does not reach it.
   */
  readonly place?: PlaceExpression
  /** The same of a row that is not stored, or no more: it lacks what triggers write. */
  readonly placeUnstored?: PlaceExpression
  /**
   * What of it is seen from places that it does not lie in. Lists, items, references, search and counts all go by these
   * two.
   */
  readonly reaches?: Reach
  /**
   * Whoever sees one may refer to it, wherever they write. Anything else with a place must be in the places they write
   * in.
   */
  readonly isReferredToBySight?: boolean
  /** Instead of creation date; all ascending, never null and unique together, since it breaks ties too. */
  readonly defaultOrder?: readonly string[]
  /**
   * Rows also change off the record, without moving the organization's version (last used): nothing is answered from
   * memory.
   */
  readonly isVolatile?: boolean
  readonly growth?: Growth
  /** References whose items `search` looks in too: a grant is found by the name of whom it is for. */
  readonly searchThrough?: readonly string[]
  /**
   * Asked when an item wakes, its status going from suspended to another, by whatever door: waking is giving what it
   * then may do. `gives_nothing`: it has no rights in this service.
   */
  readonly onWake?: 'gives_nothing' | ((tx: Tx, next: Item) => Promise<void>)
  /** Done as the clock passes a moment of one (`windows` of its table), before that is told. */
  readonly onMoment?: (tx: Tx, id: string, at: string) => Promise<void>
  /** Lets a search word match something else again, as a condition on `t`. */
  readonly searchAlso?: (handle: OrgHandle, word: string) => Promise<Sql | undefined>
}

export type AnyRow = Record<string, unknown>

/** A row of a resource: whatever else it has, it has an id. */
export type Item = AnyRow & { id: string }

export function defineResource<const F extends Fields>(
  resource: Resource<F> & {
    search: ReadonlyArray<keyof F & string>
    searchThrough?: ReadonlyArray<keyof F & string>
    defaultOrder?: ReadonlyArray<keyof F & string>
    reaches?: Reach & { readonly fields?: ReadonlyArray<keyof F & string> }
  },
): Resource<F> {
  const status = resource.fields.status?.spec
  if (status?.isStored && status.values?.includes('suspended') && resource.onWake === undefined)
    throw new Error(`${resource.table} can be suspended: say with onWake what waking one gives`)
  return { ...resource, fields: absentOutside(resource.fields, resource.reaches?.fields) }
}

/** Of what is seen in part, every other field is left out of the answer. */
function absentOutside<F extends Fields>(fields: F, seen: readonly string[] | undefined): F {
  if (!seen) return fields
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    seen.includes(name) ? field : field.absentWhenForbidden(),
  ])
  return Object.fromEntries(entries)
}

/** Whether what a search looks through is less where the row is seen in part; it is kept folded in `seen_text` then. */
export const hasSeenText = (resource: Resource): boolean =>
  resource.search.some((name) => !isSeenInPart(resource, name))

/** Whether a search can find anything: one that cannot would say of everything that it is not there. */
export const isSearched = ({ search, searchThrough = [], searchAlso }: Resource): boolean =>
  search.length > 0 || searchThrough.length > 0 || searchAlso !== undefined

/** What belongs to the organization as a whole and is read from any place: no limit cuts it. */
export const EVERYWHERE = { rows: () => sql`true` } satisfies Reach

/** Whether a caller who sees the row in part sees this field of it. */
export const isSeenInPart = ({ reaches }: Resource, name: string): boolean => reaches?.fields?.includes(name) ?? true

/** What it takes to see items of it. Some concern the caller alone and need none: their name is no permission. */
export const readPermissionOf = ({ noun, permissions }: Resource): Permission =>
  permissions?.read ?? (`${noun}:read` as Permission)

/** What it takes to change them. */
export const writePermissionOf = ({ noun, permissions }: Resource): Permission =>
  permissions?.write ?? (`${noun}:write` as Permission)

/** The table beside a resource's own that holds one of these fields, to be joined as `beside`. */
export function joinBeside({ fields }: Resource, names: readonly string[]): string {
  const table = names.map((name) => fields[name]?.spec.beside?.table).find(Boolean)
  return table ? ` join ${table} beside on beside.org = :org and beside.id = t.id` : ''
}

/**
 * A field's SQL, for row `t`. `isLimited`: for a caller whose right holds in some places only. `isJoined`: what is
 * beside it is joined.
 */
export function columnOf(resource: Resource, name: string, isLimited = false, isJoined = false): string {
  const spec = resource.fields[name]?.spec
  if (isLimited && spec?.countsEverywhere) return '(cast(null as bigint))'
  if (isJoined && spec?.beside) return `beside.${spec.beside.column}`
  return spec?.expression ? `(${spec.expression})` : `t.${name}`
}

export const isStored = (resource: Resource, name: string): boolean => resource.fields[name]?.spec.isStored ?? false

/** Whether neither the table nor an expression has it: it is filled in after the page is read. */
export const isDecorated = ({ fields }: Resource, name: string): boolean =>
  fields[name]?.spec.isStored === false && !fields[name]?.spec.expression

/** The select list for these fields; what is filled in after the page is read is left out. */
export function selectList(resource: Resource, names: readonly string[], isLimited: boolean, isJoined = false): string {
  const isAll = !isLimited && !isJoined && names === visible.get(resource)
  const known = isAll ? selected.get(resource) : undefined
  if (known !== undefined) return known
  const list = names
    .filter((name) => isStored(resource, name) || resource.fields[name]?.spec.expression)
    .map((name) => `${columnOf(resource, name, isLimited, isJoined)} as ${name}`)
    .join(', ')
  if (isAll) selected.set(resource, list)
  return list
}

/** Of all fields, which every change asks for twice. */
const selected = new WeakMap<Resource, string>()

/** SQLite has no booleans and no JSON; a row is the same on both engines once decoded. */
export function decodeRows<Row extends AnyRow>(resource: Resource, dialect: Dialect, rows: Row[]): Row[] {
  if (dialect.name === 'postgres') return rows
  const decoders = decodersOf(resource)
  for (const row of rows as AnyRow[]) {
    for (const [name, decode] of decoders) {
      const value = row[name]
      if (value !== null && value !== undefined) row[name] = decode(value)
    }
  }
  return rows
}

const known = new WeakMap<Resource, Array<[string, (value: unknown) => unknown]>>()

function decodersOf(resource: Resource) {
  let decoders = known.get(resource)
  if (!decoders) {
    decoders = []
    for (const [name, { spec }] of Object.entries(resource.fields)) {
      if (spec.type === 'boolean') decoders.push([name, (value) => value !== 0])
      if (spec.type === 'json' && spec.isStored) decoders.push([name, (value) => JSON.parse(value as string)])
    }
    known.set(resource, decoders)
  }
  return decoders
}

const visible = new WeakMap<Resource, readonly string[]>()

/** All fields a reader sees; the same list each time. */
export function visibleNames(resource: Resource): readonly string[] {
  const known = visible.get(resource)
  if (known) return known
  const names = readableNames(resource.fields)
  visible.set(resource, names)
  return names
}
