import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
type Item = { id: string }

describe('the locking plan', () => {
  let estate: Estate
  let other: Estate
  let plan: string
  let types: Record<string, Item>
  let cylinders: Record<string, Item>
  let foreignType: Item
  let foreignCylinder: Item
  const cell = (type: Item | undefined, cylinder: Item | undefined) => ({
    key_type_id: type?.id ?? '',
    cylinder_id: cylinder?.id ?? '',
  })
  const cellsOf = async () => (await owner.get(plan)).body.data.cells

  beforeAll(async () => {
    estate = await makeEstate(owner, 'Campus')
    other = await makeEstate(owner, 'Elsewhere')
    plan = `/api/v1/locking-system/${estate.system.id}/plan`
    const system = { locking_system_id: estate.system.id }
    const top = await owner.create('/api/v1/key-types', { ...system, code: 'GHS', name: 'General' })
    types = { top, one: await owner.create('/api/v1/key-types', { ...system, code: 'G1', parent_id: top.id }) }
    cylinders = {
      b: await owner.create('/api/v1/cylinders', { ...system, number: '102', label: 'Cellar' }),
      a: await owner.create('/api/v1/cylinders', {
        ...system,
        number: '101',
        status: 'installed',
        access_point_id: estate.door.id,
      }),
    }
    foreignType = await owner.create('/api/v1/key-types', { locking_system_id: other.system.id, code: 'GHS' })
    foreignCylinder = await owner.create('/api/v1/cylinders', { locking_system_id: other.system.id, number: '101' })
  })

  it('of a new system has its key types and cylinders, and no cells', async () => {
    const answer = await owner.get(plan)
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.body.data).toEqual({
      locking_system_id: estate.system.id,
      key_types: [
        { id: types.one?.id, code: 'G1', name: null, parent_id: types.top?.id },
        { id: types.top?.id, code: 'GHS', name: 'General', parent_id: null },
      ],
      cylinders: [
        { id: cylinders.a?.id, number: '101', label: null, status: 'installed', access_point_id: estate.door.id },
        { id: cylinders.b?.id, number: '102', label: 'Cellar', status: 'ordered', access_point_id: null },
      ],
      cells: [],
    })
  })

  it('cells are set and cleared in one change, and those already so are left alone', async () => {
    const { top, one } = types
    const { a, b } = cylinders
    const first = await owner.post(`${plan}/cells`, { set: [cell(top, b), cell(top, a), cell(one, a), cell(one, a)] })
    expect(first.status).toBe(200)
    expect(first.body.data).toEqual({ set: 3, cleared: 0 })
    expect(await cellsOf()).toEqual([cell(one, a), cell(top, a), cell(top, b)])

    const second = await owner.post(`${plan}/cells`, { set: [cell(one, b), cell(top, a)], clear: [cell(one, a)] })
    expect(second.body.data).toEqual({ set: 1, cleared: 1 })
    expect(await cellsOf()).toEqual([cell(one, b), cell(top, a), cell(top, b)])

    const again = await owner.post(`${plan}/cells`, { set: [cell(one, b)], clear: [cell(one, a)] })
    expect(again.status).toBe(200)
    expect(again.body.data).toEqual({ set: 0, cleared: 0 })
  })

  it('ids are taken in any letter case', async () => {
    const upper = { key_type_id: types.top?.id.toUpperCase(), cylinder_id: cylinders.a?.id.toUpperCase() }
    expect((await owner.post(`${plan}/cells`, { set: [upper] })).body.data).toEqual({ set: 0, cleared: 0 })
  })

  it('has no cells of another system’s key types or cylinders, and a refused change changes nothing', async () => {
    const before = await cellsOf()
    const good = cell(types.one, cylinders.a)
    for (const bad of [
      cell(foreignType, cylinders.a),
      cell(types.top, foreignCylinder),
      cell({ id: randomUUID() }, cylinders.a),
    ]) {
      const answer = await owner.post(`${plan}/cells`, { set: [good, bad] })
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe('reference.not_found')
      expect(answer.body.error.details[0].path).toMatch(/^set\[1\]\./)
    }
    expect(await cellsOf()).toEqual(before)
  })

  it('the same cell is not both set and cleared', async () => {
    const same = [cell(types.top, cylinders.a)]
    const answer = await owner.post(`${plan}/cells`, { set: same, clear: same })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('plan.contradiction')
  })

  it.each([
    ['nothing', {}],
    ['an unknown field', { set: [], cells: [] }],
    ['half a cell', { set: [{ key_type_id: '01997d2a-4c00-7000-8000-000000000001' }] }],
    ['an id that is none', { set: [{ key_type_id: 'GHS', cylinder_id: '101' }] }],
  ])('a change with %s is refused', async (_what, body) => {
    expect((await owner.post(`${plan}/cells`, body)).status).toBe(400)
  })

  it('a repeated request with the same Idempotency-Key answers the same', async () => {
    const body = { set: [cell(types.one, cylinders.a)] }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await owner.post(`${plan}/cells`, body, headers)
    expect(first.body.data).toEqual({ set: 1, cleared: 0 })
    expect((await owner.post(`${plan}/cells`, body, headers)).body).toEqual(first.body)
  })

  it('loses the cells of a cylinder that is deleted', async () => {
    const gone = await owner.create('/api/v1/cylinders', { locking_system_id: estate.system.id, number: '199' })
    await owner.post(`${plan}/cells`, { set: [cell(types.top, gone)] })
    const before = (await cellsOf()).length
    expect((await owner.delete(`/api/v1/cylinders/${gone.id}`)).status).toBe(200)
    expect((await cellsOf()).length).toBe(before - 1)
  })

  it('of a whole matrix is set, and cleared, at once', async () => {
    const big = await owner.create('/api/v1/locking-system', { name: 'Big' })
    const typesOfBig: Item[] = []
    const cylindersOfBig: Item[] = []
    for (let i = 0; i < 20; i++) {
      typesOfBig.push(await owner.create('/api/v1/key-types', { locking_system_id: big.id, code: `T${i}` }))
      cylindersOfBig.push(await owner.create('/api/v1/cylinders', { locking_system_id: big.id, number: `${i}` }))
    }
    const all = typesOfBig.flatMap((type) => cylindersOfBig.map((cylinder) => cell(type, cylinder)))
    expect((await owner.post(`/api/v1/locking-system/${big.id}/plan/cells`, { set: all })).body.data).toEqual({
      set: 400,
      cleared: 0,
    })
    expect((await owner.post(`/api/v1/locking-system/${big.id}/plan/cells`, { clear: all })).body.data).toEqual({
      set: 0,
      cleared: 400,
    })
  })

  it('needs a credential and the permission of key types', async () => {
    const auditor = await house.member('Auditor')
    const stranger = await memberWith(house, ['locking-system:read', 'locking-system:write'])
    const body = { set: [cell(types.top, cylinders.a)] }
    expect((await anonymous.get(plan)).status).toBe(401)
    expect((await anonymous.post(`${plan}/cells`, body)).status).toBe(401)
    expect((await stranger.get(plan)).status).toBe(403)
    expect((await auditor.get(plan)).status).toBe(200)
    expect((await auditor.post(`${plan}/cells`, body)).status).toBe(403)
  })

  it('of an unknown system, or one outside the caller’s places, does not exist', async () => {
    const janitor = await house.member('Facility manager', { building_id: other.building.id })
    const unknown = `/api/v1/locking-system/${randomUUID()}/plan`
    const body = { set: [cell(types.top, cylinders.a)] }
    expect((await owner.get(unknown)).status).toBe(404)
    expect((await owner.post(`${unknown}/cells`, body)).status).toBe(404)
    expect((await janitor.get(plan)).status).toBe(404)
    expect((await janitor.post(`${plan}/cells`, body)).status).toBe(404)
  })
})
