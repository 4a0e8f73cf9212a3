import fc from 'fast-check'
import { type ScheduleFacts, type ScheduleState, scheduleState, spans, weekdays } from '../../src/core/time/schedule.ts'

/**
 * Schedules worked out the plain way, to hold the fast one against: every minute of a stretch of time with what the
 * clocks show in it, asked of Intl one by one, and every window laid over them.
 */
const MINUTE = 60_000
const DAY = 86_400_000

export interface Minutes {
  zone: string
  from: number
  /** What the clocks show in each minute, as if it were UTC. */
  local: Float64Array
}

export function minutesOf(zone: string, from: number, to: number): Minutes {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const local = new Float64Array((to - from) / MINUTE)
  for (let n = 0; n < local.length; n += 1) {
    // 11/15/2026, 08:30
    const shown = format.format(from + n * MINUTE)
    const part = (start: number, end: number) => Number(shown.slice(start, end))
    local[n] = Date.UTC(part(6, 10), part(0, 2) - 1, part(3, 5), part(12, 14), part(15, 17))
  }
  return { zone, from, local }
}

/** Whether it is open, minute by minute. */
export function openMinutes(schedule: ScheduleFacts, { local }: Minutes): Uint8Array {
  const open = new Uint8Array(local.length)
  const firstDay = Math.floor((local[0] ?? 0) / DAY) - 2
  const lastDay = Math.floor((local.at(-1) ?? 0) / DAY) + 2
  for (let day = firstDay; day <= lastDay; day += 1) {
    for (const { start, end } of windowsOn(schedule, day)) {
      const begins = day * DAY + timeOf(start)
      const ends = day * DAY + timeOf(end) + (timeOf(end) <= timeOf(start) ? DAY : 0)
      open.fill(1, firstMinute(local, begins), endMinute(local, ends))
    }
  }
  return open
}

function windowsOn({ windows, on_holiday, holiday_windows, holidays }: ScheduleFacts, day: number) {
  const date = new Date(day * DAY)
  if (on_holiday !== 'as_usual' && holidays.has(date.toISOString().slice(0, 10)))
    return on_holiday === 'closed' ? [] : holiday_windows
  const weekday = weekdays[(date.getUTCDay() + 6) % 7] ?? 'mon'
  return windows.filter(({ days }) => days.includes(weekday))
}

const timeOf = (text: string): number => {
  const [hours, minutes] = text.split(':').map(Number)
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * MINUTE
}

/** Where to look for a time: no clock is ever changed by more than a day. */
function around(local: Float64Array, time: number): [start: number, end: number] {
  const middle = (time - (local[0] ?? 0)) / MINUTE
  return [Math.max(0, middle - 3000), Math.min(local.length, middle + 3000)]
}

/** The first minute that shows it, or what comes after it: that after a gap. */
function firstMinute(local: Float64Array, time: number): number {
  const [start, end] = around(local, time)
  for (let minute = start; minute < end; minute += 1) if ((local[minute] ?? 0) >= time) return minute
  return Math.max(0, end)
}

/** The last minute that shows it; where none does, that after the last before it. */
function endMinute(local: Float64Array, time: number): number {
  const [start, end] = around(local, time)
  let after = Math.min(start, local.length)
  for (let minute = start; minute < end; minute += 1) {
    if (local[minute] === time) after = minute
    else if ((local[minute] ?? 0) < time) after = minute + 1
  }
  return after
}

