import type { ReactNode } from 'react'
import type { ListQuery } from '../api/queries.ts'
import type { Messages } from '../i18n/messages.ts'
import { inWords } from '../typed.ts'
import type { AnyItem, AnyView, ColumnDef } from './define-view.ts'
import { targetOf } from './resources.ts'

/** A column or a fact, with everything filled in. */
export interface Shown {
  key: string
  title: string
  field: string | undefined
  render: ((item: AnyItem) => ReactNode) | undefined
  madeOf: readonly string[]
  isExtra: boolean
  isSortable: boolean
  align: 'right' | undefined
}

export const fieldLabel = (view: AnyView, t: Messages, field: string): string =>
  view.labels?.(t)[field] ?? inWords(t.fields, field) ?? field.replaceAll('_', ' ')

const counts = /_count$|^floor$|^sequence$/

export function shownOf(view: AnyView, t: Messages, def: ColumnDef<AnyItem, string>): Shown {
  const column = typeof def === 'string' ? { field: def } : def
  if ('key' in column) {
    const { key, title, render, isExtra = false, align, madeOf = [] } = column
    return { key, title: title(t), field: undefined, madeOf, render, isExtra, isSortable: false, align }
  }
  const { field, title, render, isExtra = false, isUnsortable = false, align } = column
  return {
    key: field,
    title: title?.(t) ?? fieldLabel(view, t, field),
    field,
    madeOf: [field],
    render,
    isExtra,
    // By reference would be by identifier, which looks like no order at all.
    isSortable: !isUnsortable && !view.resource.isBare && targetOf(field, view.resource) === undefined,
    align: align ?? (counts.test(field) ? 'right' : undefined),
  }
}

/** All columns of a view's list where it is shown, those offered by the choice of columns included. */
export const columnsOf = (view: AnyView, t: Messages, fixed: ListQuery): Shown[] =>
  view.columns
    .map((column) => shownOf(view, t, column))
    .filter(({ madeOf }) => !madeOf.some((field) => isFixed(fixed, field)))

/**
 * What is the same in every row is not shown: neither `building_id` nor the text that goes with it, nor where that
 * building is.
 */
const isFixed = (fixed: ListQuery, field: string): boolean =>
  field in fixed ||
  `${field}_id` in fixed ||
  ('building_id' in fixed && (field === 'location' || field === 'location_id'))
