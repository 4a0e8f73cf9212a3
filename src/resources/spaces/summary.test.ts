import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'

/** The counts of a space, against a small estate where each can be told by hand. */
const house = await startHouse()
const { owner, clock } = house

let building: { id: string; location_id: string }
let wing: { id: string }
let room: { id: string }
let door: { id: string }
const people: Record<string, { id: string }> = {}

const summary = async (client: Client = owner, space = room) =>
  (await client.get(`/api/v1/spaces/${space.id}`)).body.data.summary
const listed = async (client: Client = owner) =>
  (await client.get('/api/v1/spaces?limit=100')).body.data.find((space: { id: string }) => space.id === room.id).summary

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  wing = await owner.create('/api/v1/buildings', { name: 'East', location_id: location.id, parent_id: building.id })
  room = await owner.create('/api/v1/spaces', { name: 'Laboratory', building_id: wing.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  door = await owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: room.id,
    access_control_system_id: system.id,
  })
  await owner.create('/api/v1/access-points', {
    name: 'Back door',
    space_id: room.id,
    access_control_system_id: system.id,
  })
  for (const name of ['Ada', 'Ben', 'Cleo', 'Dora']) {
    people[name] = await owner.create('/api/v1/individuals', { given_name: name, family_name: 'Test' })
    await owner.create('/api/v1/credentials', { type: 'card', number: name, individual_id: people[name]?.id })
  }
})

