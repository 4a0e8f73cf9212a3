import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/cylinders'
let estate: Estate
let other: Estate
let counter = 0
const make = (more: object = {}) =>
  owner.create(PATH, { locking_system_id: estate.system.id, number: `N${++counter}`, ...more })
beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
})

describe('cylinders', () => {
  it('are created, read, found, changed and deleted', async () => {
    const body = { locking_system_id: estate.system.id, number: '101', label: 'Küche', outside_mm: 32.5, inside_mm: 40 }
    const made = await owner.post(PATH, body)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      ...body,
      type: 'double',
      status: 'ordered',
      access_point_id: null,
      installed_at: null,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=kuche%20101`)).body.data).toHaveLength(1)
    expect(
      (await owner.get(`${PATH}?locking_system_id=eq.${estate.system.id}&outside_mm=gt.32&type=eq.double`)).body.data,
    ).toHaveLength(1)
    expect((await owner.patch(path, { type: 'knob' })).body.data).toMatchObject({ type: 'knob', version: 2 })
    expect((await owner.delete(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('have a number that is theirs alone within the locking system', async () => {
    const body = { locking_system_id: estate.system.id, number: 'twice' }
    expect((await owner.post(PATH, body)).status).toBe(201)
    const again = await owner.post(PATH, body)
    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({ code: 'CONFLICT', reason: 'not_unique' })
    expect(again.body.msg).toBe('locking_system_id and number together are already taken by the cylinder "twice"')
    expect((await owner.post(PATH, { ...body, locking_system_id: other.system.id })).status).toBe(201)
  })

  it('have an external_id that is theirs alone', async () => {
    await make({ external_id: 'mine' })
    const again = await owner.post(PATH, {
      locking_system_id: estate.system.id,
      number: `N${++counter}`,
      external_id: 'mine',
    })
    expect(again.status).toBe(409)
    expect(again.body.msg).toBe('external_id is already taken by the cylinder "N1"')
    expect(again.body.error.details).toMatchObject([{ path: 'external_id', rule: 'not_unique' }])
  })

  it('are installed in one change, now unless another moment is given', async () => {
    const path = `${PATH}/${(await make({ status: 'in_stock' })).id}`
    const installed = await owner.patch(path, { status: 'installed', access_point_id: estate.door.id })
    expect(installed.status).toBe(200)
    expect(installed.body.data).toMatchObject({
      status: 'installed',
      access_point_id: estate.door.id,
      installed_at: house.clock.now(),
    })
    const moment = '2020-01-01T08:00:00.000Z'
    const dated = await make({
      status: 'installed',
      access_point_id: estate.door.id,
      installed_at: '2020-01-01T09:00:00+01:00',
    })
    expect(dated.installed_at).toBe(moment)
    expect((await owner.patch(`${PATH}/${dated.id}`, { label: 'same door' })).body.data.installed_at).toBe(moment)
  })

  it('moved to another access point are installed anew', async () => {
    const second = await owner.create('/api/v1/access-points', { name: 'Second', space_id: estate.space.id })
    const installed_at = '2020-01-01T08:00:00.000Z'
    const { id } = await make({ status: 'installed', access_point_id: estate.door.id, installed_at })
    expect((await owner.patch(`${PATH}/${id}`, { access_point_id: second.id })).body.data.installed_at).toBe(
      house.clock.now(),
    )
  })

  it('taken out are nowhere, since no time', async () => {
    const { id } = await make({ status: 'installed', access_point_id: estate.door.id })
    const out = await owner.patch(`${PATH}/${id}`, { status: 'in_stock', access_point_id: null })
    expect(out.body.data).toMatchObject({ status: 'in_stock', access_point_id: null, installed_at: null })
  })

  it('that are defective may still be in their door', async () => {
    const { id, installed_at } = await make({ status: 'installed', access_point_id: estate.door.id })
    const broken = await owner.patch(`${PATH}/${id}`, { status: 'defective' })
    expect(broken.body.data).toMatchObject({ status: 'defective', access_point_id: estate.door.id, installed_at })
  })

  it.each([
    ['installed without an access point', { status: 'installed' }, 'cylinder.no_access_point'],
    ['in stock and in an access point', { status: 'in_stock', access_point_id: 'door' }, 'cylinder.not_installed'],
    ['ordered (as by default) and in an access point', { access_point_id: 'door' }, 'cylinder.not_installed'],
    ['retired and in an access point', { status: 'retired', access_point_id: 'door' }, 'cylinder.not_installed'],
    [
      'in stock with a moment of installation',
      { status: 'in_stock', installed_at: '2020-01-01T08:00:00Z' },
      'cylinder.not_installed',
    ],
    ['of no access point that exists', { status: 'installed', access_point_id: randomUUID() }, 'reference.not_found'],
  ])('are not %s', async (_what, wanted: Record<string, string>, reason) => {
    const body = { ...wanted, ...(wanted.access_point_id === 'door' ? { access_point_id: estate.door.id } : {}) }
    const created = await owner.post(PATH, { locking_system_id: estate.system.id, number: `N${++counter}`, ...body })
    expect(created.status).toBe(400)
    expect(created.body.error.reason).toBe(reason)
    const { id } = await make()
    const patched = await owner.patch(`${PATH}/${id}`, body)
    expect(patched.status).toBe(400)
    expect(patched.body.error.reason).toBe(reason)
  })

  it('leaving their door by status alone, or by access point alone, is refused with a sentence that says how', async () => {
    const { id } = await make({ status: 'installed', access_point_id: estate.door.id })
    const byStatus = await owner.patch(`${PATH}/${id}`, { status: 'in_stock' })
    expect(byStatus.status).toBe(400)
    expect(byStatus.body.msg).toContain('access_point_id to null')
    expect((await owner.patch(`${PATH}/${id}`, { access_point_id: null })).status).toBe(400)
  })

  it('stay in their locking system', async () => {
    const { id } = await make()
    expect((await owner.patch(`${PATH}/${id}`, { locking_system_id: other.system.id })).status).toBe(400)
  })

  it.each([
    ['no locking system', { number: '1' }],
    ['no number', { locking_system_id: 'own' }],
    ['an empty number', { locking_system_id: 'own', number: '' }],
    ['an unknown type', { locking_system_id: 'own', number: '1', type: 'round' }],
    ['a negative length', { locking_system_id: 'own', number: '1', outside_mm: -1 }],
    [
      'a locking system that does not exist',
      { locking_system_id: '01997d2a-4c00-7000-8000-00000000dead', number: '1' },
    ],
  ])('with %s are refused', async (_what, body: Record<string, unknown>) => {
    const own = body.locking_system_id === 'own' ? { locking_system_id: estate.system.id } : {}
    expect((await owner.post(PATH, { ...body, ...own })).status).toBe(400)
  })

  it('keep their access point from being deleted', async () => {
    const door = await owner.create('/api/v1/access-points', { name: 'Kept', space_id: estate.space.id })
    await make({ status: 'installed', access_point_id: door.id })
    const answer = await owner.delete(`/api/v1/access-points/${door.id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.msg).toContain('1 cylinder')
  })

  it('need a credential, and the permission', async () => {
    const path = `${PATH}/${(await make()).id}`
    const auditor = await house.member('Auditor')
    const stranger = await memberWith(house, ['locking-system:read'])
    const body = { locking_system_id: estate.system.id, number: 'X' }
    expect((await anonymous.get(PATH)).status).toBe(401)
    expect((await anonymous.post(PATH, body)).status).toBe(401)
    expect((await stranger.get(PATH)).status).toBe(403)
    expect((await stranger.get(path)).status).toBe(403)
    expect((await auditor.post(PATH, body)).status).toBe(403)
    expect((await auditor.patch(path, { label: 'X' })).status).toBe(403)
    expect((await auditor.delete(path)).status).toBe(403)
  })

  it('are seen through their locking system or their access point, and by nobody else', async () => {
    const travelling = await make({ status: 'installed', access_point_id: other.door.id })
    const staying = await make()
    const bySystem = await house.member('Facility manager', { building_id: estate.building.id })
    const byDoor = await house.member('Facility manager', { location_id: other.location.id })
    const empty = await owner.create('/api/v1/locations', { name: 'Empty' })
    const nobody = await house.member('Facility manager', { location_id: empty.id })
    expect((await bySystem.get(`${PATH}/${travelling.id}`)).status).toBe(200)
    expect((await byDoor.get(`${PATH}/${travelling.id}`)).status).toBe(200)
    expect((await byDoor.get(`${PATH}/${staying.id}`)).status).toBe(404)
    expect((await byDoor.patch(`${PATH}/${staying.id}`, { label: 'Mine' })).status).toBe(404)
    // What is in a door of theirs is seen there and not changed: its locking system lies elsewhere.
    expect((await byDoor.patch(`${PATH}/${travelling.id}`, { label: 'Mine' })).status).toBe(403)
    expect((await byDoor.delete(`${PATH}/${travelling.id}`)).status).toBe(403)
    expect((await byDoor.delete(`${PATH}/${staying.id}`)).status).toBe(404)
    expect((await nobody.get(PATH)).body.meta.pagination.total).toBe(0)
    expect((await owner.get(`${PATH}/${randomUUID()}`)).status).toBe(404)
    const foreign = await byDoor.post(PATH, { locking_system_id: estate.system.id, number: 'foreign' })
    expect([foreign.status, foreign.body.error.reason]).toEqual([403, 'insufficient_permissions'])
    const unknown = await nobody.post(PATH, { locking_system_id: estate.system.id, number: 'foreign' })
    expect(unknown.body.error.reason).toBe('reference.not_found')
  })
})
