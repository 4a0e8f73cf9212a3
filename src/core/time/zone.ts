import { sure } from '../typed.ts'

/** A moment at which a zone's clocks were changed: what they were ahead of UTC before it, and are from it on, in ms. */
export interface ClockChange {
  at: number
  before: number
  after: number
}

/** The offset a stretch of time begins with, and the changes in it. */
interface Offsets {
  first: number
  changes: readonly ClockChange[]
}

export const DAY_MS = 86_400_000
/** No zone is further from UTC than a day, and no year begins further from where `yearOf` has it. */
const MARGIN = 5 * DAY_MS
/** Zones and years kept: all zones for some years. */
const KEPT = 5000

const known = new Map<string, Map<number, Offsets>>()
let kept = 0

/** Asking the runtime takes microseconds a time; a zone's year is asked for once. */
function offsetsOf(zone: string, year: number): Offsets {
  return known.get(zone)?.get(year) ?? keep(zone, year)
}

function keep(zone: string, year: number): Offsets {
  const offsets = readOffsets(zone, beginningOf(year) - MARGIN, beginningOf(year + 1) + MARGIN)
  if (kept >= KEPT) {
    known.clear()
    kept = 0
  }
  const years = known.get(zone) ?? new Map<number, Offsets>()
  known.set(zone, years.set(year, offsets))
  kept += 1
  return offsets
}

function readOffsets(zone: string, from: number, to: number): Offsets {
  const start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
  const first = offsetAt(start)
  const changes: ClockChange[] = []
  for (
    let next = start.getTimeZoneTransition('next');
    next && next.epochMilliseconds < to;
    next = next.getTimeZoneTransition('next')
  ) {
    changes.push({ at: next.epochMilliseconds, before: changes.at(-1)?.after ?? first, after: offsetAt(next) })
  }
  return { first, changes }
}

const offsetAt = (moment: Temporal.ZonedDateTime): number => Math.round(moment.offsetNanoseconds / 1e6)

/** Not `Date.UTC`, which takes the year 50 for 1950. */
const beginningOf = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1)

/** A year begins where its days do, on the average; the margin covers what that leaves out. */
const yearOf = (ms: number): number => Math.floor(1970 + ms / (365.2425 * DAY_MS))

/** What the clocks on the wall show, as if it were UTC. */
export function localOf(zone: string, instant: number): number {
  const { first, changes } = offsetsOf(zone, yearOf(instant))
  let offset = first
  for (const change of changes) {
    if (change.at > instant) break
    offset = change.after
  }
  return instant + offset
}

/** The first instant at which the clocks show it. Where they skip it: that at which they do. */
export function firstInstantOf(zone: string, local: number): number {
  const { first, changes } = offsetsOf(zone, yearOf(local))
  let offset = first
  for (const { at, before, after } of changes) {
    if (local - before < at) break
    if (local - after < at) return at
    offset = after
  }
  return local - offset
}

/** The last instant at which the clocks show it. Where they skip it: that at which they do. */
export function lastInstantOf(zone: string, local: number): number {
  const { first, changes } = offsetsOf(zone, yearOf(local))
  for (let n = changes.length - 1; n >= 0; n -= 1) {
    const { at, before, after } = sure(changes[n])
    if (local - after >= at) return local - after
    if (local - before >= at) return at
  }
  return local - first
}

/** The changes of a zone's clocks from one instant to before another. */
export function clockChanges(zone: string, from: number, to: number): ClockChange[] {
  const found: ClockChange[] = []
  for (let year = yearOf(from); year <= yearOf(to); year += 1) {
    for (const change of offsetsOf(zone, year).changes) {
      if (change.at >= from && change.at < to && change.at > (found.at(-1)?.at ?? Number.NEGATIVE_INFINITY))
        found.push(change)
    }
  }
  return found
}

/** An instant as the clocks show it, with what they are ahead of UTC: 2026-05-04T08:00:00.000+02:00. */
export const localText = (zone: string, instant: number): string => textAhead(instant, localOf(zone, instant) - instant)

/** The same for clocks that are so many ms ahead. */
export function textAhead(instant: number, ahead: number): string {
  const minutes = Math.round(ahead / 60_000)
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  const local = new Date(instant + ahead).toISOString().slice(0, -1)
  return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

const dates = new Map<number, string>()

/** The date of a day counted from 1970-01-01. */
export function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 10)
    if (dates.size >= 20_000) dates.clear()
    dates.set(day, date)
  }
  return date
}
