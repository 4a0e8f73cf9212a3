import { describe, expect, it } from 'vitest'
import { type DayWindow, type ScheduleFacts, scheduleState, spans, type Weekday, weekdays } from './schedule.ts'

const ZURICH = 'Europe/Zurich'
const ms = (instant: string): number => Date.parse(instant)
const text = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().replace(':00.000Z', 'Z')

const on = (days: readonly Weekday[], start: string, end: string) => ({ days, start, end })
const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const

function schedule(windows: ScheduleFacts['windows'], more: Partial<ScheduleFacts> = {}): ScheduleFacts {
  return {
    id: 'a',
    name: 'A',
    time_zone: null,
    windows,
    on_holiday: 'closed',
    holiday_windows: [],
    holidays: new Set(),
    ...more,
  }
}

/** Its state in Zurich, with instants to read. */
function stateAt(facts: ScheduleFacts, at: string, zone = ZURICH) {
  const { open, from, until, next, holiday } = scheduleState(facts, zone, ms(at))
  return { open, from: text(from), until: text(until), next: text(next), holiday }
}

const closed = { open: false, from: null, until: null, next: null, holiday: null }
const open = { open: true, from: null, until: null, next: null, holiday: null }

describe('a schedule', () => {
  const office = schedule([on(workdays, '08:00', '18:00')])

  it('is open from the first instant of its window to before the last', () => {
    const span = { ...open, from: '2026-05-04T06:00Z', until: '2026-05-04T16:00Z' }
    expect(stateAt(office, '2026-05-04T05:59:59.999Z')).toEqual({ ...closed, next: '2026-05-04T06:00Z' })
    expect(stateAt(office, '2026-05-04T06:00Z')).toEqual(span)
    expect(stateAt(office, '2026-05-04T15:59:59.999Z')).toEqual(span)
    expect(stateAt(office, '2026-05-04T16:00Z')).toEqual({ ...closed, next: '2026-05-05T06:00Z' })
  })

  it('says on a Friday evening that it opens on Monday, in winter time by then', () => {
    expect(stateAt(office, '2026-10-23T20:00Z')).toEqual({ ...closed, next: '2026-10-26T07:00Z' })
  })

  it('is open over midnight where the end is at or before the start, on the day it starts on', () => {
    const night = schedule([on(['fri'], '22:00', '06:00')])
    expect(stateAt(night, '2026-05-09T03:00Z')).toEqual({
      ...open,
      from: '2026-05-08T20:00Z',
      until: '2026-05-09T04:00Z',
    })
    expect(stateAt(night, '2026-05-10T03:00Z').open).toBe(false)
    const around = schedule([on(['mon'], '06:00', '06:00')])
    expect(stateAt(around, '2026-05-05T03:59Z')).toEqual({
      ...open,
      from: '2026-05-04T04:00Z',
      until: '2026-05-05T04:00Z',
    })
  })

  it('joins windows that overlap or touch, over days too', () => {
    const shifts = schedule([
      on(['mon'], '06:00', '14:00'),
      on(['mon'], '14:00', '22:00'),
      on(['mon'], '21:00', '24:00'),
      on(['tue'], '00:00', '02:00'),
    ])
    const span = { ...open, from: '2026-05-04T04:00Z', until: '2026-05-05T00:00Z' }
    for (const at of ['2026-05-04T04:00Z', '2026-05-04T12:00Z', '2026-05-04T23:59Z'])
      expect(stateAt(shifts, at)).toEqual(span)
  })

  it('that never closes is open without an end, and one without windows never opens', () => {
    for (const windows of [
      [on(weekdays, '00:00', '24:00')],
      [on(weekdays, '00:00', '00:00')],
      [on(weekdays, '07:30', '07:30')],
      [on(weekdays, '08:00', '20:00'), on(weekdays, '20:00', '08:00')],
    ]) {
      expect(stateAt(schedule(windows), '2026-05-04T12:00Z')).toEqual(open)
    }
    expect(stateAt(schedule([]), '2026-05-04T12:00Z')).toEqual(closed)
    expect(
      stateAt(schedule([], { holidays: new Set(['2026-05-04']), on_holiday: 'windows' }), '2026-05-04T12:00Z'),
    ).toEqual({
      ...closed,
      holiday: '2026-05-04',
    })
  })

  it('that closes on holidays alone is open from one to the next, and says nothing of what is too far away', () => {
    const always = [on(weekdays, '00:00', '24:00')]
    const holidays = new Set(['2026-01-01', '2026-12-25'])
    expect(stateAt(schedule(always, { holidays }), '2026-05-04T12:00Z')).toEqual({
      ...open,
      from: '2026-01-01T23:00Z',
      until: '2026-12-24T23:00Z',
    })
    expect(stateAt(schedule(always, { holidays: new Set(['2020-01-01', '2030-01-01']) }), '2026-05-04T12:00Z')).toEqual(
      open,
    )
    const late = [on(weekdays, '06:00', '06:00')]
    expect(stateAt(schedule(late, { holidays }), '2026-05-04T12:00Z')).toEqual({
      ...open,
      from: '2026-01-02T05:00Z',
      until: '2026-12-25T05:00Z',
    })
  })
})

