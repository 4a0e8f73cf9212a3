import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { card, door } from '../../../test/support/facts.ts'
import type { ScheduleFacts } from '../time/schedule.ts'
import { decide, judge } from './decide.ts'
import { explain } from './explain.ts'
import type { Companion, CredentialFact, Emergency, Facts, GrantFact, Question } from './facts.ts'
import { nextMoment } from './moments.ts'

const STEP_MS = 30 * 60_000
const DAYS = 110
const STEPS = DAYS * 48
/** A Monday at noon; the clocks in Zurich are set forward on 28 March. */
const START = Date.parse('2027-03-01T12:00:00.000Z')
const at = (steps: number): string => new Date(START + steps * STEP_MS).toISOString()

const schedule = (
  id: string,
  start: string,
  end: string,
  days = ['mon', 'tue', 'wed', 'thu', 'fri'],
): ScheduleFacts => ({
  id,
  name: id,
  time_zone: null,
  windows: [{ days: days as never, start, end }],
  on_holiday: 'closed',
  holiday_windows: [],
  holidays: new Set(['2027-03-26', '2027-05-06']),
})
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const schedules = [
  schedule('office', '08:00', '18:00'),
  schedule('night', '22:00', '06:00', everyDay),
  schedule('day', '06:00', '22:00', everyDay),
]

const moments = fc.integer({ min: -200, max: STEPS - 100 }).map(at)
const windows = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ valid_from: null, valid_until: null }) },
  moments.map((valid_from) => ({ valid_from, valid_until: null })),
  moments.map((valid_until) => ({ valid_from: null, valid_until })),
)
const rarely = fc.integer({ min: 0, max: 3 }).map((n) => n === 0)

const grants: fc.Arbitrary<GrantFact> = fc
  .record({
    n: fc.nat(1000),
    window: windows,
    group: windows,
    isGroup: rarely,
    effect: fc.constantFrom('allow' as const, 'allow' as const, 'allow' as const, 'deny' as const),
    schedule: fc.constantFrom(null, ...schedules),
    requires_pin: rarely,
    requires_second_person: rarely,
    during_lockdown: rarely,
  })
  .map(({ n, window, group, isGroup, ...rest }) => ({
    id: String(n),
    ...rest,
    ...window,
    group: isGroup ? { id: 'g', name: 'Group', ...group } : null,
    target: { kind: 'access_point', id: 'door', name: 'Door' },
    revoked_at: null,
    is_assumed: false,
  }))
const credentials: fc.Arbitrary<CredentialFact> = fc
  .record({ window: windows, has_pin: fc.boolean() })
  .map(({ window, has_pin }) => ({ ...card, has_pin, ...window }))
const emergencies: fc.Arbitrary<Emergency> = fc
  .record({
    kind: fc.constantFrom('lockdown' as const, 'evacuation' as const),
    since: moments,
    until: fc.option(moments),
  })
  .map((one) => ({ id: 'e', name: 'Order', ...one }))

const worlds: fc.Arbitrary<Facts> = fc
  .record({
    person: windows,
    credentials: fc.array(credentials, { minLength: 1, maxLength: 2 }),
    grants: fc.array(grants, { minLength: 1, maxLength: 4 }),
    emergencies: fc.array(emergencies, { maxLength: 1 }),
    unlock_schedule: fc.constantFrom(null, null, null, ...schedules),
    override: fc.constantFrom(null, null, null, 'blocked' as const, 'unlocked_timed' as const),
    override_until: fc.option(moments),
    first_person_in: rarely,
    isTimed: rarely,
    company: fc.option(fc.record({ grants: fc.array(grants, { minLength: 1, maxLength: 2 }), person: windows })),
  })
  .map(({ person, company, isTimed, unlock_schedule, override, override_until, first_person_in, ...rest }) => {
    const facts: Facts = {
      ...rest,
      individual: { id: 'ada', display_name: 'Ada', kind: 'employee', status: 'active', ...person },
      keys: [],
      presence: { space_id: isTimed ? 'room' : null, since: isTimed ? at(0) : null, occupants: 0 },
      companions: [],
      door: {
        ...door,
        override,
        override_until,
        unlock_schedule,
        first_person_in,
        ...(isTimed ? { space: { ...door.space, passback: 'timed', passback_minutes: 300 } } : {}),
      },
    }
    return company
      ? {
          ...facts,
          companions: [
            companion({
              ...facts,
              individual: { ...facts.individual, ...company.person } as never,
              grants: company.grants,
            }),
          ],
        }
      : facts
  })

const asked = (moment: string): Question => ({ by: 'individual', at: moment, direction: 'in', pin: 'none' })

