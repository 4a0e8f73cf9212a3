import { expect, it } from 'vitest'
import { usualVisit } from './usual-visit.ts'

const at = (now: string, zone = 'Europe/Zurich') => Object.values(usualVisit(zone, new Date(now)))

it('a visit begins with the next full hour where the organization is, and takes two', () => {
  expect(at('2026-11-17T07:30:00Z')).toEqual(['2026-11-17T08:00:00.000Z', '2026-11-17T10:00:00.000Z'])
  expect(at('2026-11-17T07:30:00Z', 'Asia/Kolkata')).toEqual(['2026-11-17T08:30:00.000Z', '2026-11-17T10:30:00.000Z'])
})

it('a visit ends with its day, also where its first hour is the next day’s', () => {
  expect(at('2026-11-17T21:10:00Z')).toEqual(['2026-11-17T22:00:00.000Z', '2026-11-17T22:59:00.000Z'])
  expect(at('2026-11-17T22:10:00Z')).toEqual(['2026-11-17T23:00:00.000Z', '2026-11-18T01:00:00.000Z'])
})
