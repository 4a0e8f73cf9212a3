import { describe, expect, it, vi } from 'vitest'
import { Desired, type Worked } from '../../src/connect/desired.ts'
import { connectorFor } from '../../src/connect/kinds.ts'
import { Link } from '../../src/connect/link.ts'
import { type Client, startHouse } from '../support/app.ts'
import { Chance } from '../support/hostile.ts'
import { makeSite, type Site } from './site.ts'

const house = await startHouse()
const { engine, clock } = house
/** A busy machine takes its time over some hundred requests. */
const LONG = 180_000

async function linkOf(system: string, settings = {}): Promise<Link> {
  const [row] = await engine.reader.all<{ org: number }>('select org from access_control_systems where id = $1', [
    system,
  ])
  const parts = { engine, clock, org: row?.org ?? 0, system, settings }
  return new Link(parts, parts.org, system, connectorFor('simulator', parts))
}

/** What a device is to hold, by what it was told step by step. */
class Told {
  readonly fingerprints = new Map<string, string>()
  wholes = 0
  parts = 0

  take(worked: Worked | undefined): void {
    if (!worked) return
    const { desired, keys } = worked
    if (!keys) {
      this.wholes += 1
      this.fingerprints.clear()
    } else this.parts += 1
    for (const key of keys ?? desired.keys()) {
      const entry = desired.get(key)
      if (entry) this.fingerprints.set(key, entry.fingerprint)
      else this.fingerprints.delete(key)
    }
  }
}

const fresh = async (link: Link) => {
  const anew = new Desired(link)
  const { desired } = await anew.whole()
  return {
    fingerprints: new Map([...desired].map(([key, { fingerprint }]) => [key, fingerprint])),
    notes: anew.notes,
  }
}

interface World {
  site: Site
  elsewhere: Site
  people: string[]
  cards: string[]
  group: string
  schedule: string
  pick<T>(list: readonly T[]): T
  n: number
}

const API = '/api/v1'

/** A change somebody makes; one that does not fit the moment is refused, and that is no matter. */
type Step = (client: Client, world: World) => Promise<unknown>

const steps: readonly Step[] = [
  async (client, world) => {
    const made = await client.post(`${API}/individuals`, { display_name: `Person ${world.n}` })
    if (made.status === 201) world.people.push(made.body.data.id)
  },
  (client, { people, pick, n }) => client.patch(`${API}/individuals/${pick(people)}`, { display_name: `Name ${n}` }),
  (client, { people, pick }) => client.post(`${API}/individuals/${pick(people)}/${pick(['suspend', 'resume'])}`),
  (client, { people, pick }) => client.delete(`${API}/individuals/${pick(people)}`),
  async (client, world) => {
    const { people, pick, n } = world
    const pin = { type: 'pin', pin: String(730_000 + n * 7) }
    const what = n % 3 === 0 ? pin : { type: 'card', number: `55${n}` }
    const made = await client.post(`${API}/credentials`, { ...what, individual_id: pick(people) })
    if (made.status === 201) world.cards.push(made.body.data.id)
  },
  (client, { cards, pick, people }) =>
    client.patch(`${API}/credentials/${pick(cards)}`, { individual_id: pick([...people, null]) }),
  (client, { cards, pick }) =>
    client.patch(`${API}/credentials/${pick(cards)}`, { status_reason: pick(['none', 'lost', 'forgotten', 'stolen']) }),
  (client, { cards, pick }) => client.delete(`${API}/credentials/${pick(cards)}`),
  (client, { group, people, pick }) =>
    client.post(`${API}/access-groups/${group}/members`, { individual_id: pick(people) }),
  async (client, { group, pick }) => {
    const rows = (await client.get(`${API}/access-groups/${group}/members`)).body.data as Array<{ id: string }>
    if (rows.length > 0) await client.delete(`${API}/access-groups/${group}/members/${pick(rows).id}`)
  },
  (client, world) => {
    const { people, group, pick, site, elsewhere, schedule, n } = world
    const { space, building, door } = pick([site, site, elsewhere])
    return client.post(`${API}/access-grants`, {
      ...pick([{ individual_id: pick(people) }, { individual_id: pick(people) }, { access_group_id: group }]),
      ...pick([{ space_id: space.id }, { building_id: building.id }, { access_point_id: door.id }]),
      ...pick([{}, {}, { schedule_id: schedule }, { effect: 'deny' }]),
      ...(n % 4 === 0 ? { requires_pin: true } : {}),
    })
  },
  async (client, { pick }) => {
    const rows = (await client.get(`${API}/access-grants?status=eq.active&limit=50`)).body.data as Array<{ id: string }>
    if (rows.length > 0) await client.post(`${API}/access-grants/${pick(rows).id}/revoke`)
  },
  (client, { pick, site, elsewhere }) =>
    client.patch(`${API}/access-points/${pick([site.door, site.other]).id}`, {
      access_control_system_id: pick([site.system.id, site.system.id, elsewhere.system.id]),
    }),
  (client, { pick, site, schedule, n }) =>
    client.patch(`${API}/access-points/${pick([site.door, site.other]).id}`, {
      unlock_seconds: 3 + (n % 9),
      unlock_schedule_id: pick([schedule, null]),
    }),
  (client, { pick, site, elsewhere }) =>
    client.patch(`${API}/spaces/${site.space.id}`, { building_id: pick([site, elsewhere]).building.id }),
  (client, { schedule, n }) =>
    client.patch(`${API}/schedules/${schedule}`, {
      windows: [{ days: ['mon'], start: '08:00', end: `1${n % 10}:00` }],
    }),
  (client, { site }) => client.post(`${API}/lockdowns`, { kind: 'lockdown', building_id: site.building.id }),
  async (client, { pick }) => {
    const rows = (await client.get(`${API}/lockdowns?status=eq.active`)).body.data as Array<{ id: string }> | undefined
    if (rows && rows.length > 0) await client.post(`${API}/lockdowns/${pick(rows).id}/release`)
  },
]

