import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/db/engine.ts'
import { OrgVersions } from '../src/db/kept/versions.ts'
import { type Client, startHouse } from './support/app.ts'

const house = await startHouse()
const { owner } = house
let elsewhere: (token: string) => Client

beforeAll(async () => {
  const neighbour = await house.neighbour()
  elsewhere = (token) => house.client(token, neighbour)
})

const within = { timeout: 1000, interval: 20 }
const me = async (client: Client) => (await client.get('/api/v1/me')).body.data
const roleId = async (name: string) =>
  (await owner.get(`/api/v1/roles?name=eq.${encodeURIComponent(name)}`)).body.data[0].id

describe('what one process changes holds within a second in every other', () => {
  it('a revoked token', async () => {
    const { token } = await house.member('Auditor')
    const there = elsewhere(token)
    const { id, token: own } = await me(there)
    expect((await there.get('/api/v1/locations')).status).toBe(200)
    await owner.post(`/api/v1/service-users/${id}/tokens/${own.id}/revoke`)
    await expect.poll(async () => (await there.get('/api/v1/locations')).status, within).toBe(401)
  })

  it('a token reported as leaked', async () => {
    const { token } = await house.member('Auditor')
    const there = elsewhere(token)
    expect((await there.get('/api/v1/locations')).status).toBe(200)
    await house.anonymous.post('/api/v1/tokens/report-leaked', { token })
    await expect.poll(async () => (await there.get('/api/v1/locations')).status, within).toBe(401)
  })

  it('a suspended service user', async () => {
    const { token } = await house.member('Auditor')
    const there = elsewhere(token)
    const { id } = await me(there)
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' })
    await expect.poll(async () => (await there.get('/api/v1/locations')).status, within).toBe(401)
    await owner.patch(`/api/v1/service-users/${id}`, { status: 'active' })
    await expect.poll(async () => (await there.get('/api/v1/locations')).status, within).toBe(200)
  })

  it('a role given and taken', async () => {
    const { token } = await house.member('Auditor')
    const there = elsewhere(token)
    const { id } = await me(there)
    const make = async () => (await there.post('/api/v1/locations', { name: 'x' })).status
    expect(await make()).toBe(403)
    const role_id = await roleId('Facility manager')
    const given = await owner.create('/api/v1/role-assignments', { role_id, service_user_id: id })
    await expect.poll(make, within).toBe(201)
    await owner.delete(`/api/v1/role-assignments/${given.id}`)
    await expect.poll(make, within).toBe(403)
  })

  it('a role whose permissions change', async () => {
    const role = await owner.create('/api/v1/roles', { name: 'Changing', permissions: ['locations:read'] })
    const there = elsewhere((await house.member('Changing')).token)
    expect((await there.get('/api/v1/locations')).status).toBe(200)
    await owner.patch(`/api/v1/roles/${role.id}`, { permissions: [] })
    await expect.poll(async () => (await there.get('/api/v1/locations')).status, within).toBe(403)
  })

  it('a place moved out of the places that a role is limited to', async () => {
    const [north, south] = [
      await owner.create('/api/v1/locations', { name: 'North' }),
      await owner.create('/api/v1/locations', { name: 'South' }),
    ]
    const moving = await owner.create('/api/v1/buildings', { name: 'Moving', location_id: north.id })
    const there = elsewhere((await house.member('Auditor', { location_id: north.id })).token)
    expect((await there.get(`/api/v1/buildings/${moving.id}`)).status).toBe(200)
    await owner.patch(`/api/v1/buildings/${moving.id}`, { location_id: south.id })
    await expect.poll(async () => (await there.get(`/api/v1/buildings/${moving.id}`)).status, within).toBe(404)
  })
})

/** A process that does not hear of what others commit, as if that were on its way, unless it asks. */
async function startSlowToHear() {
  const engines: Engine[] = []
  let heard: OrgVersions | undefined
  const asking = () => {
    heard = undefined
  }
  const process = await house.neighbour((own) => {
    engines.push(own)
    const versions: Engine['versions'] = (org, atLeast) => {
      if (atLeast) asking()
      return heard ?? own.versions(org, atLeast)
    }
    const latest: Engine['latest'] = (org) => {
      asking()
      return own.latest(org)
    }
    return { ...own, versions, latest }
  })
  const stopHearing = async () => {
    const known = await engines[0]?.versions(1)
    heard = Object.assign(new OrgVersions(known?.data), { live: known?.live })
  }
  return { process, stopHearing }
}

describe('a request that names a version', () => {
  it('is answered by what its caller may do then, though nobody has told of it yet', async () => {
    const { process, stopHearing } = await startSlowToHear()
    const location = await owner.create('/api/v1/locations', { name: 'Theirs' })
    const here = await house.member('Facility manager', { location_id: location.id })
    const there = house.client(here.token, process)
    const other = await owner.create('/api/v1/buildings', { name: 'Theirs before', location_id: location.id })
    expect((await there.get(`/api/v1/buildings/${other.id}`)).status).toBe(200)
    await stopHearing()
    const made = await here.post('/api/v1/buildings', { name: 'Theirs now', location_id: location.id })
    expect(made.status).toBe(201)
    const since = { 'data-version': String(made.headers['data-version']) }
    expect((await there.get(`/api/v1/buildings/${made.body.data.id}`, since)).status).toBe(200)

    const { id } = await me(here)
    const [given] = (await owner.get(`/api/v1/role-assignments?service_user_id=eq.${id}`)).body.data
    await stopHearing()
    const taken = await owner.delete(`/api/v1/role-assignments/${given.id}`)
    const after = { 'data-version': String(taken.headers['data-version']) }
    expect((await there.get(`/api/v1/buildings/${other.id}`, after)).status).toBe(403)
  })
})

describe('what one process commits while another makes an answer', () => {
  it('is in all of it or in none, though nobody has told of it yet', async () => {
    const { process, stopHearing } = await startSlowToHear()
    const there = house.client(owner.token, process)
    const newest = '/api/v1/locations?limit=1&order=created_at.desc,id.desc'
    const { total } = (await there.get(newest)).body.meta.pagination
    await stopHearing()
    const { id } = await owner.create('/api/v1/locations', { name: 'Not told of yet' })
    // Its rows are read; how many there are in all is known.
    const page = (await there.get(`${newest}&select=id`)).body
    expect([page.data, page.meta.pagination.total]).toEqual([[{ id }], total + 1])
  })
})
