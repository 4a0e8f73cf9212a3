import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, clock } = house
const PATH = '/api/v1/access-decisions'
const QUARTER = 15 * 60_000

let door: string
let elsewhere: string
const withPin = (pin: string, number = '4711') => ({ credential: { type: 'card', number, pin }, access_point_id: door })
const alone = (pin: string) => ({ credential: { type: 'pin', pin }, access_point_id: door })
const reader = (): Promise<Client> => memberWith(house, ['access-decisions:check', 'access-decisions:check-pin'])
const told = async (client: Client, question: object) => {
  const { status, body } = await client.post(PATH, question)
  return status === 200 ? body.data.reason : [status, body.error.reason]
}

beforeAll(async () => {
  const [estate, other] = [await makeEstate(owner, 'Own'), await makeEstate(owner, 'Other')]
  door = estate.door.id
  elsewhere = other.building.id
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  await owner.patch(`/api/v1/access-points/${door}`, { access_control_system_id: system.id })
  const ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  await owner.create('/api/v1/credentials', { type: 'card', number: '4711', pin: '2580', individual_id: ada.id })
  await owner.create('/api/v1/credentials', { type: 'pin', pin: '147036', individual_id: ada.id })
  await owner.create('/api/v1/access-grants', { individual_id: ada.id, access_point_id: door, requires_pin: true })
})

describe('whether a PIN is right', () => {
  it('is told to what reads PINs at that door, and to nobody else, right or wrong', async () => {
    const asking = await memberWith(house, ['access-decisions:check', 'credentials:write', 'credentials:read'])
    const there = await memberWith(house, ['access-decisions:check', 'access-decisions:check-pin'], {
      building_id: elsewhere,
    })
    for (const client of [asking, there])
      for (const question of [withPin('2580'), withPin('0000'), alone('147036'), alone('999999')])
        expect(await told(client, question)).toEqual([403, 'insufficient_permissions'])
    expect((await asking.post(`${PATH}/batch`, { questions: [alone('147036')] })).status).toBe(403)
    expect(await told(asking, { credential: { type: 'card', number: '4711' }, access_point_id: door })).toBe(
      'pin_required',
    )
    const machine = await reader()
    expect([await told(machine, withPin('2580')), await told(machine, withPin('0000'))]).toEqual([
      'granted',
      'incorrect_pin',
    ])
    expect([await told(machine, alone('147036')), await told(machine, alone('999999'))]).toEqual([
      'granted',
      'unknown_credential',
    ])
  })

  it('with one card is told of five wrong ones, then of none until a quarter of an hour is over', async () => {
    const machine = await reader()
    for (let guess = 0; guess < 5; guess++) expect(await told(machine, withPin(`100${guess}`))).toBe('incorrect_pin')
    const refused = await machine.post(PATH, withPin('2580'))
    expect([refused.status, refused.body.error.reason, refused.headers['retry-after']]).toEqual([
      429,
      'wrong_pins',
      '900',
    ])
    // Another reader, another card and questions without a PIN go on.
    expect(await told(await reader(), withPin('2580'))).toBe('granted')
    expect(await told(machine, withPin('2580', '4712'))).toBe('unknown_credential')
    expect(await told(machine, { credential: { type: 'card', number: '4711' }, access_point_id: door })).toBe(
      'pin_required',
    )
    clock.forward(QUARTER)
    expect(await told(machine, withPin('2580'))).toBe('granted')
  })

  it('is counted of one card, however its number is written, and tries that are refused use nothing up', async () => {
    const machine = await reader()
    for (const number of ['4711', '04711', '0x1267', '004711', '0004711'])
      expect(await told(machine, withPin('1000', number))).toBe('incorrect_pin')
    for (let again = 0; again < 100; again++)
      expect(await told(machine, withPin('2580', `${'0'.repeat(again % 9)}4711`))).toEqual([429, 'wrong_pins'])
    for (let again = 0; again < 100; again++)
      expect(await told(machine, { ...alone('147036'), individual_id: door })).toEqual([400, 'reference.not_found'])
    expect(await told(machine, alone('147036'))).toBe('granted')
  })

  it('by itself is told of sixty wrong ones in an hour, however many are asked at once', async () => {
    const machine = await reader()
    const questions = Array.from({ length: 100 }, (_, guess) => alone(String(200_000 + guess)))
    const answers = await Promise.all(questions.map((question) => told(machine, question)))
    expect(answers.filter((answer) => answer === 'unknown_credential')).toHaveLength(60)
    const batch = await machine.post(`${PATH}/batch`, { questions: [alone('147036')] })
    expect([batch.status, batch.body.error.reason]).toEqual([429, 'wrong_pins'])
    clock.forward(4 * QUARTER)
    expect(await told(machine, alone('147036'))).toBe('granted')
  })

  it('that are right are never too many', async () => {
    const machine = await reader()
    for (let time = 0; time < 70; time++) expect(await told(machine, withPin('2580'))).toBe('granted')
  })
})
