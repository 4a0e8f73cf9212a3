import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/access-points'
let room: { id: string; building_id: string }
let system: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  room = await owner.create('/api/v1/spaces', { name: 'Room', building_id: building.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
})

describe('access points', () => {
  it('are created with what is required alone, the rest by default', async () => {
    const made = await owner.post(path, { name: 'Door', space_id: room.id })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      kind: 'door',
      description: '',
      label: '',
      emergency_exit: false,
      from_space_id: null,
      unlock_seconds: null,
    })
  })

  it('have five axes of state, each with its moment: a mechanical door is unsupervised, a driven one has not been heard of', async () => {
    const since = house.clock.now()
    const mechanical = await owner.create(path, { name: 'Plain', space_id: room.id })
    expect(mechanical.state).toEqual({
      mode: { value: 'locked', since },
      lock_state: { value: 'unknown', since },
      position: { value: 'unknown', since },
      alarms: { value: [], since },
      connectivity: { value: 'unsupervised', since },
    })
    house.clock.forward(1000)
    const driven = await owner.patch(`${path}/${mechanical.id}`, { access_control_system_id: system.id })
    expect(driven.body.data.state.connectivity).toEqual({ value: 'never_connected', since: house.clock.now() })
    expect(driven.body.data.state.mode.since).toBe(since)
  })

  it('are found by their building, by whether they are online and by whether they are in alarm', async () => {
    const building = await owner.create('/api/v1/buildings', {
      name: 'Annex',
      location_id: (await owner.get('/api/v1/locations')).body.data[0].id,
    })
    const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
    const plain = await owner.create(path, { name: 'Plain', space_id: space.id })
    const driven = await owner.create(path, { name: 'Driven', space_id: space.id, access_control_system_id: system.id })
    expect(plain).toMatchObject({ building_id: building.id, connectivity: 'unsupervised', in_alarm: false })
    const found = async (query: string) =>
      (await owner.get(`${path}?building_id=eq.${building.id}&order=name&${query}`)).body.data.map(
        (row: { id: string }) => row.id,
      )
    expect(await found('')).toEqual([driven.id, plain.id])
    expect(await found('connectivity=in.(never_connected)')).toEqual([driven.id])
    expect(await found('in_alarm=is.false')).toEqual([driven.id, plain.id])
    expect(await found('in_alarm=is.true')).toEqual([])
  })

  it('stand in the building of their space, whichever of the two moves: at once, and for whoever sees one building', async () => {
    const location_id = (await owner.get('/api/v1/locations')).body.data[0].id
    const west = await owner.create('/api/v1/buildings', { name: 'West', location_id })
    const east = await owner.create('/api/v1/buildings', { name: 'East', location_id })
    const hall = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: west.id })
    const yard = await owner.create('/api/v1/spaces', { name: 'Yard', building_id: east.id })
    const door = await owner.create(path, { name: 'Gate', space_id: hall.id })
    const inWest = await house.member('Facility manager', { building_id: west.id })
    const inEast = await house.member('Facility manager', { building_id: east.id })
    const namesOf = (answer: Awaited<ReturnType<typeof owner.get>>) =>
      answer.body.data.map(({ name }: { name: string }) => name)
    const seen = async () => ({
      west: namesOf(await inWest.get(path)),
      east: namesOf(await inEast.get(path)),
      found: namesOf(await owner.get(`${path}?building_id=eq.${east.id}`)),
      said: (await owner.get(`${path}/${door.id}`)).body.data.building_id,
    })
    const atWest = { west: ['Gate'], east: [], found: [], said: west.id }
    const atEast = { west: [], east: ['Gate'], found: ['Gate'], said: east.id }
    expect(await seen()).toEqual(atWest)
    await owner.patch(`/api/v1/spaces/${hall.id}`, { building_id: east.id })
    expect(await seen()).toEqual(atEast)
    await owner.patch(`/api/v1/spaces/${hall.id}`, { building_id: west.id })
    expect(await seen()).toEqual(atWest)
    await owner.patch(`${path}/${door.id}`, { space_id: yard.id })
    expect(await seen()).toEqual(atEast)
    expect((await inWest.get(`${path}/${door.id}`)).status).toBe(404)
  })

  it('refuse a state, a kind and times that cannot be', async () => {
    for (const body of [
      { state: {} },
      { kind: 'hatch' },
      { unlock_seconds: 0 },
      { held_open_seconds: 90_000 },
      { floor: 1.5 },
      { space_id: null },
    ]) {
      const answer = await owner.post(path, { name: 'Door', space_id: room.id, ...body })
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.error.code).toBe('VALIDATION_ERROR')
    }
  })

  it('need a space that exists', async () => {
    const answer = await owner.post(path, { name: 'Door', space_id: '00000000-0000-4000-8000-000000000000' })
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'reference.not_found' })
  })

  it('keep their space from being deleted', async () => {
    const answer = await owner.delete(`/api/v1/spaces/${room.id}`)
    expect(answer.body.error.code).toBe('RESOURCE_IN_USE')
    expect(answer.body.msg).toMatch(/access points? \(space_id\)/)
  })

  it('lie where their space lies: out of scope they do not exist', async () => {
    const elsewhere = await owner.create('/api/v1/buildings', {
      name: 'Other',
      location_id: (await owner.get(`/api/v1/buildings/${room.building_id}`)).body.data.location_id,
    })
    const guard = await house.member('Facility manager', { building_id: elsewhere.id })
    const door = await owner.create(path, { name: 'Hidden', space_id: room.id })
    expect((await guard.get(path)).body.data).toEqual([])
    expect((await guard.get(`${path}/${door.id}`)).status).toBe(404)
    expect((await guard.patch(`${path}/${door.id}`, { name: 'X' })).status).toBe(404)
    const created = await guard.post(path, { name: 'Mine', space_id: room.id })
    expect(created.body.error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'reference.not_found' })
    const own = await guard.create('/api/v1/spaces', { name: 'Cell', building_id: elsewhere.id })
    expect((await guard.post(path, { name: 'Mine', space_id: own.id })).status).toBe(201)
  })

  it('are 401 without a credential, 403 without the permission', async () => {
    expect((await house.anonymous.get(path)).status).toBe(401)
    const auditor = await house.member('Auditor')
    const answer = await auditor.post(path, { name: 'Door', space_id: room.id })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toMatchObject({ code: 'UNAUTHORIZED', reason: 'insufficient_permissions' })
  })
})
