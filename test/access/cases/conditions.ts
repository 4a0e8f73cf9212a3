import type { Cases } from '../case.ts'

/** What must be brought along: a PIN, a second person, an escort. */
export const conditions: readonly Cases[] = [
  {
    name: 'a PIN too',
    world: {
      people: {
        ada: { credentials: { card: { pin: '246813' } } },
        bob: {},
        cleo: { credentials: { 'cleo’s card': {}, 'cleo’s PIN': { type: 'pin', pin: '975310' } } },
        dora: { credentials: { 'dora’s phone': { type: 'mobile' }, 'dora’s card': { pin: '112358' } } },
      },
      grants: [
        { to: 'ada', on: 'door', requires_pin: true },
        { to: 'bob', on: 'door', requires_pin: true },
        { to: 'cleo', on: 'door', requires_pin: true },
        { to: 'dora', on: 'door', requires_pin: true },
      ],
    },
    cases: [
      [
        'none typed',
        { card: 'card' },
        { reason: 'pin_required', reasons: ['pin_required'], missing: ['pin'], next: null },
      ],
      ['the right one', { read: { type: 'card', of: 'card', pin: '246813' } }, { reason: 'granted', missing: [] }],
      [
        'a wrong one',
        { read: { type: 'card', of: 'card', pin: '246814' } },
        { reason: 'incorrect_pin', reasons: ['incorrect_pin'] },
      ],
      ['a card that has none', { card: 'bob’s card' }, 'pin_required'],
      [
        'a card that has none, with one typed',
        { read: { type: 'card', of: 'bob’s card', pin: '1234' } },
        'incorrect_pin',
      ],
      ['by individual', { who: 'bob' }, { reason: 'pin_required', missing: ['pin'] }],
      ['who has a PIN of their own needs no other', { who: 'cleo' }, { reason: 'granted', means: 'pin' }],
      [
        'of what somebody carries the one that has a PIN counts',
        { who: 'dora' },
        { reason: 'pin_required', means: 'card' },
      ],
      ['the PIN alone', { read: { type: 'pin', pin: '975310' } }, 'granted'],
    ],
  },
  {
    name: 'a wrong PIN where none is asked for',
    world: { people: { ada: { credentials: { card: { pin: '135790' } } } }, grants: [{ to: 'ada', on: 'door' }] },
    cases: [
      ['is wrong', { read: { type: 'card', of: 'card', pin: '135791' } }, 'incorrect_pin'],
      ['the right one does no harm', { read: { type: 'card', of: 'card', pin: '135790' } }, 'granted'],
    ],
  },
  {
    name: 'two persons',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: { action: 'suspend' }, eve: { kind: 'visitor' }, fay: {} },
      grants: [
        { to: 'ada', on: 'door', requires_second_person: true },
        { to: 'bob', on: 'door', requires_second_person: true },
        { to: 'dan', on: 'door' },
        { to: 'eve', on: 'door' },
        { to: 'fay', on: 'door', schedule: 'night' },
      ],
    },
    cases: [
      [
        'alone',
        {},
        { reason: 'second_person_required', reasons: ['second_person_required'], missing: ['second_person'] },
      ],
      ['alone, by card', { card: 'card' }, 'second_person_required'],
      ['two who need each other', { with: ['bob'] }, { reason: 'granted', missing: [] }],
      ['with oneself', { with: ['ada'] }, 'second_person_required'],
      ['with somebody without a right', { with: ['cleo'] }, 'second_person_required'],
      ['with somebody suspended', { with: ['dan'] }, 'second_person_required'],
      ['with a visitor who may come in', { with: ['eve'] }, 'granted'],
      ['with somebody at the wrong hour', { with: ['fay'] }, 'second_person_required'],
      ['with somebody at the right hour', { with: ['fay'], at: '2027-06-15T21:00:00.000Z' }, 'granted'],
      ['with several, one of whom may', { with: ['cleo', 'dan', 'bob'] }, 'granted'],
    ],
  },
  {
    name: 'an escort',
    world: {
      people: { ada: { kind: 'visitor' }, bob: {}, cleo: { kind: 'visitor' }, dan: { kind: 'contractor' }, eve: {} },
      grants: [
        { to: 'ada', on: 'door', requires_second_person: true },
        { to: 'bob', on: 'door' },
        { to: 'cleo', on: 'door' },
        { to: 'dan', on: 'door' },
      ],
    },
    cases: [
      ['a visitor alone', {}, { reason: 'no_escort', reasons: ['no_escort'], missing: ['escort'] }],
      ['with another visitor', { with: ['cleo'] }, 'no_escort'],
      ['with somebody without a right', { with: ['eve'] }, 'no_escort'],
      ['with an employee', { with: ['bob'] }, 'granted'],
      ['with a contractor', { with: ['dan'] }, 'granted'],
    ],
  },
  {
    name: 'a PIN and a second person',
    world: {
      people: { ada: { credentials: { card: { pin: '864209' } } }, bob: {} },
      grants: [
        { to: 'ada', on: 'door', requires_pin: true, requires_second_person: true },
        { to: 'bob', on: 'door', requires_pin: true },
      ],
    },
    cases: [
      [
        'neither',
        { card: 'card' },
        {
          reason: 'pin_required',
          reasons: ['pin_required', 'second_person_required'],
          missing: ['pin', 'second_person'],
        },
      ],
      [
        'the PIN',
        { read: { type: 'card', of: 'card', pin: '864209' } },
        { reason: 'second_person_required', missing: ['second_person'] },
      ],
      ['the second person', { card: 'card', with: ['bob'] }, { reason: 'pin_required', missing: ['pin'] }],
      ['both', { read: { type: 'card', of: 'card', pin: '864209' }, with: ['bob'] }, 'granted'],
    ],
  },
  {
    name: 'a PIN and a second person at other hours',
    world: { grants: [{ to: 'ada', on: 'door', schedule: 'night', requires_pin: true, requires_second_person: true }] },
    cases: [
      [
        'will be asked for then, and are told of now',
        {},
        {
          reason: 'out_of_time_range',
          reasons: ['out_of_time_range', 'pin_required', 'second_person_required'],
          missing: ['pin', 'second_person'],
          next: null,
        },
      ],
    ],
  },
  {
    name: 'a grant that asks for less at other hours',
    world: {
      grants: [
        { to: 'ada', on: 'door', requires_pin: true },
        { to: 'ada', on: 'door', schedule: 'night' },
      ],
    },
    cases: [
      ['will do without the PIN then', {}, { reason: 'pin_required', next: '2027-06-15T20:00:00.000Z', grant: 0 }],
    ],
  },
]
