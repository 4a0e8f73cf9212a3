import '../estate.css'
import { Anchor, Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { pathTo, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { cellName, type PlanCylinder, type PlanKeyType } from './plan.ts'

const CELL = 28
const HEAD_HEIGHT = 112
const OVERSCAN = 4

interface PlanMatrixProps {
  cylinders: readonly PlanCylinder[]
  keyTypes: readonly PlanKeyType[]
  cells: ReadonlySet<string>
  /** What was changed and is not saved yet. */
  pending: ReadonlyMap<string, boolean>
  /** Without it the plan is only read. */
  onToggle?: ((keyTypeId: string, cylinderId: string) => void) | undefined
}

interface Place {
  row: number
  column: number
}

/** Hundreds each way: only what is in sight is drawn; heads stay in sight; arrow keys walk the cells. */
export function PlanMatrix({ cylinders, keyTypes, cells, pending, onToggle }: PlanMatrixProps) {
  const t = useWords()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const { ref: measured, width, height } = useElementSize()
  const ref = useMergedRef(frame, measured)
  const [scroll, setScroll] = useState({ top: 0, left: 0 })
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const [pointed, setPointed] = useState<Place>()
  const rows = spanOf(scroll.top, height - HEAD_HEIGHT, cylinders.length)
  const columns = spanOf(scroll.left, width, keyTypes.length)
  const shown = within(pointed ?? active, cylinders.length, keyTypes.length)
  const cursor = within(active, cylinders.length, keyTypes.length)

  // A narrower search may leave the old place behind.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another set of rows or columns
  useEffect(() => setPointed(undefined), [cylinders, keyTypes])

  const go = (next: Place) => {
    setPointed(undefined)
    setActive(next)
    bringIntoView(frame.current, next)
  }
  const toggle = (place: Place) => {
    const type = keyTypes[place.column]
    const cylinder = cylinders[place.row]
    if (type && cylinder) onToggle?.(type.id, cylinder.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) return
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      toggle(cursor)
      return
    }
    const page = Math.max(1, Math.floor((height - HEAD_HEIGHT) / CELL) - 1)
    const next = step(event.key, event.ctrlKey || event.metaKey, cursor, page, cylinders.length, keyTypes.length)
    if (!next) return
    event.preventDefault()
    go(next)
  }
  const onPoint = useCallback((row: number, column: number) => setPointed({ row, column }), [])
  const onPick = useCallback(
    (row: number, column: number) => {
      setActive({ row, column })
      const type = keyTypes[column]
      const cylinder = cylinders[row]
      if (type && cylinder) onToggle?.(type.id, cylinder.id)
    },
    [keyTypes, cylinders, onToggle],
  )

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: of half a million cells only those in sight are drawn */}
      <div
        ref={ref}
        className="plan"
        role="grid"
        tabIndex={0}
        aria-label={t.locking.plan}
        aria-readonly={onToggle === undefined}
        aria-rowcount={cylinders.length + 1}
        aria-colcount={keyTypes.length + 1}
        aria-activedescendant={`${id}-${cursor.row}-${cursor.column}`}
        data-editing={onToggle !== undefined || undefined}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => setScroll({ top: scrollTop, left: scrollLeft })}
        onMouseLeave={() => setPointed(undefined)}
      >
        <div className="plan-sheet" style={{ height: HEAD_HEIGHT + cylinders.length * CELL }}>
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell */}
          <div role="row" aria-rowindex={1} className="plan-head" style={{ height: HEAD_HEIGHT }}>
            {/* biome-ignore lint/a11y/useSemanticElements: as above */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <div role="columnheader" aria-colindex={1} className="plan-corner">
              <span>{t.resources['key-types'].many} →</span>
              <span>{t.resources.cylinders.many} ↓</span>
            </div>
            <div role="presentation" style={{ width: columns.from * CELL, flex: 'none' }} />
            {keyTypes.slice(columns.from, columns.to).map((type, index) => (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <div
                key={type.id}
                role="columnheader"
                aria-colindex={columns.from + index + 2}
                className="plan-column"
                data-depth={Math.min(type.depth, 3)}
                data-shown={shown.column === columns.from + index || undefined}
                style={{ width: CELL }}
                title={type.name ?? type.code}
              >
                <span>{type.code}</span>
              </div>
            ))}
            <div role="presentation" style={{ width: (keyTypes.length - columns.to) * CELL, flex: 'none' }} />
          </div>
          {cylinders.slice(rows.from, rows.to).map((cylinder, index) => {
            const row = rows.from + index
            return (
              <PlanRow
                key={cylinder.id}
                id={id}
                row={row}
                cylinder={cylinder}
                keyTypes={keyTypes}
                from={columns.from}
                to={columns.to}
                cells={cells}
                pending={pending}
                activeColumn={row === cursor.row ? cursor.column : -1}
                isShown={row === shown.row}
                onPoint={onPoint}
                onPick={onPick}
              />
            )
          })}
        </div>
      </div>
      <Legend cylinder={cylinders[shown.row]} keyType={keyTypes[shown.column]} cells={cells} pending={pending} />
    </>
  )
}

