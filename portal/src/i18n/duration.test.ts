import { expect, it } from 'vitest'
import { durationIn, secondsIn } from './duration.ts'

it('a duration is told in the units that people count in, and only in those that matter', () => {
  expect(durationIn('en-GB', 30)).toBe('30 seconds')
  expect(durationIn('en-GB', 3600)).toBe('1 hour')
  expect(durationIn('en-GB', 1510)).toBe('25 minutes 10 seconds')
  expect(durationIn('de', 90_061)).toBe('1 Tag 1 Stunde 1 Minute 1 Sekunde')
  expect(durationIn('en-GB', 0)).toBe('0 seconds')
})

it('what a field counts is in its name', () => {
  expect(['unlock_seconds', 'seconds', 'passback_minutes', 'clock_offset_ms', 'floor'].map(secondsIn)).toEqual([1, 1, 60, 0, 0])
})
