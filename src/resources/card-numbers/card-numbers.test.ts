import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/card-numbers/decode'
const ids: Record<string, string> = {}
let building: { id: string }

beforeAll(async () => {
  building = (await makeEstate(owner, 'Campus')).building
  const ada = await owner.create('/api/v1/individuals', { display_name: 'Ada', building_id: building.id })
  const bob = await owner.create('/api/v1/individuals', { display_name: 'Bob' })
  const make = async (name: string, body: object) => {
    ids[name] = (await owner.create('/api/v1/credentials', { type: 'card', ...body })).id
  }
  await make('pair', { number: '04711', facility_code: '108', individual_id: ada.id })
  await make('whole', { number: '7082599', individual_id: bob.id })
  await make('chip', { number: '04:A2:24:B1', individual_id: ada.id })
  await make('fob', { type: 'transponder', number: '4711', individual_id: bob.id })
  await make('plate', { type: 'plate', number: 'ZH 123 456', individual_id: bob.id })
  await make('lost', { number: '4711', facility_code: '108', status_reason: 'lost' })
})

const decode = async (text: string, who = owner) => (await who.post(PATH, { text })).body.data
const names = (rows: Array<{ id: string }>) =>
  rows.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id).toSorted()

describe('decoding card numbers', () => {
  it.each([
    ['108,04711', ['fob', 'lost', 'pair', 'whole']],
    ['0007082599 108,04711', ['fob', 'lost', 'pair', 'whole']],
    ['0004711', ['fob', 'lost', 'pair']],
    ['0x6C1267', ['fob', 'lost', 'pair', 'whole']],
    ['10110110000010010011001111', ['fob', 'lost', 'pair', 'whole']],
    ['67126C', ['fob', 'lost', 'pair', 'whole']],
    ['67:12:6c', ['fob', 'lost', 'pair', 'whole']],
    ['67126C00', ['fob', 'lost', 'pair', 'whole']],
    ['1729260544', ['fob', 'lost', 'pair', 'whole']],
    ['04A224B1', ['chip']],
    ['B124A204', ['chip']],
    ['77735089', ['chip']],
    ['zh-123456', ['plate']],
    ['nothing of the kind', []],
  ])('%s means %j', async (text, expected) => {
    expect(names((await decode(text)).credentials)).toEqual(expected)
  })

  it('says with each reading which credentials it means, and what they are', async () => {
    const { readings } = await decode('B124A204')
    const reversed = readings.find((reading: { is_reversed: boolean }) => reading.is_reversed)
    expect(reversed).toMatchObject({ form: 'hexadecimal', facility_code: null, number: '77735089', parity: null })
    expect(reversed.credentials).toMatchObject([
      { id: ids.chip, type: 'card', number: '04:A2:24:B1', match_key: 'card:77735089:', status_type: 'active' },
    ])
    const others = readings.filter((reading: { is_reversed: boolean }) => !reading.is_reversed)
    expect(others.flatMap((reading: { credentials: object[] }) => reading.credentials)).toEqual([])
  })

  it('tells of those credentials alone that the caller may see', async () => {
    const porter = await memberWith(house, ['credentials:read'], { building_id: building.id })
    const blind = await memberWith(house, ['individuals:read'])
    const { credentials, readings } = await decode('108,04711', porter)
    expect(names(credentials)).toEqual(['pair'])
    expect(names(readings[0].credentials)).toEqual(['pair'])
    expect((await blind.post(PATH, { text: '4711' })).status).toBe(403)
    expect((await house.anonymous.post(PATH, { text: '4711' })).status).toBe(401)
  })

  it.each([{}, { text: '' }, { text: 5 }, { text: 'x'.repeat(101) }, { text: '1', type: 'card' }])(
    'refuses %j',
    async (body) => {
      expect((await owner.post(PATH, body)).status).toBe(400)
    },
  )
})
