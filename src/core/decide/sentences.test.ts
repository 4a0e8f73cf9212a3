import { describe, expect, it } from 'vitest'
import { card, door } from '../../../test/support/facts.ts'
import type { ScheduleFacts } from '../time/schedule.ts'
import { decide } from './decide.ts'
import { explain } from './explain.ts'
import type { Facts, GrantFact } from './facts.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const schedule = (start: string, end: string, time_zone: string | null = null): ScheduleFacts => ({
  id: `${start} ${end}`,
  name: `${start} to ${end}`,
  time_zone,
  windows: [{ days, start, end }],
  on_holiday: 'as_usual',
  holiday_windows: [],
  holidays: new Set(),
})
const grant = (hours: ScheduleFacts | null, more: Partial<GrantFact> = {}): GrantFact => ({
  id: 'grant',
  effect: 'allow',
  group: null,
  target: { kind: 'access_point', id: 'door', name: 'Door' },
  schedule: hours,
  revoked_at: null,
  requires_pin: false,
  requires_second_person: false,
  during_lockdown: false,
  is_assumed: false,
  valid_from: null,
  valid_until: null,
  ...more,
})
const world = (grants: GrantFact[], more: Partial<Facts> = {}): Facts => ({
  emergencies: [],
  individual: {
    id: 'ada',
    display_name: 'Ada',
    kind: 'employee',
    status: 'active',
    valid_from: null,
    valid_until: null,
  },
  credentials: [card],
  keys: [],
  grants,
  presence: { space_id: null, since: null, occupants: 0 },
  companions: [],
  door,
  ...more,
})
const said = (facts: Facts, at: string, language: 'en' | 'de' = 'en'): string =>
  explain(decide(facts, { by: 'individual', at, direction: 'in', pin: 'none' }), language).join(' ')

/** 21:40 in Zurich, a Tuesday. */
const EVENING = '2027-06-15T19:40:00.000Z'
const night = schedule('22:00', '06:00')

describe('sentences', () => {
  it('tell when it will open', () => {
    expect(said(world([grant(night)]), EVENING)).toBe(
      'Card 4711 belongs to Ada. Ada may open Door from 22:00 to 06:00. It is 21:40 in Zurich, so not yet; allowed ' +
        'from 22:00.',
    )
  })

  it('promise nothing that something else forbids', () => {
    const { individual } = world([])
    const expired = world([grant(night)], {
      individual: { ...individual, valid_until: '2027-06-01T00:00:00.000Z' } as never,
    })
    expect(said(expired, EVENING)).toMatch(/It is 21:40 in Zurich, so not at this time\.$/)
    expect(said(expired, EVENING, 'de')).toMatch(/Es ist 21:40 in Zurich, also nicht zu dieser Zeit\.$/)
  })

  it('tell the hour at which all of it allows', () => {
    const both = world([grant(night), grant(schedule('21:00', '23:00'), { id: 'deny', effect: 'deny' })])
    expect(said(both, EVENING)).toMatch(/It is 21:40 in Zurich, so not yet; allowed from 23:00\.$/)
    const later = world([
      grant(night),
      grant(null, { id: 'deny', effect: 'deny', valid_until: '2027-09-25T12:00:00.000Z' }),
    ])
    expect(said(later, EVENING)).toMatch(/so not yet; allowed from Sat, 25 Sept 2027, 22:00\.$/)
  })

  it('name the place whose clock they tell, where there are two', () => {
    const far = world([grant(schedule('08:00', '18:00', 'Asia/Tokyo'))])
    expect(said(far, '2027-06-15T01:00:00.000Z')).toMatch(
      /Ada may open Door from 08:00 to 18:00 in Tokyo\. The door opens, until 11:00 in Zurich\.$/,
    )
    expect(said(far, '2027-06-15T01:00:00.000Z', 'de')).toMatch(
      /Ada darf von 08:00 bis 18:00 \(Tokyo\) Door öffnen\. Die Tür öffnet, bis 11:00 \(Zurich\)\.$/,
    )
  })

  it('wait for a day of the calendar that is years away', () => {
    const jubilee: ScheduleFacts = {
      ...schedule('00:00', '24:00'),
      name: 'Jubilee',
      windows: [],
      on_holiday: 'windows',
      holiday_windows: [{ start: '09:00', end: '17:00' }],
      holidays: new Set(['2031-01-05']),
    }
    expect(said(world([grant(jubilee)]), EVENING)).toMatch(/so not yet; allowed from Sun, 5 Jan 2031, 09:00\.$/)
  })
})
