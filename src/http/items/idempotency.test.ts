import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { roleId } from '../../../test/support/people.ts'

const house = await startHouse()
const { owner } = house
const admin = house.loggedIn(owner.token)

let serviceUserId: string
/** Another token of the same service user. */
const tokenOf = async (more: object = {}): Promise<Client> => {
  const made = await admin.create(`/api/v1/service-users/${serviceUserId}/tokens`, {
    name: 'x',
    expires_at: '2027-12-31',
    ...more,
  })
  return house.client(made.value)
}
const give = async (role: string, place: object = {}): Promise<string> =>
  (
    await admin.create('/api/v1/role-assignments', {
      role_id: await roleId(house, role),
      service_user_id: serviceUserId,
      ...place,
    })
  ).id

beforeAll(async () => {
  serviceUserId = (await admin.create('/api/v1/service-users', { name: 'Twice' })).id
})

describe('a repeated request', () => {
  const send = (by: Client, key: string, name = key) =>
    by.post('/api/v1/locations', { name }, { 'idempotency-key': key })

  it('is answered as before to the credential that sent it, and is another one of another credential', async () => {
    await give('Integration')
    const [wide, narrow] = [await tokenOf(), await tokenOf({ permissions: ['locations:write'] })]
    const key = randomUUID()
    const first = await send(wide, key)
    expect(first.status).toBe(201)
    expect((await send(wide, key)).text).toBe(first.text)
    const other = await send(narrow, key)
    expect(other.status).toBe(201)
    expect(other.body.data.id).not.toBe(first.body.data.id)
    expect((await send(narrow, key)).text).toBe(other.text)
  })

  it('is not answered to whoever holds less by now, and is done once all the same', async () => {
    const extra = await give('Auditor')
    const client = await tokenOf()
    const key = randomUUID()
    const first = await send(client, key)
    expect((await send(client, key)).text).toBe(first.text)
    await owner.delete(`/api/v1/role-assignments/${extra}`)
    const again = await send(client, key)
    expect([again.status, again.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(again.text).not.toContain(first.body.data.id)
    expect((await owner.get(`/api/v1/locations?name=eq.${key}`)).body.data).toHaveLength(1)
    // Whoever may do more than then is told what was done.
    const later = randomUUID()
    const made = await send(client, later)
    await give('Operator')
    expect((await send(client, later)).text).toBe(made.text)
  })

  it('is not answered to whoever sees fewer places by now; one’s own new places do no harm', async () => {
    const { id: serviceUser } = await admin.create('/api/v1/service-users', { name: 'Two places' })
    const [north, south] = [
      await owner.create('/api/v1/locations', { name: 'North' }),
      await owner.create('/api/v1/locations', { name: 'South' }),
    ]
    const role_id = await roleId(house, 'Integration')
    const place = async (location_id: string) =>
      (await admin.create('/api/v1/role-assignments', { role_id, service_user_id: serviceUser, location_id })).id
    await place(north.id)
    const southern = await place(south.id)
    const { value } = await admin.create(`/api/v1/service-users/${serviceUser}/tokens`, {
      name: 'x',
      expires_at: '2027-12-31',
    })
    const client = house.client(value)
    const build = (key: string) =>
      client.post('/api/v1/buildings', { name: key, location_id: south.id }, { 'idempotency-key': key })
    const key = randomUUID()
    const first = await build(key)
    expect(first.status, first.text).toBe(201)
    expect((await build(key)).text).toBe(first.text)
    await owner.delete(`/api/v1/role-assignments/${southern}`)
    const again = await build(key)
    expect(again.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})
