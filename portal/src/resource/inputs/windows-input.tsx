import { Chip, Group, Stack } from '@mantine/core'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { timesWords } from '../../i18n/times-words.ts'
import { TimeField } from '../dates/time-field.tsx'
import { RemoveRow, RowsInput } from './rows-input.tsx'
import { type DayWindow, type Weekday, weekdayName, weekdays } from './week.ts'
import { WeekGrid } from './week-grid.tsx'

interface WindowsInputProps {
  label: string
  description: string | undefined
  error: string | undefined
  /** Whether each has days of the week, or holds on any day it is asked of. */
  hasDays: boolean
  value: readonly DayWindow[]
  onChange(value: DayWindow[]): void
}

const workdays: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri']

/** When something is open: a row for each window, its days pressed or not, from and until. */
export function WindowsInput({ label, description, error, hasDays, value, onChange }: WindowsInputProps) {
  const t = useWords()
  const { language } = useLanguage()
  const change = (index: number, more: Partial<DayWindow>) =>
    onChange(value.map((window, nth) => (nth === index ? { ...window, ...more } : window)))
  return (
    <RowsInput
      label={label}
      description={description}
      error={error}
      gap="sm"
      add={timesWords(t).addWindow}
      onAdd={() => onChange([...value, { ...(hasDays ? { days: workdays } : {}), start: '08:00', end: '18:00' }])}
    >
      {hasDays && <WeekGrid value={value} onChange={onChange} />}
      {value.map((window, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a window has nothing else to be known by
        <Stack key={index} gap={6} role="group" aria-label={timesWords(t).window(index + 1)}>
          {hasDays && (
            <Chip.Group multiple value={window.days ?? []} onChange={(days) => change(index, { days: inOrder(days) })}>
              <Group gap={4}>
                {weekdays.map((day) => (
                  <Chip key={day} value={day} size="xs" aria-label={weekdayName(language, day, 'long')}>
                    {weekdayName(language, day)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          )}
          <Group gap="xs" wrap="nowrap">
            <TimeField
              aria-label={timesWords(t).start}
              value={window.start}
              onChange={(start) => change(index, { start })}
            />
            <span aria-hidden>–</span>
            <TimeField aria-label={timesWords(t).end} value={window.end} onChange={(end) => change(index, { end })} />
            <RemoveRow
              label={timesWords(t).removeWindow(index + 1)}
              onRemove={() => onChange(value.filter((_, nth) => nth !== index))}
            />
          </Group>
        </Stack>
      ))}
    </RowsInput>
  )
}

const inOrder = (days: string[]): Weekday[] => weekdays.filter((day) => days.includes(day))
