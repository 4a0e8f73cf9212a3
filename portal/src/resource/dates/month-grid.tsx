import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { weekdayName, weekdays } from '../inputs/week.ts'

const DAY_MS = 86_400_000
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const shifted = (day: string, days: number): string => iso(timeOf(day) + days * DAY_MS)

/** The same day of another month, or its last. */
function inMonth(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return iso(Date.UTC(year, month - 1 + months, Math.min(date, last.getUTCDate())))
}

/** Six weeks that hold the month, from Monday on. */
function weeksOf(day: string): string[][] {
  const first = timeOf(`${day.slice(0, 7)}-01`)
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, index) => iso(monday + (week * 7 + index) * DAY_MS)),
  )
}

/** A month to choose a day from: by mouse, by arrows, by page up and down. */
export function MonthGrid({ value, onChoose }: { value: string; onChoose(day: string): void }) {
  const t = useWords()
  const { language } = useLanguage()
  const { today, date } = useFormat()
  const [at, setAt] = useState(value === '' ? today() : value)
  const grid = useRef<HTMLTableElement>(null)
  const locale = language === 'en' ? 'en-GB' : language
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(timeOf(at)),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day
  useEffect(() => grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(), [at])
  const onKeyDown = (event: KeyboardEvent) => {
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key]
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    const next = days !== undefined ? shifted(at, days) : months !== undefined ? inMonth(at, months) : undefined
    if (!next) return
    event.preventDefault()
    setAt(next)
  }
  return (
    <div className="month">
      <Group justify="space-between" mb={6} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.time.previousMonth}
          onClick={() => setAt(inMonth(at, -1))}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={600} role="status">
          {month}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t.time.nextMonth} onClick={() => setAt(inMonth(at, 1))}>
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <table aria-label={month} ref={grid} className="month-days">
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" abbr={weekdayName(language, day, 'long')}>
                {weekdayName(language, day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(at).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    tabIndex={day === at ? 0 : -1}
                    data-autofocus={day === at || undefined}
                    aria-current={day === today() ? 'date' : undefined}
                    data-other={day.slice(0, 7) !== at.slice(0, 7) || undefined}
                    data-chosen={day === value || undefined}
                    aria-pressed={day === value}
                    onKeyDown={onKeyDown}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                    <span className="visually-hidden">, {date(day)}</span>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Button size="compact-xs" variant="subtle" mt={6} onClick={() => onChoose(today())}>
        {t.time.today}
      </Button>
    </div>
  )
}
