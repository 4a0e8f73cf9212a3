import type { Cases } from '../case.ts'

/** Keys ask nobody: what turns in a cylinder of the door opens it, for whoever holds it. */
export const keys: readonly Cases[] = [
  {
    name: 'a key and nothing else',
    world: { people: { ada: { credentials: {} }, bob: {} }, keys: [{ holder: 'ada' }] },
    cases: [
      ['opens', {}, { reason: 'granted', reasons: [], means: 'key', grant: null, until: null }],
      ['at any hour', { at: '2027-12-25T03:00:00.000Z' }, { reason: 'granted', means: 'key' }],
      ['not for others', { who: 'bob' }, 'no_access_rights'],
    ],
  },
  {
    name: 'a key against everything',
    world: {
      people: { ada: { action: 'suspend' } },
      grants: [{ to: 'ada', on: 'region', effect: 'deny' }],
      mode: 'blocked',
      emergencies: [{ kind: 'lockdown', on: 'building' }],
      keys: [{ holder: 'ada' }],
    },
    cases: [
      ['opens all the same', {}, { reason: 'granted', means: 'key', until: null }],
      [
        'the card does not',
        { card: 'card' },
        {
          reason: 'individual_not_active',
          reasons: ['individual_not_active', 'locked_down', 'point_blocked', 'denied_by_rule', 'no_access_rights'],
        },
      ],
    ],
  },
  {
    name: 'a key to a mechanical door',
    world: {
      door: { mechanical: true },
      people: { ada: {}, bob: {} },
      grants: [
        { to: 'ada', on: 'door' },
        { to: 'bob', on: 'door' },
      ],
      keys: [{ holder: 'ada' }],
    },
    cases: [
      ['opens it', {}, { reason: 'granted', means: 'key', grant: null }],
      ['a grant alone does not', { who: 'bob' }, 'no_reader'],
    ],
  },
  {
    name: 'a key and a card that works',
    world: {
      people: { ada: {} },
      grants: [{ to: 'ada', on: 'door', schedule: 'afternoon' }],
      keys: [{ holder: 'ada' }],
    },
    cases: [
      ['by the card in its hours', {}, { reason: 'granted', means: 'card', grant: 0 }],
      ['by the key outside', { at: '2027-06-15T20:00:00.000Z' }, { reason: 'granted', means: 'key', grant: null }],
      ['the card outside', { card: 'card', at: '2027-06-15T20:00:00.000Z' }, 'out_of_time_range'],
    ],
  },
  {
    name: 'a defective cylinder still in the door',
    world: { people: { ada: {} }, keys: [{ holder: 'ada', cylinder: 'defective' }] },
    cases: [['opens', {}, { reason: 'granted', means: 'key' }]],
  },
  ...(['defective_out', 'retired', 'in_stock'] as const).map(
    (cylinder): Cases => ({
      name: `a key to a cylinder that is ${cylinder}`,
      world: { people: { ada: {} }, keys: [{ holder: 'ada', cylinder }] },
      cases: [['opens nothing', {}, 'no_access_rights']],
    }),
  ),
  {
    name: 'a key that is not in the plan of the cylinder',
    world: { people: { ada: {} }, keys: [{ holder: 'ada', isInPlan: false }] },
    cases: [['opens nothing', {}, 'no_access_rights']],
  },
  ...(['return', 'report-lost', 'report-stolen'] as const).map(
    (action): Cases => ({
      name: `a key after ${action}`,
      world: { people: { ada: {} }, keys: [{ holder: 'ada', action }] },
      cases: [['is in nobody’s hands', {}, { reason: 'no_access_rights', means: 'card' }]],
    }),
  ),
  {
    name: 'a key in the safe',
    world: { people: { ada: {} }, keys: [{}] },
    cases: [['opens for nobody', {}, 'no_access_rights']],
  },
]
