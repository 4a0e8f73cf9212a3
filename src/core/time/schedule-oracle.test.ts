import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anySchedule,
  datesBetween,
  difference,
  minutesOf,
  zonesAndYears,
} from '../../../test/support/schedule-oracle.ts'
import { clockChanges } from './zone.ts'

const DAY = 86_400_000

/**
 * The days around each change of clocks in two years, and a week without; `test/faults/schedule-years.test.ts` walks
 * all of both years.
 */
function stretchesOf(zone: string, year: number): Array<[from: number, to: number]> {
  const changes = clockChanges(zone, Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)).map(
    ({ at }) => Math.floor(at / DAY) * DAY,
  )
  return [Date.UTC(year, 11, 29), ...changes].map((day) => [day - 4 * DAY, day + 5 * DAY])
}

describe('a schedule says, minute by minute, what laying its windows over the clock says', () => {
  it.each(zonesAndYears)('in %s from %i', (zone, year) => {
    for (const [from, to] of stretchesOf(zone, year)) {
      const minutes = minutesOf(zone, from, to)
      fc.assert(
        fc.property(anySchedule(datesBetween(from, to)), (schedule) => {
          expect(difference(schedule, minutes)).toBeUndefined()
        }),
        { numRuns: 4 },
      )
    }
  })
})
