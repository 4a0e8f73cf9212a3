import { at } from '../typed.ts'
import { LAST_INSTANT } from './instant.ts'
import { DAY_MS, dateOf, firstInstantOf, lastInstantOf, localOf } from './zone.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** From "08:00" to "18:00"; an end at or before the start is on the next day, and "24:00" is the end of the day. */
export interface DayWindow {
  start: string
  end: string
}

export interface ScheduleFacts {
  id: string
  name: string
  time_zone: string | null
  windows: ReadonlyArray<DayWindow & { days: readonly Weekday[] }>
  on_holiday: 'closed' | 'as_usual' | 'windows'
  holiday_windows: readonly DayWindow[]
  /** The days of its calendar, as YYYY-MM-DD. */
  holidays: ReadonlySet<string>
  holiday_names?: ReadonlyMap<string, string>
}

export interface ScheduleState {
  open: boolean
  /** The span it is in, in ms; null where that began or ends more than HORIZON_DAYS away. */
  from: number | null
  until: number | null
  /** The next opening of a closed one; null: none within HORIZON_DAYS, nor on a later day of its calendar. */
  next: number | null
  /** The date of the day that decides, where that is a holiday and holidays are not as usual. */
  holiday: string | null
}

interface OpenSpan {
  from: number
  until: number
  /** The date of the day it begins on, where holidays are not as usual and that is one. */
  holiday: string | null
}

/** How far ahead and back is looked. */
const HORIZON_DAYS = 400

/** Minutes from the start of the day a window belongs to. */
interface Stretch {
  start: number
  end: number
}

