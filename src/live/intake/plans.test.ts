import { beforeAll, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { CODE_LENGTH } from '../../core/cards/match-key.ts'
import type { Engine, Session } from '../../db/engine.ts'
import { OrgHandle } from '../../db/org.ts'
import { judgeSlice } from '../judge-slice.ts'
import type { NewEvent } from './new-event.ts'
import { takeIn } from './take-in.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const texts = new Set<string>()
let statements = 0
let events: NewEvent[]

/**
 * A scan of what was not given, or all that an organization has, from some value on too. The tree of places is read
 * once and kept; of emergencies that are over there are few.
 */
const WIDE =
  /^SCAN (?!json_each|CONSTANT|\d+-ROW VALUES)|^SEARCH .*(?<!locations_by_parent|buildings_by_parent|lockdowns_by_creation) \(org=\?(?: AND \w+[<>]\?)?\)$/

/** The same database, noting what it is asked. */
function noting(session: Session): Session {
  const note = (text: string) => {
    texts.add(text)
    statements += 1
  }
  return {
    all: (text, values, signal, extent) => {
      note(text)
      return session.all(text, values, signal, extent)
    },
    run: (text, values) => {
      note(text)
      return session.run(text, values)
    },
    send: (text, values) => {
      note(text)
      return session.send(text, values)
    },
    script: (text) => session.script(text),
  }
}
const watched: Engine = {
  ...engine,
  reader: noting(engine.reader),
  transaction: (work, options) => engine.transaction((session) => work(noting(session)), options),
}

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  const plan = await owner.create('/api/v1/locking-system', { name: 'Plan' })
  const one = async (n: number): Promise<NewEvent[]> => {
    const door = await owner.create('/api/v1/access-points', {
      name: `Door ${n}`,
      space_id: space.id,
      access_control_system_id: system.id,
    })
    const person = await owner.create('/api/v1/individuals', { display_name: `Person ${n}` })
    const credential_number = `47${n}`
    await owner.create('/api/v1/credentials', { type: 'card', number: credential_number, individual_id: person.id })
    await owner.create('/api/v1/cylinders', {
      number: `C${n}`,
      locking_system_id: plan.id,
      access_point_id: door.id,
      status: 'installed',
    })
    const at = { access_point_id: door.id, access_control_system_id: system.id }
    return [
      { type: 'access.granted', ...at, credential_number, direction: 'in', source_id: `g${n}` },
      { type: 'access.denied', ...at, individual_id: person.id, source_id: `d${n}` },
      { type: 'access.denied', ...at, credential_number: `unknown ${n}`.padEnd(CODE_LENGTH, '-') },
      { type: 'door.closed', ...at },
      { type: 'door.forced', ...at },
    ]
  }
  events = (await Promise.all(Array.from({ length: 8 }, (_, n) => one(n)))).flat()
  clock.forward(60_000)
})

const take = async (some: readonly NewEvent[]) => {
  statements = 0
  const now = clock.now()
  const { results } = await takeIn(watched, 1, now, [{ events: some, scope: 'all', received_at: now }])
  expect(results.flat().every(({ status }) => status === 'stored')).toBe(true)
  return statements
}

/** At a door that the first person in unlocks: what happened there before somebody came in again. */
async function tellLate(): Promise<void> {
  const always = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '24:00' }
  const schedule = await owner.create('/api/v1/schedules', { name: 'Always', windows: [always] })
  const [{ source_id: _, ...entry } = { type: 'access.granted' } satisfies NewEvent] = events
  const door = { first_person_in: true, unlock_schedule_id: schedule.id }
  expect((await owner.patch(`/api/v1/access-points/${entry.access_point_id}`, door)).status).toBe(200)
  const occurred_at = clock.now()
  clock.forward(60_000)
  await take([entry])
  const told = { events: [{ ...entry, occurred_at }], scope: 'all', received_at: clock.now(), isShown: true } as const
  const { results } = await takeIn(watched, 1, clock.now(), [told])
  expect(results.flat()).toMatchObject([{ event: { verdict: expect.any(String) } }])
}

/** At a space with a limit and passback: who is inside goes in again, and goes through. */
async function tellOfFull(): Promise<void> {
  const [{ source_id: _, ...entry } = { type: 'access.granted' } satisfies NewEvent] = events.slice(5)
  const { space_id } = (await owner.get(`/api/v1/access-points/${entry.access_point_id}`)).body.data
  const rule = { occupancy_limit: 2, passback: 'hard' }
  expect((await owner.patch(`/api/v1/spaces/${space_id}`, rule)).status).toBe(200)
  clock.forward(60_000)
  const other = { ...entry, credential_number: '472' }
  const some: NewEvent[] = [entry, { ...entry, type: 'access.taken' }, other, entry]
  const told = { events: some, scope: 'all', received_at: clock.now(), isShown: true } as const
  const { results } = await takeIn(watched, 1, clock.now(), [told])
  expect(results.flat()).toHaveLength(some.length)
}

it('takes in many events with few statements, and judges them with a fixed number', async () => {
  const quiet = events.filter(({ type }) => type !== 'door.forced').map(({ source_id: _, ...event }) => event)
  const few = await take(quiet.slice(0, 4))
  const many = await take(quiet)
  // Alarms are raised one by one.
  expect(many - few).toBeLessThan(quiet.length)
  // What is known of doors and people, and what is open, is known by now: on PostgreSQL each is a way there and back.
  const hundred = [...quiet, ...quiet, ...quiet, ...quiet.slice(0, 4)].map((event, n) => ({
    ...event,
    source_id: `of a hundred ${n}`,
  }))
  expect(hundred).toHaveLength(100)
  expect(await take(hundred)).toBe(engine.dialect.name === 'sqlite' ? 15 : 16)
})

it.runIf(engine.dialect.name === 'sqlite')('and none goes through what there is of an organization', async () => {
  await take(events)
  await tellLate()
  await tellOfFull()
  const reads = (words: string) => expect([...texts].some((text) => text.includes(words))).toBe(true)
  reads('end desc limit 1) as at')
  reads('from live_heads h')
  reads("'individual.forgiven'")
  const wide: string[] = []
  for (const text of texts) {
    if (!/^\s*(select|insert|update)/.test(text)) continue
    const plan = await engine.reader.all<{ detail: string }>(`explain query plan ${text}`, [])
    for (const { detail } of plan) if (WIDE.test(detail)) wide.push(`${detail}: ${text}`)
  }
  expect(wide).toEqual([])
})

it.runIf(engine.dialect.name === 'sqlite')('what has no verdict yet is looked up, not looked for', async () => {
  texts.clear()
  await judgeSlice(new OrgHandle(watched, 1, clock.now()), { from: 0, through: Number.MAX_SAFE_INTEGER, limit: 20 })
  const [waiting = ''] = [...texts].filter((text) => text.includes('verdict is null'))
  const plan = await engine.reader.all<{ detail: string }>(`explain query plan ${waiting}`, [])
  expect(plan.map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('COVERING INDEX access_events_by_verdict (org=? AND verdict=?'),
  )
})
