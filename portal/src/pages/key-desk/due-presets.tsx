import { Button, Group, Stack } from '@mantine/core'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { DateField } from '../../resource/dates/date-field.tsx'
import { keysOf } from '../../typed.ts'

const days = { today: 0, tomorrow: 1, week: 7, month: 30 } as const

/** When it is due back: a press for what is usual, any other day typed; none: until further notice. */
export function DuePresets({ value, onChange }: { value: string; onChange(day: string): void }) {
  const t = useWords()
  const { today } = useFormat()
  const presets = keysOf(days).map((name) => ({ name, day: today(days[name]) }))
  return (
    <Stack gap={6}>
      <DateField
        label={t.fields.due_back_on}
        description={value !== '' && value < today() ? t.locking.duePast : t.locking.dueHint}
        value={value}
        onChange={onChange}
      />
      <Group gap={4}>
        {presets.map(({ name, day }) => (
          <Button
            key={name}
            size="compact-xs"
            variant={value === day ? 'light' : 'default'}
            aria-pressed={value === day}
            onClick={() => onChange(day)}
          >
            {deskWords(t).presets[name]}
          </Button>
        ))}
        <Button
          size="compact-xs"
          variant={value === '' ? 'light' : 'default'}
          aria-pressed={value === ''}
          onClick={() => onChange('')}
        >
          {deskWords(t).presets.never}
        </Button>
      </Group>
    </Stack>
  )
}
