import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ask, answer } from '../../src/access/answer.ts'
import { Settings } from '../../src/access/settings.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { startHouse } from '../support/app.ts'
import type { GrantSpec, PersonSpec, World } from './case.ts'
import { hasRight } from './has-right.ts'
import { Ground, MadeWorld } from './world.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const ground = new Ground(house)
const names = ['ada', 'bob', 'cleo', 'dan'] as const
const targets = ['door', 'room', 'wing', 'building', 'site', 'region', 'elsewhere'] as const
const hours = [undefined, undefined, 'office', 'night', 'afternoon', 'closedOnHolidays', 'never'] as const
const MINUTE = 60_000
/** A busy machine takes its time over a few hundred requests. */
const LONG = 3 * MINUTE

beforeAll(() => ground.lay())

/** Within three days from the start of the house's clock. */
const instants = fc
  .integer({ min: 0, max: 3 * 24 * 12 })
  .map((n) => new Date(Date.parse('2027-06-15T12:00:00.000Z') + n * 5 * MINUTE).toISOString())
const windows = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  instants.map((valid_from) => ({ valid_from })),
  instants.map((valid_until) => ({ valid_until })),
)
const people: fc.Arbitrary<PersonSpec> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constant<PersonSpec>({ credentials: {} }),
  fc.constant<PersonSpec>({ action: 'suspend' }),
  windows,
)
const grants: fc.Arbitrary<GrantSpec> = fc
  .record({
    to: fc.constantFrom(...names, 'crew', 'staff'),
    on: fc.constantFrom(...targets),
    schedule: fc.constantFrom(...hours),
    isDeny: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    isGuarded: fc.boolean(),
    window: windows,
  })
  .map(({ to, on, schedule, isDeny, isGuarded, window }) => ({
    to,
    on,
    ...window,
    ...(schedule ? { schedule } : {}),
    ...(isDeny ? { effect: 'deny' as const } : {}),
    ...(isGuarded ? { during_lockdown: true as const } : {}),
  }))
const groups = fc.dictionary(fc.constantFrom(...names), windows, { noNullPrototype: true })
const worlds: fc.Arbitrary<World> = fc
  .record({
    bob: people,
    cleo: people,
    dan: people,
    crew: groups,
    staff: groups,
    grants: fc.array(grants, { maxLength: 7 }),
    unlock: fc.constantFrom(undefined, undefined, 'afternoon' as const),
    isMechanical: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    isLockedDown: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    hasKey: fc.boolean(),
  })
  .map(({ bob, cleo, dan, crew, staff, unlock, isMechanical, isLockedDown, hasKey, ...rest }) => ({
    people: { ada: {}, bob, cleo, dan },
    groups: { crew, staff },
    grants: rest.grants,
    door: { ...(unlock ? { unlock } : {}), ...(isMechanical ? { mechanical: true as const } : {}) },
    ...(isLockedDown ? { emergencies: [{ kind: 'lockdown' as const, on: 'building' as const }] } : {}),
    ...(hasKey ? { keys: [{ holder: 'ada' }] } : {}),
  }))

describe('random worlds', () => {
  it(
    'who can open a door are the people whom the decision grants, and the total is the space’s own',
    async () => {
      const property = fc.asyncProperty(
        worlds,
        fc.array(instants, { minLength: 2, maxLength: 4 }),
        async (spec, moments) => {
          const world = await new MadeWorld(ground, spec).make()
          for (const at of [clock.now(), ...moments]) await isSameSet(world, at)
          const space = await owner.get(`/api/v1/spaces/${world.id('room')}`)
          const entering = await owner.get(`/api/v1/spaces/${world.id('room')}/who-can-enter`)
          expect(entering.body.meta.pagination.total).toBe(space.body.data.summary.total_individuals)
          await world.release()
        },
      )
      await fc.assert(property, { numRuns: 8 })
    },
    LONG,
  )
})

async function isSameSet(world: MadeWorld, at: string): Promise<void> {
  const granted: string[] = []
  for (const name of names) {
    const ask: Ask = { individual_id: world.id(name), access_point_id: world.id('door'), at }
    const decision = await answer(new Settings(new OrgHandle(engine, 1, clock.now())), ask)
    // A door that is open to everybody lists those who have a right there.
    if (decision?.isGranted && (decision.reason === 'granted' || hasRight(world.spec, name, at)))
      granted.push(world.id(name))
  }
  const list = await owner.get(
    `/api/v1/access-points/${world.id('door')}/who-can-open?at=${at}&allowed=eq.true&limit=100`,
  )
  const ids = list.body.data.map((row: { individual_id: string }) => row.individual_id)
  expect(ids.sort(), `${at} ${JSON.stringify(world.spec)}`).toEqual(granted.sort())
}

/** A change somebody makes; one that does not fit the moment is refused, and that is no matter. */
type Step = (world: MadeWorld, who: string, n: number) => Promise<unknown>
const PATHS = '/api/v1'

