import { invalid } from '../errors.ts'

/** The last one that can be written with four digits of the year: what lies beyond cannot be told. */
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** A leap second, which RFC 3339 has and `Date` has not: what is checked lets it pass where it can be. */
const LEAP = /^(.{16}):60/

/** A leap second and the one after it are the same moment here, as for a clock of POSIX. */
const read = (value: string): Date =>
  LEAP.test(value) ? new Date(Date.parse(value.replace(LEAP, '$1:59')) + 1000) : new Date(value)

/** A point in time as it is kept: UTC, to the millisecond. `path` says whose it is when it is none. */
export function instantIn(path: string, value: string): string {
  const instant = read(value)
  if (Number.isNaN(instant.getTime())) throw invalid(path, 'body.format', `${path}: ${value} is not a point in time`)
  const text = instant.toISOString()
  // Before year 1 and after 9999 the text is written otherwise: neither engine could keep or compare it.
  if (!/^(?!0000)\d{4}-/.test(text))
    throw invalid(path, 'body.range', `${path}: ${value} is not between the years 1 and 9999`)
  return text
}