/** Times at which clocks are changed come often, so that starts and ends fall into gaps and overlaps. */
const time = fc.oneof(
  fc.constantFrom(
    '00:00',
    '00:01',
    '00:30',
    '01:00',
    '01:30',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '03:00',
    '03:45',
    '22:00',
    '23:00',
    '23:30',
  ),
  fc
    .integer({ min: 0, max: 1439 })
    .map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`),
)
const dayWindow = {
  start: time,
  end: fc.oneof({ weight: 4, arbitrary: time }, { weight: 1, arbitrary: fc.constant('24:00') }),
}

/** Any schedule, with holidays among the days given. */
export const anySchedule = (days: string[]): fc.Arbitrary<ScheduleFacts> =>
  fc.record({
    id: fc.constant('a'),
    name: fc.constant('Any'),
    time_zone: fc.constant(null),
    windows: fc.array(fc.record({ days: fc.subarray([...weekdays], { minLength: 1 }), ...dayWindow }), {
      maxLength: 4,
    }),
    on_holiday: fc.constantFrom('closed', 'as_usual', 'windows'),
    holiday_windows: fc.array(fc.record(dayWindow), { maxLength: 2 }),
    holidays: fc.subarray(days).map((some) => new Set(some)),
  })

/**
 * Where the schedule and the oracle differ first; undefined: nowhere. Spans cut by the stretch of time are not judged
 * there.
 */
export function difference(schedule: ScheduleFacts, minutes: Minutes, every = 1): string | undefined {
  const { zone, from, local } = minutes
  const open = openMinutes(schedule, minutes)
  // The windows of the days before the first and after the last are not all in it.
  const [first, last] = [2 * 1440, local.length - 3 * 1440]
  const at = (minute: number) => from + minute * MINUTE
  const runs: Array<{ from: number; until: number }> = []
  for (let minute = first; minute < last; ) {
    const next = endOfRun(open, minute, last)
    if (open[minute]) runs.push({ from: at(minute), until: at(next) })
    minute = next
  }
  const found = spans(schedule, zone, at(first), at(last)).map((span) => ({ from: span.from, until: span.until }))
  if (JSON.stringify(found) !== JSON.stringify(runs))
    return `spans ${JSON.stringify(found)}, not ${JSON.stringify(runs)}`
  let run = 0
  for (let minute = first; minute < last; minute += every) {
    while (runs[run] && (runs[run]?.until ?? 0) <= at(minute)) run += 1
    const ahead = runs[run]
    const opens = ahead && local[(ahead.from - from) / MINUTE]
    const isNamed = opens !== undefined && schedule.holidays.has(new Date(opens).toISOString().slice(0, 10))
    const state = scheduleState(schedule, zone, at(minute))
    const wrong = judge(state, at(minute), { run: ahead, isNamed, first: at(first), last: at(last) })
    if (wrong) return `${wrong} at ${new Date(at(minute)).toISOString()}`
  }
  return undefined
}

function endOfRun(open: Uint8Array, minute: number, last: number): number {
  let end = minute + 1
  while (end < last && open[end] === open[minute]) end += 1
  return end
}

/** How far a schedule looks ahead and back, less the few days that its windows and the clocks may take of it. */
const LOOKED_AT = 397 * DAY

/** The openings that holidays bring are found however far away they are. */
function judge(
  state: ScheduleState,
  at: number,
  {
    run,
    isNamed,
    first,
    last,
  }: { run: { from: number; until: number } | undefined; isNamed: boolean; first: number; last: number },
) {
  const isFar = (told: number | null, instant: number) => told === null && Math.abs(instant - at) > LOOKED_AT
  const isOpen = run !== undefined && run.from <= at
  if (state.open !== isOpen) return `open is ${state.open}, not ${isOpen}`
  if (!isOpen) {
    if (!run || state.next === run.from || (!isNamed && isFar(state.next, run.from))) return undefined
    return `next is ${state.next}, not ${run.from}`
  }
  if (run.from > first && state.from !== run.from && !isFar(state.from, run.from))
    return `from is ${state.from}, not ${run.from}`
  if (run.until < last && state.until !== run.until && !isFar(state.until, run.until))
    return `until is ${state.until}, not ${run.until}`
  return undefined
}

/** The zones and years that are looked at: where clocks are changed in every way that they have been. */
export const zonesAndYears: ReadonlyArray<[zone: string, year: number]> = [
  ['Australia/Lord_Howe', 2026],
  ['Africa/Casablanca', 2026],
  ['America/Sao_Paulo', 2017],
  ['Europe/Zurich', 2026],
  ['America/New_York', 2026],
  ['Asia/Kathmandu', 2026],
  ['Pacific/Apia', 2011],
  ['America/St_Johns', 2010],
  ['Africa/Cairo', 2026],
  ['Asia/Tehran', 2021],
  ['Pacific/Chatham', 2026],
  ['UTC', 2026],
  ['Europe/Dublin', 2026],
  ['America/Asuncion', 2023],
]

export const datesBetween = (from: number, to: number): string[] =>
  Array.from({ length: Math.round((to - from) / DAY) }, (_, n) => new Date(from + n * DAY).toISOString().slice(0, 10))
