import type { ReactNode } from 'react'
import type { Messages } from '../i18n/messages.ts'
import type { AnyView, ColumnDef, FactDef } from './define-view.ts'

/** A column or a fact, with everything filled in. */
export interface Shown {
  key: string
  title: string
  field: string | undefined
  render: ((item: never) => ReactNode) | undefined
  madeOf: readonly string[]
  isExtra: boolean
  isSortable: boolean
  align: 'right' | undefined
}

export const fieldLabel = (view: AnyView, t: Messages, field: string): string =>
  view.labels?.(t)[field] ?? (t.fields as Record<string, string>)[field] ?? field.replaceAll('_', ' ')

const counts = /_count$|^floor$|^sequence$/

// biome-ignore lint/suspicious/noExplicitAny: of any item
export function shownOf(view: AnyView, t: Messages, def: ColumnDef<any> | FactDef<any>): Shown {
  const column = typeof def === 'string' ? { field: def } : def
  if ('key' in column) {
    const { key, title, render } = column
    const { isExtra = false, align, madeOf = [] } = column as { isExtra?: boolean; align?: 'right'; madeOf?: readonly string[] }
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
    isSortable: !isUnsortable && !view.resource.isBare,
    align: align ?? (counts.test(field) ? 'right' : undefined),
  }
}