function companion(facts: Facts): Companion {
  const judged = (moment: string) => judge(facts, asked(moment), moment)
  return {
    id: 'bob',
    display_name: 'Bob',
    kind: 'employee',
    mayOpen: (moment) => judged(moment).isGranted,
    turnsAfter: (moment) => nextMoment(judged(moment)),
  }
}

/** The first moment on the grid at which it is otherwise: everything here turns on the grid. */
function turnOf(facts: Facts, from: number): string | null {
  const now = judge(facts, asked(at(from)), at(from)).isGranted
  for (let step = from + 1; step <= STEPS; step++)
    if (judge(facts, asked(at(step)), at(step)).isGranted !== now) return at(step)
  return null
}

describe('when the clock turns an answer', () => {
  it('is told as somebody finds it who looks every half hour for months', () => {
    let [turned, far] = [0, 0]
    const property = fc.property(worlds, fc.integer({ min: 0, max: 500 }), (facts, from) => {
      const decision = decide(facts, asked(at(from)))
      const turn = turnOf(facts, from)
      const told = decision.holdsUntil !== null && decision.holdsUntil > at(STEPS) ? null : decision.holdsUntil
      expect(told).toBe(turn)
      expect(decision.nextAllowedAt).toBe(decision.isGranted ? null : decision.holdsUntil)
      if (turn !== null) turned += 1
      if (turn !== null && turn > at(from + 30 * 48)) far += 1
      isTrueInWords(facts, from)
    })
    fc.assert(property, { numRuns: 80 })
    expect(turned).toBeGreaterThan(10)
    expect(far).toBeGreaterThan(1)
  })
})

describe('hours that take turns for longer than anybody looks', () => {
  const [given, ended] = ['2027-01-01T00:00:00.000Z', '2028-05-02T12:00:00.000Z']
  const grant = (id: string, hours: ScheduleFacts | null, more: Partial<GrantFact> = {}): GrantFact => ({
    id,
    effect: 'allow',
    group: null,
    target: { kind: 'access_point', id: 'door', name: 'Door' },
    schedule: hours,
    valid_from: given,
    valid_until: null,
    revoked_at: null,
    requires_pin: false,
    requires_second_person: false,
    during_lockdown: false,
    is_assumed: false,
    ...more,
  })
  const facts = (grants: readonly GrantFact[], valid_until: string | null = null): Facts => ({
    door,
    emergencies: [],
    individual: { id: 'ada', display_name: 'Ada', kind: 'employee', status: 'active', valid_from: null, valid_until },
    credentials: [card],
    keys: [],
    grants,
    presence: { space_id: null, since: null, occupants: 0 },
    companions: [],
  })
  const steady = (id: string, start: string, end: string) => ({
    ...schedule(id, start, end, everyDay),
    holidays: new Set<string>(),
  })
  const [night, day] = [steady('night', '22:00', '06:00'), steady('day', '06:00', '22:00')]
  const turn = (facts: Facts) => decide(facts, asked(at(0)))

  it('hide no end that comes after them, and none that comes by one of them alone', () => {
    const both = [grant('day', day), grant('night', night)]
    expect(turn(facts(both)).holdsUntil).toBe(null)
    expect(turn(facts(both, ended)).holdsUntil).toBe(ended)
    // By night alone from then on: by day until ten in the evening, when the nights have ended.
    const nights = [grant('day', day), grant('night', night, { valid_until: ended })]
    expect(turn(facts(nights)).holdsUntil).toBe('2028-05-02T20:00:00.000Z')
    const denied = [
      grant('day', day, { effect: 'deny' }),
      grant('night', night, { effect: 'deny' }),
      grant('all', null),
    ]
    expect(turn(facts(denied)).nextAllowedAt).toBe(null)
    const lifted = denied.map((one) => (one.id === 'night' ? { ...one, valid_until: ended } : one))
    expect(turn(facts(lifted)).nextAllowedAt).toBe('2028-05-02T20:00:00.000Z')
  })

  it('are looked through behind few of very many windows: a question has an end', () => {
    const both = [grant('day', day), grant('night', night)]
    const far = '2050-05-02T12:00:00.000Z'
    const MONTH = 30 * 86_400_000
    const idle = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        grant(`idle ${n}`, day, { valid_from: new Date(Date.parse(far) - (n + 1) * MONTH).toISOString() }),
      )
    expect(turn(facts([...both, ...idle(10)], far)).holdsUntil).toBe(far)
    expect(turn(facts([...both, ...idle(100)], far)).holdsUntil).toBe(null)
  })
})

/** No sentence promises what is not so. */
function isTrueInWords(facts: Facts, from: number): void {
  const decision = decide(facts, asked(at(from)))
  const text = explain(decision, 'en').join(' ')
  const promises = text.match(/allowed from/gi)?.length ?? 0
  expect(promises, text).toBe(decision.nextAllowedAt === null ? 0 : 1)
}
