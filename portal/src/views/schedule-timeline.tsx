import { Paper, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ScheduleTimeline } from '../api/generated/types.ts'
import { readOptions } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage, useWords } from '../i18n/language.tsx'
import { timesWords } from '../i18n/times-words.ts'
import { resources } from '../resource/resources.ts'
import { ErrorNote } from '../shell/error-note.tsx'

const DAYS = 14
const DAY_MS = 86_400_000
const MINUTES = 1440
const minutesOf = (local: string): number => Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)

interface Part {
  from: number
  until: number
}

/** What is open on each day by that day's clock: a span over midnight lies on both. */
function partsByDay(spans: ScheduleTimeline['spans']): Map<string, Part[]> {
  const parts = new Map<string, Part[]>()
  const add = (day: string, from: number, until: number) => {
    if (from < until) parts.set(day, [...(parts.get(day) ?? []), { from, until }])
  }
  for (const { local_from: from, local_until: until } of spans) {
    const last = until.slice(0, 10)
    let day = from.slice(0, 10)
    for (let start = minutesOf(from); day < last; start = 0) {
      add(day, start, MINUTES)
      day = dayAfter(day)
      if (day === last) {
        add(day, 0, minutesOf(until))
        break
      }
    }
    if (from.slice(0, 10) === last) add(last, minutesOf(from), minutesOf(until))
  }
  return parts
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** When a schedule is open in the next two weeks, with its holidays and the nights on which clocks change. */
export function Timeline({ id }: { id: string }) {
  const t = useWords()
  const { language } = useLanguage()
  const { timeZone, today, date } = useFormat()
  const query = new URLSearchParams({ days: String(DAYS), time_zone: timeZone })
  const { data, error } = useQuery(readOptions<ScheduleTimeline>(`${resources.schedules.api}/${id}/timeline?${query}`))
  if (error) return <ErrorNote error={error} />
  if (!data) return null
  const parts = partsByDay(data.spans)
  const weekday = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="timeline">
      <Title order={2} size="h5" id="timeline" mb="sm">
        {timesWords(t).nextDays(DAYS)}
      </Title>
      <ol className="timeline">
        {Array.from({ length: DAYS }, (_, index) => today(index)).map((day) => {
          const open = parts.get(day) ?? []
          const holiday = data.holidays.find((one) => one.date === day)
          const change = data.clock_changes.find(({ local_before: before }) => before.startsWith(day))
          const hours = open.map(({ from, until }) => `${clock(from)}–${clock(until)}`).join(', ')
          return (
            <li key={day}>
              <span className="timeline-day">
                {weekday.format(new Date(`${day}T00:00:00Z`))} {date(day)}
              </span>
              <svg className="timeline-bar" viewBox={`0 0 ${MINUTES} 24`} preserveAspectRatio="none" aria-hidden>
                <rect width={MINUTES} height={24} className="timeline-closed" />
                {open.map(({ from, until }) => (
                  <rect key={from} x={from} width={until - from} height={24} className="timeline-open" />
                ))}
              </svg>
              <span className="timeline-words">
                {hours === '' ? <span className="dimmed">{timesWords(t).closed}</span> : hours}
                {holiday && <b> {holiday.name}</b>}
                {change && (
                  <b>
                    {' '}
                    {timesWords(t).clocksChange(change.local_before.slice(11, 16), change.local_after.slice(11, 16))}
                  </b>
                )}
              </span>
            </li>
          )
        })}
      </ol>
      <Text size="xs" c="dimmed">
        {t.time.zone(data.time_zone)}
      </Text>
    </Paper>
  )
}
