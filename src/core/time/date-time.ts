const DAY = /^(\d\d\d\d)-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i

/**
 * Whether a text is a moment with an offset, by RFC 3339, whose section 5.6 allows a blank for the T. A second more is
 * taken where there are leap seconds, before midnight in UTC.
 */
export function isDateTime(text: string): boolean {
  const [day = '', time = '', more] = text.split(/t|\s/i, 3)
  return more === undefined && isDay(day) && isTime(time)
}

function isDay(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = DAY.exec(text)?.map(Number) ?? []
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** The years before 100 are others to `Date` where they stand alone. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

function isTime(text: string): boolean {
  const [, hour, minute, second, sign, offsetHours = '0', offsetMinutes = '0'] = TIME.exec(text) ?? []
  if (hour === undefined || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return false
  if (Number(hour) <= 23 && Number(minute) <= 59 && Number(second) < 60) return true
  const ahead = sign === '-' ? -1 : 1
  const utcMinute = Number(minute) - Number(offsetMinutes) * ahead
  const utcHour = Number(hour) - Number(offsetHours) * ahead - (utcMinute < 0 ? 1 : 0)
  return (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && Number(second) < 61
}
