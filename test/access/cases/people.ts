import type { Cases } from '../case.ts'

const window = { valid_from: '2027-06-15T10:00:00.000Z', valid_until: '2027-07-01T10:00:00.000Z' }

/** Who carries it: their state and their own time, told as theirs and not as the card's. */
export const people: readonly Cases[] = [
  {
    name: 'somebody suspended',
    world: { people: { ada: { action: 'suspend' } }, grants: [{ to: 'ada', on: 'door' }] },
    cases: [
      ['by individual', {}, { reason: 'individual_not_active', reasons: ['individual_not_active'], next: null }],
      ['by card', { card: 'card' }, { reason: 'individual_not_active', reasons: ['individual_not_active'] }],
    ],
  },
  {
    name: 'somebody invited',
    world: { people: { ada: { status: 'invited' } }, grants: [{ to: 'ada', on: 'building' }] },
    cases: [
      ['by individual', {}, 'individual_not_active'],
      ['by card', { card: 'card' }, 'individual_not_active'],
    ],
  },
  {
    name: 'somebody who has left',
    world: { people: { ada: { action: 'offboard' } }, grants: [] },
    cases: [
      [
        'by individual, the card being revoked with it',
        {},
        { reason: 'no_credential', reasons: ['no_credential', 'individual_not_active', 'no_access_rights'] },
      ],
      [
        'by card',
        { card: 'card' },
        {
          reason: 'credential_terminated',
          reasons: ['credential_terminated', 'individual_not_active', 'no_access_rights'],
        },
      ],
    ],
  },
  {
    name: 'somebody with a time of their own',
    world: { people: { ada: window }, grants: [{ to: 'ada', on: 'wing' }] },
    cases: [
      ['within', {}, { reason: 'granted', until: window.valid_until }],
      [
        'before',
        { at: '2027-06-15T09:00:00.000Z' },
        { reason: 'individual_not_yet_valid', next: window.valid_from, until: window.valid_from },
      ],
      [
        'before, by card',
        { card: 'card', at: '2027-06-15T09:00:00.000Z' },
        { reason: 'individual_not_yet_valid', reasons: ['individual_not_yet_valid'] },
      ],
      ['at the first instant', { at: window.valid_from }, 'granted'],
      ['at the end', { at: window.valid_until }, { reason: 'individual_expired', next: null }],
      ['after, by card', { card: 'card', at: '2027-08-01T09:00:00.000Z' }, 'individual_expired'],
    ],
  },
  {
    name: 'somebody who comes in a year, and a schedule of every day',
    world: {
      people: { ada: { valid_from: '2028-06-15T03:00:00.000Z' } },
      grants: [{ to: 'ada', on: 'door', schedule: 'office' }],
    },
    cases: [
      [
        'asked today, in office hours',
        {},
        { reason: 'individual_not_yet_valid', reasons: ['individual_not_yet_valid'], next: '2028-06-15T06:00:00.000Z' },
      ],
      [
        'asked at night',
        { at: '2027-06-15T23:00:00.000Z' },
        { reason: 'individual_not_yet_valid', reasons: ['individual_not_yet_valid', 'out_of_time_range'] },
      ],
    ],
  },
  {
    name: 'somebody who leaves in a year, with two grants',
    world: {
      people: { ada: { valid_until: '2028-06-15T03:00:00.000Z' } },
      grants: [
        { to: 'ada', on: 'door', schedule: 'office' },
        { to: 'ada', on: 'site' },
      ],
    },
    cases: [
      [
        'in office hours the nearer grant counts',
        {},
        { reason: 'granted', grant: 0, until: '2028-06-15T03:00:00.000Z' },
      ],
      [
        'at night the wider one',
        { at: '2027-06-15T23:00:00.000Z' },
        { reason: 'granted', grant: 1, until: '2028-06-15T03:00:00.000Z' },
      ],
    ],
  },
]
