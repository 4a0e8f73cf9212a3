import { expect, it } from 'vitest'
import { durationIn, durationTyped, secondsIn } from './duration.ts'

it('a duration is told in the units that people count in, and only in those that matter', () => {
  expect(durationIn('en-GB', 30)).toBe('30 seconds')
  expect(durationIn('en-GB', 3600)).toBe('1 hour')
  expect(durationIn('en-GB', 1510)).toBe('25 minutes 10 seconds')
  expect(durationIn('de', 90_061)).toBe('1 Tag 1 Stunde 1 Minute 1 Sekunde')
  expect(durationIn('en-GB', 0)).toBe('0 seconds')
})

it('what a field counts is in its name', () => {
  expect(['unlock_seconds', 'seconds', 'passback_minutes', 'clock_offset_ms', 'floor'].map(secondsIn)).toEqual([
    1, 1, 60, 0, 0,
  ])
})

it('a duration is taken as people write it, and as it is told', () => {
  const written = ['5', '5 s', '2 min', '2min', '1 h 30 min', '90 sec.', '1 Std. 5 Min.', '2 Tage', '1 day']
  expect(written.map((text) => durationTyped(text, 1))).toEqual([5, 5, 120, 120, 5400, 90, 3900, 172_800, 86_400])
  expect(durationTyped('5', 60)).toBe(300)
  for (const locale of ['en-GB', 'de']) expect(durationTyped(durationIn(locale, 90_061), 1)).toBe(90_061)
})

it('what is no duration is not taken for one', () => {
  expect(['', 'soon', '5 ms', '5 apples', '-5', '1.5 h', '5 min or so'].map((text) => durationTyped(text, 1))).toEqual(
    Array(7).fill(undefined),
  )
})
