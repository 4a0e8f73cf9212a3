import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
const PATH = '/api/v1/key-handovers'
type Item = { id: string }
let estate: Estate
let other: Estate
let ada: Item
let entries: Item[]

beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
  ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  for (const { system } of [estate, other]) {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code: 'A' })
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
    await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id: ada.id, due_back_on: '2027-07-01' })
    house.clock.forward(1000)
  }
  entries = (await owner.get(PATH)).body.data
})

describe('the register of key handovers', () => {
  it('is listed, filtered and read', async () => {
    expect(entries).toHaveLength(2)
    const held = await owner.get(
      `${PATH}?individual_id=eq.${ada.id}&outcome=eq.held&due_back_on=lt.2027-08-01&order=issued_at.desc`,
    )
    expect(held.body.data.map((row: Item) => row.id)).toEqual([entries[1]?.id, entries[0]?.id])
    expect(held.body.meta.pagination).toEqual({ limit: 10, page: 1, pages: 1, total: 2 })
    const one = await owner.get(`${PATH}/${entries[0]?.id}`)
    expect(one.status).toBe(200)
    expect(one.headers.etag).toBe('"1"')
    expect(one.body.data).toEqual(entries[0])
  })

  it('is written by issuing keys, once by a key of one’s own, and not changed by hand', async () => {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: other.system.id, code: 'R' })
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '9', status: 'in_stock' })
    const body = { key_id: key.id, individual_id: ada.id, purpose: 'Rounds', issued_at: '2027-01-04T08:00:00Z' }
    const put = (more: object) => owner.request('PUT', `${PATH}/by-external-id/form-9`, { ...body, ...more })
    const made = await put({})
    expect([made.status, made.body.msg, made.body.data.outcome]).toEqual([201, 'Issued key 9', 'held'])
    expect((await owner.get(`/api/v1/keys/${key.id}`)).body.data).toMatchObject({
      status: 'issued',
      individual_id: ada.id,
    })
    expect((await put({})).body).toMatchObject({ msg: 'Nothing to change in key handover', data: made.body.data })
    expect((await put({ purpose: 'Other' })).body.error).toMatchObject({ reason: 'body.fixed' })
    expect((await owner.post(PATH, body)).body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'key.transition' })
    expect((await owner.post(PATH, { ...body, key_id: randomUUID() })).body.error.details[0].path).toBe('key_id')
    await owner.post(`/api/v1/keys/${key.id}/return`)
    expect((await put({})).body.data.outcome).toBe('returned')
    expect((await owner.patch(`${PATH}/${entries[0]?.id}`, { purpose: 'X' })).status).toBe(405)
    expect((await owner.delete(`${PATH}/${entries[0]?.id}`)).status).toBe(405)
  })

  it('refuses what it does not know', async () => {
    expect((await owner.get(`${PATH}?holder=eq.Ada`)).status).toBe(400)
  })

  it('needs a credential, and the permission to see keys', async () => {
    const stranger = await memberWith(house, ['individuals:read'])
    for (const url of [PATH, `${PATH}/${entries[0]?.id}`]) {
      expect((await anonymous.get(url)).status).toBe(401)
      expect((await stranger.get(url)).status).toBe(403)
    }
  })

  it('shows the handovers of keys in the caller’s places, and no others', async () => {
    const porter = await house.member('Operator', { building_id: estate.building.id })
    expect((await porter.get(PATH)).body.data.map((row: Item) => row.id)).toEqual([entries[0]?.id])
    expect((await porter.get(`${PATH}/${entries[0]?.id}`)).status).toBe(200)
    expect((await porter.get(`${PATH}/${entries[1]?.id}`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${randomUUID()}`)).status).toBe(404)
  })
})
