import { expect, it } from 'vitest'
import { dayIn, nextDayIn } from './time-zone.ts'

it.each([
  ['Europe/Zurich', '2027-06-15T21:59:59.999Z', '2027-06-15', '2027-06-15T22:00:00.000Z'],
  ['Europe/Zurich', '2027-06-15T22:00:00.000Z', '2027-06-16', '2027-06-16T22:00:00.000Z'],
  ['America/Los_Angeles', '2027-01-01T07:30:00.000Z', '2026-12-31', '2027-01-01T08:00:00.000Z'],
  ['Asia/Kathmandu', '2027-01-01T18:20:00.000Z', '2027-01-02', '2027-01-02T18:15:00.000Z'],
  // The clock is put forward at midnight there: the day begins at one.
  ['America/Santiago', '2026-09-05T12:00:00.000Z', '2026-09-05', '2026-09-06T04:00:00.000Z'],
  ['UTC', '2027-01-01T00:00:00.000Z', '2027-01-01', '2027-01-02T00:00:00.000Z'],
])('in %s at %s it is %s, until %s', (zone, instant, day, next) => {
  expect([dayIn(zone, instant), nextDayIn(zone, instant)]).toEqual([day, next])
})
