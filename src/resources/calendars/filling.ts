import type { CalendarDay } from './schema.ts'

/** What a proposal makes of the days of a calendar. */
export interface Filling {
  days: CalendarDay[]
  added: CalendarDay[]
  /** The source calls it otherwise than before, and nobody had touched it. */
  changed: Array<CalendarDay & { before: string }>
  /** It stands there already, under this name or one that somebody chose. */
  kept: CalendarDay[]
  /** It was proposed before, and somebody took it out: it stays out. */
  left_out: CalendarDay[]
}

/** `proposed`: the days as they were proposed before, which tells what somebody edited from what nobody touched. */
export function fillWith(
  days: readonly CalendarDay[],
  proposed: readonly CalendarDay[],
  proposal: readonly CalendarDay[],
): Filling {
  const standing = new Map(days.map(({ date, name }) => [date, name]))
  const before = new Map(proposed.map(({ date, name }) => [date, name]))
  const filling: Filling = { days: [], added: [], changed: [], kept: [], left_out: [] }
  for (const { date, name } of proposal) {
    const present = standing.get(date)
    if (present === undefined) filling[before.has(date) ? 'left_out' : 'added'].push({ date, name })
    else if (present !== name && present === before.get(date)) filling.changed.push({ date, name, before: present })
    else filling.kept.push({ date, name: present })
  }
  for (const { date, name } of [...filling.added, ...filling.changed]) standing.set(date, name)
  filling.days = [...standing].map(([date, name]) => ({ date, name })).sort((a, b) => (a.date < b.date ? -1 : 1))
  return filling
}

/** What was proposed so far, the latest word on each date. */
export const proposedSoFar = (before: readonly CalendarDay[], proposal: readonly CalendarDay[]): CalendarDay[] => [
  ...new Map([...before, ...proposal].map(({ date, name }) => [date, { date, name }])).values(),
]
