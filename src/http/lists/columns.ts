import type { FieldType } from '../../core/fields.ts'
import { isRecord } from '../../core/typed.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import type { ListQuery } from '../../query/parse.ts'

/** A column of a file. */
export interface Column {
  readonly name: string
  readonly type: FieldType
  /** Its values are texts without anything that a file would have to escape. */
  readonly isPlain: boolean
  readonly valueOf: (row: AnyRow) => unknown
}

const PLAIN: ReadonlySet<FieldType> = new Set(['uuid', 'date', 'timestamp'])

/** A field of an item as a column. */
const columnFor = (name: string, type: FieldType | undefined, read: Column['valueOf']): Column => {
  const known = type ?? 'json'
  return { name, type: known, isPlain: PLAIN.has(known), valueOf: read }
}

/** The columns of a list as it is asked for: the selected fields, those of embedded items under both names. */
export function columnsOf(resource: Resource, { select, embeds = [] }: ListQuery, all: readonly string[]): Column[] {
  return (select ?? all).flatMap((name): Column[] => {
    const embed = embeds.find((one) => one.name === name)
    if (!embed) return [columnFor(name, resource.fields[name]?.spec.type, (row) => row[name])]
    const inside = (row: AnyRow, inner: string) => {
      const item = row[name]
      return isRecord(item) ? item[inner] : undefined
    }
    return embed.names.map((inner) => columnFor(`${name}.${inner}`, embed.types[inner], (row) => inside(row, inner)))
  })
}
