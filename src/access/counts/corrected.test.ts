import { expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { change, type Tx } from '../../db/change.ts'
import { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import type { SpaceRef } from './audience.ts'
import { countAudience, countPeople } from './audience.ts'

const { owner, clock, engine } = await startHouse()

/** The same every time. */
let seed = 20_261_116
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
  return (seed >>> 8) % below
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

const ids = async (path: string, bodies: readonly object[]): Promise<string[]> => {
  const made: string[] = []
  for (const body of bodies) made.push((await owner.create(path, body)).id as string)
  return made
}
const numbered = (name: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `${name} ${index}`, ...more }))

const [location = ''] = await ids('/api/v1/locations', numbered('Campus', 1))
const buildings = await ids('/api/v1/buildings', numbered('House', 2, { location_id: location }))
const [system = ''] = await ids('/api/v1/access-control-systems', numbered('Doors', 1))
const rooms = await ids(
  '/api/v1/spaces',
  buildings.flatMap((building_id) => numbered('Room', 2, { building_id })),
)
const doors = await ids(
  '/api/v1/access-points',
  rooms.map((space_id, index) => ({ name: `Door ${index}`, space_id, access_control_system_id: system })),
)
const groups = await ids('/api/v1/access-groups', numbered('Group', 4))
const people = await ids(
  '/api/v1/individuals',
  Array.from({ length: 12 }, (_, index) => ({ display_name: `Person ${index}` })),
)
await ids('/api/v1/access-grants', [
  { access_group_id: groups[0], location_id: location },
  { access_group_id: groups[1], building_id: buildings[0] },
  { access_group_id: groups[2], space_id: rooms[3] },
  { access_group_id: groups[3], building_id: buildings[1], effect: 'deny' },
  { individual_id: people[0], access_point_id: doors[3] },
])

const page: SpaceRef[] = rooms.map((id, index) => ({
  id,
  building_id: buildings[index >> 1] as string,
  points: [{ id: doors[index] as string, access_control_system_id: 'any' }],
}))

const cards: string[] = []
const members: string[] = []
const later = () => new Date(Date.parse(clock.now()) + 60_000 * (1 + random(200))).toISOString()
const forget = (list: string[], id: string) => list.splice(list.indexOf(id), 1)

async function join(window: object): Promise<void> {
  const path = `/api/v1/access-groups/${pick(groups)}/members`
  const { status, body } = await owner.post(path, { individual_id: pick(people), ...window })
  if (status === 201) members.push(`${path}/${body.data.id}`)
}

const steps: ReadonlyArray<() => Promise<unknown>> = [
  async () => people.push(...(await ids('/api/v1/individuals', [{ display_name: 'Somebody new' }]))),
  async () => owner.post(`/api/v1/individuals/${pick(people)}/suspend`),
  async () => owner.post(`/api/v1/individuals/${pick(people)}/reactivate`),
  async () => owner.patch(`/api/v1/individuals/${pick(people)}`, { display_name: `Renamed ${random(1000)}` }),
  async () => join({}),
  async () => join({ valid_until: later() }),
  async () => {
    const path = pick(members)
    if (path && (await owner.delete(path)).status < 300) forget(members, path)
  },
  async () => {
    const { status, body } = await owner.post('/api/v1/credentials', {
      individual_id: pick(people),
      type: 'card',
      number: `${random(1e6)}`,
    })
    if (status === 201) cards.push(body.data.id)
  },
  async () =>
    cards.length > 0 &&
    owner.patch(`/api/v1/credentials/${pick(cards)}`, { status_reason: pick(['forgotten', 'none']) }),
  async () => {
    const id = pick(cards)
    if (id && (await owner.delete(`/api/v1/credentials/${id}`)).status < 300) forget(cards, id)
  },
  async () => clock.forward(60_000 * random(30)),
]

it('who may pass is the same, corrected after each of many changes, as counted anew', async () => {
  const [{ key = 0 } = {}] = await engine.reader.all<{ key: number }>(
    'select min(org) as key from access_groups where id = $1',
    [groups[0]],
  )
  const asking = () => new OrgHandle(engine, key, clock.now())
  const seen = new Set<string>()
  for (let round = 0; round < 250; round++) {
    for (let left = 1 + random(3); left > 0; left--) await pick(steps)()
    const counts = await countAudience(asking(), page)
    const alone = await Promise.all(page.map((space) => countPeople(asking(), space)))
    // Within a transaction nothing is taken from memory.
    const anew = await engine.transaction((session) =>
      countAudience(new OrgHandle(engine, key, clock.now(), session), page),
    )
    expect(counts, `round ${round}`).toEqual(anew)
    expect(alone).toEqual([...anew.values()].map(({ individuals }) => individuals))
    seen.add(JSON.stringify([...anew.values()]))
  }
  expect(seen.size).toBeGreaterThan(50)
})

it('what a change has to know of the people is known to whoever comes next; what it writes of them it sees', async () => {
  const [{ key = 0 } = {}] = await engine.reader.all<{ key: number }>(
    'select min(org) as key from access_groups where id = $1',
    [groups[0]],
  )
  // Something that every crowd hangs on.
  await owner.create('/api/v1/access-grants', { individual_id: people.at(-1), building_id: buildings[0] })
  const somebody = await owner.create('/api/v1/individuals', { display_name: 'Somebody else' })
  await owner.create(`/api/v1/access-groups/${groups[0]}/members`, { individual_id: somebody.id })
  const within = <T>(work: (tx: Tx) => Promise<T>) =>
    change(engine, key, clock.now(), actor, async (tx) => {
      const result = await work(tx)
      tx.event({ action: 'demo.filled', resource: 'organizations', resourceId: null, before: null, after: null })
      return result
    })
  const counts = await within((tx) => countAudience(tx, page))
  const asked = vi.spyOn(engine.reader, 'all')
  expect(await within((tx) => countAudience(tx, page))).toEqual(counts)
  expect(await countAudience(new OrgHandle(engine, key, clock.now()), page)).toEqual(counts)
  expect(asked.mock.calls.filter(([text]) => text.includes('access_group_members'))).toEqual([])
  asked.mockRestore()
  const own = await within(async (tx) => {
    await tx.run(sql`update individuals as t set status = 'suspended' where t.org = :org and t.id = ${somebody.id}`)
    return countAudience(tx, page)
  })
  expect(own).not.toEqual(counts)
  expect(own).toEqual(await countAudience(new OrgHandle(engine, key, clock.now()), page))
})
