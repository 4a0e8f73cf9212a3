import { expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'
import { recordClockChanges } from '../../live/changes/clock.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/lockdowns'

it('whoever is limited to a building sees what locks it, from above too, and ends only what is their own', async () => {
  const own = await makeEstate(owner, 'Own')
  const other = await makeEstate(owner, 'Other')
  const guard = await memberWith(house, ['lockdowns:read', 'lockdowns:write'], { building_id: own.building.id })
  const { location_id } = (await owner.get(`/api/v1/buildings/${own.building.id}`)).body.data
  const places = {
    all: {},
    above: { location_id },
    own: { building_id: own.building.id },
    elsewhere: { building_id: other.building.id },
  }
  for (const [reason, place] of Object.entries(places)) await owner.create(PATH, { kind: 'lockdown', reason, ...place })
  const seen = (await guard.get(`${PATH}?order=reason`)).body
  expect(seen.data.map(({ reason }: { reason: string }) => reason)).toEqual(['above', 'all', 'own'])
  const released = []
  for (const { id } of seen.data) released.push((await guard.post(`${PATH}/${id}/release`)).status)
  expect(released).toEqual([403, 403, 200])
})

it('a fire panel that says it again starts one evacuation, and one that is about to end is not it', async () => {
  const { building } = await makeEstate(owner, 'Fire')
  const panel = await memberWith(house, ['lockdowns:evacuate'])
  const soon = new Date(Date.parse(house.clock.now()) + 8000).toISOString()
  const test = await owner.create(PATH, {
    kind: 'evacuation',
    building_id: building.id,
    reason: 'Test run',
    expires_at: soon,
  })
  const start = async (more: object = {}) =>
    (await panel.post(`${PATH}/evacuate`, { building_id: building.id, reason: 'Fire', ...more })).body.data.id
  expect(await start({ expires_at: soon })).toBe(test.id)
  const real = await start()
  expect(real).not.toBe(test.id)
  expect(await start()).toBe(real)
  expect(await start({ expires_at: '2027-06-30T23:59:60Z' })).toBe(real)
  const { building: other } = await makeEstate(owner, 'Smoke')
  const [made, known] = [
    await panel.post(`${PATH}/evacuate`, { building_id: other.id }),
    await panel.post(`${PATH}/evacuate`, { building_id: other.id }),
  ]
  expect([made.status, made.headers.location, known.status]).toEqual([201, `${PATH}/${made.body.data.id}`, 200])
  house.clock.forward(10_000)
  expect((await owner.get(`${PATH}/${real}`)).body.data.status).toBe('active')
})

it('a fire panel is told that an evacuation is in force, and not by whom or why', async () => {
  const { building } = await makeEstate(owner, 'Told')
  const place = { building_id: building.id }
  const test = await owner.create(PATH, { kind: 'evacuation', ...place, reason: 'Ada smelt gas', external_id: 'gas' })
  const panel = await memberWith(house, ['lockdowns:evacuate'])
  const elsewhere = (await makeEstate(owner, 'Untold')).building.id
  const reader = await memberWith(house, ['lockdowns:evacuate', 'lockdowns:read'])
  const own = await memberWith(house, ['lockdowns:evacuate', 'lockdowns:read'], place)
  const told = await panel.post(`${PATH}/evacuate`, { ...place, reason: 'Fire' })
  expect([told.status, told.body.data.id, told.body.data.status]).toEqual([200, test.id, 'active'])
  for (const secret of ['gas', test.started_by]) expect(told.text).not.toContain(secret)
  for (const caller of [reader, own])
    expect((await caller.post(`${PATH}/evacuate`, place)).body.data).toMatchObject({
      reason: test.reason,
      started_by: test.started_by,
    })
  // What it has started itself it is told as it wrote it.
  const started = await panel.post(`${PATH}/evacuate`, { building_id: elsewhere, reason: 'Fire' })
  expect([started.status, started.body.data.reason]).toEqual([201, 'Fire'])
})

it('a fire panel that can send no body opens all doors, or those of the one place that it is limited to', async () => {
  const { building } = await makeEstate(owner, 'Bare')
  const { building: another, location } = await makeEstate(owner, 'Empty')
  const role = await owner.create('/api/v1/roles', { name: 'Panel', permissions: ['lockdowns:evacuate'] })
  const [panel, limited, campus] = [
    await memberWith(house, ['lockdowns:evacuate']),
    await house.member('Panel', { building_id: building.id }),
    await memberWith(house, ['lockdowns:evacuate'], { location_id: location.id }),
  ]
  const start = async (by: Client, body?: object) => {
    const answer = await by.post(`${PATH}/evacuate`, body)
    const { id, kind, location_id, building_id } = answer.body.data ?? {}
    return { status: answer.status, id, kind, place: building_id ?? location_id }
  }
  const started = [await start(panel), await start(limited), await start(limited, {}), await start(campus)]
  expect(started).toMatchObject([
    { status: 201, kind: 'evacuation', place: null },
    { status: 201, kind: 'evacuation', place: building.id },
    { status: 200, id: started[1]?.id },
    { status: 201, kind: 'evacuation', place: location.id },
  ])
  // Of several places nobody knows which burns.
  const [{ service_user_id }] = (await owner.get(`/api/v1/role-assignments?role_id=eq.${role.id}`)).body.data
  await owner.create('/api/v1/role-assignments', { role_id: role.id, service_user_id, building_id: another.id })
  expect((await start(limited)).status).toBe(403)
  for (const id of new Set(started.map((one) => one.id))) await owner.post(`${PATH}/${id}/release`)
})

it('is called what it is, however it is made and changed', async () => {
  for (const kind of ['lockdown', 'evacuation', 'drill']) {
    const made = await owner.post(PATH, { kind })
    expect(made.body.msg).toBe(`Created ${kind}`)
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.patch(path, { reason: 'Smoke' })).body.msg).toBe(`Updated ${kind}`)
    const key = `${PATH}/by-external-id/own-${kind}`
    expect((await owner.request('PUT', key, { kind })).body.msg).toBe(`Created ${kind}`)
    expect((await owner.request('PUT', key, { kind })).body.msg).toBe(`Nothing to change in ${kind}`)
    expect((await owner.post(`${path}/release`)).body.msg).toBe(`Released ${kind}`)
    const known = (await owner.get(key)).body.data
    await owner.post(`${PATH}/${known.id}/release`)
  }
})

