import type { Cases } from '../case.ts'

const given = { grants: [{ to: 'ada', on: 'room' }] as const }
const strangers = { people: { ada: {}, bob: {} }, ...given }

/** The door itself: blocked, unlocked, which way it leads, whether anything reads cards there. */
export const doors: readonly Cases[] = [
  {
    name: 'a blocked door',
    world: { ...strangers, mode: 'blocked' },
    cases: [
      ['is shut', {}, { reason: 'point_blocked', reasons: ['point_blocked'], next: null }],
      [
        'is shut to strangers for two reasons',
        { who: 'bob' },
        { reason: 'point_blocked', reasons: ['point_blocked', 'no_access_rights'] },
      ],
      ['by card', { card: 'card' }, 'point_blocked'],
    ],
  },
  {
    name: 'a blocked door that would stand unlocked',
    world: { ...given, mode: 'blocked', door: { unlock: 'always' } },
    cases: [['is shut', {}, { reason: 'point_blocked', next: null }]],
  },
  {
    name: 'a blocked door in an evacuation',
    world: { ...given, mode: 'blocked', emergencies: [{ kind: 'evacuation', on: 'building' }] },
    cases: [['opens', {}, 'evacuation']],
  },
  ...(['unlocked', 'unlocked_timed', 'held_open'] as const).map(
    (mode): Cases => ({
      name: `a door that somebody has set ${mode}`,
      world: { ...strangers, mode },
      cases: [
        ['is open', {}, { reason: 'door_unlocked', reasons: [], grant: null }],
        ['to everybody', { who: 'bob' }, 'door_unlocked'],
        ['to an unknown card', { read: { type: 'card', number: '27182818284' } }, 'door_unlocked'],
      ],
    }),
  ),
  {
    name: 'an unlock schedule',
    world: { ...strangers, door: { unlock: 'afternoon' } },
    cases: [
      ['in its hours', {}, { reason: 'door_unlocked', until: null }],
      ['in its hours, to strangers', { who: 'bob' }, { reason: 'door_unlocked', until: '2027-06-15T13:00:00.000Z' }],
      ['outside', { at: '2027-06-15T13:00:00.000Z' }, { reason: 'granted', grant: 0, until: null }],
      [
        'outside, to strangers',
        { who: 'bob', at: '2027-06-15T13:00:00.000Z' },
        { reason: 'no_access_rights', next: '2027-06-16T11:00:00.000Z' },
      ],
    ],
  },
  {
    name: 'a door that waits for its first person',
    world: { ...strangers, door: { unlock: 'afternoon', first_person_in: true } },
    cases: [
      ['is locked to strangers', { who: 'bob' }, { reason: 'no_access_rights', next: null }],
      ['lets in whoever has a right', {}, { reason: 'granted', grant: 0 }],
    ],
  },
  {
    name: 'a door whose first person came',
    world: {
      ...strangers,
      door: { unlock: 'afternoon', first_person_in: true },
      entries: [{ at: '2027-06-15T11:30:00.000Z', direction: 'in' }],
    },
    cases: [
      ['stands unlocked', { who: 'bob' }, { reason: 'door_unlocked', until: '2027-06-15T13:00:00.000Z' }],
      ['but not before', { who: 'bob', at: '2027-06-15T11:15:00.000Z' }, 'no_access_rights'],
      ['nor the next day', { who: 'bob', at: '2027-06-16T12:00:00.000Z' }, 'no_access_rights'],
    ],
  },
  {
    name: 'entries that do not count',
    world: {
      ...strangers,
      door: { unlock: 'afternoon', first_person_in: true, direction: 'both' },
      entries: [
        { at: '2027-06-15T10:30:00.000Z', direction: 'in' },
        { at: '2027-06-15T11:30:00.000Z', direction: 'out' },
      ],
    },
    cases: [['before the window, and on the way out', { who: 'bob' }, 'no_access_rights']],
  },
  {
    name: 'a door without a system',
    world: { ...strangers, door: { mechanical: true } },
    cases: [
      ['reads nothing', {}, { reason: 'no_reader', reasons: ['no_reader'], next: null }],
      ['for two reasons', { who: 'bob' }, { reason: 'no_reader', reasons: ['no_reader', 'no_access_rights'] }],
      ['by card', { card: 'card' }, 'no_reader'],
    ],
  },
  {
    name: 'a mechanical door does not unlock by a schedule',
    world: { ...given, door: { mechanical: true, unlock: 'always' } },
    cases: [['stays shut', {}, 'no_reader']],
  },
  {
    name: 'a door in',
    world: { ...given, door: { direction: 'in' } },
    cases: [
      ['in', { direction: 'in' }, 'granted'],
      ['out', { direction: 'out' }, { reason: 'no_reader', reasons: ['no_reader'] }],
    ],
  },
  {
    name: 'a door out',
    world: { ...given, door: { direction: 'out' } },
    cases: [
      ['as it leads', {}, 'granted'],
      ['in', { direction: 'in' }, 'no_reader'],
    ],
  },
  {
    name: 'a door both ways',
    world: { ...given, door: { direction: 'both' } },
    cases: [
      ['in', { direction: 'in' }, 'granted'],
      ['out', { direction: 'out' }, 'granted'],
    ],
  },
  {
    name: 'an emergency exit',
    world: {
      ...strangers,
      door: { direction: 'both', emergency_exit: true },
      mode: 'blocked',
      emergencies: [{ kind: 'lockdown', on: 'building' }],
    },
    cases: [
      [
        'out, whatever stands in the way',
        { who: 'bob', direction: 'out' },
        { reason: 'granted', reasons: [], grant: null },
      ],
      ['out, with an unknown card', { read: { type: 'card', number: '16180339887' }, direction: 'out' }, 'granted'],
      ['in', { direction: 'in' }, { reason: 'locked_down', reasons: ['locked_down', 'point_blocked'] }],
    ],
  },
  {
    name: 'an emergency exit that only leads in by its reader',
    world: { ...strangers, door: { direction: 'in', emergency_exit: true } },
    cases: [
      ['out', { who: 'bob', direction: 'out' }, 'granted'],
      ['in', { who: 'bob' }, 'no_access_rights'],
    ],
  },
]
