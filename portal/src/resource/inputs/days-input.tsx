import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { timesWords } from '../../i18n/times-words.ts'
import { DateField } from '../dates/date-field.tsx'
import type { NamedDay } from './named-day.ts'

interface DaysInputProps {
  label: string
  error: string | undefined
  value: readonly NamedDay[]
  onChange(value: NamedDay[]): void
}

/** The days of a calendar: each a date and what it is called. */
export function DaysInput({ label, error, value, onChange }: DaysInputProps) {
  const t = useWords()
  const labelId = useId()
  const change = (index: number, more: Partial<NamedDay>) =>
    onChange(value.map((day, nth) => (nth === index ? { ...day, ...more } : day)))
  return (
    <Input.Wrapper label={label} error={error} labelElement="div" labelProps={{ id: labelId }}>
      <Stack gap="xs" mt={6} role="group" aria-labelledby={labelId}>
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
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={timesWords(t).removeDay(day.name)}
              onClick={() => onChange(value.filter((_, nth) => nth !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...value, { date: '', name: '' }])}
          >
            {timesWords(t).addDay}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}
