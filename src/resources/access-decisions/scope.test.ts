import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/access-decisions'

let door: string
let guest: string
let caretaker: Client
let watchman: Client
const number = { guest: '4711', stranger: '4712' }

/** The guest belongs elsewhere and may open a door of the caretaker's building; the stranger has nothing to do with it. */
beforeAll(async () => {
  const own = await makeEstate(owner, 'Own')
  const other = await makeEstate(owner, 'Other')
  door = own.door.id
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  await owner.patch(`/api/v1/access-points/${door}`, { access_control_system_id: system.id })
  const person = async (name: 'guest' | 'stranger'): Promise<string> => {
    const { id } = await owner.create('/api/v1/individuals', { display_name: `The ${name}`, building_id: other.building.id })
    await owner.create('/api/v1/credentials', { type: 'card', number: number[name], individual_id: id })
    return id
  }
  guest = await person('guest')
  await person('stranger')
  await owner.create('/api/v1/access-grants', { individual_id: guest, access_point_id: door })
  caretaker = await house.member('Facility manager', { building_id: own.building.id })
  watchman = await memberWith(house, ['access-points:audience', 'access-grants:write'], { building_id: own.building.id })
})

describe('a role limited to a building', () => {
  it('asks about somebody who belongs elsewhere and may open a door here', async () => {
    const asked = await caretaker.post(PATH, { individual_id: guest, access_point_id: door })
    expect(asked.body.data, asked.text).toMatchObject({ decision: 'granted', individual_id: guest })
    const doors = await caretaker.get(`/api/v1/individuals/${guest}/can-open`)
    expect(doors.body.data, doors.text).toMatchObject([{ access_point_id: door, allowed: true }])
    const held = await caretaker.post(PATH, { credential: { type: 'card', number: number.guest }, access_point_id: door })
    expect(held.body.data).toMatchObject({ decision: 'granted', individual_id: guest })
  })

  it('is told of the card of a stranger what it is told of no card', async () => {
    const ask = async (held: string) =>
      (await caretaker.post(PATH, { credential: { type: 'card', number: held }, access_point_id: door })).body.data
    const [stranger, nobody] = [await ask(number.stranger), await ask('9999')]
    expect(stranger).toMatchObject({ reason: 'unknown_credential', individual_id: null, credential_id: null, means: null })
    expect(stranger.explanation).toEqual(nobody.explanation.map((text: string) => text.replace('9999', number.stranger)))
    const whole = await owner.post(PATH, { credential: { type: 'card', number: number.stranger }, access_point_id: door })
    expect(whole.body.data.reason).toBe('no_access_rights')
    expect((await ask(number.stranger)).reason).toBe('unknown_credential')
  })

  it('sees by what kind of means somebody from elsewhere gets in, and not the number of their card', async () => {
    const list = `/api/v1/access-points/${door}/who-can-open?search=guest`
    const card = (await owner.get(list)).body.data[0].means[0]
    expect(card.name).toContain(number.guest)
    expect((await caretaker.get(list)).body.data[0].means).toEqual([{ ...card, id: null, name: null }])
  })

  it('that may see who can open doors alone is told by a dry run who gains one by name', async () => {
    const [grant] = (await owner.get(`/api/v1/access-grants?individual_id=eq.${guest}&status=eq.active`)).body.data
    const tried = await watchman.post(`/api/v1/access-grants/${grant.id}/revoke?dry_run=true`)
    expect(tried.body.meta.access.lost.first, tried.text).toMatchObject([{ individual_id: null, display_name: 'The guest' }])
  })
})
