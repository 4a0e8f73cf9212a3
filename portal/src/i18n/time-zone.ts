/** To make one costs a hundred times what it costs to use. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** The wall clock of a time zone at an instant: `2026-05-04 10:30:00`. */
export function wallClock(instant: string, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(timeZone, clock)
  return clock.format(new Date(instant))
}

/** The instant at which a time zone's wall clock shows this; inside a skipped hour the moment after it. */
export function instantOf(wall: string, timeZone: string): string {
  const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`)
  const offsetAt = (time: number) =>
    Date.parse(`${wallClock(new Date(time).toISOString(), timeZone).replace(' ', 'T')}Z`) - time
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}

/** The day it is in a time zone, or so many days after: as the service counts days that are due. */
export function todayIn(timeZone: string, days = 0): string {
  const day = wallClock(new Date().toISOString(), timeZone).slice(0, 10)
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