const steps: readonly Step[] = [
  (world, who) => owner.post(`${PATHS}/access-groups/${world.id('crew')}/members`, { individual_id: world.id(who) }),
  async (world, _, n) => {
    const members = `${PATHS}/access-groups/${world.id('crew')}/members`
    const rows = (await owner.get(members)).body.data
    return rows.length > 0 && owner.delete(`${members}/${rows[n % rows.length].id}`)
  },
  (world, who, n) =>
    owner.post(`${PATHS}/access-grants`, {
      individual_id: world.id(who),
      space_id: world.id('room'),
      effect: n % 4 === 0 ? 'deny' : 'allow',
    }),
  (world, _, n) =>
    owner.post(`${PATHS}/access-grants`, {
      access_group_id: world.id('crew'),
      building_id: world.id('building'),
      requires_pin: n % 2 === 0,
    }),
  async (world, who) => {
    const rows = (await owner.get(`${PATHS}/access-grants?individual_id=eq.${world.id(who)}&status=eq.active`)).body
      .data
    return rows.length > 0 && owner.post(`${PATHS}/access-grants/${rows[0].id}/revoke`)
  },
  (world, who) => owner.post(`${PATHS}/individuals/${world.id(who)}/suspend`),
  (world, who) => owner.post(`${PATHS}/individuals/${world.id(who)}/reactivate`),
  (world, who, n) => owner.patch(`${PATHS}/individuals/${world.id(who)}`, { display_name: `${who} the ${n}.` }),
  (world, who) =>
    owner.patch(`${PATHS}/credentials/${world.id(who === 'ada' ? 'card' : `${who}’s card`)}`, {
      status_reason: 'lost',
    }),
  (world, who) =>
    owner.patch(`${PATHS}/credentials/${world.id(who === 'ada' ? 'card' : `${who}’s card`)}`, {
      valid_until: clock.now(),
    }),
  (world, _, n) =>
    owner.patch(`${PATHS}/access-points/${world.id('door')}`, {
      space_id: world.id(n % 2 === 0 ? 'room' : 'elsewhere'),
    }),
  (world, _, n) =>
    owner.patch(`${PATHS}/access-points/${world.id('door')}`, {
      access_control_system_id: n % 2 === 0 ? ground.systems.main : null,
    }),
  (world, _, n) => owner.patch(`${PATHS}/access-groups/${world.id('crew')}`, { name: `Crew ${ground.next()} ${n}` }),
  (world) => owner.post(`${PATHS}/lockdowns`, { kind: 'lockdown', building_id: world.id('wing') }),
  async () => {
    const rows = (await owner.get(`${PATHS}/lockdowns?status=eq.active`)).body.data
    return rows.length > 0 && owner.post(`${PATHS}/lockdowns/${rows[0].id}/release`)
  },
  async (_world, _who, n) => {
    const id = await ground.scheduleOf('afternoon')
    return owner.patch(`${PATHS}/schedules/${id}`, {
      windows: [{ days: ['tue', 'wed'], start: `0${n % 9}:00`, end: '15:00' }],
    })
  },
  async (world) => {
    const rows = (await owner.get(`${PATHS}/keys?individual_id=eq.${world.id('ada')}`)).body.data
    return rows.length > 0 && owner.post(`${PATHS}/keys/${rows[0].id}/report-lost`, {})
  },
  async (world) => {
    const rows = (await owner.get(`${PATHS}/cylinders?access_point_id=eq.${world.id('door')}`)).body.data
    return (
      rows.length > 0 && owner.patch(`${PATHS}/cylinders/${rows[0].id}`, { status: 'retired', access_point_id: null })
    )
  },
]

const started: World = {
  people: { ada: {}, bob: {}, cleo: {}, dan: {} },
  groups: { crew: { ada: {}, bob: {} } },
  grants: [
    { to: 'crew', on: 'building', schedule: 'afternoon' },
    { to: 'cleo', on: 'door', during_lockdown: true },
  ],
  keys: [{ holder: 'ada' }],
}

describe('a random history', () => {
  it(
    'is answered, as of each of its moments, as it was answered then',
    async () => {
      const step = fc.record({ step: fc.constantFrom(...steps), who: fc.constantFrom(...names), n: fc.nat(100) })
      const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 10 }), async (history) => {
        const world = await new MadeWorld(ground, started).make()
        const told: Array<{ at: string; said: unknown }> = []
        for (const { step: make, who, n } of history) {
          clock.forward(7 * MINUTE)
          await make(world, who, n)
          clock.forward(MINUTE)
          told.push({ at: clock.now(), said: await allAnswers(world, {}) })
        }
        clock.forward(MINUTE)
        for (const { at, said } of told) expect(await allAnswers(world, { as_of: at }), at).toEqual(said)
      })
      await fc.assert(property, { numRuns: 4 })
    },
    LONG,
  )
})

/** What decisions and lists say of a world's people, now or as of then. */
async function allAnswers(world: MadeWorld, then: { as_of?: string }): Promise<unknown> {
  const questions = names.map((name) => ({ individual_id: world.id(name), access_point_id: world.id('door'), ...then }))
  const decisions = await owner.post('/api/v1/access-decisions/batch', { questions })
  const query = then.as_of ? `?as_of=${then.as_of}` : ''
  const lists = []
  for (const url of [
    `access-points/${world.id('door')}/who-can-open`,
    `spaces/${world.id('room')}/who-can-enter`,
    `individuals/${world.id('ada')}/can-open`,
  ]) {
    const { body } = await owner.get(`/api/v1/${url}${query}`)
    lists.push({ rows: body.data, lost: body.meta.unaccounted_keys })
  }
  return { decisions: decisions.body.data.decisions, lists }
}
