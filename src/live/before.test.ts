import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { ingest } from './intake/ingest.ts'
import type { NewEvent } from './intake/new-event.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/access-events'
const SECOND = 1000

let building: { id: string }
let system: { id: string }
let always: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const windows = [{ days, start: '00:00', end: '24:00' }]
  always = await owner.create('/api/v1/schedules', { name: 'Always', windows })
})

let count = 0
/** A door of its own, with somebody who may open it and somebody who may not. */
async function newDoor({ space: rule = {}, ...more }: { space?: object } & Record<string, unknown> = {}) {
  count += 1
  const space = await owner.create('/api/v1/spaces', { name: `Room ${count}`, building_id: building.id, ...rule })
  const door = await owner.create('/api/v1/access-points', {
    name: `Door ${count}`,
    space_id: space.id,
    access_control_system_id: system.id,
    direction: 'both',
    ...more,
  })
  return { door: door.id, rightful: await newPerson(door.id), stranger: await newPerson() }
}

async function newPerson(door?: string) {
  count += 1
  const { id } = await owner.create('/api/v1/individuals', { display_name: `Person ${count}` })
  const card = await owner.create('/api/v1/credentials', { type: 'card', number: `9${count}`, individual_id: id })
  if (door) await owner.create('/api/v1/access-grants', { individual_id: id, access_point_id: door })
  clock.forward(SECOND)
  return { id: id as string, card: card.id as string }
}

const firstIn = () => newDoor({ first_person_in: true, unlock_schedule_id: always.id })
const ago = (seconds: number) => new Date(Date.parse(clock.now()) - seconds * SECOND).toISOString()

/** The verdict of each, told in one batch. */
async function verdicts(...events: object[]): Promise<unknown[]> {
  const { data } = (await owner.post(`${PATH}/batch`, { events })).body
  const shown = await Promise.all(data.results.map(({ id }: { id: string }) => owner.get(`${PATH}/${id}`)))
  clock.forward(SECOND)
  return shown.map(({ body }) => body.data.verdict)
}
const told = async (event: object) => {
  const { data } = (await owner.post(PATH, event)).body
  clock.forward(SECOND)
  return [data.verdict, data.verdict_reason]
}
const alarmsOf = async (door: string) =>
  (await owner.get(`/api/v1/alarms?access_point_id=eq.${door}`)).body.meta.pagination.total

const granted = (access_point_id: string, { id }: { id: string }, more: object = {}) => ({
  type: 'access.granted',
  access_point_id,
  individual_id: id,
  direction: 'in',
  ...more,
})

describe('whoever comes first at a door that the first person in unlocks', () => {
  it.each([
    ['a card of somebody without rights', 'no_access_rights'],
    ['somebody without rights', 'no_access_rights'],
    ['a card that nobody knows', 'unknown_credential'],
  ])('is not proved right by having come: %s', async (what, reason) => {
    const who = (stranger: { id: string; card: string }) => {
      if (reason === 'unknown_credential') return { credential_number: 'nobody’s' }
      return what.startsWith('a card') ? { credential_id: stranger.card } : { individual_id: stranger.id }
    }
    const { door, stranger } = await firstIn()
    const event = { type: 'access.granted', access_point_id: door, direction: 'in', ...who(stranger) }
    expect(await told(event)).toEqual(['unexpected_grant', reason])
    expect(await alarmsOf(door)).toBe(1)

    // Told late, and with what follows, it is no reason for itself either.
    const late = await firstIn()
    const there = { ...event, access_point_id: late.door, ...who(late.stranger) }
    clock.forward(60 * SECOND)
    const passing = [
      { ...there, occurred_at: ago(30) },
      { ...there, type: 'access.taken', occurred_at: ago(28) },
    ]
    expect(await verdicts(...passing)).toEqual(['unexpected_grant', 'unexpected_grant'])
  })

  it('agrees with the door if they may, and so does whoever comes behind: told at once, together, late, in any order', async () => {
    const { door, rightful, stranger } = await firstIn()
    expect(await told(granted(door, rightful))).toEqual(['agreed', 'granted'])
    expect(await told(granted(door, stranger))).toEqual(['agreed', 'granted'])
    const together = await firstIn()
    const both = [granted(together.door, together.rightful), granted(together.door, together.stranger)]
    expect(await verdicts(...both)).toEqual(['agreed', 'agreed'])
    const mixed = await firstIn()
    clock.forward(60 * SECOND)
    const events = [
      granted(mixed.door, mixed.stranger, { occurred_at: ago(20) }),
      granted(mixed.door, mixed.rightful, { occurred_at: ago(30) }),
      granted(mixed.door, mixed.stranger, { occurred_at: ago(40) }),
    ]
    expect(await verdicts(...events)).toEqual(['agreed', 'agreed', 'unexpected_grant'])
    expect(await verdicts(granted(mixed.door, mixed.stranger, { occurred_at: ago(25) }))).toEqual(['agreed'])
  })

  it('did so when it was heard of, where the clock of the device is ahead: asked about later, the same is said', async () => {
    const { door, rightful, stranger } = await firstIn()
    clock.forward(60 * SECOND)
    await verdicts(granted(door, rightful, { occurred_at: ago(-600) }))
    clock.forward(SECOND / 2)
    const at = clock.now()
    const asked = { individual_id: stranger.id, access_point_id: door, at, direction: 'in' }
    const decide = async () => (await owner.post('/api/v1/access-decisions', asked)).body.data.reason
    expect(await decide()).toBe('door_unlocked')
    clock.forward(SECOND)
    await verdicts(granted(door, rightful))
    expect(await decide()).toBe('door_unlocked')
  })
})