/** So that there is always something. */
const MAKING = [0, 4, 8, 10].map((index) => steps[index] as Step)

/** What another process wrote is heard of a moment later. */
async function hear({ org }: Link): Promise<void> {
  const [row] = await engine.reader.all<{ data_version: number }>(
    'select data_version from organizations where key = $1',
    [org],
  )
  await vi.waitUntil(async () => (await engine.versions(org)).data >= (row?.data_version ?? 0))
}

describe('what a device should hold', () => {
  it(
    'is the same after any history, followed step by step, as if it were worked out anew',
    async () => {
      const [site, elsewhere] = [await makeSite({ house }), await makeSite({ house, name: 'Elsewhere' })]
      const { owner } = site
      const chance = new Chance(20_261_118)
      const windows = [{ days: ['tue'], start: '15:00', end: '16:00' }]
      const world: World = {
        site,
        elsewhere,
        people: [site.ada.id, elsewhere.ada.id],
        cards: [site.card.id],
        group: (await owner.create(`${API}/access-groups`, { name: 'Crew' })).id,
        schedule: (await owner.create(`${API}/schedules`, { name: 'Hours', windows })).id,
        pick: (list) => chance.pick(list),
        n: 0,
      }
      const neighbour = house.client(owner.token, await house.neighbour())
      const link = await linkOf(site.system.id, { pins: false })
      const desired = new Desired(link)
      const told = new Told()
      let largest = 0
      for (; world.n < 240; world.n++) {
        // Of what another process writes, some engines do not say which rows it was.
        for (let writes = world.pick([1, 1, 1, 4]); writes > 0; writes--)
          await world.pick(world.pick([steps, MAKING]))(world.pick([owner, owner, owner, neighbour]), world)
        clock.forward(1000)
        await hear(link)
        told.take(await desired.changed())
        const anew = await fresh(link)
        expect(told.fingerprints, `step ${world.n}`).toEqual(anew.fingerprints)
        largest = Math.max(largest, anew.fingerprints.size)
        expect(desired.notes, `step ${world.n}`).toEqual(anew.notes)
      }
      expect(largest).toBeGreaterThan(10)
      expect(told.parts).toBeGreaterThan(told.wholes)
    },
    LONG,
  )

  it('is worked out again for whom a change concerns, and for nobody else', async () => {
    const site = await makeSite({ house, name: 'Some of it' })
    const { owner } = site
    const people: string[] = []
    for (const n of [1, 2, 3]) {
      const { id } = await owner.create(`${API}/individuals`, { display_name: `Some ${n}` })
      await owner.create(`${API}/credentials`, { type: 'card', number: `610${n}`, individual_id: id })
      await owner.create(`${API}/access-grants`, { individual_id: id, building_id: site.building.id })
      people.push(id)
    }
    const link = await linkOf(site.system.id)
    const desired = new Desired(link)
    expect((await desired.changed())?.keys).toBeUndefined()
    expect(await desired.changed()).toBeUndefined()
    await owner.post(`${API}/individuals/${people[0]}/suspend`)
    const worked = await desired.changed()
    expect([...(worked?.keys ?? [])].map((key) => key.split(':')[0])).toEqual(['card'])
    expect(await desired.changed()).toBeUndefined()
  })
})
