import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { populate } from '../../../test/support/population.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/access-requests'

describe('an access request', () => {
  let building = ''
  let other = ''
  let person = ''
  let reception: Client
  beforeAll(async () => {
    const ids = await populate(house, owner, 'First')
    building = ids.buildings as string
    person = ids.individuals as string
    other = (await populate(house, owner, 'Second')).buildings as string
    reception = await memberWith(house, [
      'access-requests:read',
      'access-requests:write',
      'individuals:read',
      'buildings:read',
    ])
  })
  const ask = (client: Client, body: object = {}) =>
    client.create(PATH, { individual_id: person, building_id: building, reason: 'Renovation', ...body })

  it('is made by whoever may ask, decided by whoever may give access there, and names the grant it became', async () => {
    const made = await ask(reception, { valid_until: '2030-01-01T00:00:00.000Z' })
    expect(made).toMatchObject({ status: 'open', decided_by: null, access_grant_id: null })
    const manager = await house.member('Facility manager', { building_id: building })
    const { status, body } = await manager.post(`${PATH}/${made.id}/approve`, { note: 'As agreed' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'approved', decision_note: 'As agreed' })
    const grant = (await owner.get(`/api/v1/access-grants/${body.data.access_grant_id}`)).body.data
    expect(grant).toMatchObject({
      individual_id: person,
      building_id: building,
      reason: 'Renovation',
      valid_until: made.valid_until,
    })
    const { data } = (await owner.get('/api/v1/audit-log?order=sequence.desc&limit=2&select=action')).body
    expect(data.map(({ action }: { action: string }) => action).sort()).toEqual([
      'access_grant.created',
      'access_request.approved',
    ])
  })

  it('is denied with a note, and then nothing is given', async () => {
    const made = await ask(reception)
    expect((await owner.post(`${PATH}/${made.id}/deny`, { note: 'Not needed' })).body.data).toMatchObject({
      status: 'denied',
      decision_note: 'Not needed',
      access_grant_id: null,
    })
    const again = await owner.post(`${PATH}/${made.id}/approve`)
    expect([again.status, again.body.error.reason]).toEqual([409, 'access_request.denied'])
  })

  it('is not approved by whoever asked, nor by whoever may not give access', async () => {
    const own = await ask(owner)
    const refused = await owner.post(`${PATH}/${own.id}/approve`)
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'access_request.own'])
    const made = await ask(reception)
    expect((await reception.post(`${PATH}/${made.id}/approve`)).status).toBe(403)
    expect((await owner.post(`${PATH}/${own.id}/withdraw`)).body.data.status).toBe('withdrawn')
  })

  it('of another building is neither seen nor decided by whoever is limited to one', async () => {
    const made = await ask(reception, { building_id: other })
    const manager = await house.member('Facility manager', { building_id: building })
    expect((await manager.get(`${PATH}/${made.id}`)).status).toBe(404)
    expect((await manager.post(`${PATH}/${made.id}/approve`)).status).toBe(404)
    const listed = (await manager.get(`${PATH}?limit=100`)).body.data
    expect(listed.length).toBeGreaterThan(0)
    expect(listed.every((row: { building_id: string }) => row.building_id === building)).toBe(true)
  })

  it('is changed and withdrawn by whoever asked, and nobody else', async () => {
    const made = await ask(reception, { valid_until: '2030-01-01T00:00:00.000Z' })
    const manager = await house.member('Facility manager', { building_id: building })
    const other = await memberWith(house, ['access-requests:read', 'access-requests:write'])
    for (const client of [manager, other, owner]) {
      for (const refused of [
        await client.patch(`${PATH}/${made.id}`, { valid_until: null }),
        await client.post(`${PATH}/${made.id}/withdraw`),
      ])
        expect([refused.status, refused.body.error.reason]).toEqual([409, 'access_request.others'])
    }
    expect((await reception.patch(`${PATH}/${made.id}`, { valid_until: null })).status).toBe(200)
  })

  it('of somebody from elsewhere is decided by whoever manages the place, who sees for whom it is while it is open', async () => {
    const stranger = await owner.create('/api/v1/individuals', {
      display_name: 'From elsewhere',
      email: 'elsewhere@example.org',
    })
    const manager = await house.member('Facility manager', { building_id: building })
    expect((await manager.get(`/api/v1/individuals/${stranger.id}`)).status).toBe(404)
    const made = await ask(reception, { individual_id: stranger.id })
    const [{ individual }] = (await manager.get(`${PATH}?id=eq.${made.id}&select=individual(display_name,email)`)).body
      .data
    expect(individual.display_name).toBe('From elsewhere')
    expect(individual.email).toBeUndefined()
    const elsewhere = await house.member('Facility manager', { building_id: other })
    expect((await elsewhere.get(`/api/v1/individuals/${stranger.id}`)).status).toBe(404)
    expect((await manager.post(`${PATH}/${made.id}/approve`)).status).toBe(200)
    const second = await ask(reception, {
      individual_id: (await owner.create('/api/v1/individuals', { display_name: 'Not let in' })).id,
    })
    await manager.post(`${PATH}/${second.id}/deny`)
    expect((await manager.get(`/api/v1/individuals/${second.individual_id}`)).status).toBe(404)
  })

  it('asks for one place, and is changed only while it is open', async () => {
    const twice = await reception.post(PATH, {
      individual_id: person,
      building_id: building,
      location_id: building,
      reason: 'Both',
    })
    expect(twice.status).toBe(400)
    const made = await ask(reception)
    expect((await reception.patch(`${PATH}/${made.id}`, { reason: 'Painting' })).body.data.reason).toBe('Painting')
    await reception.post(`${PATH}/${made.id}/withdraw`)
    expect((await reception.patch(`${PATH}/${made.id}`, { reason: 'Late' })).status).toBe(409)
  })

  it('whose window has ended meanwhile is not approved', async () => {
    const soon = new Date(Date.parse(house.clock.now()) + 60_000).toISOString()
    const made = await ask(reception, { valid_until: soon })
    house.clock.forward(61_000)
    const late = await owner.post(`${PATH}/${made.id}/approve`)
    expect([late.status, late.body.error.reason]).toEqual([409, 'access_request.over'])
  })

  it('says before it is approved who would gain which doors', async () => {
    const someone = await owner.create('/api/v1/individuals', { display_name: 'Bob', status: 'active' })
    const made = await ask(reception, { individual_id: someone.id })
    const { body } = await owner.post(`${PATH}/${made.id}/approve?dry_run=true`)
    expect(body.meta.dry_run).toBe(true)
    expect((await owner.get(`${PATH}/${made.id}`)).body.data.status).toBe('open')
  })
})
