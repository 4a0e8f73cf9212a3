import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/buildings'
let here: { id: string }
let there: { id: string }

beforeAll(async () => {
  here = await owner.create('/api/v1/locations', { name: 'Here', time_zone: 'Europe/Lisbon' })
  there = await owner.create('/api/v1/locations', { name: 'There' })
})

describe('buildings', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await owner.create(path, { name: 'Main', location_id: here.id })
    expect((await owner.get(`${path}/${made.id}`)).body.data).toEqual(made)
    expect((await owner.patch(`${path}/${made.id}`, { slug: 'm' })).body.data).toMatchObject({ slug: 'm', version: 2 })
    expect((await owner.delete(`${path}/${made.id}`)).status).toBe(200)
    expect((await owner.get(`${path}/${made.id}`)).status).toBe(404)
  })

  it('take their wings with them, and every composite text follows', async () => {
    const main = await owner.create(path, { name: 'Main', location_id: here.id })
    const wing = await owner.create(path, { name: 'East', location_id: here.id, parent_id: main.id })
    const room = await owner.create('/api/v1/spaces', { name: 'Room', building_id: wing.id })
    expect(room).toMatchObject({ location: 'Here', building: 'Main / East', time_zone: 'Europe/Lisbon' })
    await owner.patch(`${path}/${main.id}`, { location_id: there.id, name: 'Moved' })
    expect((await owner.get(`${path}/${wing.id}`)).body.data.location_id).toBe(there.id)
    // Without a time zone on the way up, the organization's holds.
    expect((await owner.get(`/api/v1/spaces/${room.id}`)).body.data).toMatchObject({
      location: 'There',
      building: 'Moved / East',
      time_zone: 'Europe/Zurich',
    })
    expect((await owner.get(`/api/v1/spaces?location_id=${here.id}`)).body.data).toEqual([])
    expect((await owner.get(`/api/v1/spaces?building_id=${main.id}`)).body.data).toHaveLength(1)
  })

  it('take their locking systems with them, out of sight of whoever manages the old place', async () => {
    const top = await owner.create('/api/v1/locations', { name: 'Top' })
    const old = await owner.create('/api/v1/locations', { name: 'Old', parent_id: top.id })
    const fresh = await owner.create('/api/v1/locations', { name: 'Fresh', parent_id: top.id })
    const main = await owner.create(path, { name: 'Main', location_id: old.id })
    const wing = await owner.create(path, { name: 'Wing', location_id: old.id, parent_id: main.id })
    const systems = '/api/v1/locking-system'
    const ofMain = await owner.create(systems, { name: 'Main', location_id: old.id, building_id: main.id })
    const ofWing = await owner.create(systems, { name: 'Wing', location_id: old.id, building_id: wing.id })
    const wide = await owner.create(systems, { name: 'Wide', location_id: top.id, building_id: main.id })
    const apart = await owner.create(systems, { name: 'Apart', location_id: old.id })
    const local = await house.member('Facility manager', { location_id: old.id })
    const seen = async () =>
      (await local.get(`${systems}?order=name&select=name`)).body.data.map((row: { name: string }) => row.name)
    const placeOf = async ({ id }: { id: string }) => (await owner.get(`${systems}/${id}`)).body.data.location_id
    expect(await seen()).toEqual(['Apart', 'Main', 'Wide', 'Wing'])
    await owner.patch(`${path}/${main.id}`, { location_id: fresh.id })
    expect(await Promise.all([ofMain, ofWing, wide, apart].map(placeOf))).toEqual([fresh.id, fresh.id, top.id, old.id])
    expect(await seen()).toEqual(['Apart'])
    // A location that goes elsewhere takes its buildings along.
    await owner.patch(`/api/v1/locations/${fresh.id}`, { parent_id: there.id })
    expect(await Promise.all([ofMain, ofWing, wide, apart].map(placeOf))).toEqual([
      fresh.id,
      fresh.id,
      fresh.id,
      old.id,
    ])
  })

  it('lie at the location of the building they are a wing of, and are no wing of themselves', async () => {
    const main = await owner.create(path, { name: 'A', location_id: here.id })
    const wing = await owner.create(path, { name: 'B', location_id: here.id, parent_id: main.id })
    const apart = await owner.post(path, { name: 'C', location_id: there.id, parent_id: main.id })
    expect(apart.body.error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'building.wing_location' })
    const cycle = await owner.patch(`${path}/${main.id}`, { parent_id: wing.id })
    expect(cycle.body.error.reason).toBe('reference.cycle')
  })

  it('know only time zones that exist', async () => {
    const answer = await owner.post(path, { name: 'X', location_id: here.id, time_zone: 'Europe/Atlantis' })
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'time_zone', rule: 'body.format' }],
    })
  })

  it('are not deleted while spaces are in them', async () => {
    const main = await owner.create(path, { name: 'Full', location_id: here.id })
    await owner.create('/api/v1/spaces', { name: 'Room', building_id: main.id })
    const answer = await owner.delete(`${path}/${main.id}`)
    expect(answer.body.error.code).toBe('RESOURCE_IN_USE')
    expect(answer.body.msg).toContain('1 space')
  })
})
