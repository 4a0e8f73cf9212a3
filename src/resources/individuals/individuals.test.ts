import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/individuals'

describe('individuals', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { given_name: 'Zoë', family_name: 'Müller', email: 'zoe@example.com' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      display_name: 'Zoë Müller',
      kind: 'employee',
      status: 'active',
      valid_from: null,
      manager_id: null,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=zoe%20muller`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { department: 'Research' })).body.data).toMatchObject({ department: 'Research', version: 2 })
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })
})