/** A schedule as it is worked with: the stretches of each kind of day, joined and in order. */
interface Plan {
  week: ReadonlyArray<readonly Stretch[]>
  holiday: readonly Stretch[]
  /** Absent where a holiday is a day like any other. */
  holidays: ReadonlySet<string> | undefined
  /** The same days by their numbers, in order. */
  holidayDays: readonly number[]
  isAlwaysOpen: boolean
  isNeverOpen: boolean
  /** The latest question: a list asks the same of one schedule for thousands of rows. */
  asked?: { zone: string; at: number; state: ScheduleState }
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES

const plans = new WeakMap<ScheduleFacts, Plan>()

function planOf(schedule: ScheduleFacts): Plan {
  const known = plans.get(schedule)
  if (known) return known
  const plan = makePlan(schedule)
  plans.set(schedule, plan)
  return plan
}

function makePlan({ windows, on_holiday, holiday_windows, holidays }: ScheduleFacts): Plan {
  const stretches: Stretch[][] = [[], [], [], [], [], [], []]
  for (const window of windows) for (const day of window.days) stretches[weekdays.indexOf(day)]?.push(stretchOf(window))
  const week = stretches.map(joined)
  const holiday = on_holiday === 'windows' ? joined(holiday_windows.map(stretchOf)) : []
  const areDifferent = on_holiday !== 'as_usual' && holidays.size > 0
  return {
    week,
    holiday,
    holidays: areDifferent ? holidays : undefined,
    holidayDays: areDifferent ? [...holidays].map((date) => Date.parse(date) / DAY_MS).sort((a, b) => a - b) : [],
    isAlwaysOpen: !areDifferent && coversWeek(week),
    isNeverOpen: week.every((day) => day.length === 0) && !(areDifferent && holiday.length > 0),
  }
}

function stretchOf({ start, end }: DayWindow): Stretch {
  const [from, to] = [minutesOf(start), minutesOf(end)]
  return { start: from, end: to > from ? to : to + DAY_MINUTES }
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function joined(stretches: Stretch[]): Stretch[] {
  if (stretches.length < 2) return stretches
  const result: Stretch[] = []
  for (const stretch of stretches.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && stretch.start <= last.end) last.end = Math.max(last.end, stretch.end)
    else result.push(stretch)
  }
  return result
}

const isWhole = ([first]: readonly Stretch[]): boolean => first?.start === 0 && first.end >= DAY_MINUTES

/** Two weeks are laid out, so that Sunday night reaches into Monday. */
function coversWeek(week: Plan['week']): boolean {
  if (week.every(isWhole)) return true
  if (week.some((day) => day.length === 0)) return false
  const all = [0, WEEK_MINUTES].flatMap((base) =>
    week.flatMap((day, n) =>
      day.map(({ start, end }) => ({ start: base + n * DAY_MINUTES + start, end: base + n * DAY_MINUTES + end })),
    ),
  )
  return joined(all).some(({ start, end }) => start <= WEEK_MINUTES && end >= 2 * WEEK_MINUTES)
}

const isHoliday = (plan: Plan, day: number): boolean => plan.holidays?.has(dateOf(day)) ?? false

/** The stretches of a day counted from 1970-01-01, a Thursday. */
const stretchesOf = (plan: Plan, day: number): readonly Stretch[] =>
  (isHoliday(plan, day) ? plan.holiday : plan.week[(((day + 3) % 7) + 7) % 7]) ?? []

const startOf = (zone: string, day: number, { start }: Stretch): number =>
  firstInstantOf(zone, day * DAY_MS + start * MINUTE_MS)
const endOf = (zone: string, day: number, { end }: Stretch): number =>
  lastInstantOf(zone, day * DAY_MS + end * MINUTE_MS)

const dayAt = (zone: string, instant: number): number => Math.floor(localOf(zone, instant) / DAY_MS)

/**
 * A window reaches into the next day, and clocks set back over midnight show a day again: these days can bear on one.
 */
const [DAYS_BEFORE, DAYS_AFTER] = [2, 1]

/** What a schedule says at an instant, in a zone: its own, or that of the access point. */
export function scheduleState(schedule: ScheduleFacts, zone: string, at: number): ScheduleState {
  const plan = planOf(schedule)
  if (plan.asked?.at === at && plan.asked.zone === zone) return plan.asked.state
  const state = workOut(plan, zone, at)
  plan.asked = { zone, at, state }
  return state
}

const told = (instant: number | undefined): number | null =>
  instant === undefined || instant > LAST_INSTANT ? null : instant

function workOut(plan: Plan, zone: string, at: number): ScheduleState {
  if (plan.isAlwaysOpen) return { open: true, from: null, until: null, next: null, holiday: null }
  const today = dayAt(zone, at)
  const face = plan.isNeverOpen ? undefined : faceFrom(plan, zone, at, today)
  const from = face && firstInstantOf(zone, face.from)
  if (from === undefined || from > at) {
    return {
      open: false,
      from: null,
      until: null,
      next: told(from),
      holiday: isHoliday(plan, today) ? dateOf(today) : null,
    }
  }
  return {
    open: true,
    from: beginningOf(plan, zone, face?.from ?? 0, today),
    until: told(face?.until === undefined ? undefined : lastInstantOf(zone, face.until)),
    next: null,
    holiday: decidingHoliday(plan, zone, at, today),
  }
}

/** A span as the clocks show it. Instants are worked out only where that does not decide: it is what takes time. */
interface Face {
  from: number
  /** Absent: beyond the horizon. */
  until?: number
}

/** The first span that ends after an instant. What of it lies before the days looked at is left to `beginningOf`. */
function faceFrom(plan: Plan, zone: string, at: number, today: number): Face | undefined {
  let face: Required<Face> | undefined
  const last = today + HORIZON_DAYS
  for (const day of daysFrom(plan, today - DAYS_BEFORE, last)) {
    // What is over by then is no reason to stop looking.
    if (face && day > last && lastInstantOf(zone, face.until) > at) break
    for (const { start, end } of stretchesOf(plan, day)) {
      const [from, until] = [day * DAY_MS + start * MINUTE_MS, day * DAY_MS + end * MINUTE_MS]
      if (face && meets(zone, face.until, from)) face.until = Math.max(face.until, until)
      else if (face && lastInstantOf(zone, face.until) > at) return face
      else if (lastInstantOf(zone, until) > firstInstantOf(zone, from)) {
        face = { from, until }
        // One that is yet to begin is asked for its beginning alone.
        if (firstInstantOf(zone, from) > at) return face
      }
    }
  }
  if (!face || lastInstantOf(zone, face.until) <= at) return undefined
  return face.until < last * DAY_MS || face.from > last * DAY_MS ? face : { from: face.from }
}

/** Day by day up to the horizon; beyond it those that the calendar names, which are few. */
function* daysFrom(plan: Plan, from: number, last: number): Generator<number> {
  for (let day = from; day <= last; day += 1) yield day
  if (plan.holiday.length > 0) yield* plan.holidayDays.filter((day) => day > last)
}

/** What ends and what begins are one where the clocks say so, or where they were changed between the two. */
const meets = (zone: string, until: number, from: number): boolean =>
  from <= until || (from - until <= DAY_MS && firstInstantOf(zone, from) <= lastInstantOf(zone, until))

/** Where the span that `from` is in began: windows of earlier days may reach up to it. */
function beginningOf(plan: Plan, zone: string, from: number, today: number): number | null {
  let begun = from
  let day = today - DAYS_BEFORE - 1
  for (let without = 0; without <= DAYS_BEFORE; day -= 1) {
    if (day < today - HORIZON_DAYS) return null
    without += 1
    const stretches = stretchesOf(plan, day)
    for (let n = stretches.length - 1; n >= 0; n -= 1) {
      const { start, end } = at(stretches, n)
      if (!meets(zone, day * DAY_MS + end * MINUTE_MS, begun)) continue
      begun = Math.min(begun, day * DAY_MS + start * MINUTE_MS)
      without = 0
    }
  }
  return firstInstantOf(zone, begun)
}

/** Of several windows that are open that of the day itself decides, else the latest. */
function decidingHoliday(plan: Plan, zone: string, at: number, today: number): string | null {
  if (!plan.holidays) return null
  for (const day of [today, today + DAYS_AFTER, today - 1, today - DAYS_BEFORE]) {
    const isOpen = stretchesOf(plan, day).some(
      (stretch) => startOf(zone, day, stretch) <= at && endOf(zone, day, stretch) > at,
    )
    if (isOpen) return isHoliday(plan, day) ? dateOf(day) : null
  }
  return null
}

/** When it is open from one instant to another, in order, cut to those two. */
export function spans(schedule: ScheduleFacts, zone: string, from: number, to: number): OpenSpan[] {
  const plan = planOf(schedule)
  const found: OpenSpan[] = []
  const last = dayAt(zone, to) + DAYS_AFTER
  for (let day = dayAt(zone, from) - DAYS_BEFORE; day <= last; day += 1) {
    const holiday = isHoliday(plan, day) ? dateOf(day) : null
    for (const stretch of stretchesOf(plan, day)) {
      const start = Math.max(from, startOf(zone, day, stretch))
      const end = Math.min(to, endOf(zone, day, stretch))
      if (end <= start) continue
      const open = found.at(-1)
      if (open && start <= open.until) open.until = Math.max(open.until, end)
      else found.push({ from: start, until: end, holiday })
    }
  }
  return found
}
