import { describe, expect, it } from 'vitest'
import { allResources } from '../../src/all-resources.ts'
import { miscounts, recount } from '../../src/db/along/tallies.ts'
import { tallied } from '../../src/db/along/tally-triggers.ts'
import { tables } from '../../src/db/tables.ts'
import { startHouse } from '../support/app.ts'
import { populate } from '../support/population.ts'

const house = await startHouse()
const { engine, owner } = house

const totalOf = async (path: string): Promise<number> => {
  const { pagination } = (await owner.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).body.meta
  return pagination.total_items ?? pagination.total
}

/** The same sequence at every run: what fails can be looked at again. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

describe('what is counted as rows come and go', () => {
  it('is right after a random history of creations, changes, refusals, dry runs and deletions', async () => {
    const ids = await populate(house, owner, 'First')
    await populate(house, owner, 'Second')
    const roll = dice(7)
    const people: string[] = []
    const statuses = ['invited', 'active']
    for (let step = 0; step < 120; step++) {
      const some = people[roll(people.length)]
      const choice = roll(6)
      if (choice < 2)
        people.push(
          (await owner.create('/api/v1/individuals', { display_name: `P${step}`, status: statuses[roll(2)] }))
            .id as string,
        )
      else if (choice === 2 && some)
        await owner.patch(`/api/v1/individuals/${some}`, { kind: ['employee', 'visitor', 'contractor'][roll(3)] })
      else if (choice === 3 && some)
        await owner.post(`/api/v1/individuals/${some}/${['suspend', 'activate'][roll(2)]}`, {})
      else if (choice === 4 && some) await owner.delete(`/api/v1/individuals/${some}`)
      else await owner.post('/api/v1/individuals?dry_run=true', { display_name: 'Never' })
    }
    await owner.delete(`/api/v1/cylinders/${ids.cylinders}`)
    expect(await miscounts(engine.reader)).toEqual([])
    const active = (await owner.get('/api/v1/individuals?limit=100&status=eq.active')).body.data.length
    expect(await totalOf('/api/v1/individuals?status=eq.active')).toBe(active)
  })

  it('is the total of a list at once, after the row that came and after the one that went', async () => {
    const before = await totalOf('/api/v1/locations')
    const { id } = await owner.create('/api/v1/locations', { name: 'One more' })
    expect(await totalOf('/api/v1/locations')).toBe(before + 1)
    await owner.delete(`/api/v1/locations/${id}`)
    expect(await totalOf('/api/v1/locations')).toBe(before)
  })

  it('is told where it is wrong, and counted anew', async () => {
    await engine.transaction((session) => session.run(`update tallies set count = count + 5 where name = 'spaces'`, []))
    const [found] = await miscounts(engine.reader)
    expect(found).toMatchObject({ name: 'spaces', value: '' })
    expect((found?.kept ?? 0) - (found?.counted ?? 0)).toBe(5)
    await recount(engine)
    expect(await miscounts(engine.reader)).toEqual([])
  })

  it('is told where a door is not said to stand in the building of its space, and put right', async () => {
    await engine.transaction((session) => session.run('update access_points set building_id = null', []))
    const [found] = await miscounts(engine.reader)
    expect(found).toMatchObject({ name: 'access_points.building_id', kept: 0 })
    await recount(engine)
    expect(await miscounts(engine.reader)).toEqual([])
  })

  it('is every table that a list of the API is about, unless it is written past change()', () => {
    const listed = allResources.filter(
      ({ table, isVolatile }) => table in tables && !isVolatile && !tables[table]?.isLive,
    )
    expect(listed.filter(({ table }) => !tallied.has(table))).toEqual([])
  })
})
