import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anySchedule, datesBetween, difference, minutesOf, zonesAndYears } from '../support/schedule-oracle.ts'

/**
 * The normal suite walks the days around each change of clocks, in all zones. Here two whole years are walked: with
 * EVERY_MINUTE=on all zones minute by minute, which takes many minutes; otherwise a few zones, every opening and
 * closing and a sample of the minutes.
 */
const isWhole = process.env.EVERY_MINUTE === 'on'
const FEW = 4
/** Has no divisor in common with the hour, so that each of its minutes comes up. */
const SAMPLE = 97

describe('a schedule over two years', () => {
  it.each(isWhole ? zonesAndYears : zonesAndYears.slice(0, FEW))(
    'in %s from %i',
    (zone, year) => {
      const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 2, 0, 1)]
      const minutes = minutesOf(zone, from, to)
      fc.assert(
        fc.property(anySchedule(datesBetween(from, to)), (schedule) => {
          expect(difference(schedule, minutes, isWhole ? 1 : SAMPLE)).toBeUndefined()
        }),
        // A smaller counterexample is looked for as long as somebody waits for it, not for the hours it may take.
        { numRuns: isWhole ? 4 : 2, interruptAfterTimeLimit: 240_000 },
      )
    },
    600_000,
  )
})
