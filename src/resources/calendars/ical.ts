import ICAL from 'ical.js'
import { messageOf } from '../../core/errors.ts'
import { oneLine } from '../../core/line.ts'
import { gathered, type Proposal, type Years } from './proposal.ts'
import { MAX_NAME } from './schema.ts'

/** Occurrences looked at per event: every day for two centuries. */
const MAX_OCCURRENCES = 75_000
const DAY_SECONDS = 86_400

/** The whole days of an iCalendar file in some years, repeated ones included; undefined: it is no such file. */
export function daysOfFile(text: string, years: Years): Proposal | undefined {
  const component = parsed(text)
  if (component?.name !== 'vcalendar') return undefined
  const proposal: Proposal = { days: [], unread: [] }
  const all = component.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
  for (const event of all.filter((each) => !each.isRecurrenceException())) {
    for (const other of all) if (other.isRecurrenceException() && other.uid === event.uid) event.relateException(other)
    readEvent(event, years, proposal)
  }
  return { ...proposal, days: gathered(proposal.days) }
}

function parsed(text: string): ICAL.Component | undefined {
  try {
    return new ICAL.Component(ICAL.parse(text))
  } catch {
    return undefined
  }
}

function readEvent(event: ICAL.Event, years: Years, proposal: Proposal): void {
  const what = nameOf(event)
  try {
    const why = notADay(event)
    if (why) proposal.unread.push({ what, why })
    else for (const date of datesOf(event, years)) proposal.days.push(date)
  } catch (error) {
    proposal.unread.push({ what, why: `It could not be read: ${messageOf(error)}`.slice(0, 300) })
  }
}

const nameOf = ({ summary, uid }: ICAL.Event): string =>
  oneLine(summary || '', MAX_NAME) || oneLine(uid || '', MAX_NAME) || '(no name)'

function notADay(event: ICAL.Event): string | undefined {
  if (!event.startDate) return 'It has no date'
  if (event.component.getFirstPropertyValue('status') === 'CANCELLED') return 'It was cancelled'
  return isWhole(event.startDate, event.endDate) ? undefined : 'It is a part of a day only'
}

const isWhole = (start: ICAL.Time, end: ICAL.Time): boolean =>
  start.isDate ||
  (start.hour === 0 && start.minute === 0 && start.second === 0 && lengthOf(start, end) % DAY_SECONDS === 0)

const lengthOf = (start: ICAL.Time, end: ICAL.Time): number => end.subtractDate(start).toSeconds()

/**
 * The 30th of February is no day: the reader of rules counts on into March, and where the rule names months that shows.
 */
function isOfRule(event: ICAL.Event, { year, month, day }: ICAL.Time): boolean {
  const { component, startDate: start } = event
  if (component.hasProperty('rdate')) return true
  const rules = component.getAllProperties('rrule').flatMap((property) => {
    const rule = property.getFirstValue()
    return rule instanceof ICAL.Recur ? [rule] : []
  })
  if (rules.length === 0) return true
  return rules.some(({ freq, parts }) => {
    if (freq === 'YEARLY' && Object.keys(parts).length === 0) return month === start.month && day === start.day
    const length = ICAL.Time.daysInMonth(month, year)
    const { BYMONTH: months, BYMONTHDAY: days } = parts
    return (
      (months?.includes(month) ?? true) && (days?.some((each) => each === day || each === day - length - 1) ?? true)
    )
  })
}

function* datesOf(event: ICAL.Event, { from_year, to_year }: Years) {
  const occurrences = event.iterator()
  for (let n = 0; ; n += 1) {
    const next = occurrences.next()
    if (!next || next.year > to_year) return
    if (n === MAX_OCCURRENCES) throw new Error('it repeats too often')
    if (next.year < from_year - 1 || !isOfRule(event, next)) continue
    const { item, startDate, endDate } = event.getOccurrenceDetails(next)
    const name = oneLine(item.summary || '', MAX_NAME) || nameOf(event)
    const days = Math.max(1, Math.round(lengthOf(startDate, endDate) / DAY_SECONDS))
    for (let day = 0; day < Math.min(days, 366); day += 1) {
      const date = new Date(Date.UTC(startDate.year, startDate.month - 1, startDate.day + day))
        .toISOString()
        .slice(0, 10)
      const year = Number(date.slice(0, 4))
      if (year >= from_year && year <= to_year) yield { date, name }
    }
  }
}
