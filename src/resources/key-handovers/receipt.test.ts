import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { pdfText } from '../../../test/support/files/pdf-text.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous } = house
type Item = { id: string; receipt_id: string }
let estate: Estate
let other: Estate
let holder: Item
let handovers: Item[]

const receipt = async (id: string, token = owner.token, language = 'en') => {
  const answer = await house.app.inject({
    url: `/api/v1/key-handovers/${id}/receipt`,
    headers: { authorization: `Token ${token}`, 'accept-language': language },
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
  holder = await owner.create('/api/v1/individuals', { display_name: 'Łukasz Đorđević Ћирић', company: 'Glas & Söhne' })
  const key_ids: string[] = []
  for (const [{ system }, code] of [
    [estate, 'GHS'],
    [other, 'HS 2'],
  ] as const) {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: system.id, code })
    key_ids.push((await owner.create('/api/v1/keys', { key_type_id: type.id, number: '7', status: 'in_stock' })).id)
  }
  const terms = {
    individual_id: holder.id,
    due_back_on: '2027-07-01',
    deposit_amount: 50,
    purpose: 'Renovation',
    condition: 'new',
  }
  handovers = (await owner.post('/api/v1/keys/issue', { key_ids, ...terms })).body.data.handovers
})

describe('the receipt of keys', () => {
  it('has what is signed for: who gave which keys to whom, until when and for what deposit', async () => {
    const { status, headers, bytes } = await receipt(handovers[0]!.id)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/pdf', 'no-store'])
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const text = pdfText(bytes)
    for (const words of [
      'Test',
      'Key receipt',
      `Receipt ${handovers[0]!.receipt_id}`,
      'Łukasz Đorđević Ћирић, Glas & Söhne',
      '15 June 2027',
      'Renovation',
      'GHS 7',
      'HS 2 7',
      'Campus system',
      '100.00',
      '1 Jul 2027',
      'Received by',
      'Page 1 / 1',
    ])
      expect(text).toContain(words)
  })

  it('is one for the keys that were issued together, and the same bytes whenever it is asked for', async () => {
    const [first, second] = [await receipt(handovers[0]!.id), await receipt(handovers[1]!.id)]
    expect(first.bytes.equals(second.bytes)).toBe(true)
    house.clock.forward(1000)
    expect((await receipt(handovers[0]!.id)).bytes.equals(first.bytes)).toBe(true)
  })

  it('speaks the language of whoever asks', async () => {
    const text = pdfText((await receipt(handovers[0]!.id, owner.token, 'de-CH,de;q=0.9')).bytes)
    for (const words of [
      'Schlüsselquittung',
      'Übergeben an',
      '15. Juni 2027',
      'Rückgabe bis',
      'Empfangen von',
      'Seite 1 / 1',
    ])
      expect(text).toContain(words)
  })

  it('of keys beyond one page repeats what the columns are', async () => {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'Many' })
    const key_ids: string[] = []
    for (let number = 1; number <= 40; number++)
      key_ids.push(
        (await owner.create('/api/v1/keys', { key_type_id: type.id, number: `${number}`, status: 'in_stock' })).id,
      )
    const { body } = await owner.post('/api/v1/keys/issue', { key_ids, individual_id: holder.id })
    const text = pdfText((await receipt(body.data.handovers[39].id)).bytes)
    expect(text.match(/Many \d+/g)).toEqual(Array.from({ length: 40 }, (_, index) => `Many ${index + 1}`))
    expect(text.match(/Locking system/g)).toHaveLength(2)
    expect(text).toContain('Page 2 / 2')
  })

  it('says how a key came back', async () => {
    const type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'Back' })
    const { id } = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
    const { body } = await owner.post('/api/v1/keys/issue', { key_ids: [id], individual_id: holder.id })
    await owner.post('/api/v1/keys/return', { key_ids: [id] })
    expect(pdfText((await receipt(body.data.handovers[0].id)).bytes)).toContain('15 Jun 2027')
  })

  it('shows the keys of the caller’s places, says that there may be more, and names no holder to whom they are nobody', async () => {
    const porter = await house.member('Operator', { building_id: estate.building.id })
    const text = pdfText((await receipt(handovers[0]!.id, porter.token)).bytes)
    expect(text).toContain('GHS 7')
    expect(text).toContain('there may be more on the receipt')
    expect(text).not.toContain('HS 2')
    expect(text).not.toContain('100.00')
    expect((await receipt(handovers[1]!.id, porter.token)).status).toBe(404)
    const clerk = await memberWith(house, ['keys:read'])
    const unnamed = pdfText((await receipt(handovers[0]!.id, clerk.token)).bytes)
    expect(unnamed).toContain(holder.id)
    expect(unnamed).not.toContain('Łukasz')
    expect(unnamed).not.toContain('Campus system')
  })

  it('needs a credential and the permission to see keys', async () => {
    const stranger = await memberWith(house, ['individuals:read'])
    const url = `/api/v1/key-handovers/${handovers[0]!.id}/receipt`
    expect((await anonymous.get(url)).status).toBe(401)
    expect((await stranger.get(url)).status).toBe(403)
    expect((await owner.get(url.replace(handovers[0]!.id, '01997d2a-4c00-7000-8000-00000000dead'))).status).toBe(404)
  })
})
