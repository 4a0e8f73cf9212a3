import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/key-types'
let estate: Estate
let other: Estate
let counter = 0
const make = (more: object = {}) =>
  owner.create(PATH, { locking_system_id: estate.system.id, code: `T${++counter}`, ...more })
beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
})

describe('key types', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { locking_system_id: estate.system.id, code: 'GHS', name: 'Générale' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      code: 'GHS',
      name: 'Générale',
      parent_id: null,
      key_count: 0,
      keys_issued_count: 0,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=generale`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { name: null })).body.data).toMatchObject({ name: null, version: 2 })
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('have a code that is theirs alone within the locking system', async () => {
    const body = { locking_system_id: estate.system.id, code: 'twice' }
    expect((await owner.post(PATH, body)).status).toBe(201)
    expect((await owner.post(PATH, body)).status).toBe(409)
    expect((await owner.post(PATH, { ...body, locking_system_id: other.system.id })).status).toBe(201)
  })

  it('stand below a type of the same locking system only', async () => {
    const foreign = await owner.create(PATH, { locking_system_id: other.system.id, code: 'F' })
    const answer = await owner.post(PATH, { locking_system_id: estate.system.id, code: 'below', parent_id: foreign.id })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe('key_type.other_system')
    const { id } = await make()
    expect((await owner.patch(`${PATH}/${id}`, { parent_id: foreign.id })).body.error.reason).toBe(
      'key_type.other_system',
    )
    expect((await owner.patch(`${PATH}/${id}`, { locking_system_id: other.system.id })).status).toBe(400)
  })

  it('never stand below themselves, directly or by a chain', async () => {
    const top = await make()
    const middle = await make({ parent_id: top.id })
    const bottom = await make({ parent_id: middle.id })
    for (const parent of [top, middle, bottom]) {
      const answer = await owner.patch(`${PATH}/${top.id}`, { parent_id: parent.id })
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe('reference.cycle')
    }
    expect((await owner.patch(`${PATH}/${bottom.id}`, { parent_id: top.id })).status).toBe(200)
  })

  it('with copies, or with types below them, are not deleted', async () => {
    const top = await make()
    await make({ parent_id: top.id })
    await owner.create('/api/v1/keys', { key_type_id: top.id, number: '1' })
    const answer = await owner.delete(`${PATH}/${top.id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.msg).toContain('1 key (key_type_id)')
    expect(answer.body.msg).toContain('1 key type (parent_id)')
    expect((await owner.get(`${PATH}/${top.id}`)).body.data.key_count).toBe(1)
  })

  it.each([
    ['no locking system', { code: 'A' }],
    ['no code', {}],
    ['an empty code', { code: '' }],
    ['a parent that does not exist', { code: 'A', parent_id: '01997d2a-4c00-7000-8000-00000000dead' }],
  ])('with %s are refused', async (what, body) => {
    const own = what === 'no locking system' ? {} : { locking_system_id: estate.system.id }
    expect((await owner.post(PATH, { ...body, ...own })).status).toBe(400)
  })

  it('need a credential, and the permission', async () => {
    const path = `${PATH}/${(await make()).id}`
    const auditor = await house.member('Auditor')
    const stranger = await memberWith(house, ['keys:read'])
    const body = { locking_system_id: estate.system.id, code: 'X' }
    expect((await anonymous.get(PATH)).status).toBe(401)
    expect((await anonymous.post(PATH, body)).status).toBe(401)
    expect((await stranger.get(PATH)).status).toBe(403)
    expect((await auditor.post(PATH, body)).status).toBe(403)
    expect((await auditor.patch(path, { name: 'X' })).status).toBe(403)
    expect((await auditor.delete(path)).status).toBe(403)
  })

  it('of a locking system outside the caller’s places do not exist', async () => {
    const { id } = await make()
    const janitor = await house.member('Facility manager', { location_id: other.location.id })
    expect((await janitor.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await janitor.patch(`${PATH}/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await janitor.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${randomUUID()}`)).status).toBe(404)
    const { body } = await janitor.get(`${PATH}?limit=100`)
    expect(new Set(body.data.map((row: { locking_system_id: string }) => row.locking_system_id))).toEqual(
      new Set([other.system.id]),
    )
    expect((await janitor.post(PATH, { locking_system_id: estate.system.id, code: 'foreign' })).status).toBe(400)
  })
})