describe('the summary of a space', () => {
  it('counts access points and the distinct systems that drive them', async () => {
    expect(await summary()).toEqual({
      total_access_control_systems: 1,
      total_access_credentials: 0,
      total_access_points: 2,
      total_individuals: 0,
    })
  })

  it('counts whom a grant on the space, its door, its building or a place above lets in, each once', async () => {
    await owner.create('/api/v1/access-grants', { individual_id: people.Ada?.id, space_id: room.id })
    expect(await summary()).toMatchObject({ total_individuals: 1, total_access_credentials: 1 })
    await owner.create('/api/v1/access-grants', { individual_id: people.Ada?.id, access_point_id: door.id })
    expect(await summary()).toMatchObject({ total_individuals: 1, total_access_credentials: 1 })
    await owner.create('/api/v1/access-grants', { individual_id: people.Ben?.id, building_id: building.id })
    expect(await summary()).toMatchObject({ total_individuals: 2, total_access_credentials: 2 })
    const group = await owner.create('/api/v1/access-groups', { name: 'Everybody' })
    for (const name of ['Ada', 'Cleo'])
      await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: people[name]?.id })
    await owner.create('/api/v1/access-grants', { access_group_id: group.id, location_id: building.location_id })
    expect(await summary()).toMatchObject({ total_individuals: 3, total_access_credentials: 3 })
    expect(await listed()).toEqual(await summary())
  })

  it('a deny takes people away at the doors it covers, and only there', async () => {
    const deny = await owner.create('/api/v1/access-grants', {
      individual_id: people.Ben?.id,
      access_point_id: door.id,
      effect: 'deny',
    })
    expect((await summary()).total_individuals).toBe(3)
    const all = await owner.create('/api/v1/access-grants', {
      individual_id: people.Ben?.id,
      space_id: room.id,
      effect: 'deny',
    })
    expect((await summary()).total_individuals).toBe(2)
    for (const grant of [deny, all]) await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    expect((await summary()).total_individuals).toBe(3)
  })

  it('a key held counts as a way in, for the person and as a credential', async () => {
    const system = await owner.create('/api/v1/locking-system', { name: 'Locks' })
    const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'HS1' })
    const cylinder = await owner.create('/api/v1/cylinders', {
      locking_system_id: system.id,
      number: '1',
      access_point_id: door.id,
      status: 'installed',
    })
    const plan = await owner.post(`/api/v1/locking-system/${system.id}/plan/cells`, {
      set: [{ key_type_id: type.id, cylinder_id: cylinder.id }],
    })
    expect(plan.status, plan.text).toBe(200)
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
    expect((await summary()).total_individuals).toBe(3)
    const issued = await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id: people.Dora?.id })
    expect(issued.status, issued.text).toBe(200)
    expect(await summary()).toMatchObject({ total_individuals: 4, total_access_credentials: 5 })
    await owner.post(`/api/v1/keys/${key.id}/return`, {})
    expect(await summary()).toMatchObject({ total_individuals: 3, total_access_credentials: 3 })
  })

  it('follows the clock: what begins or ends meanwhile counts from that moment on', async () => {
    const valid_from = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
    const valid_until = new Date(Date.parse(clock.now()) + 7_200_000).toISOString()
    await owner.create('/api/v1/access-grants', {
      individual_id: people.Dora?.id,
      space_id: room.id,
      valid_from,
      valid_until,
    })
    expect((await listed()).total_individuals).toBe(3)
    clock.forward(3_600_000)
    expect((await listed()).total_individuals).toBe(4)
    clock.forward(3_600_000)
    expect((await listed()).total_individuals).toBe(3)
  })

  it('a lost card is no usable credential, a suspended person is not let in', async () => {
    const [card] = (await owner.get(`/api/v1/credentials?individual_id=eq.${people.Ada?.id}`)).body.data
    await owner.patch(`/api/v1/credentials/${card.id}`, { status_reason: 'lost' })
    expect(await summary()).toMatchObject({ total_individuals: 3, total_access_credentials: 2 })
    await owner.post(`/api/v1/individuals/${people.Cleo?.id}/suspend`)
    expect(await summary()).toMatchObject({ total_individuals: 2, total_access_credentials: 1 })
  })

  it('moving the building away takes the location’s grants away', async () => {
    await owner.create('/api/v1/access-grants', { individual_id: people.Dora?.id, location_id: building.location_id })
    expect((await summary()).total_individuals).toBe(3)
    const elsewhere = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: elsewhere.id })
    const space = (await owner.get(`/api/v1/spaces/${room.id}`)).body.data
    expect(space).toMatchObject({ location: 'Elsewhere', building: 'Main / East', location_id: elsewhere.id })
    // Ada and Ben have grants of their own; Dora had the location's alone.
    expect(space.summary.total_individuals).toBe(2)
  })

  it('a change of the space answers with the counts that hold after it', async () => {
    const before = await summary()
    const other = await owner.create('/api/v1/buildings', { name: 'Other', location_id: building.location_id })
    await owner.create('/api/v1/access-grants', { individual_id: people.Dora?.id, building_id: other.id })
    expect(await summary()).toEqual(before)
    const moved = await owner.patch(`/api/v1/spaces/${room.id}`, { building_id: other.id })
    expect(moved.body.data.summary.total_individuals).toBe(2)
    expect(moved.body.data.summary).toEqual(await summary())
    const back = await owner.patch(`/api/v1/spaces/${room.id}`, { building_id: wing.id })
    expect(back.body.data.summary).toEqual(before)
  })

  it('"Each is nullable and is null when the count is not computed": for what the caller may not read', async () => {
    const role = await owner.create('/api/v1/roles', { name: 'Rooms only', permissions: ['spaces:read'] })
    const limited = await house.member(role.name)
    const space = (await limited.get(`/api/v1/spaces/${room.id}`)).body.data
    expect(space.summary).toEqual({
      total_access_control_systems: null,
      total_access_credentials: null,
      total_access_points: null,
      total_individuals: null,
    })
  })

  it('"the field can also be absent from an item": access_points, for who may not read them', async () => {
    const limited = await house.member('Rooms only')
    const { data } = (await limited.get('/api/v1/spaces')).body
    expect(data).toHaveLength(1)
    expect(data[0]).not.toHaveProperty('access_points')
  })

  it('counts at a door without an access control system those who have a key, and nobody whom a grant lets in', async () => {
    const cellar = await owner.create('/api/v1/spaces', { name: 'Cellar', building_id: wing.id })
    const plain = await owner.create('/api/v1/access-points', { name: 'Cellar door', space_id: cellar.id })
    for (const target of [{ access_point_id: plain.id }, { space_id: cellar.id }])
      await owner.create('/api/v1/access-grants', { individual_id: people.Ada?.id, ...target })
    expect(await summary(owner, cellar)).toMatchObject({ total_individuals: 0, total_access_credentials: 0 })
    const locking = { locking_system_id: (await owner.create('/api/v1/locking-system', { name: 'Cellar' })).id }
    const type = await owner.create('/api/v1/key-types', { ...locking, code: 'C1' })
    const built = { number: 'C', status: 'installed', access_point_id: plain.id }
    const cylinder = await owner.create('/api/v1/cylinders', { ...locking, ...built })
    const set = [{ key_type_id: type.id, cylinder_id: cylinder.id }]
    await owner.post(`/api/v1/locking-system/${locking.locking_system_id}/plan/cells`, { set })
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
    await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id: people.Dora?.id })
    // Dora's card opens nothing here, and is hers all the same.
    expect(await summary(owner, cellar)).toMatchObject({ total_individuals: 1, total_access_credentials: 2 })
    const system = await owner.create('/api/v1/access-control-systems', { name: 'Cellar controller' })
    await owner.patch(`/api/v1/access-points/${plain.id}`, { access_control_system_id: system.id })
    expect((await summary(owner, cellar)).total_individuals).toBeGreaterThan(1)
  })

  it('systems of which one is not seen are not counted: a part is not told for the whole, and none is told where there is none', async () => {
    const hall = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: wing.id })
    const keeper = await house.member('Facility manager', { building_id: wing.id })
    const systems = async (client = keeper) => (await summary(client, hall)).total_access_control_systems
    expect(await systems()).toBe(0)
    const own = await owner.create('/api/v1/access-control-systems', { name: 'Of the hall' })
    const elsewhere = await owner.create('/api/v1/locations', { name: 'Data centre' })
    const central = await owner.create('/api/v1/access-control-systems', { name: 'Central', location_id: elsewhere.id })
    await owner.create('/api/v1/access-points', { name: 'Hall', space_id: hall.id, access_control_system_id: own.id })
    expect(await systems()).toBe(1)
    const back = await owner.create('/api/v1/access-points', {
      name: 'Back',
      space_id: hall.id,
      access_control_system_id: central.id,
    })
    expect([await systems(), await systems(owner)]).toEqual([null, 2])
    await owner.patch(`/api/v1/access-points/${back.id}`, { access_control_system_id: null })
    expect(await systems()).toBe(1)
  })
})
