import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'

const { owner, member } = await startHouse()
const PATH = '/api/v1/individuals'

let own: Estate
let other: Estate
let caretaker: Client
beforeAll(async () => {
  own = await makeEstate(owner, 'Own')
  other = await makeEstate(owner, 'Other')
  caretaker = await member('Facility manager', { building_id: own.building.id })
})

const person = (client: Client, name: string, place: object) => client.post(PATH, { display_name: name, ...place })

describe('a role limited to a building', () => {
  it('takes in people who belong there, gives them a card, a group and a door, and lets them go', async () => {
    const place = { building_id: own.building.id }
    const { data: ada } = (await person(caretaker, 'Ada', place)).body
    const made = [
      await caretaker.post('/api/v1/credentials', { individual_id: ada.id, type: 'card', number: '4711' }),
      await caretaker.post('/api/v1/access-groups', { name: 'Day shift', ...place }),
      await caretaker.post('/api/v1/access-grants', { individual_id: ada.id, access_point_id: own.door.id }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    const members = `/api/v1/access-groups/${made[1]?.body.data.id}/members`
    expect((await caretaker.post(members, { individual_id: ada.id })).status).toBe(201)
    const gone = await caretaker.post(`${PATH}/${ada.id}/offboard`)
    expect(gone.body.data).toMatchObject({
      status: 'offboarded',
      keys_to_recover: [],
      limited_to: [{ building_id: own.building.id }],
    })
  })

  it('makes nobody who belongs elsewhere or to the organization as a whole, and sends nobody there', async () => {
    expect((await person(caretaker, 'Bob', {})).status).toBe(403)
    const hidden = await person(caretaker, 'Bob', { building_id: other.building.id })
    expect([hidden.status, hidden.body.error.reason]).toEqual([400, 'reference.not_found'])
    const { data: bob } = (await person(caretaker, 'Bob', { building_id: own.building.id })).body
    expect((await caretaker.patch(`${PATH}/${bob.id}`, { building_id: null })).status).toBe(403)
  })

  it('hands over the keys of its own locking systems, and sees who has one to its doors', async () => {
    const key = async (estate: Estate, code: string): Promise<string> => {
      const type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code })
      const body = {
        locking_system_id: estate.system.id,
        number: code,
        status: 'installed',
        access_point_id: own.door.id,
      }
      const cylinder = await owner.create('/api/v1/cylinders', body)
      const set = [{ key_type_id: type.id, cylinder_id: cylinder.id }]
      await owner.post(`/api/v1/locking-system/${estate.system.id}/plan/cells`, { set })
      return (await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })).id
    }
    const [mine, foreign] = [await key(own, 'G1'), await key(other, 'F1')]
    const { data: cleaner } = (await person(owner, 'Cleaner', { building_id: other.building.id, company: 'Clean Ltd' }))
      .body
    const issue = (id: string) => caretaker.post(`/api/v1/keys/${id}/issue`, { individual_id: cleaner.id })
    const unknown = await issue(mine)
    expect([unknown.status, unknown.body.error.reason]).toEqual([400, 'reference.not_found'])
    await owner.post(`/api/v1/keys/${foreign}/issue`, { individual_id: cleaner.id })
    const { data } = (await caretaker.get(`${PATH}/${cleaner.id}`)).body
    expect(data).toEqual({
      id: cleaner.id,
      display_name: 'Cleaner',
      kind: 'employee',
      company: 'Clean Ltd',
      status: 'active',
      means: ['key'],
    })
    expect((await issue(mine)).status).toBe(200)
    const back = await caretaker.post(`/api/v1/keys/${foreign}/return`)
    expect([back.status, back.body.error.reason]).toEqual([403, 'insufficient_permissions'])
  })
})

it('an individual and a group belong to one place at most', async () => {
  const both = { location_id: own.location.id, building_id: own.building.id }
  for (const answer of [
    await person(owner, 'Twice', both),
    await owner.post('/api/v1/access-groups', { name: 'Twice', ...both }),
  ])
    expect([answer.status, answer.body.error.reason]).toEqual([400, 'place.one'])
})

it('a place that somebody belongs to is in use', async () => {
  const building = await owner.create('/api/v1/buildings', { name: 'Left', location_id: own.location.id })
  await person(owner, 'Last one', { building_id: building.id })
  expect((await owner.delete(`/api/v1/buildings/${building.id}`)).body.error.reason).toBe('in_use')
})
