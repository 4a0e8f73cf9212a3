import { invalid } from '../errors.ts'

/** Refuses what is no IANA time zone of this runtime. */
export function checkTimeZone(path: string, zone: string | null): void {
  if (zone === null || isTimeZone(zone)) return
  throw invalid(path, 'body.format', `${path}: "${zone}" is not an IANA time zone such as Europe/Zurich`)
}

/** Asking the runtime takes a third of a millisecond, and every change of a place asks. */
const known = new Set<string>()
/** More than there are; in upper and lower case there is no end of spellings. */
const KNOWN_LIMIT = 1000

export function isTimeZone(zone: string): boolean {
  if (known.has(zone)) return true
  // The runtime takes offsets such as +02:00 too; those are no zones and know no summer time.
  if (!/^[a-z]/i.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    return false
  }
  if (known.size >= KNOWN_LIMIT) known.clear()
  known.add(zone)
  return true
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day it is in a time zone at an instant: `2026-05-04`. */
export function dayIn(zone: string, instant: string | number): string {
  // Of all locales this one writes days as we do.
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(new Date(instant))
}

const QUARTER_HOUR = 900_000

/**
 * When the next day begins in a time zone. Where a clock is put forward or back at midnight, the day begins when its
 * date does.
 */
export function nextDayIn(zone: string, instant: string): string {
  const today = dayIn(zone, instant)
  // Every offset that is in use is a multiple of a quarter of an hour.
  let at = Math.floor(Date.parse(instant) / QUARTER_HOUR) * QUARTER_HOUR
  for (const step of [4 * QUARTER_HOUR, QUARTER_HOUR]) while (dayIn(zone, at + step) === today) at += step
  return new Date(at + QUARTER_HOUR).toISOString()
}
