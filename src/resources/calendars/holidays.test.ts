import { describe, expect, it } from 'vitest'
import { holidayDifferences } from '../../../test/fixtures/holiday-differences.ts'
import independent from '../../../test/fixtures/public-holidays.json' with { type: 'json' }
import { knownRegions, publicHolidays } from './holidays.ts'

const YEARS = { from_year: 2019, to_year: 2021 }

/** What one source has and the other has not, by name. */
function differences(region: string, theirs: Record<string, string[]>): string[] {
  const ours = publicHolidays(region, 'en', YEARS)?.days ?? []
  const ourDates = new Set(ours.map(({ date }) => date))
  const theirDates = new Set(Object.values(theirs).flat())
  const more = ours.filter(({ date }) => !theirDates.has(date)).map(({ name }) => `${region} + ${name}`)
  const less = Object.entries(theirs).flatMap(([name, dates]) =>
    dates.every((date) => ourDates.has(date)) ? [] : `${region} - ${name}`,
  )
  return [...more, ...less]
}

describe('the public holidays proposed', () => {
  const regions = Object.entries(independent as Record<string, Record<string, string[]>>)

  it('are held against those of an independent source in more than twenty regions', () =>
    expect(regions.length).toBeGreaterThan(20))

  it.each(regions)('are those of the other source in %s, but for differences that are explained', (region, theirs) => {
    const explained = holidayDifferences
      .filter(([of]) => of === region)
      .map(([of, sign, name]) => `${of} ${sign} ${name}`)
    expect([...new Set(differences(region, theirs))].sort()).toEqual(explained.sort())
  })

  it('are named in the language asked for, and each date stands once', () => {
    const { days } = publicHolidays('CH-ZH', 'de', { from_year: 2026, to_year: 2027 }) ?? { days: [] }
    expect(days).toContainEqual({ date: '2026-12-26', name: 'Stephanstag' })
    expect(new Set(days.map(({ date }) => date)).size).toBe(days.length)
    expect(days.every(({ date }) => /^202[67]-/.test(date))).toBe(true)
  })

  it('that begin at sunset are the day after, and several days are several', () => {
    const { days } = publicHolidays('TR', 'en', { from_year: 2025, to_year: 2025 }) ?? { days: [] }
    const feast = days.filter(({ name }) => /Ramadan|Eid al-Fitr|End of Ramadan/i.test(name)).map(({ date }) => date)
    expect(feast).toEqual(['2025-03-30', '2025-03-31', '2025-04-01'])
  })

  it('of an afternoon are no days, and are said', () => {
    const { days, unread } = publicHolidays('CN', 'en', { from_year: 2025, to_year: 2025 }) ?? { days: [], unread: [] }
    expect(days.map(({ date }) => date)).not.toContain('2025-03-08')
    expect(unread).toContainEqual({ what: "2025-03-08 International Women's Day", why: 'It is a part of a day only' })
  })

  it('are not known for a region that nobody knows', () => {
    expect(publicHolidays('XX', 'en', YEARS)).toBeUndefined()
    expect(publicHolidays('CH-XX', 'en', YEARS)).toBeUndefined()
    expect(knownRegions().filter(({ parent }) => parent === null).length).toBeGreaterThan(150)
  })
})
