import Holidays from 'date-holidays'
import { gathered, type Proposal, type Region, type Years } from './proposal.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Every region that holidays are known for: countries, their parts, and parts of those. */
export function knownRegions(): Region[] {
  const source = new Holidays()
  const regions: Region[] = []
  const add = (parent: string | null, some: Record<string, string> | undefined) =>
    Object.entries(some ?? {}).map(([part, name]) => {
      const code = parent === null ? part : `${parent}-${part}`
      regions.push({ code, name, parent })
      return [part, code] as const
    })
  for (const [country] of add(null, source.getCountries('en'))) {
    for (const [state, code] of add(country, source.getStates(country, 'en')))
      add(code, source.getRegions(country, state, 'en'))
  }
  return regions
}

/** The public holidays of a region; undefined: there is no such region. */
export function publicHolidays(region: string, language: string, { from_year, to_year }: Years): Proposal | undefined {
  const [country = '', state, part] = region.split('-')
  if (!knownRegions().some(({ code }) => code === region)) return undefined
  const options = { types: ['public' as const] }
  const source = new Holidays({ country, ...(state ? { state } : {}), ...(part ? { region: part } : {}) }, options)
  const proposal: Proposal = { days: [], unread: [] }
  const isAsked = (date: string) => Number(date.slice(0, 4)) >= from_year && Number(date.slice(0, 4)) <= to_year
  // What begins at the end of a year may reach into the next.
  for (let year = from_year - 1; year <= to_year; year += 1) {
    for (const { date, start, end, name } of source.getHolidays(year, language)) {
      const dates = noonsOf(date, end.getTime() - start.getTime())
      if (dates.length === 0 && isAsked(date)) {
        proposal.unread.push({ what: `${date.slice(0, 10)} ${name}`, why: 'It is a part of a day only' })
      }
      proposal.days.push(...dates.filter(isAsked).map((each) => ({ date: each, name })))
    }
  }
  return { ...proposal, days: gathered(proposal.days) }
}

/**
 * The dates whose noon is in it: a feast that begins at sunset is the day after, one of the afternoon is none. `begin`
 * is a date, a time, and for what begins the evening before how much earlier: "2025-03-30 00:00:00 -0600".
 */
function noonsOf(begin: string, length: number): string[] {
  const [, sign, hours] = /([+-])(\d\d)00$/.exec(begin) ?? []
  const shift = hours === undefined ? 0 : Number(`${sign}${hours}`) * HOUR_MS
  const start = Date.parse(`${begin.slice(0, 10)}T${begin.slice(11, 19)}Z`) + shift
  const dates: string[] = []
  for (let noon = Math.floor(start / DAY_MS) * DAY_MS + DAY_MS / 2; noon < start + length; noon += DAY_MS) {
    if (noon > start) dates.push(new Date(noon).toISOString().slice(0, 10))
  }
  return dates
}
