import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/spaces/records'

describe('GET /api/v1/spaces/records', () => {
  let here: { id: string }
  const made: string[] = []
  beforeAll(async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Zürich' })
    here = await owner.create('/api/v1/buildings', { name: 'Here', location_id: location.id })
    const there = await owner.create('/api/v1/buildings', { name: 'There', location_id: location.id })
    // Not in the order of their names.
    for (const name of ['C', 'A', 'B', 'D'])
      made.push(
        (await owner.create('/api/v1/spaces', { name, building_id: here.id, external_id: `sap-${name}`, floor: 2 })).id,
      )
    await owner.create('/api/v1/spaces', { name: 'Elsewhere', building_id: there.id })
  })

  it('has every field of a space, as it is read alone', async () => {
    const { body } = await owner.get(`${path}?external_id=eq.sap-B`)
    expect(body.data).toEqual([(await owner.get(`/api/v1/spaces/${made[2]}`)).body.data])
    expect(body.meta.pagination).toEqual({ limit: 10, page: 1, pages: 1, total: 1 })
  })

  it('by cursor has those that stay, in the order of creation, one of them renamed meanwhile', async () => {
    const first = (await owner.get(`${path}?select=id&limit=2&cursor=`)).body
    await owner.patch(`/api/v1/spaces/${made[3]}`, { name: '0' })
    const second = (await owner.get(`${path}?select=id&limit=2&cursor=${first.meta.pagination.next_cursor}`)).body
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made)
  })

  it('is limited to the places of a role, and is 403 without spaces:read, 401 without a credential', async () => {
    const local = await house.member('Auditor', { building_id: here.id })
    const { data } = (await local.get(`${path}?order=name`)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['0', 'A', 'B', 'C'])
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await owner.get(`${path}?floor=eq.x`)).body.error.reason).toBe('filter.value_type')
  })
})
