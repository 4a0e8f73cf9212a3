import { type Fields, type FieldType, namedTable } from '../core/fields.ts'
import { findField } from './filters.ts'
import { didYouMean, meant } from './hints.ts'
import { trimBlanks } from './operands.ts'
import { FIELD } from './pairs.ts'
import { fault } from './parameters.ts'
import { readableNames } from './readable.ts'

/** `individual(display_name,email)`: fields of the item that `individual_id` names. */
export interface Embed {
  name: string
  /** The field that refers to it, and the table it refers to. */
  field: string
  table: string
  names: string[]
  types: Readonly<Record<string, FieldType>>
}

export interface Selection {
  /** In the order of the request, those of embedded items among them. */
  names: string[]
  embeds: Embed[]
}

/** The fields of the items in a table; undefined: they cannot be selected from. */
export type FieldsOfTable = (table: string) => Fields | undefined

/** What can be embedded: what a reference is called without its `_id`, where no field of its own is called so. */
export function embeddable(
  fields: Fields,
  fieldsOf: FieldsOfTable,
): Map<string, { field: string; table: string; fields: Fields }> {
  const found = new Map<string, { field: string; table: string; fields: Fields }>()
  for (const field of readableNames(fields)) {
    const isFree = field.endsWith('_id') && !Object.hasOwn(fields, field.slice(0, -3))
    const declared = isFree ? fields[field] : undefined
    const table = declared && namedTable(declared)
    const others = table === undefined ? undefined : fieldsOf(table)
    if (table !== undefined && others) found.set(field.slice(0, -3), { field, table, fields: others })
  }
  return found
}

/** Null: all fields. */
export function parseSelect(value: string, fields: Fields, fieldsOf: FieldsOfTable): Selection | null {
  if (trimBlanks(value) === '*') return null
  const selection: Selection = { names: [], embeds: [] }
  for (const item of itemsOf(value)) {
    const opening = item.indexOf('(')
    const name = opening === -1 ? item : trimBlanks(item.slice(0, opening))
    if (opening === -1) checkField(name, value, fields)
    else selection.embeds.push(parseEmbed(name, item.slice(opening), fields, fieldsOf))
    if (selection.names.includes(name)) throw fault('select', 'select.duplicate_field', name, 'each field once')
    selection.names.push(name)
  }
  return selection
}

/** What stands between the commas that are in no parentheses. */
function itemsOf(value: string): string[] {
  const items: string[] = []
  let begin = 0
  let depth = 0
  for (let at = 0; at <= value.length; at++) {
    if (value[at] === '(') depth++
    else if (value[at] === ')') depth--
    else if (at === value.length || (value[at] === ',' && depth <= 0)) {
      items.push(trimBlanks(value.slice(begin, at)))
      begin = at + 1
    }
  }
  return items
}

function checkField(name: string, value: string, fields: Fields): void {
  if (name === '') throw fault('select', 'select.empty_term', value, 'a field between commas, like id,name')
  if (name === '*') throw fault('select', 'select.star_not_alone', value, '* alone, or field names')
  if (!FIELD.test(name)) throw fault('select', 'select.syntax', name, 'a plain field name')
  if (findField(fields, name)) return
  const hint = didYouMean(meant(name, readableNames(fields)))
  throw fault('select', 'select.unknown_field', name, `a field of this resource${hint}`)
}

function parseEmbed(name: string, text: string, fields: Fields, fieldsOf: FieldsOfTable): Embed {
  const offered = embeddable(fields, fieldsOf)
  const other = offered.get(name)
  const inner = text.slice(1, -1)
  if (!other || !text.endsWith(')') || /[()]/.test(inner)) {
    const names = [...offered.keys()]
    const expected =
      names.length === 0
        ? 'plain field names'
        : `plain field names, or fields of what it refers to, of ${names.join(', ')}`
    throw fault('select', 'select.syntax', `${name}${text}`, expected)
  }
  const names = inner.split(',').map(trimBlanks)
  for (const [at, wanted] of names.entries()) {
    if (wanted === '*')
      throw fault(
        'select',
        'select.star_not_alone',
        `${name}${text}`,
        `its fields by name, like ${name}(${firstOf(other.fields)})`,
      )
    checkField(wanted, inner, other.fields)
    if (names.indexOf(wanted) !== at) throw fault('select', 'select.duplicate_field', wanted, 'each field once')
  }
  const types = Object.fromEntries(names.map((wanted) => [wanted, other.fields[wanted]?.spec.type ?? 'json']))
  return { name, field: other.field, table: other.table, names, types }
}

/** Some of the fields that there are, for an example. */
const firstOf = (fields: Fields): string =>
  ['id', 'name', 'display_name'].filter((name) => findField(fields, name)).join(',')

/** The names as they were asked for. */
export const selectedTexts = (names: readonly string[], embeds: readonly Embed[] = []): string[] =>
  names.map((name) => {
    const embed = embeds.find((one) => one.name === name)
    return embed ? `${name}(${embed.names.join(',')})` : name
  })
