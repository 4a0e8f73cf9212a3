import type { Cases, TargetName } from '../case.ts'

const levels: ReadonlyArray<TargetName | 'organization'> = [
  'door',
  'room',
  'wing',
  'building',
  'site',
  'region',
  'organization',
]
const staff = {
  people: { ada: {}, guard: {} },
  grants: [
    { to: 'ada', on: 'door' },
    { to: 'guard', on: 'building', during_lockdown: true },
  ],
} as const
const end = '2027-06-15T14:00:00.000Z'

/** Lockdowns and evacuations, of any place above the door, and what holds nevertheless. */
export const emergencies: readonly Cases[] = [
  ...levels.map(
    (on): Cases => ({
      name: `a lockdown of the ${on}`,
      world: { ...staff, emergencies: [{ kind: 'lockdown', on }] },
      cases: [
        ['keeps out', {}, { reason: 'locked_down', reasons: ['locked_down'], next: null, grant: 0 }],
        ['but not whose grant holds during one', { who: 'guard' }, { reason: 'granted', grant: 1 }],
      ],
    }),
  ),
  ...levels.map(
    (on): Cases => ({
      name: `an evacuation of the ${on}`,
      world: {
        people: { ada: {}, bob: { action: 'suspend' } },
        grants: [{ to: 'ada', on: 'door', schedule: 'night' }],
        emergencies: [{ kind: 'evacuation', on, expires_at: end }],
      },
      cases: [
        ['opens to whoever has a right', {}, { reason: 'evacuation', reasons: [], grant: null, until: end }],
        ['opens to anybody', { who: 'bob' }, { reason: 'evacuation', until: end }],
        ['opens without a credential', { read: { type: 'card', number: '31415926535' } }, 'evacuation'],
        ['is over after that', { at: end }, { reason: 'out_of_time_range', next: '2027-06-15T20:00:00.000Z' }],
      ],
    }),
  ),
  {
    name: 'an evacuation does not open a mechanical door',
    world: {
      people: { ada: {}, bob: {} },
      door: { mechanical: true, unlock: 'always' },
      keys: [{ holder: 'ada' }],
      emergencies: [{ kind: 'evacuation', on: 'building' }],
    },
    cases: [
      ['stays shut', { who: 'bob' }, { reason: 'no_reader', reasons: ['no_reader', 'no_access_rights'], next: null }],
      ['but to whoever has a key', {}, { reason: 'granted', means: 'key' }],
    ],
  },
  {
    name: 'a lockdown that ends by itself',
    world: { ...staff, emergencies: [{ kind: 'lockdown', on: 'site', expires_at: end }] },
    cases: [
      ['until then', {}, { reason: 'locked_down', next: end, until: end }],
      ['from then on', { at: end }, { reason: 'granted', until: null }],
      [
        'before it was ordered',
        { at: '2027-06-15T11:59:00.000Z' },
        { reason: 'granted', until: '2027-06-15T12:00:00.000Z' },
      ],
      ['by card', { card: 'card' }, 'locked_down'],
    ],
  },
  {
    name: 'a lockdown elsewhere, and a drill',
    world: {
      ...staff,
      emergencies: [
        { kind: 'lockdown', on: 'elsewhere' },
        { kind: 'drill', on: 'building' },
        { kind: 'drill', on: 'organization' },
      ],
    },
    cases: [['touches no door', {}, { reason: 'granted', until: null }]],
  },
  {
    name: 'a lockdown and an evacuation',
    world: {
      ...staff,
      emergencies: [
        { kind: 'lockdown', on: 'site' },
        { kind: 'evacuation', on: 'building' },
      ],
    },
    cases: [['people get out', {}, 'evacuation']],
  },
  {
    name: 'a lockdown of a door that would stand unlocked',
    world: { ...staff, door: { unlock: 'always' }, emergencies: [{ kind: 'lockdown', on: 'door' }] },
    cases: [
      ['is locked', {}, 'locked_down'],
      ['is unlocked otherwise', { at: '2027-06-15T11:00:00.000Z' }, 'door_unlocked'],
    ],
  },
  {
    name: 'a lockdown and what else stands in the way',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {} },
      grants: [
        { to: 'ada', on: 'door', schedule: 'night' },
        { to: 'bob', on: 'door', during_lockdown: true, schedule: 'night' },
        { to: 'cleo', on: 'door' },
        { to: 'cleo', on: 'region', during_lockdown: true, requires_pin: true },
        { to: 'dan', on: 'door', during_lockdown: true },
        { to: 'dan', on: 'region', effect: 'deny' },
      ],
      emergencies: [{ kind: 'lockdown', on: 'building' }],
    },
    cases: [
      ['the hours too', {}, { reason: 'locked_down', reasons: ['locked_down', 'out_of_time_range'], next: null }],
      [
        'one that holds, at other hours',
        { who: 'bob' },
        { reason: 'locked_down', reasons: ['locked_down', 'out_of_time_range'], next: '2027-06-15T20:00:00.000Z' },
      ],
      ['one that holds, in its hours', { who: 'bob', at: '2027-06-15T21:00:00.000Z' }, 'granted'],
      ['the one that holds counts, with what it asks for', { who: 'cleo' }, { reason: 'pin_required', grant: 3 }],
      ['a deny wins over one that holds', { who: 'dan' }, { reason: 'denied_by_rule', reasons: ['denied_by_rule'] }],
    ],
  },
]
