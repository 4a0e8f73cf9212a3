import type { Weekday } from '../core/time/schedule.ts'
import { holidaysOfZurich } from './holidays.ts'
import type { World } from './world.ts'

const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri']
const weekend: readonly Weekday[] = ['sat', 'sun']

interface Window {
  days: readonly Weekday[]
  start: string
  end: string
}

type OnHoliday = 'closed' | 'as_usual' | 'windows'

const schedules: ReadonlyArray<
  readonly [name: string, description: string, windows: readonly Window[], onHoliday: OnHoliday]
> = [
  [
    'Office hours',
    'Monday to Friday, closed on public holidays',
    [{ days: weekdays, start: '07:00', end: '19:00' }],
    'closed',
  ],
  [
    'Night shift',
    'Every night, over midnight',
    [{ days: [...weekdays, ...weekend], start: '22:00', end: '06:00' }],
    'as_usual',
  ],
  ['Cleaning', 'Weekdays in the evening', [{ days: weekdays, start: '18:00', end: '22:00' }], 'closed'],
  ['Weekends', 'Saturdays, Sundays and public holidays', [{ days: weekend, start: '08:00', end: '18:00' }], 'windows'],
  [
    'Entrances open',
    'The main entrances stand open',
    [
      { days: weekdays, start: '07:30', end: '18:00' },
      { days: ['sat'], start: '08:00', end: '12:00' },
    ],
    'closed',
  ],
]

export const OFFICE_HOURS = 0
export const NIGHT = 1
export const CLEANING_HOURS = 2
export const WEEKENDS = 3
export const ENTRANCES_OPEN = 4

const YEARS_BEFORE = 1
const YEARS_AFTER = 2

/** Holidays are stored, from last year to the year after next. */
export function* calendarRows(world: World): Generator<object> {
  const year = new Date(world.today).getUTCFullYear()
  const days = Array.from({ length: YEARS_BEFORE + 1 + YEARS_AFTER }, (_, nth) =>
    holidaysOfZurich(year - YEARS_BEFORE + nth),
  ).flat()
  yield {
    ...world.base('calendars', 0),
    name: 'Holidays in Zürich',
    description: 'Public holidays of the canton',
    region: 'CH-ZH',
    days,
    day_count: days.length,
    last_day: days.at(-1)?.date,
    proposed: days,
  }
}

export function* scheduleRows(world: World): Generator<object> {
  for (const [index, [name, description, windows, onHoliday]] of schedules.entries()) {
    yield {
      ...world.base('schedules', index),
      name,
      description,
      time_zone: null,
      windows,
      calendar_id: onHoliday === 'as_usual' ? null : world.id('calendars', 0),
      on_holiday: onHoliday,
      holiday_windows: onHoliday === 'windows' ? [{ start: '10:00', end: '16:00' }] : [],
    }
  }
}
