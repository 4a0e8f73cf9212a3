import { LAST_INSTANT } from '../../core/time/instant.ts'
import { type ScheduleFacts, scheduleState, spans } from '../../core/time/schedule.ts'
import { clockChanges, DAY_MS, dateOf, firstInstantOf, localOf, localText, textAhead } from '../../core/time/zone.ts'

const text = (instant: number): string => new Date(instant).toISOString()
const orNull = <T>(instant: number | null, write: (instant: number) => T): T | null =>
  instant === null ? null : write(instant)

const holidayOf = ({ holiday_names }: ScheduleFacts, date: string | null) =>
  date === null ? null : { date, name: holiday_names?.get(date) ?? '' }

/** What it says at an instant. */
export function stateAt(facts: ScheduleFacts, zone: string, at: number) {
  const { open, from, until, next, holiday } = scheduleState(facts, zone, at)
  // Clocks that are ahead show the year 10000 already, which has no way to be written.
  const shown = (instant: number) => (localOf(zone, instant) > LAST_INSTANT ? null : localText(zone, instant))
  return {
    schedule_id: facts.id,
    time_zone: zone,
    at: text(at),
    open,
    from: orNull(from, text),
    until: orNull(until, text),
    next: orNull(next, text),
    holiday: holidayOf(facts, holiday),
    local: { at: shown(at), from: orNull(from, shown), until: orNull(until, shown), next: orNull(next, shown) },
  }
}

/** The date that the clocks of a zone show. */
export const dateIn = (zone: string, at: number): string => dateOf(Math.floor(localOf(zone, at) / DAY_MS))

/** When it is open on so many days from a date on. */
export function timelineOf(facts: ScheduleFacts, zone: string, date: string, days: number) {
  const first = Date.parse(date) / DAY_MS
  const [from, until] = [firstInstantOf(zone, first * DAY_MS), firstInstantOf(zone, (first + days) * DAY_MS)]
  const dates = Array.from({ length: days }, (_, n) => dateOf(first + n))
  return {
    schedule_id: facts.id,
    time_zone: zone,
    from: text(from),
    until: text(until),
    spans: spans(facts, zone, from, until).map((span) => ({
      from: text(span.from),
      until: text(span.until),
      local_from: localText(zone, span.from),
      local_until: localText(zone, span.until),
      holiday: holidayOf(facts, span.holiday),
      begins_before: span.from === from && scheduleState(facts, zone, from - 1).open,
      ends_after: span.until === until && scheduleState(facts, zone, until).open,
    })),
    holidays: dates.filter((each) => facts.holidays.has(each)).map((each) => holidayOf(facts, each)),
    clock_changes: clockChanges(zone, from, until).map(({ at, before }) => ({
      at: text(at),
      local_before: textAhead(at, before),
      local_after: localText(zone, at),
    })),
  }
}
