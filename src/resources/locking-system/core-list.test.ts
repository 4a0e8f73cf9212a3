import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/v1/core/locking-system'
const names = (answer: { body: { data: Array<{ name: string }> } }): string[] => answer.body.data.map((row) => row.name)

/** In the order of creation, an hour apart. */
const systems = [
  { name: 'Delta', manufacturer: 'Kaba', number: '2' },
  { name: 'Alpha', manufacturer: null, number: '1' },
  { name: 'Charlie', manufacturer: 'EVVA', number: '1' },
  { name: 'Bravo', manufacturer: 'Kaba', number: '1' },
  { name: 'Echo', manufacturer: null, number: '2' },
]

describe('GET /v1/core/locking-system', () => {
  beforeAll(async () => {
    for (const system of systems) {
      await owner.create('/api/v1/locking-system', system)
      house.clock.forward(3_600_000)
    }
  })

  it('"Without `order`, results are sorted by creation date ascending (oldest first)"', async () => {
    expect(names(await owner.get(PATH))).toEqual(['Delta', 'Alpha', 'Charlie', 'Bravo', 'Echo'])
  })

  it('"Response: list envelope with Shape B pagination": total, count, per_page, current_page and total_pages, and nothing else', async () => {
    const { status, body } = await owner.get(`${PATH}?limit=2&page=3`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['msg', 'data', 'meta'])
    expect(body.meta).toEqual({ pagination: { total: 5, count: 1, per_page: 2, current_page: 3, total_pages: 3 } })
    expect(body.data).toHaveLength(1)
  })

  it('ten results to a page unless the limit says otherwise', async () => {
    expect((await owner.get(PATH)).body.meta.pagination).toEqual({
      total: 5,
      count: 5,
      per_page: 10,
      current_page: 1,
      total_pages: 1,
    })
  })

  it('past the end there is an empty page with the true totals', async () => {
    const { status, body } = await owner.get(`${PATH}?page=7&limit=2`)
    expect(status).toBe(200)
    expect(body.data).toEqual([])
    expect(body.meta.pagination).toEqual({ total: 5, count: 0, per_page: 2, current_page: 7, total_pages: 3 })
  })

  it('"`limit` query parameter on the locking-system list: maximum 100"', async () => {
    expect((await owner.get(`${PATH}?limit=100`)).status).toBe(200)
    const { status, body } = await owner.get(`${PATH}?limit=101`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', reason: 'limit.out_of_range' })
  })

  it('"`order=<field1>.desc,<field2>.asc` sorts by field1 descending, then field2 ascending"', async () => {
    expect(names(await owner.get(`${PATH}?order=number.desc,name.asc`))).toEqual([
      'Delta',
      'Echo',
      'Alpha',
      'Bravo',
      'Charlie',
    ])
  })

  it('a term that names only a field sorts ascending', async () => {
    expect(names(await owner.get(`${PATH}?order=name`))).toEqual(['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'])
  })

  it('"`nullsfirst` places records with a null value before others; `nullslast` places them after"', async () => {
    expect(names(await owner.get(`${PATH}?order=manufacturer.nullsfirst,name`))).toEqual([
      'Alpha',
      'Echo',
      'Charlie',
      'Bravo',
      'Delta',
    ])
    expect(names(await owner.get(`${PATH}?order=manufacturer.nullslast,name`))).toEqual([
      'Charlie',
      'Bravo',
      'Delta',
      'Alpha',
      'Echo',
    ])
    expect(names(await owner.get(`${PATH}?order=manufacturer.desc.nullsfirst,name`))).toEqual([
      'Alpha',
      'Echo',
      'Bravo',
      'Delta',
      'Charlie',
    ])
    expect(names(await owner.get(`${PATH}?order=manufacturer.desc.nullslast,name`))).toEqual([
      'Bravo',
      'Delta',
      'Charlie',
      'Alpha',
      'Echo',
    ])
  })

  it('sorts by any scalar field, counts included', async () => {
    const { body } = await owner.get(`/api/v1/locking-system?search=charlie`)
    await owner.create('/api/v1/cylinders', { locking_system_id: body.data[0].id, number: '1' })
    expect(names(await owner.get(`${PATH}?order=cylinder_count.desc&limit=1`))).toEqual(['Charlie'])
  })

  it.each(['select=name', 'search=a', 'name=eq.Alpha', 'offset=1'])(
    'offers page, limit and order only: %s is refused',
    async (query) => {
      const { status, body } = await owner.get(`${PATH}?${query}`)
      expect(status).toBe(400)
      expect(body.error.reason).toBe('param.unknown')
    },
  )

  it('a term outside the grammar is refused', async () => {
    const { status, body } = await owner.get(`${PATH}?order=name.sideways`)
    expect(status).toBe(400)
    expect(body.error.reason).toBe('order.syntax')
  })

  it('the path has no /api prefix, and takes nothing but reading', async () => {
    expect((await owner.get('/api/v1/core/locking-system')).status).toBe(404)
    const answer = await owner.post(PATH, { name: 'A' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toContain('GET')
  })

  it('items are those of /api/v1/locking-system', async () => {
    expect((await owner.get(PATH)).body.data).toEqual((await owner.get('/api/v1/locking-system')).body.data)
  })
})
