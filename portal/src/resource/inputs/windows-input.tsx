import { ActionIcon, Button, Chip, Group, Input, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { timesWords } from '../../i18n/times-words.ts'
import { TimeField } from '../dates/time-field.tsx'
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
  const labelId = useId()
  const change = (index: number, more: Partial<DayWindow>) =>
    onChange(value.map((window, nth) => (nth === index ? { ...window, ...more } : window)))
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      labelElement="div"
      labelProps={{ id: labelId }}
    >
      <Stack gap="sm" mt={6} role="group" aria-labelledby={labelId}>
        {hasDays && <WeekGrid value={value} onChange={onChange} />}
        {value.map((window, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has nothing else to be known by
          <Stack key={index} gap={6} role="group" aria-label={timesWords(t).window(index + 1)}>
            {hasDays && (
              <Chip.Group
                multiple
                value={window.days ?? []}
                onChange={(days) => change(index, { days: inOrder(days) })}
              >
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
              <ActionIcon
                variant="subtle"
                color="gray"
                size="input-sm"
                aria-label={timesWords(t).removeWindow(index + 1)}
                onClick={() => onChange(value.filter((_, nth) => nth !== index))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Stack>
        ))}
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              onChange([...value, { ...(hasDays ? { days: workdays } : {}), start: '08:00', end: '18:00' }])
            }
          >
            {timesWords(t).addWindow}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

const inOrder = (days: string[]): Weekday[] => weekdays.filter((day) => days.includes(day))
