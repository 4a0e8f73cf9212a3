import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/access-decisions'

let door: string
let own: Estate
let guest: string
let caretaker: Client
let watchman: Client
const number = { guest: '4711', stranger: '4712' }

/**
 * The guest belongs elsewhere and may open a door of the caretaker's building; the stranger has nothing to do with it.
 */
beforeAll(async () => {
  own = await makeEstate(owner, 'Own')
  const other = await makeEstate(owner, 'Other')
  door = own.door.id
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  await owner.patch(`/api/v1/access-points/${door}`, { access_control_system_id: system.id })
  const person = async (name: 'guest' | 'stranger'): Promise<string> => {
    const { id } = await owner.create('/api/v1/individuals', {
      display_name: `The ${name}`,
      building_id: other.building.id,
    })
    await owner.create('/api/v1/credentials', { type: 'card', number: number[name], individual_id: id })
    return id
  }
  guest = await person('guest')
  await person('stranger')
  await owner.create('/api/v1/access-grants', { individual_id: guest, access_point_id: door })
  caretaker = await house.member('Facility manager', { building_id: own.building.id })
  watchman = await memberWith(house, ['access-points:audience', 'access-grants:write'], {
    building_id: own.building.id,
  })
})

describe('a role limited to a building', () => {
  it('asks about somebody who belongs elsewhere and may open a door here', async () => {
    const asked = await caretaker.post(PATH, { individual_id: guest, access_point_id: door })
    expect(asked.body.data, asked.text).toMatchObject({ decision: 'granted', individual_id: guest })
    const doors = await caretaker.get(`/api/v1/individuals/${guest}/can-open`)
    expect(doors.body.data, doors.text).toMatchObject([{ access_point_id: door, allowed: true }])
    const held = await caretaker.post(PATH, {
      credential: { type: 'card', number: number.guest },
      access_point_id: door,
    })
    expect(held.body.data).toMatchObject({ decision: 'granted', individual_id: guest })
  })

  it('is told of what somebody from elsewhere carries by its kind, and not what is written on it', async () => {
    const question = { individual_id: guest, access_point_id: door }
    const whole = (await owner.post(PATH, question)).body.data
    expect(whole.explanation[0]).toBe('Card 4711 belongs to The guest.')
    const limited = await caretaker.post(PATH, question)
    expect(limited.text).not.toContain(number.guest)
    expect(limited.body.data).toMatchObject({ credential_id: null, means: { type: 'card', id: null, name: null } })
    expect(limited.body.data.explanation[0]).toBe('Card of The guest.')
    const german = await caretaker.post(PATH, question, { 'accept-language': 'de' })
    expect(german.body.data.explanation[0]).toBe('Karte von The guest.')
    const [card] = (await owner.get(`/api/v1/credentials?individual_id=eq.${guest}`)).body.data
    await owner.patch(`/api/v1/credentials/${card.id}`, { valid_until: '2027-01-01T00:00:00Z' })
    const refused = await caretaker.post(PATH, question)
    expect(refused.body.data.decision).toBe('denied')
    expect(refused.text).not.toContain(number.guest)
    await owner.patch(`/api/v1/credentials/${card.id}`, { valid_until: null })
    const asking = await memberWith(house, ['access-decisions:check'])
    expect((await asking.post(PATH, question)).text).not.toContain(number.guest)
  })

  it('is told that somebody holds a key, and not which, where it may not read keys', async () => {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: own.system.id, code: 'GHS' })
    const cylinder = await owner.create('/api/v1/cylinders', {
      locking_system_id: own.system.id,
      number: 'C-77',
      status: 'installed',
      access_point_id: door,
    })
    const set = [{ key_type_id: type.id, cylinder_id: cylinder.id }]
    await owner.post(`/api/v1/locking-system/${own.system.id}/plan/cells`, { set })
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: 'K-88', status: 'in_stock' })
    const keeper = await owner.create('/api/v1/individuals', { display_name: 'The keeper' })
    await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id: keeper.id })
    const question = { individual_id: keeper.id, access_point_id: door }
    expect((await owner.post(PATH, question)).body.data.explanation[0]).toContain(
      'holds key GHS · K-88, which opens cylinder C-77',
    )
    const asking = await memberWith(house, ['access-decisions:check'])
    const { data } = (await asking.post(PATH, question)).body
    expect(data.explanation[0]).toBe(
      'The keeper holds a key that opens Own door: no schedule, lockdown or suspension stops a key.',
    )
    expect(data).toMatchObject({ decision: 'granted', means: { type: 'key', id: null, name: null } })
    expect(JSON.stringify(data)).not.toMatch(/K-88|C-77|GHS/)
  })

  it('is told of the card of a stranger what it is told of no card', async () => {
    const ask = async (held: string) =>
      (await caretaker.post(PATH, { credential: { type: 'card', number: held }, access_point_id: door })).body.data
    const [stranger, nobody] = [await ask(number.stranger), await ask('9999')]
    expect(stranger).toMatchObject({
      reason: 'unknown_credential',
      individual_id: null,
      credential_id: null,
      means: null,
    })
    expect(stranger.explanation).toEqual(
      nobody.explanation.map((text: string) => text.replace('9999', number.stranger)),
    )
    const whole = await owner.post(PATH, {
      credential: { type: 'card', number: number.stranger },
      access_point_id: door,
    })
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
    expect(tried.body.meta.access.lost.first, tried.text).toMatchObject([
      { individual_id: null, display_name: 'The guest' },
    ])
  })
})
