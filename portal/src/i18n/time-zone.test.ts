import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, wallClock } from './time-zone.ts'

describe('a moment typed in the organization’s time zone', () => {
  it('is that zone’s, in summer and in winter', () => {
    expect(instantOf('2026-07-01 08:30:00', 'Europe/Zurich')).toBe('2026-07-01T06:30:00.000Z')
    expect(instantOf('2026-01-01 08:30:00', 'Europe/Zurich')).toBe('2026-01-01T07:30:00.000Z')
    expect(instantOf('2026-01-01 08:30:00', 'America/St_Johns')).toBe('2026-01-01T12:00:00.000Z')
  })

  it('reads back as typed, unless the clock skips it or shows it twice', () => {
    const hours = fc
      .integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })
      .map((time) => new Date(time - (time % 60_000)).toISOString())
    const zones = fc.constantFrom('Europe/Zurich', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC')
    fc.assert(
      fc.property(hours, zones, (instant, zone) => {
        const wall = wallClock(instant, zone)
        expect(wallClock(instantOf(wall, zone), zone)).toBe(wall)
      }),
    )
  })

  it('in the hour that is skipped is a moment at the change, not a day off', () => {
    const instant = instantOf('2026-03-29 02:30:00', 'Europe/Zurich')
    expect(['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z']).toContain(instant)
  })
})
