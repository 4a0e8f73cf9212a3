import { instantOf, wallClock } from '../../i18n/time-zone.ts'

const HOUR_MS = 3_600_000
const USUAL_HOURS = 2

/** From the next full hour for as long as most visits take, and with the day at an end. */
export function usualVisit(timeZone: string, now = new Date()): { valid_from: string; valid_until: string } {
  const hour = wallClock(now.toISOString(), timeZone).slice(0, 13).replace(' ', 'T')
  const from = Date.parse(`${hour}:00Z`) + HOUR_MS
  const lastMinute = Date.parse(`${wallAt(from).slice(0, 10)}T23:59Z`)
  return {
    valid_from: instantOf(wallAt(from), timeZone),
    valid_until: instantOf(wallAt(Math.min(from + USUAL_HOURS * HOUR_MS, lastMinute)), timeZone),
  }
}

/** What the wall clock shows, counted as if it were UTC. */
const wallAt = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
