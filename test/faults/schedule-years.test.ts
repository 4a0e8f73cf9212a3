import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anySchedule, datesBetween, difference, minutesOf, zonesAndYears } from '../support/schedule-oracle.ts'

/** The normal suite walks the days around each change of clocks; this one every minute of two years. */
describe('a schedule over every minute of two years', () => {
  it.each(zonesAndYears)(
    'in %s from %i',
    (zone, year) => {
      const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)]
      const minutes = minutesOf(zone, from, to)
      fc.assert(
        fc.property(anySchedule(datesBetween(from, to)), (schedule) => {
          expect(difference(schedule, minutes)).toBeUndefined()
        }),
        { numRuns: 4 },
      )
    },
    600_000,
  )
})
