import { type DayWindow, type Weekday, weekdays } from './week.ts'

/** Minutes of a day: from, until. */
export type Span = readonly [number, number]
/** What is open, day by day from Monday on. */
export type WeekSpans = readonly (readonly Span[])[]

const DAY = 1440
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Overlapping and touching spans become one. */
function joined(spans: readonly Span[]): Span[] {
  const made: Array<[number, number]> = []
  for (const [from, until] of spans.filter((span) => span[0] < span[1]).toSorted((a, b) => a[0] - b[0])) {
    const last = made.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], until)
    else made.push([from, until])
  }
  return made
}

/** What a schedule says, as what is open on each day: a window that ends on the next day lies on both. */
export function spansOf(windows: readonly DayWindow[]): Span[][] {
  const spans: Span[][] = weekdays.map(() => [])
  for (const { days = [], start, end } of windows) {
    const [from, until] = [minutesOf(start), minutesOf(end)]
    for (const day of days) {
      const index = weekdays.indexOf(day)
      if (until > from) spans[index]?.push([from, until])
      else {
        spans[index]?.push([from, DAY])
        spans[(index + 1) % 7]?.push([0, until])
      }
    }
  }
  return spans.map(joined)
}

/** Days with the same hours share a window; a night that goes on after midnight is one window again. */
export function windowsOf(week: WeekSpans): DayWindow[] {
  const days = week.map((spans) => [...spans])
  const found = new Map<string, { days: Weekday[]; start: string; end: string; from: number }>()
  const add = (index: number, from: number, end: string) => {
    const key = `${timeOf(from)} ${end}`
    const known = found.get(key) ?? { days: [], start: timeOf(from), end, from }
    known.days.push(...weekdays.slice(index, index + 1))
    found.set(key, known)
  }
  const isWhole = (span: Span | undefined) => span !== undefined && span[0] === 0 && span[1] === DAY
  const goesOn = days.map((spans, index) => {
    const [last, first] = [spans.at(-1), days[(index + 1) % 7]?.[0]]
    return last?.[1] === DAY && first?.[0] === 0 && !isWhole(last) && !isWhole(first) && first[1] <= last[0]
  })
  for (const [index, spans] of days.entries()) {
    const wasBegun = goesOn[(index + 6) % 7]
    for (const [nth, [from, until]] of spans.entries()) {
      if (nth === 0 && wasBegun && from === 0) continue
      const isNight = nth === spans.length - 1 && goesOn[index]
      const next = days[(index + 1) % 7]?.[0]
      add(index, from, isNight && next ? timeOf(next[1]) : timeOf(until))
    }
  }
  return [...found.values()]
    .toSorted((a, b) => a.from - b.from)
    .map(({ days: on, start, end }) => ({ days: on, start, end }))
}

/** Opens or closes a part of some days. */
export const painted = (week: WeekSpans, days: readonly number[], [from, until]: Span, isOpen: boolean): Span[][] =>
  week.map((spans, index) => {
    if (!days.includes(index)) return [...spans]
    if (isOpen) return joined([...spans, [from, until]])
    return joined(
      spans.flatMap((span): Span[] => [
        [span[0], Math.min(span[1], from)],
        [Math.max(span[0], until), span[1]],
      ]),
    )
  })

export const isOpenAt = (week: WeekSpans, day: number, minute: number): boolean =>
  (week[day] ?? []).some(([from, until]) => from <= minute && minute < until)