describe('whoever was let in', () => {
  it('is not let in again by hard passback because of what that itself brought about', async () => {
    const { door, rightful } = await newDoor({ space: { passback: 'hard' } })
    const out = granted(door, rightful, { direction: 'out' })
    expect(await told(granted(door, rightful))).toEqual(['agreed', 'granted'])
    expect(await told(granted(door, rightful))).toEqual(['unexpected_grant', 'passback'])
    expect(await alarmsOf(door)).toBe(1)
    expect(await told(out)).toEqual(['agreed', 'granted'])
    expect(await told(granted(door, rightful))).toEqual(['agreed', 'granted'])
    // Who never came in cannot leave, though they are outside by now.
    const other = await newDoor({ space: { passback: 'hard' } })
    await owner.create('/api/v1/access-grants', { individual_id: rightful.id, access_point_id: other.door })
    clock.forward(SECOND)
    expect((await told({ ...out, access_point_id: other.door }))[0]).toBe('unexpected_grant')
  })

  it('agrees as they come and go: through the door, in one batch, late, in any order, turned back or forgiven', async () => {
    const { door, rightful } = await newDoor({ space: { passback: 'hard' } })
    const passing = (direction: 'in' | 'out') => [
      granted(door, rightful, { direction }),
      granted(door, rightful, { direction, type: 'access.taken' }),
    ]
    const agreed = (n: number) => Array.from({ length: n }, () => 'agreed')
    expect(await verdicts(...passing('in'), ...passing('out'), ...passing('in'))).toEqual(agreed(6))
    expect(await verdicts(...passing('out'))).toEqual(agreed(2))
    clock.forward(60 * SECOND)
    const mixed = [
      granted(door, rightful, { occurred_at: ago(30) }),
      granted(door, rightful, { occurred_at: ago(10) }),
      granted(door, rightful, { direction: 'out', occurred_at: ago(20) }),
    ]
    expect(await verdicts(...mixed)).toEqual(agreed(3))
    await owner.post(`/api/v1/individuals/${rightful.id}/forgive`)
    expect(await verdicts(...passing('in'))).toEqual(agreed(2))
    // Forgiven after it happened, and before it was told: nobody knows any more.
    clock.forward(60 * SECOND)
    await owner.post(`/api/v1/individuals/${rightful.id}/forgive`)
    clock.forward(SECOND)
    expect(await verdicts(granted(door, rightful, { occurred_at: ago(30) }))).toEqual(['unknown'])

    const turned = await newDoor({ space: { passback: 'hard' } })
    const tries = granted(turned.door, turned.rightful)
    const stayed = { type: 'access.not_taken', access_point_id: turned.door }
    const [first, , second] = await verdicts(tries, stayed, tries)
    expect([first, second]).toEqual(['agreed', 'agreed'])
    // Turned back on their way out they are inside still.
    await owner.post(`/api/v1/individuals/${turned.rightful.id}/forgive`)
    clock.forward(SECOND)
    const [came, , again] = await verdicts(tries, { ...tries, type: 'access.taken' }, tries)
    expect([came, again]).toEqual(['agreed', 'unexpected_grant'])
    const leaves = granted(turned.door, turned.rightful, { direction: 'out' })
    const [left, , back] = await verdicts(leaves, stayed, tries)
    expect([left, back]).toEqual(['agreed', 'unexpected_grant'])
  })

  it('may be let in again once the minutes of a timed passback are over', async () => {
    const { door, rightful } = await newDoor({ space: { passback: 'timed', passback_minutes: 1 } })
    expect((await told(granted(door, rightful)))[0]).toBe('agreed')
    expect(await told(granted(door, rightful))).toEqual(['unexpected_grant', 'passback'])
    clock.forward(60 * SECOND)
    expect((await told(granted(door, rightful)))[0]).toBe('agreed')
  })

  it('is not one of those who are in a full space because they were let into it', async () => {
    const { door, rightful } = await newDoor({ space: { occupancy_limit: 1 } })
    const another = await newPerson(door)
    const out = granted(door, another, { direction: 'out' })
    expect(await told(granted(door, rightful))).toEqual(['agreed', 'granted'])
    expect(await told(granted(door, another))).toEqual(['unexpected_grant', 'occupancy_limit'])
    expect(await alarmsOf(door)).toBe(1)
    expect(await told(granted(door, rightful))).toEqual(['agreed', 'granted'])
    const leaving = [out, granted(door, rightful, { direction: 'out' })]
    expect(await verdicts(...leaving)).toEqual(['agreed', 'agreed'])
    const turns = [granted(door, rightful), leaving[1] ?? {}, granted(door, another), out, granted(door, rightful)]
    expect(await verdicts(...turns)).toEqual(['agreed', 'agreed', 'agreed', 'agreed', 'agreed'])
    const late = { ...granted(door, another), occurred_at: ago(0.5) }
    expect(await verdicts(late)).toEqual(['unexpected_grant'])
  })

  it('is judged by our clock where that of the device is known to be behind', async () => {
    const { door, stranger } = await newDoor()
    await owner.create('/api/v1/access-grants', { individual_id: stranger.id, access_point_id: door })
    clock.forward(SECOND)
    const moments = { occurred_at: ago(600), happened_at: clock.now() }
    const event = granted(door, stranger, moments) as NewEvent
    const [result] = await ingest({ engine, clock }, 1, [event])
    const id = result && 'id' in result ? result.id : ''
    const { data } = (await owner.get(`${PATH}/${id}`)).body
    expect(data).toMatchObject({ verdict: 'agreed', occurred_at: moments.occurred_at })
    expect(data).not.toHaveProperty('happened_at')
  })
})
