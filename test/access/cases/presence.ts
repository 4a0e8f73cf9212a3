import type { Cases } from '../case.ts'

const since = '2027-06-15T11:40:00.000Z'
const given = [
  { to: 'ada', on: 'door' },
  { to: 'bob', on: 'door' },
  { to: 'cleo', on: 'door' },
] as const
const people = { ada: { seen: { in: 'room', since } }, bob: { seen: { in: 'elsewhere', since } }, cleo: {} } as const

/** Where people are: passback of every kind, and how many a room takes. */
export const presence: readonly Cases[] = [
  {
    name: 'hard passback',
    world: { room: { passback: 'hard' }, door: { direction: 'both' }, people, grants: given },
    cases: [
      ['in again', {}, { reason: 'passback', reasons: ['passback'], next: null, until: null, grant: 0 }],
      ['in again, by card', { card: 'card' }, 'passback'],
      ['out', { direction: 'out' }, 'granted'],
      ['in, from elsewhere', { who: 'bob' }, 'granted'],
      ['out, having never come in', { who: 'bob', direction: 'out' }, 'passback'],
      ['in, never seen', { who: 'cleo' }, 'granted'],
      ['out, never seen', { who: 'cleo', direction: 'out' }, 'granted'],
      ['asked about before they came', { at: '2027-06-15T11:30:00.000Z' }, 'granted'],
    ],
  },
  {
    name: 'soft passback',
    world: { room: { passback: 'soft' }, door: { direction: 'both' }, people, grants: given },
    cases: [
      ['in again is noted', {}, 'granted'],
      ['out, having never come in, is noted', { who: 'bob', direction: 'out' }, 'granted'],
    ],
  },
  {
    name: 'no passback',
    world: { people, grants: given },
    cases: [['in again', {}, 'granted']],
  },
  {
    name: 'timed passback',
    world: { room: { passback: 'timed', passback_minutes: 30 }, people, grants: given },
    cases: [
      ['too soon', {}, { reason: 'passback', next: '2027-06-15T12:10:00.000Z' }],
      ['at the last instant', { at: '2027-06-15T12:09:59.999Z' }, 'passback'],
      ['after so many minutes', { at: '2027-06-15T12:10:00.000Z' }, { reason: 'granted', until: null }],
      ['from elsewhere', { who: 'bob' }, 'granted'],
    ],
  },
  {
    name: 'an emergency exit with hard passback',
    world: { room: { passback: 'hard' }, door: { direction: 'both', emergency_exit: true }, people, grants: given },
    cases: [['out is never denied', { who: 'bob', direction: 'out' }, 'granted']],
  },
  {
    name: 'a full room',
    world: { room: { occupancy_limit: 1 }, door: { direction: 'both' }, people, grants: given },
    cases: [
      ['in', { who: 'bob' }, { reason: 'occupancy_limit', reasons: ['occupancy_limit'], next: null }],
      ['in, never seen', { who: 'cleo' }, 'occupancy_limit'],
      ['who is in it is counted already', {}, 'granted'],
      ['out', { who: 'bob', direction: 'out' }, 'granted'],
      ['before it was full', { who: 'bob', at: '2027-06-15T11:30:00.000Z' }, 'granted'],
    ],
  },
  {
    name: 'a room with a place left',
    world: { room: { occupancy_limit: 2 }, people, grants: given },
    cases: [['in', { who: 'bob' }, 'granted']],
  },
  {
    name: 'a full room with passback',
    world: {
      room: { occupancy_limit: 1, passback: 'hard' },
      people: { ...people, dan: {} },
      grants: [...given, { to: 'dan', on: 'door', schedule: 'night' }],
    },
    cases: [
      ['who is in it, again', {}, { reason: 'passback', reasons: ['passback'] }],
      [
        'who is not, at other hours',
        { who: 'dan' },
        { reason: 'out_of_time_range', reasons: ['out_of_time_range', 'occupancy_limit'], next: null },
      ],
    ],
  },
]
