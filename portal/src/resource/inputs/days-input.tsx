import { Group, TextInput } from '@mantine/core'
import { useWords } from '../../i18n/language.tsx'
import { timesWords } from '../../i18n/times-words.ts'
import { DateField } from '../dates/date-field.tsx'
import type { NamedDay } from './named-day.ts'
import { RemoveRow, RowsInput } from './rows-input.tsx'

interface DaysInputProps {
  label: string
  error: string | undefined
  value: readonly NamedDay[]
  onChange(value: NamedDay[]): void
}

/** The days of a calendar: each a date and what it is called. */
export function DaysInput({ label, error, value, onChange }: DaysInputProps) {
  const t = useWords()
  const change = (index: number, more: Partial<NamedDay>) =>
    onChange(value.map((day, nth) => (nth === index ? { ...day, ...more } : day)))
  return (
    <RowsInput
      label={label}
      error={error}
      add={timesWords(t).addDay}
      onAdd={() => onChange([...value, { date: '', name: '' }])}
    >
      {value.map((day, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: while it is typed a day has nothing else to be known by
        <Group key={index} gap="xs" wrap="nowrap" className="named-day-row">
          <DateField
            className="named-day"
            aria-label={timesWords(t).date}
            value={day.date}
            onChange={(date) => change(index, { date })}
          />
          <TextInput
            aria-label={timesWords(t).dayName}
            value={day.name}
            maxLength={200}
            className="day-name"
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
          />
          <RemoveRow
            label={timesWords(t).removeDay(day.name)}
            onRemove={() => onChange(value.filter((_, nth) => nth !== index))}
          />
        </Group>
      ))}
    </RowsInput>
  )
}