describe('on a holiday a schedule', () => {
  const holidays = new Set(['2026-05-14'])
  const night = [on(weekdays, '22:00', '06:00')]

  it('is closed, and says of which day', () => {
    const facts = schedule([on(weekdays, '08:00', '18:00')], { holidays })
    expect(stateAt(facts, '2026-05-14T10:00Z')).toEqual({ ...closed, next: '2026-05-15T06:00Z', holiday: '2026-05-14' })
  })

  it('is as usual where it says so', () => {
    const facts = schedule([on(weekdays, '08:00', '18:00')], { holidays, on_holiday: 'as_usual' })
    expect(stateAt(facts, '2026-05-14T10:00Z')).toMatchObject({ open: true, holiday: null })
  })

  it('has windows of its own where it says so', () => {
    const facts = schedule([on(weekdays, '08:00', '18:00')], {
      holidays,
      on_holiday: 'windows',
      holiday_windows: [{ start: '10:00', end: '12:00' }],
    })
    expect(stateAt(facts, '2026-05-14T06:30Z')).toEqual({ ...closed, next: '2026-05-14T08:00Z', holiday: '2026-05-14' })
    expect(stateAt(facts, '2026-05-14T09:00Z')).toEqual({
      ...open,
      from: '2026-05-14T08:00Z',
      until: '2026-05-14T10:00Z',
      holiday: '2026-05-14',
    })
  })

  it('keeps the night that began the day before, and drops the one that begins on it', () => {
    const facts = schedule(night, { holidays })
    expect(stateAt(facts, '2026-05-14T02:00Z')).toEqual({
      ...open,
      from: '2026-05-13T20:00Z',
      until: '2026-05-14T04:00Z',
    })
    expect(stateAt(facts, '2026-05-15T02:00Z')).toEqual({ ...closed, next: '2026-05-15T20:00Z' })
  })

  it('is told to be one in the night after it, while its own window is open', () => {
    const facts = schedule([], { holidays, on_holiday: 'windows', holiday_windows: [{ start: '20:00', end: '04:00' }] })
    expect(stateAt(facts, '2026-05-15T01:00Z')).toMatchObject({ open: true, holiday: '2026-05-14' })
    expect(stateAt(facts, '2026-05-15T02:00Z')).toEqual(closed)
  })

  it('opens on a holiday years ahead, also right after one', () => {
    const facts = schedule([], {
      holidays: new Set(['2026-05-14', '2028-05-25']),
      on_holiday: 'windows',
      holiday_windows: [{ start: '10:00', end: '16:00' }],
    })
    const next = { ...closed, next: '2028-05-25T08:00Z' }
    expect(stateAt(facts, '2026-05-14T14:00Z')).toEqual({ ...next, holiday: '2026-05-14' })
    expect(stateAt(facts, '2026-05-15T14:00Z')).toEqual(next)
    expect(stateAt(facts, '2026-05-20T14:00Z')).toEqual(next)
  })
})