/** A building with two spaces and a door into each, and how somebody passes one of them. */
async function inhabited(name: string) {
  const { building, space } = await makeEstate(owner, name)
  const spaces = [space, await owner.create('/api/v1/spaces', { name: `${name} cellar`, building_id: building.id })]
  const doors: Array<{ id: string }> = []
  for (const { id } of spaces)
    doors.push(await owner.create('/api/v1/access-points', { name: `${name} door`, space_id: id, direction: 'both' }))
  const passes = async (individual_id: string, direction: 'in' | 'out', door = 0) => {
    house.clock.forward(1000)
    const passage = { type: 'access.granted', access_point_id: doors[door]?.id, individual_id, direction }
    expect((await owner.post('/api/v1/access-events', passage)).status).toBeLessThan(300)
  }
  const enter = async (door = 0): Promise<string> => {
    const { id } = await owner.create('/api/v1/individuals', { display_name: `${name} ${door}` })
    await passes(id, 'in', door)
    return id
  }
  const unaccounted = async () => (await owner.get(`/api/v1/buildings/${building.id}/muster`)).body.data.unaccounted
  return { building, spaces, doors, passes, enter, unaccounted }
}

const measured = ({ present_at_start, present_at_end, duration_seconds }: Record<string, unknown>) => [
  present_at_start,
  present_at_end,
  duration_seconds,
]

