import './estate.css'
import { List, Stack } from '@mantine/core'
import { useFormat } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.tsx'
import type { NamedDay } from '../resource/inputs/named-day.ts'
import { type DayWindow, daysText } from '../resource/inputs/week.ts'
import { Nothing } from '../resource/shown/value.tsx'

/** Mon–Fri 08:00–18:00, a line for each window. */
export function Windows({ windows }: { windows: readonly DayWindow[] }) {
  const { language } = useLanguage()
  if (windows.length === 0) return <Nothing />
  return (
    <Stack gap={0} component="span">
      {windows.map(({ days, start, end }) => (
        <span
          key={`${days?.join()} ${start} ${end}`}
        >{`${days ? `${daysText(language, days)} ` : ''}${start}–${end}`}</span>
      ))}
    </Stack>
  )
}

/** Days of a calendar, each by its name. */
export function Days({ days }: { days: readonly NamedDay[] }) {
  const format = useFormat()
  if (days.length === 0) return <Nothing />
  return (
    <List size="sm" listStyleType="none" className="calendar-days">
      {days.map(({ date, name }) => (
        <List.Item key={date}>
          <span className="number">{format.date(date)}</span> {name}
        </List.Item>
      ))}
    </List>
  )
}
