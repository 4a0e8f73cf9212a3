import { isRecord } from '../../typed.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** A span of the day; of a week's window also its days. */
export interface DayWindow {
  days?: Weekday[]
  start: string
  end: string
}

/** What a form, or the log, holds of windows. */
export const isWindows = (value: unknown): value is DayWindow[] =>
  Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.start === 'string')

const A_MONDAY = Date.UTC(2024, 0, 1)
const DAY = 86_400_000

/** Mon, Tue, … in the person's language. */
export function weekdayName(language: string, day: Weekday, width: 'short' | 'long' = 'short'): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { weekday: width, timeZone: 'UTC' })
  return format.format(new Date(A_MONDAY + weekdays.indexOf(day) * DAY))
}

/** Days in a row are told by their ends: Mon–Fri. */
export function daysText(language: string, days: readonly Weekday[]): string {
  const runs: Weekday[][] = []
  for (const day of weekdays.filter((one) => days.includes(one))) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && weekdays.indexOf(last) === weekdays.indexOf(day) - 1) run.push(day)
    else runs.push([day])
  }
  const name = (day: Weekday) => weekdayName(language, day)
  return runs
    .map((run) => run.map(name))
    .map((names) => (names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(', ')))
    .join(', ')
}
