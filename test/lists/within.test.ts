import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../support/app.ts'
import { makeEstate } from '../support/mechanical.ts'

const house = await startHouse()
const { app, owner } = house
const ids: Record<string, string> = {}

const lists = app.routeTable.flatMap(({ method, url, doc, permission }) =>
  method === 'GET' &&
  doc?.list?.shape === 'A' &&
  doc.list.resource.place &&
  !doc.list.resource.reaches &&
  permission !== 'self' &&
  !url.includes(':')
    ? [url]
    : [],
)

const idsOf = async (client: Client, path: string): Promise<string[]> => {
  const answer = await client.get(path)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map(({ id }: { id: string }) => id).sort()
}

beforeAll(async () => {
  const { building, location, system, door } = await makeEstate(owner, 'Main')
  await makeEstate(owner, 'Elsewhere')
  const wing = await owner.create('/api/v1/buildings', {
    name: 'Wing',
    location_id: location.id,
    parent_id: building.id,
  })
  const room = await owner.create('/api/v1/spaces', { name: 'Room', building_id: wing.id })
  const inner = await owner.create('/api/v1/access-points', { name: 'Inner door', space_id: room.id })
  const own = await owner.create('/api/v1/locking-system', { name: 'Of the wing', building_id: wing.id })
  await owner.create('/api/v1/locking-system', { name: 'Of the site', location_id: location.id })
  const { id } = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  for (const target of [
    { access_point_id: door.id },
    { access_point_id: inner.id },
    { space_id: room.id },
    { building_id: wing.id },
    { location_id: location.id },
  ])
    await owner.create('/api/v1/access-grants', { individual_id: id, ...target })
  for (const locking_system_id of [system.id, own.id])
    await owner.create('/api/v1/key-types', { locking_system_id, code: 'G1' })
  Object.assign(ids, {
    building: building.id,
    wing: wing.id,
    location: location.id,
    door: door.id,
    inner: inner.id,
    system: system.id,
    own: own.id,
  })
})

describe('a building counts its wings the same way in every list', () => {
  it('there are lists of what lies somewhere', () => expect(lists.length).toBeGreaterThan(7))

  it('doors and locking systems of the wing are among those of the building, as its spaces are', async () => {
    expect(await idsOf(owner, `/api/v1/access-points?within_building=${ids.building}`)).toEqual(
      [ids.door, ids.inner].sort(),
    )
    expect(await idsOf(owner, `/api/v1/locking-system?within_building=${ids.building}`)).toEqual(
      [ids.system, ids.own].sort(),
    )
    expect(await idsOf(owner, `/api/v1/access-grants?within_building=${ids.building}`)).toHaveLength(4)
    expect(await idsOf(owner, `/api/v1/access-grants?within_location=${ids.location}`)).toHaveLength(5)
    expect(await idsOf(owner, `/api/v1/spaces?building_id=${ids.building}`)).toHaveLength(2)
    expect(await idsOf(owner, `/api/v1/access-points?building_id=eq.${ids.building}`)).toEqual([ids.door])
    expect(await idsOf(owner, `/api/v1/access-points?within_building=${ids.building}&kind=eq.gate`)).toEqual([])
  })

  it.each(lists)('%s: what lies in a building is what a role limited to it sees', async (path) => {
    const janitor = await house.member('Auditor', { building_id: ids.building ?? '' })
    const answer = await janitor.get(`${path}?limit=100`)
    if (answer.status === 403) return
    const seen = answer.body.data.map(({ id }: { id: string }) => id).sort()
    expect(await idsOf(owner, `${path}?limit=100&within_building=${ids.building}`)).toEqual(seen)
  })

  it('a place out of reach tells nothing, nor does one that is none', async () => {
    const limited = await house.member('Auditor', { building_id: ids.wing ?? '' })
    expect(await idsOf(limited, `/api/v1/access-points?within_building=${ids.building}`)).toEqual([ids.inner])
    const elsewhere = (await owner.get('/api/v1/buildings?name=eq.Elsewhere house')).body.data[0].id
    for (const path of lists)
      expect((await limited.get(`${path}?within_building=${elsewhere}`)).body.data ?? []).toEqual([])
    expect((await owner.get('/api/v1/access-points?within_building=main')).body.error.reason).toBe('param.not_uuid')
  })
})
