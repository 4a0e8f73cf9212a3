import { describe, expect, it } from 'vitest'
import { daysOfFile } from './ical.ts'

const years = { from_year: 2026, to_year: 2028 }

function file(...events: string[][]): string {
  const blocks = events.map((lines, n) => [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:${n}`]),
    ...lines,
    'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...blocks.flat(), 'END:VCALENDAR'].join('\r\n')
}
const read = (...events: string[][]) => daysOfFile(file(...events), years)
const shown = (...events: string[][]) => read(...events)?.days.map(({ date, name }) => `${date} ${name}`)

describe('an iCalendar file', () => {
  it('gives its whole days, each of several', () => {
    const event = ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227', 'SUMMARY:Betriebsferien\\, alle']
    expect(shown(event)).toEqual(['24', '25', '26'].map((day) => `2026-12-${day} Betriebsferien, alle`))
    expect(shown(['DTSTART;VALUE=DATE:20261224', 'SUMMARY:One'])).toEqual(['2026-12-24 One'])
  })

  it('gives what is repeated, within the years asked for, without its exceptions', () => {
    const event = [
      'DTSTART;VALUE=DATE:20200801',
      'RRULE:FREQ=YEARLY',
      'EXDATE;VALUE=DATE:20270801',
      'SUMMARY:National day',
    ]
    expect(shown(event)).toEqual(['2026-08-01 National day', '2028-08-01 National day'])
    const moving = ['DTSTART;VALUE=DATE:20201126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'SUMMARY:Thanksgiving']
    expect(shown(moving)).toEqual(['2026-11-26 Thanksgiving', '2027-11-25 Thanksgiving', '2028-11-23 Thanksgiving'])
  })

  it('gives no day that is none: the 30th of February, the 29th in most years', () => {
    const rule = (start: string, text: string) => shown([`DTSTART;VALUE=DATE:${start}`, `RRULE:${text}`, 'SUMMARY:X'])
    expect(rule('20260130', 'FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=30')).toEqual([
      '2026-01-30 X',
      '2027-01-30 X',
      '2028-01-30 X',
    ])
    expect(rule('20240229', 'FREQ=YEARLY')).toEqual(['2028-02-29 X'])
    expect(rule('20260228', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1')).toEqual([
      '2026-02-28 X',
      '2027-02-28 X',
      '2028-02-29 X',
    ])
    expect(rule('20270131', 'FREQ=MONTHLY;UNTIL=20270430')).toEqual(['2027-01-31 X', '2027-03-31 X'])
  })

  it('gives names of one line in which something can be seen', () => {
    const [date, long] = ['DTSTART;VALUE=DATE:20261224', `${'a'.repeat(199)}😀b`]
    expect(shown([date, 'SUMMARY:Works\\nouting\u200b'])).toEqual(['2026-12-24 Works outing'])
    expect(shown([date, 'SUMMARY:\u200b '])).toEqual(['2026-12-24 0'])
    expect(shown([date, `SUMMARY:${long}`])).toEqual([`2026-12-24 ${'a'.repeat(199)}😀`])
  })

  it('follows an occurrence that was moved', () => {
    const series = ['UID:a', 'DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=YEARLY', 'SUMMARY:Fair']
    const moved = ['UID:a', 'RECURRENCE-ID;VALUE=DATE:20270105', 'DTSTART;VALUE=DATE:20270112', 'SUMMARY:Fair, later']
    expect(shown(series, moved)).toEqual(['2026-01-05 Fair', '2027-01-12 Fair, later', '2028-01-05 Fair'])
  })

  it('takes a day from midnight to midnight for a whole one, and joins two names of one date', () => {
    const first = ['DTSTART:20260105T000000', 'DTEND:20260106T000000', 'SUMMARY:A']
    expect(shown(first, ['DTSTART;VALUE=DATE:20260105', 'SUMMARY:B'])).toEqual(['2026-01-05 A / B'])
  })

  it('says what it leaves out', () => {
    const proposal = read(
      ['DTSTART:20260105T090000', 'DTEND:20260105T100000', 'SUMMARY:Meeting'],
      ['DTSTART;VALUE=DATE:20260106', 'STATUS:CANCELLED', 'SUMMARY:Gone'],
      ['SUMMARY:Never'],
      ['DTSTART;VALUE=DATE:17000101', 'RRULE:FREQ=DAILY', 'SUMMARY:Always'],
    )
    expect(proposal?.days).toEqual([])
    expect(proposal?.unread).toEqual([
      { what: 'Meeting', why: 'It is a part of a day only' },
      { what: 'Gone', why: 'It was cancelled' },
      { what: 'Never', why: 'It has no date' },
      { what: 'Always', why: 'It could not be read: it repeats too often' },
    ])
  })

  it('that is none gives nothing', () => {
    for (const text of ['', 'hello', 'BEGIN:VCARD\r\nEND:VCARD', 'BEGIN:VCALENDAR'])
      expect(daysOfFile(text, years)?.days ?? []).toEqual([])
    expect(daysOfFile('hello', years)).toBeUndefined()
  })
})
