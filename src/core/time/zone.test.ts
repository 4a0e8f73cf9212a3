import { describe, expect, it } from 'vitest'
import { clockChanges, dateOf, firstInstantOf, lastInstantOf, localOf, localText } from './zone.ts'

const HOUR = 3_600_000

describe('a time zone', () => {
  it('shows the clock that the runtime formats, in every zone known, through the year and at its turn', () => {
    const moments = [
      Date.UTC(2025, 11, 31, 23, 30),
      Date.UTC(2026, 0, 1),
      ...Array.from({ length: 24 }, (_, n) => Date.UTC(2026, 0, 8 + 15 * n, 12, 7)),
    ]
    const wrong: string[] = []
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
      for (const moment of moments) {
        const shown = new Date(localOf(zone, moment)).toISOString().slice(0, 19).replace('T', ' ')
        if (shown !== format.format(moment)) wrong.push(`${zone} ${shown}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('gives the instant back from what its clocks show', () => {
    for (let instant = Date.UTC(2026, 0, 1); instant < Date.UTC(2027, 0, 1); instant += 7 * HOUR) {
      const local = localOf('America/St_Johns', instant)
      expect([firstInstantOf('America/St_Johns', local), lastInstantOf('America/St_Johns', local)]).toContain(instant)
    }
  })

  it('tells when its clocks are changed, over the turn of years once each', () => {
    const changes = clockChanges('Europe/Zurich', Date.UTC(2025, 11, 1), Date.UTC(2027, 11, 1))
    expect(changes.map(({ at, before, after }) => [new Date(at).toISOString(), before / HOUR, after / HOUR])).toEqual([
      ['2026-03-29T01:00:00.000Z', 1, 2],
      ['2026-10-25T01:00:00.000Z', 2, 1],
      ['2027-03-28T01:00:00.000Z', 1, 2],
      ['2027-10-31T01:00:00.000Z', 2, 1],
    ])
    expect(clockChanges('Pacific/Apia', Date.UTC(2011, 11, 25), Date.UTC(2012, 0, 7))).toHaveLength(1)
  })

  it('writes an instant with what its clocks are ahead of UTC', () => {
    const noon = Date.UTC(2026, 4, 4, 12)
    expect(['Asia/Kathmandu', 'America/St_Johns', 'UTC'].map((zone) => localText(zone, noon))).toEqual([
      '2026-05-04T17:45:00.000+05:45',
      '2026-05-04T09:30:00.000-02:30',
      '2026-05-04T12:00:00.000+00:00',
    ])
  })

  it('works in years of two digits and of four', () => {
    for (const year of [50, 1600, 9998]) {
      const instant = new Date(0).setUTCFullYear(year, 6, 1)
      expect(firstInstantOf('Asia/Kolkata', localOf('Asia/Kolkata', instant))).toBe(instant)
    }
  })

  it('names its days', () => {
    expect([dateOf(0), dateOf(-1), dateOf(20_454)]).toEqual(['1970-01-01', '1969-12-31', '2026-01-01'])
  })
})
