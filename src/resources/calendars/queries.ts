import { invalid } from '../../core/errors.ts'
import type { Tx } from '../../db/change.ts'
import type { Calendar, CalendarDay } from './schema.ts'

/** The days are kept in their order, so that two calendars with the same days are the same. */
export function prepareCalendar(_tx: Tx, next: Calendar): undefined {
  refuseTwice(next.days)
  Object.assign(next, withDays(next.days))
}

/** The columns that days fill. */
export function withDays(days: readonly CalendarDay[]): Pick<Calendar, 'days' | 'day_count' | 'last_day'> {
  const sorted = days.map(({ date, name }) => ({ date, name })).sort((a, b) => (a.date < b.date ? -1 : 1))
  return { days: sorted, day_count: sorted.length, last_day: sorted.at(-1)?.date ?? null }
}

function refuseTwice(days: readonly CalendarDay[]): void {
  const seen = new Map<string, number>()
  for (const [n, { date }] of days.entries()) {
    const earlier = seen.get(date)
    const path = `days.${n}.date`
    if (earlier !== undefined)
      throw invalid(path, 'calendar.day_twice', `${path}: ${date} stands in days.${earlier} too; a date stands once`)
    seen.set(date, n)
  }
}
