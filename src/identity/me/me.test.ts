import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house

describe('who am I', () => {
  it('says whose credential it is, of which organization, and which token', async () => {
    const answer = await owner.get('/api/v1/me')
    expect(answer.status).toBe(200)
    const { data } = answer.body
    expect(data).toMatchObject({ kind: 'service_user', organization: { name: 'Test', time_zone: 'Europe/Zurich' } })
    expect(data.token).toMatchObject({ prefix: 'acs_pat_', last_four: owner.token.slice(-4) })
    expect(answer.text).not.toContain(owner.token)
    expect(data.roles).toMatchObject([{ name: 'Owner', location_id: null, building_id: null }])
  })

  it('says what the caller may do, and where: the uppermost places of its roles', async () => {
    const north = await owner.create('/api/v1/locations', { name: 'North' })
    const below = await owner.create('/api/v1/locations', { name: 'Below', parent_id: north.id })
    const south = await owner.create('/api/v1/locations', { name: 'South' })
    await owner.create('/api/v1/buildings', { name: 'In the north', location_id: below.id })
    const tower = await owner.create('/api/v1/buildings', { name: 'Tower', location_id: south.id })
    const client = await house.member('Auditor', { location_id: north.id })
    const { id } = (await client.get('/api/v1/me')).body.data
    const [operator] = (await owner.get('/api/v1/roles?name=eq.Operator')).body.data
    await owner.create('/api/v1/role-assignments', { role_id: operator.id, service_user_id: id, building_id: tower.id })
    const { permissions } = (await client.get('/api/v1/me')).body.data
    const where = (name: string) => permissions.find((entry: { permission: string }) => entry.permission === name)
    expect(where('spaces:read')).toEqual({
      permission: 'spaces:read',
      scope: 'places',
      location_ids: [north.id],
      building_ids: [tower.id],
    })
    expect(where('keys:handover')).toEqual({
      permission: 'keys:handover',
      scope: 'places',
      location_ids: [],
      building_ids: [tower.id],
    })
    expect(where('spaces:write')).toBeUndefined()
    const everywhere = (await owner.get('/api/v1/me')).body.data.permissions[0]
    expect(everywhere).toMatchObject({ scope: 'organization', location_ids: [], building_ids: [] })
  })

  it('is answered to whoever is authenticated, without any permission', async () => {
    await owner.create('/api/v1/roles', { name: 'Nothing at all' })
    const answer = await (await house.member('Nothing at all')).get('/api/v1/me')
    expect([answer.status, answer.body.data.permissions]).toEqual([200, []])
  })

  it('is 401 without a credential', async () => {
    expect((await house.anonymous.get('/api/v1/me')).status).toBe(401)
  })

  it('shows no token to somebody who came without one', async () => {
    expect((await house.loggedIn(owner.token).get('/api/v1/me')).body.data.token).toBeNull()
  })
})
