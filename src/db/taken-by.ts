import type { AppError } from '../core/errors.ts'
import type { Scope } from '../core/rights.ts'
import type { Taken } from './not-unique.ts'
import type { OrgHandle } from './org.ts'
import { type AnyRow, isSeenInPart, isStored, type Resource } from './resource.ts'
import { putOutside, sightOf, sightOfUnstored } from './scope.ts'
import { join, raw, sql } from './sql.ts'
import { tables } from './tables.ts'

interface Clash {
  resource: Resource
  /** The row that could not be stored, with the columns that clash. */
  row: AnyRow
  /** Where its writer may write. */
  scope: Scope
}

/** By what a value is taken that must be unique; undefined where nothing is found that could be told of. */
export async function takenBy(
  clash: Clash,
  handle: OrgHandle,
  columns: readonly string[],
): Promise<Taken | AppError | undefined> {
  const { resource, scope } = clash
  const holder = await findHolder(clash, handle, columns)
  // One that came with the same change, or is gone by now.
  if (!holder && scope === 'all') return undefined
  // Whoever could not have put it there learns of nothing that is taken.
  if (!holder && !(await wouldLieInside(clash, handle))) return putOutside()
  if (!holder) return { words: 'in use outside what you may see; use another, or ask somebody who may see it' }
  const name = nameIn(resource, holder, scope)
  const called = name === undefined ? '' : ` ${JSON.stringify(name)}`
  return {
    words: `already taken by the ${resource.singular}${called}`,
    item: { id: holder.id, ...(name === undefined ? {} : { name }) },
  }
}

type Holder = AnyRow & { id: string }

async function findHolder(
  { resource, row, scope }: Clash,
  handle: OrgHandle,
  columns: readonly string[],
): Promise<Holder | undefined> {
  const { seen } = await sightOf(handle, resource, scope)
  const same = columns.map((column) => sql` and ${raw(`t.${column}`)} = ${row[column]}`)
  const among = tables[resource.table]?.uniqueAmong
  const names = ['id', ...shownNames(resource, scope)].map((name) => `t.${name}`).join(', ')
  return handle.one<Holder>(sql`select ${raw(names)} from ${raw(resource.table)} t
    where t.org = :org and t.id <> ${row.id}${join(same, '')}${among ? raw(` and ${among}`) : raw('')} and ${seen}`)
}

/** Whether the row, which is not stored, would lie where its writer may write. */
async function wouldLieInside({ resource, row, scope }: Clash, handle: OrgHandle): Promise<boolean> {
  const { managed } = await sightOfUnstored(handle, resource, scope)
  const names = Object.keys(resource.fields).filter(
    (name) => isStored(resource, name) && resource.fields[name]?.spec.type === 'uuid',
  )
  const values = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const types = Object.fromEntries(names.map((name) => [name, 'uuid' as const]))
  return (
    (await handle.one(sql`select 1 as one from ${handle.dialect.records([values], 't', types)} where ${managed}`)) !==
    undefined
  )
}

/** By what an item is called, the first that it has. */
const NAMES = ['display_name', 'name', 'label', 'code', 'number']

const shownNames = (resource: Resource, scope: Scope): string[] =>
  NAMES.filter((name) => isStored(resource, name) && (scope === 'all' || isSeenInPart(resource, name)))

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const nameIn = (resource: Resource, row: AnyRow, scope: Scope): string | undefined =>
  shownNames(resource, scope)
    .map((name) => row[name])
    .find(isText)