it('a drill keeps how many were inside as it began and as it was released, as the muster list counts them, and how long it took', async () => {
  const { building, spaces, doors, passes, enter, unaccounted } = await inhabited('Measured')
  const ada = await enter()
  await enter(1)
  const drill = await owner.create(PATH, { kind: 'drill', building_id: building.id })
  expect(measured(drill)).toEqual([await unaccounted(), null, null])
  expect(drill.present_at_start).toBe(2)
  const others = [
    await owner.create(PATH, { kind: 'evacuation', space_id: spaces[1].id }),
    await owner.create(PATH, { kind: 'lockdown', building_id: building.id }),
    await owner.create(PATH, { kind: 'drill', access_point_id: doors[0]?.id }),
  ]
  await passes(ada, 'out')
  house.clock.forward(89_000)
  const { data } = (await owner.post(`${PATH}/${drill.id}/release`)).body
  expect(measured(data)).toEqual([2, await unaccounted(), 90])
  expect(data.present_at_end).toBe(1)
  await enter()
  expect(measured((await owner.get(`${PATH}/${drill.id}`)).body.data)).toEqual([2, 1, 90])
  const ended = []
  for (const { id } of others) ended.push(measured((await owner.post(`${PATH}/${id}/release`)).body.data))
  expect(ended).toEqual([
    [1, 1, 91],
    [null, null, null],
    [null, null, 91],
  ])
})

it('one of the whole organization counts everybody who is inside anywhere, and one of a location those of its buildings', async () => {
  const { building, enter } = await inhabited('Somewhere')
  await enter()
  const { location_id } = (await owner.get(`/api/v1/buildings/${building.id}`)).body.data
  const before = await owner.create(PATH, { kind: 'drill' })
  await (await inhabited('Anywhere')).enter()
  expect((await owner.create(PATH, { kind: 'drill' })).present_at_start).toBe(before.present_at_start + 1)
  expect((await owner.create(PATH, { kind: 'drill', location_id })).present_at_start).toBe(1)
})

it('one that expires is counted as that is noticed, unless it was long ago', async () => {
  const { building, passes, enter } = await inhabited('Expiring')
  const ada = await enter()
  const soon = (seconds: number) => new Date(Date.parse(house.clock.now()) + seconds * 1000).toISOString()
  const start = (seconds: number) =>
    owner.create(PATH, { kind: 'evacuation', building_id: building.id, expires_at: soon(seconds) })
  const after = async (id: string) => measured((await owner.get(`${PATH}/${id}`)).body.data)
  const noticed = await start(30)
  const missed = await start(40)
  await passes(ada, 'out')
  house.clock.forward(29_500)
  expect(await after(noticed.id)).toEqual([1, null, 30])
  await recordClockChanges(house.engine, house.clock.now())
  expect(await after(noticed.id)).toEqual([1, 0, 30])
  house.clock.forward(120_000)
  await recordClockChanges(house.engine, house.clock.now())
  expect(await after(missed.id)).toEqual([1, null, 40])
})

it('the counts are told to whoever may read presence in all of its place, and to nobody else', async () => {
  const { building, enter } = await inhabited('Counted')
  await enter()
  const own = await owner.create(PATH, { kind: 'drill', building_id: building.id })
  const above = await owner.create(PATH, { kind: 'drill' })
  const started = async (client: typeof owner, id: string) => {
    const one = (await client.get(`${PATH}/${id}`)).body.data.present_at_start
    const [listed] = (await client.get(`${PATH}?id=eq.${id}&select=present_at_start`)).body.data
    expect(listed).toEqual({ present_at_start: one })
    return one
  }
  const blind = await memberWith(house, ['lockdowns:read', 'lockdowns:write'])
  const local = await memberWith(house, ['lockdowns:read', 'presence:read'], { building_id: building.id })
  expect([await started(blind, own.id), await started(local, own.id), await started(local, above.id)]).toEqual([
    null,
    1,
    null,
  ])
  expect(measured((await blind.post(`${PATH}/${own.id}/release`)).body.data)).toEqual([null, null, expect.any(Number)])
  const panel = await memberWith(house, ['lockdowns:evacuate'])
  const evacuation = (await panel.post(`${PATH}/evacuate`, { building_id: building.id })).body.data
  expect(measured(evacuation)).toEqual([null, null, null])
  expect(await started(owner, evacuation.id)).toBe(1)
})
