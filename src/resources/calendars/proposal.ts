import { oneLine } from '../../core/line.ts'
import { type CalendarDay, MAX_NAME } from './schema.ts'

/** What a source has to say of some years. */
export interface Proposal {
  /** In their order, each date once. */
  days: CalendarDay[]
  /** What is no day of a calendar, or could not be read, and why. */
  unread: Array<{ what: string; why: string }>
}

export interface Years {
  from_year: number
  to_year: number
}

export interface Region {
  code: string
  name: string
  /** The region it is a part of. */
  parent: string | null
}

/**
 * What the process of its own is asked, and what it answers; the answer to a question that makes no sense is a
 * sentence.
 */
export type Question =
  | { ask: 'regions' }
  | ({ ask: 'holidays'; region: string; language: string } & Years)
  | ({ ask: 'ical'; text: string } & Years)
export type Reply = { regions: Region[] } | { proposal: Proposal } | { refused: string }

/** Days of the same date are one, with both names. */
export function gathered(days: readonly CalendarDay[]): CalendarDay[] {
  const byDate = new Map<string, Set<string>>()
  for (const { date, name } of days) byDate.set(date, (byDate.get(date) ?? new Set()).add(name))
  return [...byDate]
    .map(([date, names]) => ({ date, name: oneLine([...names].join(' / '), MAX_NAME) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}
