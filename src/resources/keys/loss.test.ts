import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/keys'
type Item = { id: string }

describe('a loss answers with what the key opens', () => {
  let estate: Estate
  let other: Estate
  let master: Item
  let single: Item
  let people: Item[]
  let opens: object
  let counter = 0
  const make = (type: Item) => owner.create(PATH, { key_type_id: type.id, number: `N${++counter}`, status: 'in_stock' })
  const hold = async (type: Item, person: Item | undefined) => {
    const key = await make(type)
    expect((await owner.post(`${PATH}/${key.id}/issue`, { individual_id: person?.id })).status).toBe(200)
    return key
  }

  beforeAll(async () => {
    estate = await makeEstate(owner, 'Campus')
    other = await makeEstate(owner, 'Elsewhere')
    const system = { locking_system_id: estate.system.id }
    master = await owner.create('/api/v1/key-types', { ...system, code: 'GHS' })
    single = await owner.create('/api/v1/key-types', { ...system, code: 'G1', parent_id: master.id })
    const cylinder = (number: string, more: object) => owner.create('/api/v1/cylinders', { ...system, number, ...more })
    const first = await cylinder('101', { status: 'installed', access_point_id: estate.door.id, label: 'Front' })
    const second = await cylinder('102', { status: 'installed', access_point_id: other.door.id })
    const twin = await cylinder('103', { status: 'defective', access_point_id: estate.door.id })
    const spare = await cylinder('104', { status: 'in_stock' })
    const retired = await cylinder('105', { status: 'retired' })
    const unopened = await cylinder('106', { status: 'installed', access_point_id: estate.door.id })
    expect(unopened.status).toBe('installed')
    const cell = (type: Item, { id }: Item) => ({ key_type_id: type.id, cylinder_id: id })
    const set = [...[first, second, twin, spare, retired].map((item) => cell(master, item)), cell(single, first)]
    expect((await owner.post(`/api/v1/locking-system/${estate.system.id}/plan/cells`, { set })).status).toBe(200)
    people = [
      await owner.create('/api/v1/individuals', { display_name: 'Ada' }),
      await owner.create('/api/v1/individuals', { display_name: 'Bob' }),
    ]
    opens = {
      cylinders: [
        { id: first.id, number: '101', label: 'Front' },
        { id: second.id, number: '102', label: null },
        { id: twin.id, number: '103', label: null },
      ],
      access_points: [
        { id: estate.door.id, name: 'Campus door' },
        { id: other.door.id, name: 'Elsewhere door' },
      ],
      spaces: [
        { id: estate.space.id, name: 'Campus office' },
        { id: other.space.id, name: 'Elsewhere office' },
      ],
    }
  })

  it.each(['report-lost', 'report-stolen'])(
    '%s: cylinders, access points, spaces, and how many people hold a key of that type',
    async (action) => {
      const lost = await hold(master, people[0])
      const kept = [await hold(master, people[1]), await hold(master, people[1])]
      await hold(single, people[0])
      const { status, body } = await owner.post(`${PATH}/${lost.id}/${action}`)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ id: lost.id, number: lost.number })
      expect(body.data.opens).toEqual(opens)
      expect(body.data.holders_of_same_type).toBe(1)
      for (const key of kept) await owner.post(`${PATH}/${key.id}/return`)
    },
  )

  it('a key opens what its own type opens, not what a type above or below it does', async () => {
    const lost = await make(single)
    const { data } = (await owner.post(`${PATH}/${lost.id}/report-lost`)).body
    expect(data.opens.cylinders.map((row: { number: string }) => row.number)).toEqual(['101'])
    expect(data.opens.access_points).toHaveLength(1)
    expect(data.opens.spaces).toHaveLength(1)
  })

  it('only a loss does', async () => {
    const key = await make(master)
    expect((await owner.post(`${PATH}/${key.id}/mark-defective`)).body.data).not.toHaveProperty('opens')
    expect((await owner.get(`${PATH}/${key.id}`)).body.data).not.toHaveProperty('opens')
  })

  it('the same can be asked before anything is lost', async () => {
    const key = await hold(master, people[0])
    const { status, body } = await owner.get(`${PATH}/${key.id}/opens`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ opens, holders_of_same_type: 1 })
    await owner.post(`${PATH}/${key.id}/return`)
    expect((await owner.get(`${PATH}/${key.id}/opens`)).body.data.holders_of_same_type).toBe(0)
  })

  it('what the caller may not read is null, and what lies outside the caller’s places is left out', async () => {
    const key = await make(master)
    const narrow = await memberWith(house, ['keys:read', 'spaces:read'])
    const seen = (await narrow.get(`${PATH}/${key.id}/opens`)).body.data.opens
    expect(seen).toMatchObject({ cylinders: null, access_points: null })
    expect(seen.spaces).toHaveLength(2)
    const porter = await house.member('Operator', { building_id: estate.building.id })
    const lost = (await porter.post(`${PATH}/${key.id}/report-lost`)).body.data.opens
    expect(lost.cylinders).toHaveLength(3)
    expect(lost.access_points).toEqual([{ id: estate.door.id, name: 'Campus door' }])
    expect(lost.spaces).toEqual([{ id: estate.space.id, name: 'Campus office' }])
  })
})
