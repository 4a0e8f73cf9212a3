import type { Fields } from '../core/fields.ts'
import { filterable, findField } from './filters.ts'
import { didYouMean, meant } from './hints.ts'
import { trimBlanks } from './operands.ts'
import { FIELD } from './pairs.ts'
import { fault } from './parameters.ts'

export interface OrderTerm {
  field: string
  direction: 'asc' | 'desc'
  nulls: 'first' | 'last'
}

const MAX_ORDER_TERMS = 10

export function parseOrder(value: string, fields: Fields): OrderTerm[] {
  const terms: OrderTerm[] = []
  for (const piece of value.split(',')) {
    const term = trimBlanks(piece)
    if (term === '')
      throw fault('order', 'order.empty_term', value, 'a field between commas, like name.asc,created_at.desc')
    if (terms.length === MAX_ORDER_TERMS)
      throw fault('order', 'order.too_many', term, `at most ${MAX_ORDER_TERMS} terms`)
    terms.push(parseTerm(term, fields, terms))
  }
  return terms
}

function parseTerm(term: string, fields: Fields, before: readonly OrderTerm[]): OrderTerm {
  const [name = '', ...modifiers] = term.split('.', 4)
  let at = 0
  const direction = modifiers[at] === 'asc' || modifiers[at] === 'desc' ? modifiers[at++] : 'asc'
  const nulls = modifiers[at] === 'nullsfirst' || modifiers[at] === 'nullslast' ? modifiers[at++] : 'nullslast'
  if (at !== modifiers.length || !FIELD.test(name)) {
    throw fault(
      'order',
      'order.syntax',
      term,
      'field, then .asc or .desc, then .nullsfirst or .nullslast, the last two optional',
    )
  }
  const field = findField(fields, name)
  if (!field)
    throw fault(
      'order',
      'order.unknown_field',
      name,
      `a field of this resource${didYouMean(meant(name, filterable(fields)))}`,
    )
  if (!field.spec.isQueryable) throw fault('order', 'order.not_sortable', name, 'a sortable field')
  if (before.some((other) => other.field === name))
    throw fault('order', 'order.duplicate_field', name, 'each field once')
  return {
    field: name,
    direction: direction === 'desc' ? 'desc' : 'asc',
    nulls: nulls === 'nullsfirst' ? 'first' : 'last',
  }
}
