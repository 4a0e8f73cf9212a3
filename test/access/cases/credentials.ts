import type { Cases } from '../case.ts'

const onDoor = [{ to: 'ada', on: 'door' }] as const

/** What is held to the reader: whose it is, what state it is in, which system it was made for, how it is read. */
export const credentials: readonly Cases[] = [
  {
    name: 'a card that works',
    world: {
      people: { ada: { credentials: { card: { number: '0047110001' }, phone: { type: 'mobile' } } } },
      grants: onDoor,
    },
    cases: [
      [
        'by individual',
        {},
        { reason: 'granted', reasons: [], grant: 0, means: 'card', until: null, next: null, missing: [] },
      ],
      ['by card', { card: 'card' }, { reason: 'granted', grant: 0, means: 'card' }],
      ['by mobile key', { card: 'phone' }, { reason: 'granted', means: 'mobile' }],
      ['as a reader reads it', { read: { type: 'card', of: 'card' } }, 'granted'],
      ['without its zeros', { read: { type: 'card', number: '47110001' } }, 'granted'],
      ['with more zeros', { read: { type: 'card', number: '000047110001' } }, 'granted'],
      [
        'unknown',
        { read: { type: 'card', number: '99999999' } },
        { reason: 'unknown_credential', reasons: ['unknown_credential'], grant: null },
      ],
      ['of another type', { read: { type: 'plate', of: 'card' } }, 'unknown_credential'],
      [
        'at a facility that it does not have',
        { read: { type: 'card', of: 'card', facility_code: '7' } },
        'unknown_credential',
      ],
    ],
  },
  {
    name: 'credentials that are not in use',
    world: {
      people: {
        ada: {
          credentials: {
            lost: { status_reason: 'lost' },
            stolen: { status_reason: 'stolen' },
            damaged: { status_reason: 'damaged' },
            returned: { status_reason: 'returned' },
            revoked: { status_reason: 'revoked' },
            forgotten: { status_reason: 'forgotten' },
            inactivity: { status_reason: 'inactivity' },
            locked_out: { status_reason: 'locked_out' },
            not_collected: { status_reason: 'not_collected' },
          },
        },
      },
      grants: onDoor,
    },
    cases: [
      ['lost', { card: 'lost' }, { reason: 'credential_lost', reasons: ['credential_lost'], next: null, until: null }],
      ['stolen', { card: 'stolen' }, 'credential_stolen'],
      ['damaged', { card: 'damaged' }, 'credential_terminated'],
      ['returned', { card: 'returned' }, 'credential_terminated'],
      ['revoked', { card: 'revoked' }, 'credential_terminated'],
      ['forgotten', { card: 'forgotten' }, 'credential_suspended'],
      ['not used for long', { card: 'inactivity' }, 'credential_suspended'],
      ['locked out', { card: 'locked_out' }, 'credential_suspended'],
      ['not collected', { card: 'not_collected' }, 'credential_not_yet_active'],
      ['a lost one as it is read', { read: { type: 'card', of: 'lost' } }, 'credential_lost'],
      ['all of them, by individual', {}, { reason: 'no_credential', reasons: ['no_credential'], means: null }],
    ],
  },
  {
    name: 'a card with a window',
    world: {
      people: {
        ada: {
          credentials: { card: { valid_from: '2027-06-15T10:00:00.000Z', valid_until: '2027-06-20T10:00:00.000Z' } },
        },
      },
      grants: onDoor,
    },
    cases: [
      ['within', { card: 'card' }, { reason: 'granted', until: '2027-06-20T10:00:00.000Z' }],
      [
        'just before',
        { card: 'card', at: '2027-06-15T09:59:59.999Z' },
        { reason: 'credential_not_yet_active', next: '2027-06-15T10:00:00.000Z' },
      ],
      ['at its first instant', { card: 'card', at: '2027-06-15T10:00:00.000Z' }, 'granted'],
      ['at its last', { card: 'card', at: '2027-06-20T09:59:59.999Z' }, 'granted'],
      [
        'at its end',
        { card: 'card', at: '2027-06-20T10:00:00.000Z' },
        { reason: 'credential_expired', next: null, until: null },
      ],
      [
        'by individual before',
        { at: '2027-06-14T10:00:00.000Z' },
        { reason: 'no_credential', next: '2027-06-15T10:00:00.000Z' },
      ],
      ['by individual after', { at: '2027-06-21T10:00:00.000Z' }, { reason: 'no_credential', next: null }],
    ],
  },
  {
    name: 'cards with so many uses',
    world: {
      people: {
        ada: {
          credentials: {
            fresh: { max_uses: 2, uses: 1 },
            spent: { max_uses: 2, uses: 2 },
            over: { max_uses: 1, uses: 5 },
          },
        },
        bob: { credentials: { 'bob’s card': { max_uses: 1, uses: 1 } } },
      },
      grants: [...onDoor, { to: 'bob', on: 'door' }],
    },
    cases: [
      ['one left', { card: 'fresh' }, 'granted'],
      ['none left', { card: 'spent' }, { reason: 'max_uses', next: null }],
      ['more than allowed', { card: 'over' }, 'max_uses'],
      ['by individual the one with uses left', {}, { reason: 'granted', means: 'card' }],
      ['by individual when none has any', { who: 'bob' }, 'no_credential'],
    ],
  },
  {
    name: 'cards of two systems',
    world: {
      people: {
        ada: { credentials: { theirs: { system: 'other' }, ours: { system: 'main' } } },
        bob: { credentials: { 'bob’s card': { system: 'other' } } },
      },
      grants: [...onDoor, { to: 'bob', on: 'room' }],
    },
    cases: [
      ['of the door’s system', { card: 'ours' }, 'granted'],
      ['of another', { card: 'theirs' }, { reason: 'wrong_system', reasons: ['wrong_system'] }],
      ['by individual the better one', {}, 'granted'],
      ['by individual with none of this system', { who: 'bob' }, { reason: 'wrong_system', next: null }],
    ],
  },
  {
    name: 'cards of nobody',
    world: {
      people: {
        ada: { credentials: { spare: { unassigned: true }, found: { unassigned: true, status_reason: 'stolen' } } },
        bob: { credentials: {} },
      },
      grants: [...onDoor, { to: 'bob', on: 'door' }],
    },
    cases: [
      [
        'unassigned',
        { card: 'spare' },
        { reason: 'credential_unassigned', reasons: ['credential_unassigned'], grant: null },
      ],
      [
        'unassigned and stolen',
        { card: 'found' },
        { reason: 'credential_unassigned', reasons: ['credential_unassigned', 'credential_stolen'] },
      ],
      ['somebody without any', { who: 'bob' }, { reason: 'no_credential', reasons: ['no_credential'] }],
    ],
  },
  {
    name: 'a plate and a PIN',
    world: {
      people: {
        ada: { credentials: { plate: { type: 'plate', number: 'ZH 123 456' }, pin: { type: 'pin', pin: '428117' } } },
      },
      grants: onDoor,
    },
    cases: [
      ['the plate as a camera reads it', { read: { type: 'plate', number: 'zh123456' } }, 'granted'],
      ['another plate', { read: { type: 'plate', number: 'ZH 123 457' } }, 'unknown_credential'],
      ['the PIN alone', { read: { type: 'pin', pin: '428117' } }, { reason: 'granted', means: 'pin' }],
      ['another PIN', { read: { type: 'pin', pin: '428118' } }, 'unknown_credential'],
    ],
  },
]
