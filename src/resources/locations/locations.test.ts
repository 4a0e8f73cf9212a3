import { describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house

describe('locations', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await owner.post('/api/v1/locations', { name: 'Zürich', time_zone: 'Europe/Zurich' })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`/api/v1/locations/${made.body.data.id}`)
    const path = `/api/v1/locations/${made.body.data.id}`
    const read = await owner.get(path)
    expect(read.body.data).toEqual(made.body.data)
    expect(read.headers.etag).toBe('"1"')
    const patched = await owner.patch(path, { slug: 'zh' })
    expect(patched.body.data).toMatchObject({ slug: 'zh', version: 2 })
    expect((await owner.get('/api/v1/locations?search=zurich')).body.data).toHaveLength(1)
    expect((await owner.delete(path)).body.data.id).toBe(made.body.data.id)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('never lie below themselves', async () => {
    const top = await owner.create('/api/v1/locations', { name: 'Top' })
    const below = await owner.create('/api/v1/locations', { name: 'Below', parent_id: top.id })
    const answer = await owner.patch(`/api/v1/locations/${top.id}`, { parent_id: below.id })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('reference.cycle')
  })

  it.each(['+02:00', '-0330', 'Mars/Olympus', ''])('have a time zone of the IANA, and not "%s"', async (time_zone) => {
    const answer = await owner.post('/api/v1/locations', { name: 'Zoned', time_zone })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toMatchObject([{ path: 'time_zone', rule: 'body.format' }])
    expect((await owner.post('/api/v1/locations', { name: 'Zoned', time_zone: 'Etc/GMT+2' })).status).toBe(201)
  })

  it('and buildings are made by somebody limited to a place, in that place only', async () => {
    const mine = await owner.create('/api/v1/locations', { name: 'Mine' })
    const local = await house.member('Facility manager', { location_id: mine.id })
    const below = await local.create('/api/v1/locations', { name: 'Below', parent_id: mine.id })
    const building = await local.create('/api/v1/buildings', { name: 'House', location_id: below.id })
    expect((await local.get(`/api/v1/buildings/${building.id}`)).status).toBe(200)
    expect((await local.post('/api/v1/locations', { name: 'At the top' })).status).toBe(403)
    const elsewhere = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    expect((await local.post('/api/v1/buildings', { name: 'House', location_id: elsewhere.id })).status).toBe(400)
  })

  it('and buildings are not taken from a place by somebody limited to what lies below it', async () => {
    const top = await owner.create('/api/v1/locations', { name: 'Region' })
    const mine = await owner.create('/api/v1/locations', { name: 'City', parent_id: top.id })
    const below = await owner.create('/api/v1/locations', { name: 'Campus', parent_id: mine.id })
    const house1 = await owner.create('/api/v1/buildings', { name: 'House', location_id: below.id })
    const wing = await owner.create('/api/v1/buildings', { name: 'Wing', location_id: below.id, parent_id: house1.id })
    const refused = async (client: Client, path: string, body: object) => {
      const answer = await client.patch(path, body)
      expect(answer.status).toBe(403)
      expect(answer.body.error).toMatchObject({ code: 'UNAUTHORIZED', reason: 'insufficient_permissions' })
    }
    const local = await house.member('Facility manager', { location_id: mine.id })
    await refused(local, `/api/v1/locations/${mine.id}`, { parent_id: null })
    await refused(local, `/api/v1/locations/${mine.id}`, { name: 'Free city', parent_id: null })
    const janitor = await house.member('Facility manager', { building_id: wing.id })
    await refused(janitor, `/api/v1/buildings/${wing.id}`, { parent_id: null })
    expect((await owner.get(`/api/v1/locations/${mine.id}`)).body.data).toMatchObject({
      name: 'City',
      parent_id: top.id,
      version: 1,
    })
    expect((await owner.get(`/api/v1/buildings/${wing.id}`)).body.data).toMatchObject({
      parent_id: house1.id,
      version: 1,
    })
    // Within the place they move things, and what hangs where it hung is changed as before.
    expect((await local.patch(`/api/v1/buildings/${wing.id}`, { parent_id: null, location_id: mine.id })).status).toBe(
      200,
    )
    expect((await local.patch(`/api/v1/locations/${mine.id}`, { name: 'Town', parent_id: top.id })).status).toBe(200)
    expect((await owner.patch(`/api/v1/locations/${mine.id}`, { parent_id: null })).status).toBe(200)
  })

  it('in use are not deleted, and the answer names what uses them', async () => {
    const top = await owner.create('/api/v1/locations', { name: 'Used' })
    await owner.create('/api/v1/buildings', { name: 'House', location_id: top.id })
    const answer = await owner.delete(`/api/v1/locations/${top.id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.error.code).toBe('RESOURCE_IN_USE')
    expect(answer.body.msg).toContain('1 building')
  })
})
