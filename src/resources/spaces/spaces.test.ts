import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house

describe('GET /api/v1/spaces', () => {
  let campus: { id: string }
  let building: { id: string }
  beforeAll(async () => {
    const country = await owner.create('/api/v1/locations', { name: 'Switzerland' })
    campus = await owner.create('/api/v1/locations', { name: 'Zürich', parent_id: country.id })
    building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: campus.id })
    for (let i = 0; i < 42; i++)
      await owner.create('/api/v1/spaces', { name: `Room ${String(i).padStart(2, '0')}`, building_id: building.id })
  })

  it('"When `limit` is 10, 42 items exist and page 1 is requested, then `current_count` is 10, `per_page` is 10, `total_pages` is 5, `total_items` is 42"', async () => {
    const { body } = await owner.get('/api/v1/spaces?limit=10&page=1')
    expect(body.meta.pagination).toEqual({
      current_count: 10,
      current_page: 1,
      per_page: 10,
      total_pages: 5,
      total_items: 42,
    })
    expect(body.data).toHaveLength(10)
  })

  it('items have exactly the fields of the specification', async () => {
    const { body } = await owner.get('/api/v1/spaces?limit=1')
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'building_id',
      'name',
      'location',
      'building',
      'slug',
      'area',
      'department',
      'access_points',
      'summary',
    ])
    expect(body.data[0]).toMatchObject({
      location: 'Switzerland / Zürich',
      building: 'Main',
      slug: '',
      area: null,
      department: null,
      access_points: [],
    })
    expect(body.data[0].summary).toEqual({
      total_access_control_systems: 0,
      total_access_credentials: 0,
      total_access_points: 0,
      total_individuals: 0,
    })
  })

  it('a renamed location shows in every composite text at once', async () => {
    await owner.patch(`/api/v1/locations/${campus.id}`, { name: 'Genève' })
    const { body } = await owner.get('/api/v1/spaces?limit=1&search=geneve')
    expect(body.data[0].location).toBe('Switzerland / Genève')
    expect(body.meta.pagination.total_items).toBe(42)
  })

  it('a page without spaces asks for nothing that spaces have', async () => {
    const asked = vi.spyOn(house.engine.reader, 'all')
    expect((await owner.get('/api/v1/spaces?search=nowhere')).body.data).toEqual([])
    const texts = asked.mock.calls.map(([text]) => text)
    asked.mockRestore()
    expect(texts).not.toEqual([])
    expect(texts.filter((text) => text.includes('from access_points'))).toEqual([])
  })

  it('the named spaces come first with is_include_others, then the others that fit', async () => {
    const all = await owner.get('/api/v1/spaces?limit=100')
    const last = all.body.data.at(-1)
    const { body } = await owner.get(
      `/api/v1/spaces?limit=3&space_ids=${last.id}&is_include_others=true&search=room%200`,
    )
    expect(body.data.map((space: { name: string }) => space.name)).toEqual(['Room 41', 'Room 00', 'Room 01'])
    const only = await owner.get(`/api/v1/spaces?space_ids=${last.id}`)
    expect(only.body.meta.pagination.total_items).toBe(1)
  })
})
