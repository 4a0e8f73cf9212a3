import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DayWindow, weekdays } from './week.ts'
import { painted, spansOf, windowsOf } from './week-spans.ts'

const workdays: DayWindow['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']

it('days that are painted together are one window, and what is taken out is a gap', () => {
  const open = painted(spansOf([]), [0, 1, 2, 3, 4], [480, 1080], true)
  expect(windowsOf(open)).toEqual([{ days: workdays, start: '08:00', end: '18:00' }])
  expect(windowsOf(painted(open, [2], [720, 780], false))).toEqual([
    { days: ['mon', 'tue', 'thu', 'fri'], start: '08:00', end: '18:00' },
    { days: ['wed'], start: '08:00', end: '12:00' },
    { days: ['wed'], start: '13:00', end: '18:00' },
  ])
})

it('a night goes on after midnight, a whole day ends at 24:00', () => {
  const night = [{ days: ['sun'], start: '22:00', end: '06:00' }] satisfies DayWindow[]
  expect(windowsOf(spansOf(night))).toEqual(night)
  const whole = [{ days: ['sat', 'sun'], start: '00:00', end: '24:00' }] satisfies DayWindow[]
  expect(windowsOf(spansOf(whole))).toEqual(whole)
})

it('whatever is open stays open when it is written as windows and read again', () => {
  const window = fc.record({
    days: fc.subarray([...weekdays], { minLength: 1 }),
    start: fc
      .integer({ min: 0, max: 47 })
      .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`),
    end: fc
      .integer({ min: 1, max: 48 })
      .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`),
  })
  fc.assert(
    fc.property(fc.array(window, { maxLength: 6 }), (windows) => {
      const spans = spansOf(windows)
      expect(spansOf(windowsOf(spans))).toEqual(spans)
    }),
  )
})
