import type { Cases, TargetName } from '../case.ts'

const levels: readonly TargetName[] = ['door', 'room', 'wing', 'building', 'site', 'region']
const later = '2027-06-16T12:00:00.000Z'

/**
 * Who was given what: at every level, by oneself or through a group, for a time, taken away, and which of several
 * counts.
 */
export const grants: readonly Cases[] = [
  ...levels.map(
    (on): Cases => ({
      name: `an allow on the ${on}`,
      world: {
        people: { ada: {}, bob: {} },
        groups: { crew: { bob: {} } },
        grants: [
          { to: 'ada', on },
          { to: 'crew', on },
        ],
      },
      cases: [
        ['their own', {}, { reason: 'granted', grant: 0 }],
        ['through a group', { who: 'bob' }, { reason: 'granted', grant: 1 }],
        ['through a group, by card', { card: 'bob’s card' }, { reason: 'granted', grant: 1 }],
      ],
    }),
  ),
  ...levels.map(
    (on): Cases => ({
      name: `a deny on the ${on}`,
      world: {
        people: { ada: {}, bob: {} },
        groups: { crew: { bob: {} } },
        grants: [
          { to: 'ada', on: 'door' },
          { to: 'bob', on: 'door' },
          { to: 'ada', on, effect: 'deny' },
          { to: 'crew', on, effect: 'deny' },
        ],
      },
      cases: [
        ['their own deny wins', {}, { reason: 'denied_by_rule', reasons: ['denied_by_rule'], grant: 2, next: null }],
        ['a group’s deny wins over one’s own allow', { who: 'bob' }, { reason: 'denied_by_rule', grant: 3 }],
      ],
    }),
  ),
  {
    name: 'nothing that holds here',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {}, eve: {} },
      groups: { crew: {} },
      grants: [
        { to: 'bob', on: 'elsewhere' },
        { to: 'crew', on: 'door' },
        { to: 'cleo', on: 'door', revoked: true },
        { to: 'dan', on: 'door', effect: 'deny' },
      ],
    },
    cases: [
      [
        'nothing at all',
        {},
        { reason: 'no_access_rights', reasons: ['no_access_rights'], grant: null, next: null, until: null },
      ],
      ['a grant elsewhere', { who: 'bob' }, 'no_access_rights'],
      ['a group that one is not in', { who: 'eve' }, 'no_access_rights'],
      ['a revoked grant', { who: 'cleo' }, { reason: 'no_access_rights', grant: null }],
      [
        'a deny and no allow',
        { who: 'dan' },
        { reason: 'denied_by_rule', reasons: ['denied_by_rule', 'no_access_rights'], grant: 3 },
      ],
      ['what if there were a grant', { assume: [{ to: 'ada', on: 'room' }] }, { reason: 'granted', grant: null }],
      ['what if the group had her', { assume: [{ to: 'crew', on: 'room' }] }, 'no_access_rights'],
      [
        'what if the grant had a schedule',
        { assume: [{ to: 'ada', on: 'building', schedule: 'night' }] },
        { reason: 'out_of_time_range', next: '2027-06-15T20:00:00.000Z' },
      ],
      [
        'what if it were a deny',
        { assume: [{ to: 'ada', on: 'site', effect: 'deny' }] },
        { reason: 'denied_by_rule', grant: null },
      ],
      [
        'what if it began tomorrow',
        { assume: [{ to: 'ada', on: 'door', valid_from: later }] },
        { reason: 'no_access_rights', next: later },
      ],
    ],
  },
  {
    name: 'windows of grants and memberships',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {} },
      groups: { crew: { cleo: { valid_from: later }, dan: { valid_until: later } } },
      grants: [
        { to: 'ada', on: 'door', valid_from: later },
        { to: 'bob', on: 'door', valid_until: later },
        { to: 'crew', on: 'door', valid_until: '2027-06-18T12:00:00.000Z' },
      ],
    },
    cases: [
      ['a grant to come', {}, { reason: 'no_access_rights', next: later, until: later }],
      ['a grant that begins now', { at: later }, { reason: 'granted', until: null }],
      ['a grant that ends', { who: 'bob' }, { reason: 'granted', until: later }],
      ['a grant that ends now', { who: 'bob', at: later }, { reason: 'no_access_rights', next: null }],
      ['a membership to come', { who: 'cleo' }, { reason: 'no_access_rights', next: later }],
      [
        'a membership that has begun',
        { who: 'cleo', at: later },
        { reason: 'granted', until: '2027-06-18T12:00:00.000Z' },
      ],
      ['a membership until then', { who: 'dan' }, { reason: 'granted', until: later }],
      ['a membership that is over', { who: 'dan', at: later }, 'no_access_rights'],
    ],
  },
  {
    name: 'a deny for a time',
    world: {
      people: { ada: {}, bob: {} },
      groups: { banned: { bob: { valid_until: later } } },
      grants: [
        { to: 'ada', on: 'region' },
        { to: 'ada', on: 'door', effect: 'deny', valid_from: '2027-06-15T14:00:00.000Z', valid_until: later },
        { to: 'bob', on: 'door' },
        { to: 'banned', on: 'region', effect: 'deny' },
      ],
    },
    cases: [
      ['before it', {}, { reason: 'granted', until: '2027-06-15T14:00:00.000Z' }],
      ['in it', { at: '2027-06-15T15:00:00.000Z' }, { reason: 'denied_by_rule', next: later }],
      ['after it', { at: later }, { reason: 'granted', until: null }],
      ['as long as one is a member', { who: 'bob' }, { reason: 'denied_by_rule', next: later }],
    ],
  },
  {
    name: 'several allows',
    world: {
      people: { ada: {}, bob: {}, cleo: {}, dan: {}, eve: {} },
      grants: [
        { to: 'ada', on: 'door', requires_pin: true },
        { to: 'ada', on: 'region' },
        { to: 'bob', on: 'region' },
        { to: 'bob', on: 'site' },
        { to: 'bob', on: 'building' },
        { to: 'bob', on: 'wing' },
        { to: 'cleo', on: 'room' },
        { to: 'cleo', on: 'room' },
        { to: 'dan', on: 'door', requires_second_person: true },
        { to: 'dan', on: 'building', requires_pin: true },
        { to: 'eve', on: 'wing' },
        { to: 'eve', on: 'room' },
        { to: 'eve', on: 'door' },
      ],
    },
    cases: [
      ['the least demanding before the nearest', {}, { reason: 'granted', grant: 1 }],
      ['a wing is nearer than its building', { who: 'bob' }, { reason: 'granted', grant: 5 }],
      ['of equals the lower id', { who: 'cleo' }, { reason: 'granted', grant: 6 }],
      [
        'a PIN is less than a second person',
        { who: 'dan' },
        { reason: 'pin_required', reasons: ['pin_required'], grant: 9 },
      ],
      ['the door is nearest', { who: 'eve' }, { reason: 'granted', grant: 12 }],
    ],
  },
]