describe('where clocks are changed', () => {
  const spring = (start: string, end: string) => firstSpan({ start, end }, '2026-03-29')
  const autumn = (start: string, end: string) => firstSpan({ start, end }, '2026-10-25')

  /** In Zurich 02:00 is 03:00 on 29 March, and 03:00 is 02:00 on 25 October, both at 01:00 UTC. */
  function firstSpan(window: DayWindow, date: string): [string | null, string | null] | undefined {
    const noon = ms(`${date}T12:00Z`)
    const [span] = spans(
      schedule([on(['sun'], window.start, window.end)]),
      ZURICH,
      noon - 86_400_000,
      noon + 86_400_000,
    )
    return span && [text(span.from), text(span.until)]
  }

  it.each([
    ['a start in the gap is its end', spring('02:30', '05:00'), ['2026-03-29T01:00Z', '2026-03-29T03:00Z']],
    [
      'an end in the gap is its start, which is the same instant',
      spring('01:00', '02:30'),
      ['2026-03-29T00:00Z', '2026-03-29T01:00Z'],
    ],
    ['a window in the gap is not there', spring('02:00', '03:00'), undefined],
    ['a window over the gap is shorter by it', spring('01:30', '03:30'), ['2026-03-29T00:30Z', '2026-03-29T01:30Z']],
    ['a start in the overlap is the earlier', autumn('02:30', '04:00'), ['2026-10-25T00:30Z', '2026-10-25T03:00Z']],
    ['an end in the overlap is the later', autumn('01:00', '02:30'), ['2026-10-24T23:00Z', '2026-10-25T01:30Z']],
    [
      'a window in the overlap lasts through both',
      autumn('02:10', '02:50'),
      ['2026-10-25T00:10Z', '2026-10-25T01:50Z'],
    ],
    [
      'an end at the start of the overlap is the later too',
      autumn('01:00', '02:00'),
      ['2026-10-24T23:00Z', '2026-10-25T01:00Z'],
    ],
  ])('%s', (_rule, found, expected) => {
    expect(found).toEqual(expected)
  })

  it('a day that a zone left out has no windows but those that reach into the next', () => {
    const facts = schedule([on(['fri'], '08:00', '12:00'), on(['fri'], '20:00', '06:00')])
    const found = spans(facts, 'Pacific/Apia', ms('2011-12-29T12:00Z'), ms('2012-01-02T12:00Z'))
    expect(found.map(({ from, until }) => [text(from), text(until)])).toEqual([
      ['2011-12-30T10:00Z', '2011-12-30T16:00Z'],
    ])
  })
})

describe('the spans of a schedule', () => {
  it('are in order, cut to what was asked for, with the holiday they begin on', () => {
    const facts = schedule([on(weekdays, '08:00', '18:00')], {
      holidays: new Set(['2026-05-05']),
      on_holiday: 'windows',
      holiday_windows: [{ start: '09:00', end: '10:00' }],
    })
    const found = spans(facts, ZURICH, ms('2026-05-04T12:00Z'), ms('2026-05-06T12:00Z'))
    expect(found.map(({ from, until, holiday }) => [text(from), text(until), holiday])).toEqual([
      ['2026-05-04T12:00Z', '2026-05-04T16:00Z', null],
      ['2026-05-05T07:00Z', '2026-05-05T08:00Z', '2026-05-05'],
      ['2026-05-06T06:00Z', '2026-05-06T12:00Z', null],
    ])
  })

  it('of one that never closes are one', () => {
    const facts = schedule([on(weekdays, '00:00', '24:00')])
    const [from, to] = [ms('2026-01-01T00:00Z'), ms('2027-01-01T00:00Z')]
    expect(spans(facts, ZURICH, from, to)).toEqual([{ from, until: to, holiday: null }])
  })
})
