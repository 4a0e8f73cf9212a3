import type { Cases } from '../case.ts'

const given = (schedule: string) => ({ grants: [{ to: 'ada', on: 'door', schedule }] as const })
const utc = (at: string) => ({ at: `${at}:00.000Z` })

/**
 * Where clocks are changed. Zurich skips 02:00 to 03:00 on 2027-03-28 (01:00 UTC) and repeats it on 2027-10-31 (from
 * 00:00 UTC).
 */
export const summerAndWinter: readonly Cases[] = [
  {
    name: 'a start that is skipped',
    world: given('inTheGap'),
    cases: [
      [
        'a minute before the clocks change',
        utc('2027-03-28T00:59'),
        { reason: 'out_of_time_range', next: '2027-03-28T01:00:00.000Z' },
      ],
      ['it begins as they do', utc('2027-03-28T01:00'), { reason: 'granted', until: '2027-03-28T03:00:00.000Z' }],
      [
        'a week later by the hour',
        utc('2027-04-04T00:29'),
        { reason: 'out_of_time_range', next: '2027-04-04T00:30:00.000Z' },
      ],
      [
        'repeated in autumn: the earlier',
        utc('2027-10-31T00:30'),
        { reason: 'granted', until: '2027-10-31T04:00:00.000Z' },
      ],
      ['and not before', utc('2027-10-31T00:29'), 'out_of_time_range'],
    ],
  },
  {
    name: 'an end that is skipped or repeated',
    world: given('endsInGap'),
    cases: [
      ['it ends with the change', utc('2027-03-28T00:30'), { reason: 'granted', until: '2027-03-28T01:00:00.000Z' }],
      [
        'repeated: at first still open',
        utc('2027-10-31T00:45'),
        { reason: 'granted', until: '2027-10-31T01:30:00.000Z' },
      ],
      [
        'the later one ends it',
        utc('2027-10-31T01:30'),
        { reason: 'out_of_time_range', next: '2027-11-07T00:00:00.000Z' },
      ],
    ],
  },
  {
    name: 'a window within the change',
    world: given('small'),
    cases: [
      [
        'in autumn it is one span from the first to the last',
        utc('2027-10-31T00:50'),
        { reason: 'granted', until: '2027-10-31T01:45:00.000Z' },
      ],
      ['after it', utc('2027-10-31T01:45'), 'out_of_time_range'],
    ],
  },
  {
    name: 'a night over the change',
    world: given('overTheChange'),
    cases: [
      ['seven hours in spring', utc('2027-03-27T21:00'), { reason: 'granted', until: '2027-03-28T04:00:00.000Z' }],
      ['nine hours in autumn', utc('2027-10-30T20:00'), { reason: 'granted', until: '2027-10-31T05:00:00.000Z' }],
    ],
  },
  {
    name: 'half an hour of Lord Howe',
    world: { zone: 'Australia/Lord_Howe', ...given('office') },
    cases: [
      ['winter there', utc('2027-06-14T21:30'), { reason: 'granted', until: '2027-06-15T07:30:00.000Z' }],
      ['summer there', utc('2027-12-14T20:59'), { reason: 'out_of_time_range', next: '2027-12-14T21:00:00.000Z' }],
    ],
  },
  {
    name: 'New York and its own days of change',
    world: { zone: 'America/New_York', ...given('office') },
    cases: [
      ['in winter', utc('2027-12-14T13:00'), { reason: 'granted', until: '2027-12-14T23:00:00.000Z' }],
      [
        'in March, already changed there',
        utc('2027-03-15T12:00'),
        { reason: 'granted', until: '2027-03-15T22:00:00.000Z' },
      ],
    ],
  },
]
