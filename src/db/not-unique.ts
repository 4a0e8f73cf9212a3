import { AppError, type ErrorDetail } from '../core/errors.ts'
import type { Scope } from '../core/rights.ts'
import type { OrgHandle } from './org.ts'
import { type AnyRow, isSeenInPart, isStored, type Resource } from './resource.ts'
import { sightOf } from './scope.ts'
import { join, raw, sql } from './sql.ts'
import { tables } from './tables.ts'

interface Clash {
  resource: Resource
  /** The row that could not be stored, with the columns that clash. */
  row: AnyRow
  scope: Scope
}

/**
 * A value that must be unique is taken. The constraint alone knows, and cannot say by what: that is looked up once the statement is
 * taken back (`explained`), as far as the caller sees it.
 */
export class NotUnique extends AppError {
  /** As stored. */
  readonly columns: readonly string[]
  private clash: Clash | undefined

  constructor(columns: readonly string[], cause: unknown) {
    const text = `${inWords(namesOf(columns))} already taken by another item`
    super('CONFLICT', text, { reason: 'not_unique', details: detailsOf(columns, text), cause })
    this.columns = columns
  }

  /** What was being stored, and where its writer may write. */
  of(clash: Clash): this {
    this.clash ??= clash
    return this
  }

  /** The same error, with the item that has the value, or without a word of it where the caller does not see it. */
  async explained(handle: OrgHandle): Promise<AppError> {
    if (!this.clash || this.columns.length === 0) return this
    const { resource, scope } = this.clash
    const holder = await this.findHolder(handle, this.clash)
    // One that came with the same change, or is gone by now.
    if (!holder && scope === 'all') return this
    if (!holder)
      return this.told(`${inWords(namesOf(this.columns))} in use outside what you may see; use another, or ask somebody who may see it`)
    const name = nameIn(resource, holder, scope)
    const called = name === undefined ? '' : ` ${JSON.stringify(name)}`
    const text = `${inWords(namesOf(this.columns))} already taken by the ${resource.singular}${called}`
    return this.told(text, { id: holder.id as string, ...(name === undefined ? {} : { name }) })
  }

  private told(text: string, item: Pick<ErrorDetail, 'id' | 'name'> = {}): AppError {
    const details = detailsOf(this.columns, text).map((detail) => ({ ...detail, ...item }))
    return new AppError('CONFLICT', text, { reason: 'not_unique', details, cause: this.cause })
  }

  private async findHolder(handle: OrgHandle, { resource, row, scope }: Clash): Promise<AnyRow | undefined> {
    const { seen } = await sightOf(handle, resource, scope)
    const same = this.columns.map((column) => sql` and ${raw(`t.${column}`)} = ${row[column]}`)
    const among = tables[resource.table]?.uniqueAmong
    const names = ['id', ...shownNames(resource, scope)].map((name) => `t.${name}`).join(', ')
    return handle.one<AnyRow>(sql`select ${raw(names)} from ${raw(resource.table)} t
      where t.org = :org and t.id <> ${row.id}${join(same, '')}${among ? raw(` and ${among}`) : raw('')} and ${seen}`)
  }
}

/** By what an item is called, the first that it has. */
const NAMES = ['display_name', 'name', 'label', 'code', 'number']

const shownNames = (resource: Resource, scope: Scope): string[] =>
  NAMES.filter((name) => isStored(resource, name) && (scope === 'all' || isSeenInPart(resource, name)))

function nameIn(resource: Resource, row: AnyRow, scope: Scope): string | undefined {
  const found = shownNames(resource, scope).map((name) => row[name])
  return found.find((value) => typeof value === 'string' && value !== '') as string | undefined
}

const madeOf = Object.assign({}, ...Object.values(tables).map((table) => table.madeOf)) as Readonly<Record<string, readonly string[]>>
const namesOf = (columns: readonly string[]): string[] => columns.flatMap((name) => madeOf[name] ?? [name])

/** Of several together the last is what one types: a number within its kind. */
function detailsOf(columns: readonly string[], message: string): ErrorDetail[] {
  const path = namesOf(columns).at(-1)
  return path === undefined ? [] : [{ path, rule: 'not_unique', message }]
}

function inWords(own: readonly string[]): string {
  if (own.length === 0) return 'One of the values that must be unique is'
  return own.length === 1 ? `${own[0]} is` : `${own.slice(0, -1).join(', ')} and ${own.at(-1)} together are`
}
