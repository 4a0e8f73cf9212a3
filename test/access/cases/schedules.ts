import type { Cases } from '../case.ts'

const given = (schedule: string) => ({ grants: [{ to: 'ada', on: 'building', schedule }] as const })
const at = (time: string) => ({ at: `2027-06-${time}:00.000Z` })

/** Hours: of the week, over midnight, in zones, on holidays. Zurich is two hours ahead of UTC in June. */
export const schedules: readonly Cases[] = [
  {
    name: 'office hours',
    world: given('office'),
    cases: [
      ['within', {}, { reason: 'granted', until: '2027-06-15T16:00:00.000Z', grant: 0 }],
      ['at the start', at('15T06:00'), 'granted'],
      [
        'just before the end',
        { at: '2027-06-15T15:59:59.999Z' },
        { reason: 'granted', until: '2027-06-15T16:00:00.000Z' },
      ],
      [
        'at the end',
        at('15T16:00'),
        { reason: 'out_of_time_range', reasons: ['out_of_time_range'], next: '2027-06-16T06:00:00.000Z', grant: 0 },
      ],
      [
        'early',
        at('15T05:59'),
        { reason: 'out_of_time_range', next: '2027-06-15T06:00:00.000Z', until: '2027-06-15T06:00:00.000Z' },
      ],
      ['on Saturday', at('19T10:00'), { reason: 'out_of_time_range', next: '2027-06-21T06:00:00.000Z' }],
    ],
  },
  {
    name: 'the night shift',
    world: {
      people: { ada: {} },
      groups: { shift: { ada: {} } },
      grants: [{ to: 'shift', on: 'building', schedule: 'night' }],
    },
    cases: [
      ['twenty to ten', at('15T19:40'), { reason: 'out_of_time_range', next: '2027-06-15T20:00:00.000Z' }],
      ['at ten', at('15T20:00'), { reason: 'granted', until: '2027-06-16T04:00:00.000Z' }],
      ['after midnight', at('15T23:30'), { reason: 'granted', until: '2027-06-16T04:00:00.000Z' }],
      ['at six', at('16T04:00'), { reason: 'out_of_time_range', next: '2027-06-16T20:00:00.000Z' }],
    ],
  },
  {
    name: 'the night of Friday',
    world: given('fridayNight'),
    cases: [
      ['on Friday night', at('18T21:00'), { reason: 'granted', until: '2027-06-19T04:00:00.000Z' }],
      ['on Saturday morning it is still Friday’s', at('19T02:00'), 'granted'],
      ['on Saturday night', at('19T21:00'), { reason: 'out_of_time_range', next: '2027-06-25T20:00:00.000Z' }],
      ['on Friday morning', at('18T02:00'), { reason: 'out_of_time_range', next: '2027-06-18T20:00:00.000Z' }],
    ],
  },
  {
    name: 'windows that part and windows that touch',
    world: {
      people: { ada: {}, bob: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'split' },
        { to: 'bob', on: 'door', schedule: 'touching' },
      ],
    },
    cases: [
      ['at noon between two', at('15T10:30'), { reason: 'out_of_time_range', next: '2027-06-15T11:00:00.000Z' }],
      ['in the second', {}, { reason: 'granted', until: '2027-06-15T15:00:00.000Z' }],
      ['touching windows are one', { who: 'bob' }, { reason: 'granted', until: '2027-06-15T15:00:00.000Z' }],
    ],
  },
  {
    name: 'always, never, and until the end of the day',
    world: {
      people: { ada: {}, bob: {}, cleo: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'always' },
        { to: 'bob', on: 'door', schedule: 'never' },
        { to: 'cleo', on: 'door', schedule: 'evening' },
      ],
    },
    cases: [
      ['always', {}, { reason: 'granted', until: null }],
      ['never', { who: 'bob' }, { reason: 'out_of_time_range', next: null, until: null }],
      [
        'a minute to midnight',
        { who: 'cleo', ...at('15T21:59') },
        { reason: 'granted', until: '2027-06-15T22:00:00.000Z' },
      ],
      [
        'at midnight',
        { who: 'cleo', ...at('15T22:00') },
        { reason: 'out_of_time_range', next: '2027-06-16T16:00:00.000Z' },
      ],
    ],
  },
  {
    name: 'a schedule with a zone of its own, and a building elsewhere',
    world: {
      zone: 'America/New_York',
      people: { ada: {}, bob: {}, cleo: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'office' },
        { to: 'bob', on: 'door', schedule: 'tokyo' },
        { to: 'cleo', on: 'door', schedule: 'newYork' },
      ],
    },
    cases: [
      ['hours are those of the door', {}, { reason: 'granted', until: '2027-06-15T22:00:00.000Z' }],
      ['it is early there', at('15T11:59'), { reason: 'out_of_time_range', next: '2027-06-15T12:00:00.000Z' }],
      ['hours of Tokyo', { who: 'bob' }, { reason: 'out_of_time_range', next: '2027-06-16T00:00:00.000Z' }],
      ['morning in Tokyo', { who: 'bob', ...at('16T00:30') }, { reason: 'granted', until: '2027-06-16T08:00:00.000Z' }],
      ['hours of New York', { who: 'cleo' }, { reason: 'out_of_time_range', next: '2027-06-15T13:00:00.000Z' }],
    ],
  },
  {
    name: 'a building half an hour off',
    world: { zone: 'Asia/Kolkata', ...given('office') },
    cases: [
      ['before six in the evening', at('15T12:29'), { reason: 'granted', until: '2027-06-15T12:30:00.000Z' }],
      ['at six', at('15T12:30'), { reason: 'out_of_time_range', next: '2027-06-16T02:30:00.000Z' }],
    ],
  },
  {
    name: 'a holiday, Wednesday the 16th',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {}, eve: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'closedOnHolidays' },
        { to: 'bob', on: 'door', schedule: 'asUsual' },
        { to: 'cleo', on: 'door', schedule: 'shortOnHolidays' },
        { to: 'dan', on: 'door', schedule: 'nightsButHolidays' },
        { to: 'eve', on: 'door', schedule: 'holidaysOnly' },
      ],
    },
    cases: [
      ['the day before', {}, { reason: 'granted', until: '2027-06-15T16:00:00.000Z' }],
      ['closed on it', at('16T09:00'), { reason: 'out_of_time_range', next: '2027-06-17T06:00:00.000Z' }],
      [
        'the evening before, the next is after it',
        at('15T17:00'),
        { reason: 'out_of_time_range', next: '2027-06-17T06:00:00.000Z' },
      ],
      ['as usual', { who: 'bob', ...at('16T09:00') }, { reason: 'granted', until: '2027-06-16T16:00:00.000Z' }],
      [
        'hours of a holiday',
        { who: 'cleo', ...at('16T09:00') },
        { reason: 'granted', until: '2027-06-16T10:00:00.000Z' },
      ],
      [
        'outside the hours of a holiday',
        { who: 'cleo', ...at('16T11:00') },
        { reason: 'out_of_time_range', next: '2027-06-17T06:00:00.000Z' },
      ],
      [
        'the night of the day before reaches into it',
        { who: 'dan', ...at('16T02:00') },
        { reason: 'granted', until: '2027-06-16T04:00:00.000Z' },
      ],
      [
        'its own night is closed, over midnight too',
        { who: 'dan', ...at('17T02:00') },
        { reason: 'out_of_time_range', next: '2027-06-17T20:00:00.000Z' },
      ],
      ['only on holidays, before', { who: 'eve' }, { reason: 'out_of_time_range', next: '2027-06-16T08:00:00.000Z' }],
      ['only on holidays, on it', { who: 'eve', ...at('16T08:00') }, 'granted'],
      [
        'only on holidays, after the last',
        { who: 'eve', ...at('17T08:00') },
        { reason: 'out_of_time_range', next: null },
      ],
    ],
  },
  {
    name: 'several schedules at once',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'night' },
        { to: 'ada', on: 'region', schedule: 'evening' },
        { to: 'bob', on: 'door', schedule: 'morning' },
        { to: 'bob', on: 'door', schedule: 'office' },
        { to: 'cleo', on: 'door' },
        { to: 'cleo', on: 'region', effect: 'deny', schedule: 'afternoon' },
        { to: 'dan', on: 'door', schedule: 'night', valid_until: '2027-06-15T19:00:00.000Z' },
      ],
    },
    cases: [
      [
        'the one that opens first is told',
        {},
        { reason: 'out_of_time_range', next: '2027-06-15T16:00:00.000Z', grant: 1 },
      ],
      [
        'windows of two grants join',
        { who: 'bob', ...at('15T05:00') },
        { reason: 'granted', until: '2027-06-15T16:00:00.000Z', grant: 2 },
      ],
      [
        'a deny with hours, in them',
        { who: 'cleo' },
        { reason: 'denied_by_rule', next: '2027-06-15T13:00:00.000Z', grant: 5 },
      ],
      [
        'a deny with hours, outside',
        { who: 'cleo', ...at('15T13:00') },
        { reason: 'granted', until: '2027-06-16T11:00:00.000Z', grant: 4 },
      ],
      ['a grant that ends before its hours come', { who: 'dan' }, { reason: 'out_of_time_range', next: null }],
    ],
  },
]
