import { Skeleton, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, type Ref } from 'react'
import type { Item } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { OwnLink } from '../shell/own-link.tsx'
import type { Shown } from './columns.ts'
import { labelOf, pathTo, type Resource } from './resources.ts'
import { Value } from './shown/value.tsx'

interface DataTableProps {
  caption: string
  /** Looks at the frame in which the table scrolls. */
  frame?: Ref<HTMLDivElement>
  resource: Resource
  columns: readonly Shown[]
  items: readonly Item[] | undefined
  skeletonRows: number
  order?: string
  /** None: it cannot be sorted. */
  onOrder?: ((order: string) => void) | undefined
  isStale?: boolean
  rowActions?: ((item: Item) => ReactNode) | undefined
  /** Which rows are chosen; none: rows are not chosen here. */
  selection?: Selection | undefined
  isDense?: boolean
  /** Where a row leads; none: nowhere. */
  linkTo?: ((item: Item) => string | undefined) | undefined
}

export interface Selection {
  ids: ReadonlySet<string>
  set(ids: ReadonlySet<string>): void
}

/**
 * The one table: sorted by its head, walked by arrow keys, cards on a phone. Its many cells are plain elements: they
 * cost next to nothing.
 */
export function DataTable({
  caption,
  frame,
  resource,
  columns,
  items,
  skeletonRows,
  order = '',
  onOrder,
  isStale = false,
  rowActions,
  selection,
  isDense = false,
  linkTo,
}: DataTableProps) {
  const t = useWords()
  const to = linkTo ?? ((item: Item) => pathTo(resource, item.id))
  return (
    <div className="table-frame" ref={frame} data-stale={isStale || undefined} data-dense={isDense || undefined}>
      <table className="data-table" aria-label={caption} aria-busy={items === undefined}>
        <thead>
          <tr>
            {selection && <ChooseAll items={items} selection={selection} />}
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={onOrder} />
            ))}
            {rowActions && (
              <th className="row-actions">
                <span className="visually-hidden">{t.detail.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={walk}>
          {items === undefined
            ? Array.from({ length: skeletonRows }, (_, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
                <tr key={row}>
                  {selection && <td className="row-choice" />}
                  {columns.map((column, index) => (
                    <td
                      key={column.key}
                      data-label={column.title}
                      data-align={column.align}
                      data-first={index === 0 || undefined}
                    >
                      <Skeleton height={12} width={`${40 + ((row * 13 + index * 29) % 50)}%`} radius="sm" />
                    </td>
                  ))}
                  {rowActions && <td className="row-actions" />}
                </tr>
              ))
            : items.map((item, index) => (
                <Row
                  key={keyOf(item, index)}
                  item={item}
                  columns={columns}
                  resource={resource}
                  to={to(item)}
                  rowActions={rowActions}
                  isChosen={selection?.ids.has(item.id)}
                  onChoose={selection && choose(selection)}
                />
              ))}
        </tbody>
      </table>
    </div>
  )
}

/** One more or one less. */
const chooser = new WeakMap<Selection, (id: string, isChosen: boolean) => void>()
function choose(selection: Selection): (id: string, isChosen: boolean) => void {
  const known = chooser.get(selection)
  if (known) return known
  const made = (id: string, isChosen: boolean) => {
    const next = new Set(selection.ids)
    if (isChosen) next.add(id)
    else next.delete(id)
    selection.set(next)
  }
  chooser.set(selection, made)
  return made
}

function ChooseAll({ items = [], selection }: { items: readonly Item[] | undefined; selection: Selection }) {
  const t = useWords()
  const count = items.filter(({ id }) => selection.ids.has(id)).length
  const isAll = count > 0 && count === items.length
  return (
    <th className="row-choice">
      <input
        type="checkbox"
        aria-label={t.list.chooseAll}
        checked={isAll}
        ref={(input) => {
          if (input) input.indeterminate = count > 0 && !isAll
        }}
        onChange={() => selection.set(new Set(isAll ? [] : items.map(({ id }) => id)))}
      />
    </th>
  )
}

/** What is worked out (who can open a door) has no identifier of its own. */
const keyOf = ({ id }: Partial<Item>, index: number): string | number => id ?? index

function Head({ column, order, onOrder }: { column: Shown; order: string; onOrder: DataTableProps['onOrder'] }) {
  const t = useWords()
  const [first = ''] = order.split(',')
  const [field, direction = 'asc'] = first.split('.')
  const isSorted = column.field !== undefined && field === column.field
  const sorted = isSorted ? (direction === 'desc' ? 'descending' : 'ascending') : undefined
  if (!column.isSortable || !onOrder) {
    return (
      <th data-align={column.align} scope="col">
        {column.title}
      </th>
    )
  }
  const Icon = isSorted ? (direction === 'desc' ? IconArrowDown : IconArrowUp) : IconArrowsSort
  return (
    <th data-align={column.align} scope="col" aria-sort={sorted}>
      <UnstyledButton
        className="sort-button"
        data-sorted={isSorted || undefined}
        onClick={() => onOrder(isSorted && direction === 'asc' ? `${column.field}.desc` : `${column.field}.asc`)}
        title={t.list.sortBy(column.title)}
      >
        {column.title}
        <Icon size={13} aria-hidden />
      </UnstyledButton>
    </th>
  )
}

const prose: ReadonlySet<string> = new Set(
  ['description', 'reason', 'purpose', 'note', 'status_note']
    // Names of places, of what is told by its place, and addresses.
    .concat(['location', 'building_id', 'place', 'where', 'what', 'email']),
)

interface RowProps {
  item: Item
  columns: readonly Shown[]
  resource: Resource
  to: string | undefined
  rowActions: ((item: Item) => ReactNode) | undefined
  isChosen: boolean | undefined
  onChoose: ((id: string, isChosen: boolean) => void) | undefined
}

/**
 * Drawn anew only when something of it has changed: a table asks for its rows several times on the way to its next
 * page.
 */
const Row = memo(function Row({ item, columns, resource, to, rowActions, isChosen, onChoose }: RowProps) {
  const t = useWords()
  return (
    <tr
      onClick={to === undefined ? undefined : openRow}
      data-link={to !== undefined || undefined}
      data-chosen={isChosen || undefined}
    >
      {onChoose && (
        <td className="row-choice">
          <input
            type="checkbox"
            aria-label={t.list.choose(labelOf(resource, item))}
            checked={isChosen ?? false}
            onChange={({ currentTarget }) => onChoose(item.id, currentTarget.checked)}
          />
        </td>
      )}
      {columns.map((column, index) => {
        const isLink = index === 0 && to !== undefined
        const content = column.render?.(item) ?? (
          <Value field={column.key} value={item[column.key]} resource={resource} isPlain={isLink} />
        )
        return (
          <td
            key={column.key}
            data-label={column.title}
            data-align={column.align}
            data-first={index === 0 || undefined}
            data-prose={prose.has(column.key) || undefined}
          >
            {isLink ? (
              <OwnLink href={to} data-row-link className="row-link">
                {content}
              </OwnLink>
            ) : (
              content
            )}
          </td>
        )
      })}
      {rowActions && <td className="row-actions">{rowActions(item)}</td>}
    </tr>
  )
})

/** The whole row is a large target for the mouse; its first cell holds the real link. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (target.closest('a, button, input, [role="menu"], [role="dialog"]') || !event.currentTarget.contains(target))
    return
  if (window.getSelection()?.toString()) return
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('[data-row-link]')
  link?.dispatchEvent(
    new globalThis.MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
    }),
  )
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

function walk(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = steps[event.key]
  const { target } = event
  if (step === undefined || !(target instanceof HTMLElement) || !target.matches('[data-row-link]')) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const next = links[links.indexOf(target) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
