import { Group, type TextInputProps } from '@mantine/core'
import { useWords } from '../../i18n/language.tsx'
import { DateField } from './date-field.tsx'
import { TimeField } from './time-field.tsx'

interface MomentFieldProps
  extends Pick<
    TextInputProps,
    'label' | 'description' | 'error' | 'name' | 'required' | 'withAsterisk' | 'aria-label'
  > {
  /** `2026-05-04T10:30` by the clock of the organization, or nothing. */
  value: string
  onChange(moment: string): void
  /** A day without a time means its end. */
  isEnd?: boolean
}

const nextDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The end of a day is told as 24:00 of that day, not as the first moment of the next. */
function shownOf(value: string, isEnd: boolean): { day: string; time: string } {
  const [day = '', time = ''] = value.split('T')
  return isEnd && time === '00:00' && day !== '' ? { day: nextDay(day, -1), time: '24:00' } : { day, time }
}

const sentOf = (day: string, time: string): string => (time === '24:00' ? `${nextDay(day, 1)}T00:00` : `${day}T${time}`)

/** A day and a time; the day alone means its beginning or, of what ends, its end. */
export function MomentField({ value, onChange, isEnd = false, label, name, ...props }: MomentFieldProps) {
  const t = useWords()
  const { day, time } = shownOf(value, isEnd)
  const whole = isEnd ? '24:00' : '00:00'
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" className="moment-field">
      <DateField
        {...props}
        {...(name === undefined ? {} : { name })}
        label={label}
        value={day}
        onChange={(next) => onChange(next === '' ? '' : sentOf(next, time === '' ? whole : time))}
      />
      <TimeField
        aria-label={`${label ?? props['aria-label'] ?? ''}: ${t.time.clock}`}
        label={label === undefined ? undefined : ' '}
        value={day === '' ? '' : time}
        disabled={day === ''}
        onChange={(next) => onChange(sentOf(day, next === '' ? whole : next))}
      />
    </Group>
  )
}
