import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/keys'
type Item = { id: string }
let estate: Estate
let other: Estate
let type: Item
let foreignType: Item
let ada: Item
let counter = 0
const make = (more: object = {}) =>
  owner.create(PATH, { key_type_id: type.id, number: `N${++counter}`, status: 'in_stock', ...more })
const issued = async (more: object = {}) => {
  const key = await make()
  const answer = await owner.post(`${PATH}/${key.id}/issue`, { individual_id: ada.id, ...more })
  expect(answer.status).toBe(200)
  return answer.body.data
}
beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
  type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'G1.2', name: 'Büro' })
  foreignType = await owner.create('/api/v1/key-types', { locking_system_id: other.system.id, code: 'F' })
  ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
})

describe('keys', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { key_type_id: type.id, number: '7', storage: 'Safe 1' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      status: 'ordered',
      individual_id: null,
      due_back_on: null,
      storage: 'Safe 1',
      status_since: house.clock.now(),
      status_note: null,
      key_type_code: 'G1.2',
      locking_system_id: estate.system.id,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.patch(path, { storage: 'Safe 2' })).body.data).toMatchObject({ storage: 'Safe 2', version: 2 })
    expect((await owner.get(`${PATH}?search=safe%202`)).body.data).toHaveLength(1)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('are found by the code of their type and their number together, and by their locking system', async () => {
    const key = await make({ number: 'fit-42' })
    const other = await make({ number: 'other', key_type_id: foreignType.id })
    const { body } = await owner.get(`${PATH}?search=${encodeURIComponent('g1.2 fit-42')}`)
    expect(body.data.map((row: Item) => row.id)).toEqual([key.id])
    expect((await owner.get(`${PATH}?search=${encodeURIComponent('f% fit-42')}`)).body.data).toEqual([])
    const ofSystem = await owner.get(`${PATH}?locking_system_id=eq.${other.locking_system_id}`)
    expect(ofSystem.body.data.map((row: Item) => row.id)).toEqual([other.id])
  })

  it('have a number that is theirs alone among the copies of their type', async () => {
    const body = { key_type_id: type.id, number: 'twice' }
    expect((await owner.post(PATH, body)).status).toBe(201)
    expect((await owner.post(PATH, body)).status).toBe(409)
    expect((await owner.post(PATH, { ...body, key_type_id: foreignType.id })).status).toBe(201)
  })

  it.each(['issued', 'lost', 'stolen', 'defective', 'written_off', 'destroyed'])(
    'do not begin as %s',
    async (status) => {
      const answer = await owner.post(PATH, { key_type_id: type.id, number: `S${status}`, status })
      expect(answer.status).toBe(400)
      expect(answer.body.msg).toContain('status must be one of ordered, in_stock; got ')
    },
  )

  it.each([
    ['status', 'lost'],
    ['individual_id', '01997d2a-4c00-7000-8000-00000000dead'],
    ['status_since', '2027-01-01T00:00:00Z'],
    ['status_note', 'x'],
    ['locking_system_id', '01997d2a-4c00-7000-8000-00000000dead'],
  ])('never have their %s set by a change', async (field, value) => {
    const { id } = await make()
    expect((await owner.patch(`${PATH}/${id}`, { [field]: value })).status).toBe(400)
  })

  it('may be corrected to another type of the same locking system, and no other', async () => {
    const { id } = await make()
    const second = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'G1.3' })
    expect((await owner.patch(`${PATH}/${id}`, { key_type_id: second.id })).body.data.key_type_id).toBe(second.id)
    const answer = await owner.patch(`${PATH}/${id}`, { key_type_id: foreignType.id })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('key.other_system')
  })

  it('are due back only while somebody holds them, and the register follows when the day is moved', async () => {
    const { id } = await make()
    expect((await owner.patch(`${PATH}/${id}`, { due_back_on: '2027-12-31' })).body.error.reason).toBe('key.not_issued')
    expect((await owner.post(PATH, { key_type_id: type.id, number: 'due', due_back_on: '2027-12-31' })).status).toBe(
      400,
    )
    const held = await issued({ due_back_on: '2027-07-01' })
    expect((await owner.patch(`${PATH}/${held.id}`, { due_back_on: '2027-08-01' })).body.data.due_back_on).toBe(
      '2027-08-01',
    )
    const register = await owner.get(`/api/v1/key-handovers?key_id=eq.${held.id}`)
    expect(register.body.data).toMatchObject([{ due_back_on: '2027-08-01', outcome: 'held' }])
  })

  it('that were ever handed over are not deleted: the register outlives them', async () => {
    const { id } = await issued()
    await owner.post(`${PATH}/${id}/return`)
    const answer = await owner.delete(`${PATH}/${id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.msg).toContain('1 key handover')
  })

  it('keep their holder from being deleted', async () => {
    const person = await owner.create('/api/v1/individuals', { display_name: 'Holder' })
    await issued({ individual_id: person.id })
    expect((await owner.delete(`/api/v1/individuals/${person.id}`)).status).toBe(409)
  })

  it('need a credential, and the permission', async () => {
    const path = `${PATH}/${(await make()).id}`
    const auditor = await house.member('Auditor')
    const stranger = await memberWith(house, ['key-types:read'])
    const body = { key_type_id: type.id, number: 'X' }
    for (const url of [PATH, path, `${path}/opens`]) {
      expect((await anonymous.get(url)).status).toBe(401)
      expect((await stranger.get(url)).status).toBe(403)
    }
    expect((await auditor.post(PATH, body)).status).toBe(403)
    expect((await auditor.patch(path, { storage: 'X' })).status).toBe(403)
    expect((await auditor.delete(path)).status).toBe(403)
  })

  it('of a locking system outside the caller’s places do not exist', async () => {
    const { id } = await make()
    const own = await make({ key_type_id: foreignType.id })
    const janitor = await house.member('Facility manager', { location_id: other.location.id })
    for (const url of [
      `${PATH}/${id}`,
      `${PATH}/${id}/opens`,
      `${PATH}/${randomUUID()}`,
      `${PATH}/${randomUUID()}/opens`,
      `${PATH}/7`,
    ])
      expect((await janitor.get(url)).status).toBe(404)
    expect((await janitor.patch(`${PATH}/${id}`, { storage: 'Mine' })).status).toBe(404)
    expect((await janitor.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await janitor.get(`${PATH}/${own.id}`)).status).toBe(200)
    expect((await janitor.post(PATH, { key_type_id: type.id, number: 'foreign' })).status).toBe(400)
    const { body } = await janitor.get(`${PATH}?limit=100`)
    expect(new Set(body.data.map((row: { locking_system_id: string }) => row.locking_system_id))).toEqual(
      new Set([other.system.id]),
    )
  })
})
