import { Text } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { timesWords } from '../../i18n/times-words.ts'
import { type DayWindow, weekdayName, weekdays } from './week.ts'
import { isOpenAt, painted, type Span, spansOf, timeOf, windowsOf } from './week-spans.ts'

const STEP = 30
const STEPS = 1440 / STEP
const columns = Array.from({ length: STEPS }, (_, index) => index)

interface Cell {
  day: number
  column: number
}

/** From where to where somebody draws, and whether that opens or closes. */
interface Drawn {
  from: Cell
  to: Cell
  isOpen: boolean
}

const range = (a: number, b: number): number[] =>
  Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => Math.min(a, b) + index)
const partOf = ({ from, to }: Drawn): { days: number[]; span: Span } => {
  const [first = 0, ...rest] = range(from.column, to.column)
  return { days: range(from.day, to.day), span: [first * STEP, ((rest.at(-1) ?? first) + 1) * STEP] }
}
const isIn = (drawn: Drawn | undefined, { day, column }: Cell): boolean => {
  if (!drawn) return false
  const { days, span } = partOf(drawn)
  return days.includes(day) && column * STEP >= span[0] && column * STEP < span[1]
}

/**
 * A week to draw on: pressed and drawn over with the mouse or a finger; by keyboard, space begins, arrows draw, space
 * ends.
 */
export function WeekGrid({ value, onChange }: { value: readonly DayWindow[]; onChange(value: DayWindow[]): void }) {
  const t = useWords()
  const { language } = useLanguage()
  const week = spansOf(value)
  const [at, setAt] = useState<Cell>({ day: 0, column: 16 })
  const [drawn, setDrawn] = useState<Drawn>()
  const hintId = useId()
  const begin = (cell: Cell): Drawn => ({ from: cell, to: cell, isOpen: !isOpenAt(week, cell.day, cell.column * STEP) })
  const finish = (done: Drawn) => {
    const { days, span } = partOf(done)
    onChange(windowsOf(painted(week, days, span, done.isOpen)))
    setDrawn(undefined)
  }
  const cellAt = ({ clientX, clientY }: PointerEvent): Cell | undefined => {
    const found = document
      .elementFromPoint(clientX, clientY)
      ?.closest<HTMLElement>('[data-cell]')
      ?.dataset.cell?.split(' ')
      .map(Number)
    return found ? { day: found[0] ?? 0, column: found[1] ?? 0 } : undefined
  }
  const move = (cell: Cell) => {
    setAt(cell)
    if (drawn) setDrawn({ ...drawn, to: cell })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { day, column } = at
    const next = {
      ArrowLeft: { day, column: Math.max(0, column - 1) },
      ArrowRight: { day, column: Math.min(STEPS - 1, column + 1) },
      ArrowUp: { day: Math.max(0, day - 1), column },
      ArrowDown: { day: Math.min(6, day + 1), column },
      Home: { day, column: 0 },
      End: { day, column: STEPS - 1 },
    }[event.key]
    if (next) move(next)
    else if (event.key === ' ' || event.key === 'Enter') {
      if (drawn) finish(drawn)
      else setDrawn(begin(at))
    } else if (event.key === 'Escape' && drawn) {
      event.stopPropagation()
      setDrawn(undefined)
    } else return
    event.preventDefault()
  }
  const isOpenNow = (cell: Cell): boolean =>
    drawn && isIn(drawn, cell) ? drawn.isOpen : isOpenAt(week, cell.day, cell.column * STEP)
  const says = ({ day, column }: Cell) =>
    `${weekdayName(language, weekdays[day] ?? 'mon', 'long')} ${timeOf(column * STEP)}`
  return (
    <div className="week">
      <div
        role="application"
        aria-label={timesWords(t).draw}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: one thing to draw on, with keys of its own
        tabIndex={0}
        className="week-grid"
        onKeyDown={onKeyDown}
        onPointerMove={(event) => {
          const cell = drawn && event.buttons > 0 ? cellAt(event) : undefined
          if (drawn && cell) setDrawn({ ...drawn, to: cell })
        }}
        onPointerUp={() => drawn && finish(drawn)}
        onPointerCancel={() => setDrawn(undefined)}
      >
        {weekdays.map((name, day) => (
          <div key={name} className="week-row" aria-hidden>
            <span className="week-day">{weekdayName(language, name)}</span>
            {columns.map((column) => {
              const cell = { day, column }
              return (
                <span
                  key={column}
                  data-cell={`${day} ${column}`}
                  data-open={isOpenNow(cell) || undefined}
                  data-hour={column % 2 === 0 || undefined}
                  data-drawn={isIn(drawn, cell) || undefined}
                  data-at={(at.day === day && at.column === column) || undefined}
                  className="week-cell"
                  onPointerDown={(event) => {
                    event.currentTarget.releasePointerCapture(event.pointerId)
                    setAt(cell)
                    setDrawn(begin(cell))
                  }}
                />
              )
            })}
          </div>
        ))}
      </div>
      <div className="week-hours" aria-hidden>
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <Text size="xs" c="dimmed" id={hintId}>
        {timesWords(t).drawHint}
      </Text>
      <Text size="xs" role="status" className={drawn ? undefined : 'visually-hidden'}>
        {drawn
          ? `${says(drawn.from)} – ${says(drawn.to)}`
          : `${says(at)}: ${isOpenNow(at) ? timesWords(t).open : timesWords(t).closed}`}
      </Text>
    </div>
  )
}
