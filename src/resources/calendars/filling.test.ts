import { describe, expect, it } from 'vitest'
import { fillWith, proposedSoFar } from './filling.ts'

const day = (date: string, name: string) => ({ date, name })

describe('a proposal', () => {
  it('adds what is not there, in the order of dates', () => {
    const { days, added, kept } = fillWith(
      [day('2027-05-01', 'Own')],
      [],
      [day('2027-12-25', 'Christmas'), day('2027-01-01', 'New Year')],
    )
    expect(days.map(({ name }) => name)).toEqual(['New Year', 'Own', 'Christmas'])
    expect(added).toHaveLength(2)
    expect(kept).toEqual([])
  })

  it('keeps a day that somebody named otherwise, and says so', () => {
    const before = [day('2027-01-01', 'New Year')]
    const { days, kept, changed } = fillWith([day('2027-01-01', 'Closed all day')], before, before)
    expect(days).toEqual([day('2027-01-01', 'Closed all day')])
    expect(kept).toEqual(days)
    expect(changed).toEqual([])
  })

  it('renames a day that nobody touched', () => {
    const before = [day('2027-01-01', 'New Year')]
    const { days, changed } = fillWith(before, before, [day('2027-01-01', 'Neujahr')])
    expect(days).toEqual([day('2027-01-01', 'Neujahr')])
    expect(changed).toEqual([{ date: '2027-01-01', name: 'Neujahr', before: 'New Year' }])
  })

  it('leaves out what somebody took out', () => {
    const before = [day('2027-01-01', 'New Year')]
    expect(fillWith([], before, before)).toEqual({ days: [], added: [], changed: [], kept: [], left_out: before })
  })

  it('is remembered with those before it, the latest word on each date', () => {
    const all = proposedSoFar([day('2027-01-01', 'A'), day('2028-01-01', 'B')], [day('2027-01-01', 'C')])
    expect(all).toEqual([day('2027-01-01', 'C'), day('2028-01-01', 'B')])
  })
})