interface PlanRowProps {
  id: string
  row: number
  cylinder: PlanCylinder
  keyTypes: readonly PlanKeyType[]
  from: number
  to: number
  cells: ReadonlySet<string>
  pending: ReadonlyMap<string, boolean>
  activeColumn: number
  isShown: boolean
  onPoint(row: number, column: number): void
  onPick(row: number, column: number): void
}

const PlanRow = memo(function PlanRow(props: PlanRowProps) {
  const { id, row, cylinder, keyTypes, from, to, cells, pending, activeColumn, isShown, onPoint, onPick } = props
  const t = useWords()
  return (
    // biome-ignore lint/a11y/useSemanticElements: the grid draws what is in sight
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
    <div
      role="row"
      aria-rowindex={row + 2}
      className="plan-row"
      data-shown={isShown || undefined}
      style={{ top: HEAD_HEIGHT + row * CELL, height: CELL }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="rowheader" aria-colindex={1} className="plan-row-head" title={cylinder.label ?? cylinder.number}>
        <b>{cylinder.number}</b> <span>{cylinder.label}</span>
      </div>
      <div role="presentation" style={{ width: from * CELL, flex: 'none' }} />
      {keyTypes.slice(from, to).map((type, index) => {
        const column = from + index
        const name = cellName(type.id, cylinder.id)
        const isOpen = pending.get(name) ?? cells.has(name)
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
          <div
            key={type.id}
            id={`${id}-${row}-${column}`}
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={isOpen}
            aria-label={
              isOpen
                ? t.locking.cellOpens(type.code, cylinder.number)
                : t.locking.cellOpensNot(type.code, cylinder.number)
            }
            className="plan-cell"
            data-open={isOpen || undefined}
            data-pending={pending.has(name) || undefined}
            data-active={column === activeColumn || undefined}
            style={{ width: CELL }}
            onMouseEnter={() => onPoint(row, column)}
            onClick={() => onPick(row, column)}
          />
        )
      })}
    </div>
  )
})

/** The cell in words: codes alone tell nobody which door it is. */
function Legend({
  cylinder,
  keyType,
  cells,
  pending,
}: {
  cylinder: PlanCylinder | undefined
  keyType: PlanKeyType | undefined
  cells: ReadonlySet<string>
  pending: ReadonlyMap<string, boolean>
}) {
  const t = useWords()
  if (!cylinder || !keyType) return null
  const name = cellName(keyType.id, cylinder.id)
  const isOpen = pending.get(name) ?? cells.has(name)
  return (
    <Text component="div" size="sm" className="plan-legend in-text">
      <Anchor
        inherit
        renderRoot={(props) => <Link to={pathTo(resources['key-types'], keyType.id) ?? '/'} {...props} />}
      >
        {[keyType.code, keyType.name].filter(Boolean).join(' · ')}
      </Anchor>
      <b>{isOpen ? t.locking.opensVerb : t.locking.opensNotVerb}</b>
      <Anchor inherit renderRoot={(props) => <Link to={pathTo(resources.cylinders, cylinder.id) ?? '/'} {...props} />}>
        {[cylinder.number, cylinder.label].filter(Boolean).join(' · ')}
      </Anchor>
      <StatusBadge field="status" value={cylinder.status} />
    </Text>
  )
}

function spanOf(offset: number, size: number, count: number): { from: number; to: number } {
  const from = Math.max(0, Math.floor(offset / CELL) - OVERSCAN)
  return { from, to: Math.min(count, Math.ceil((offset + Math.max(size, CELL * 20)) / CELL) + OVERSCAN) }
}

const within = ({ row, column }: Place, rows: number, columns: number): Place => ({
  row: Math.min(row, rows - 1),
  column: Math.min(column, columns - 1),
})

function step(
  key: string,
  isFar: boolean,
  { row, column }: Place,
  page: number,
  rows: number,
  columns: number,
): Place | undefined {
  const at = (r: number, c: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, r)),
    column: Math.max(0, Math.min(columns - 1, c)),
  })
  switch (key) {
    case 'ArrowDown':
      return at(isFar ? rows : row + 1, column)
    case 'ArrowUp':
      return at(isFar ? 0 : row - 1, column)
    case 'ArrowRight':
      return at(row, isFar ? columns : column + 1)
    case 'ArrowLeft':
      return at(row, isFar ? 0 : column - 1)
    case 'PageDown':
      return at(row + page, column)
    case 'PageUp':
      return at(row - page, column)
    case 'Home':
      return at(isFar ? 0 : row, 0)
    case 'End':
      return at(isFar ? rows : row, columns)
    default:
      return undefined
  }
}

/** Past the heads, which lie over the cells. */
function bringIntoView(frame: HTMLDivElement | null, { row, column }: Place): void {
  if (!frame) return
  const headWidth = frame.querySelector('.plan-corner')?.clientWidth ?? 0
  const top = row * CELL
  const left = column * CELL
  if (top < frame.scrollTop) frame.scrollTop = top
  else if (top + CELL > frame.scrollTop + frame.clientHeight - HEAD_HEIGHT)
    frame.scrollTop = top + CELL - frame.clientHeight + HEAD_HEIGHT
  if (left < frame.scrollLeft) frame.scrollLeft = left
  else if (left + CELL > frame.scrollLeft + frame.clientWidth - headWidth)
    frame.scrollLeft = left + CELL - frame.clientWidth + headWidth
}
