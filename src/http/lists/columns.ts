import type { FieldType } from '../../core/fields.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import type { ListQuery } from '../../query/parse.ts'

/** A column of a file. */
export interface Column {
  readonly name: string
  readonly type: FieldType
  readonly valueOf: (row: AnyRow) => unknown
}

/** The columns of a list as it is asked for: the selected fields, those of embedded items under both names. */
export function columnsOf(resource: Resource, { select, embeds = [] }: ListQuery, all: readonly string[]): Column[] {
  return (select ?? all).flatMap((name): Column[] => {
    const embed = embeds.find((one) => one.name === name)
    if (!embed) return [{ name, type: resource.fields[name]?.spec.type ?? 'json', valueOf: (row) => row[name] }]
    return embed.names.map((inner) => ({
      name: `${name}.${inner}`,
      type: embed.types[inner] ?? 'json',
      valueOf: (row) => (row[name] as AnyRow | null | undefined)?.[inner],
    }))
  })
}
