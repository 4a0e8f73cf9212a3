import { expect, it } from 'vitest'
import { dayTyped, dayWritten, timeTyped } from './typed-date.ts'

it.each([
  ['4.5.2026', '2026-05-04'],
  ['04/05/26', '2026-05-04'],
  ['04052026', '2026-05-04'],
  ['4.5.', '2027-05-04'],
  ['2026-05-04', '2026-05-04'],
  ['29.2.2028', '2028-02-29'],
  ['29.2.2027', undefined],
  ['31.4.2027', undefined],
  ['tomorrow', undefined],
  ['', undefined],
])('%s is the day %s', (text, day) => {
  expect(dayTyped(text, '2027-01-01')).toBe(day)
})

it('a day is written as its reader does', () => {
  expect([dayWritten('2026-05-04', 'en'), dayWritten('2026-05-04', 'de'), dayWritten('', 'de')]).toEqual([
    '04/05/2026',
    '04.05.2026',
    '',
  ])
})

it.each([
  ['8', '08:00'],
  ['0830', '08:30'],
  ['17.45', '17:45'],
  ['24', '24:00'],
  ['24:00', '24:00'],
  ['24:01', undefined],
  ['25', undefined],
  ['7:5', undefined],
])('%s is the time %s', (text, time) => {
  expect(timeTyped(text)).toBe(time)
})
