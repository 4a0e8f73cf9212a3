import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { pinKeysOf } from '../../access/pin-key.ts'
import { hashPin } from '../../core/cards/pin.ts'
import { change } from '../../db/change.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/credentials'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

let numbers = 1000
const person = (more: object = {}) =>
  owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'Byron', ...more })
const card = async (more: object = {}) => {
  numbers += 1
  return owner.create(PATH, { type: 'card', number: String(numbers), individual_id: (await person()).id, ...more })
}
const read = async (id: string) => (await owner.get(`${PATH}/${id}`)).body.data

describe('credentials', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { type: 'card', number: '0004711', facility_code: '108', label: 'Blaue Karte' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      status_reason: 'none',
      status_type: 'pending',
      use_count: 0,
      has_pin: false,
      last_used_at: null,
    })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=0471`)).body.data).toHaveLength(1)
    const { id } = await person()
    expect((await owner.patch(path, { individual_id: id })).body.data).toMatchObject({
      individual_id: id,
      status_type: 'active',
    })
    expect((await owner.get(`${PATH}?status_type=eq.active&individual_id=eq.${id}`)).body.data).toHaveLength(1)
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it.each([
    ['no type', { number: '1' }, 'body.required'],
    ['a type that does not exist', { type: 'ring' }, 'body.enum'],
    ['a status_type, which is derived', { type: 'card', status_type: 'active' }, 'body.read_only'],
    ['a use_count, which is counted', { type: 'card', use_count: 0 }, 'body.read_only'],
    ['a max_uses below one', { type: 'qr', max_uses: 0 }, 'body.range'],
    ['a PIN of three digits', { type: 'pin', pin: '123' }, 'body.format'],
    ['a PIN of thirteen digits', { type: 'pin', pin: '1234567890123' }, 'body.length'],
    ['a PIN with a letter', { type: 'pin', pin: '12a4' }, 'body.format'],
    ['a PIN on a number plate', { type: 'plate', pin: '1234' }, 'credential.pin_type'],
    [
      'an empty window',
      { type: 'card', valid_from: '2027-07-01T00:00:00Z', valid_until: '2027-07-01T00:00:00Z' },
      'window.empty',
    ],
    ['a holder that does not exist', { type: 'card', individual_id: NOBODY }, 'reference.not_found'],
    ['a system that does not exist', { type: 'card', access_control_system_id: NOBODY }, 'reference.not_found'],
  ])('refuse %s', async (_what, body, reason) => {
    const answer = await owner.post(PATH, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('keep their type', async () => {
    const { id } = await card()
    expect((await owner.patch(`${PATH}/${id}`, { type: 'pin' })).status).toBe(400)
  })

  it('follow the clock and the holder', async () => {
    const holder = await person({ status: 'invited' })
    const { id } = await card({ individual_id: holder.id, valid_until: '2027-06-15T13:00:00Z' })
    const status = async () => (await read(id)).status_type
    expect(await status()).toBe('pending')
    await owner.post(`/api/v1/individuals/${holder.id}/reactivate`)
    expect(await status()).toBe('active')
    await owner.post(`/api/v1/individuals/${holder.id}/suspend`)
    expect(await status()).toBe('suspended')
    await owner.post(`/api/v1/individuals/${holder.id}/reactivate`)
    clock.set('2027-06-15T12:59:59.999Z')
    expect(await status()).toBe('active')
    clock.set('2027-06-15T13:00:00.000Z')
    expect(await status()).toBe('expired')
    expect((await owner.get(`${PATH}?status_type=eq.expired&id=eq.${id}`)).body.data).toHaveLength(1)
  })

  it.each(['lost', 'stolen'])('that were %s and are found are suspended, never straight active', async (reason) => {
    const { id } = await card({ status_reason: reason })
    expect((await read(id)).status_type).toBe('terminated')
    for (const next of ['none', 'not_collected']) {
      const refused = await owner.patch(`${PATH}/${id}`, { status_reason: next })
      expect(refused.status).toBe(409)
      expect(refused.body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'credential.found_first' })
      expect(refused.body.msg).toContain('/found')
    }
    const found = await owner.post(`${PATH}/${id}/found`)
    expect(found.body.data).toMatchObject({ status_reason: 'forgotten', status_type: 'suspended' })
    expect((await owner.patch(`${PATH}/${id}`, { status_reason: 'none' })).body.data.status_type).toBe('active')
  })

  it.each(['damaged', 'returned', 'revoked'])('that were %s come back through suspension alone', async (reason) => {
    const { id } = await card({ status_reason: reason })
    for (const next of ['none', 'not_collected']) {
      const refused = await owner.patch(`${PATH}/${id}`, { status_reason: next })
      expect(refused.status).toBe(409)
      expect(refused.body.error).toMatchObject({ code: 'INVALID_STATE', reason: 'credential.suspend_first' })
      expect(refused.body.msg).toContain('forgotten')
    }
    expect((await owner.patch(`${PATH}/${id}`, { label: 'In the drawer' })).status).toBe(200)
    expect((await owner.patch(`${PATH}/${id}`, { status_reason: 'forgotten' })).body.data.status_type).toBe('suspended')
    expect((await owner.patch(`${PATH}/${id}`, { status_reason: 'none' })).body.data.status_type).toBe('active')
  })

  it('that were never lost cannot be found', async () => {
    const { id } = await card()
    const answer = await owner.post(`${PATH}/${id}/found`)
    expect(answer.status).toBe(409)
    expect(answer.body.error.reason).toBe('credential.not_lost')
  })

  it('have a number of their own, until they are terminated', async () => {
    const first = await card({ number: '77', facility_code: '1' })
    const again = { type: 'card', number: '77', facility_code: '1' }
    const refused = await owner.post(PATH, again)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({ code: 'CONFLICT', reason: 'not_unique' })
    expect(refused.body.msg).toBe('type, facility_code and number together are already taken by the credential "77"')
    expect((await owner.post(PATH, { ...again, facility_code: '2' })).status).toBe(201)
    expect((await owner.post(PATH, { ...again, type: 'transponder' })).status).toBe(201)
    await owner.patch(`${PATH}/${first.id}`, { status_reason: 'lost' })
    const second = await owner.create(PATH, again)
    // The lost one turns up, and its number has gone to another.
    expect((await owner.post(`${PATH}/${first.id}/found`)).body.error.code).toBe('CONFLICT')
    expect((await owner.patch(`${PATH}/${first.id}`, { status_reason: 'forgotten' })).body.error.code).toBe('CONFLICT')
    await owner.patch(`${PATH}/${second.id}`, { status_reason: 'returned' })
    expect((await owner.post(`${PATH}/${first.id}/found`)).status).toBe(200)
  })

  it.each([
    ['zeros in front', { number: '0099' }, { number: '99' }],
    ['the facility code in the number', { number: '4242', facility_code: '7' }, { number: '007,04242' }],
    ['a chip in capitals and with colons', { number: '04a224b1' }, { number: '04:A2:24:B1' }],
    ['one number that a format takes apart', { number: '65', facility_code: '3' }, { number: '196673', format: 'W26' }],
  ])('are the same with %s', async (_what, first, second) => {
    await card(first)
    const refused = await owner.post(PATH, { type: 'card', ...second })
    expect(refused.status).toBe(409)
    expect(refused.body.error.details[0].path).toBe('number')
  })

  it('keep the number as typed, and follow it with its canonical form', async () => {
    const { id, ...made } = await card({ number: '000815', facility_code: '016' })
    expect(made).toMatchObject({ number: '000815', facility_code: '016', match_key: 'card:815:16' })
    expect((await owner.patch(`${PATH}/${id}`, { facility_code: null })).body.data.match_key).toBe('card:815:')
    expect((await owner.patch(`${PATH}/${id}`, { number: null })).body.data.match_key).toBeNull()
    expect((await owner.patch(`${PATH}/${id}`, { match_key: 'card:1:' })).body.error.reason).toBe('body.read_only')
    const other = await card({ number: '000816', facility_code: '016' })
    expect((await owner.get(`${PATH}?match_key=eq.${encodeURIComponent('card:816:16')}`)).body.data).toMatchObject([
      { id: other.id },
    ])
  })

  it('without a facility code have unique numbers too', async () => {
    await card({ number: '88' })
    expect((await owner.post(PATH, { type: 'card', number: '88' })).status).toBe(409)
    expect((await owner.post(PATH, { type: 'card' })).status).toBe(201)
    expect((await owner.post(PATH, { type: 'card' })).status).toBe(201)
  })

  it('keep a PIN as a keyed hash that it is found by, and show it nowhere', async () => {
    const pin = '918273645'
    const made = await owner.post(PATH, { type: 'pin', pin, label: 'Back door' }, { 'idempotency-key': 'pin-1' })
    expect(made.status).toBe(201)
    expect(made.body.data.has_pin).toBe(true)
    for (const name of ['pin', 'pin_hash', 'pin_key']) expect(made.body.data).not.toHaveProperty(name)
    const { id } = made.body.data
    const foundBy = async (typed: string) =>
      engine.reader.all<{ id: string }>('select id from credentials where pin_key = $1', [
        (await pinKeysOf(engine, 1, typed))[0],
      ])
    expect(await foundBy(pin)).toEqual([{ id }])
    expect(await foundBy('918273646')).toEqual([])
    const other = '192837465'
    expect((await owner.patch(`${PATH}/${id}`, { pin: other })).status).toBe(200)
    expect(await foundBy(pin)).toEqual([])
    expect(await foundBy(other)).toEqual([{ id }])
    expect(await pinKeysOf(engine, 2, other)).not.toEqual(await pinKeysOf(engine, 1, other))
    for (const table of ['credentials', 'audit_log', 'idempotency_keys']) {
      const rows = JSON.stringify(await engine.reader.all(`select * from ${table}`, []))
      expect(rows, table).not.toContain(pin)
      expect(rows, table).not.toContain(other)
    }
    const audit = JSON.stringify(await engine.reader.all('select content from audit_log where resource_id = $1', [id]))
    expect(audit).not.toContain((await pinKeysOf(engine, 1, pin))[0])
    expect((await owner.patch(`${PATH}/${id}`, { pin: null })).body.data.has_pin).toBe(false)
    expect(await foundBy(other)).toEqual([])
  })

  it('keep the slow hash of an earlier version until the PIN is set anew', async () => {
    const { id } = await card()
    const stored = await hashPin('2580')
    await change(engine, 1, clock.now(), actor, async (tx) => {
      await tx.update('credentials', id, { pin_hash: stored })
      tx.record({ action: 'test.updated', resource: 'credentials', resourceId: id, before: null, after: null })
    })
    const hashes = () => engine.reader.all('select pin_hash, pin_key from credentials where id = $1', [id])
    expect((await read(id)).has_pin).toBe(true)
    await owner.patch(`${PATH}/${id}`, { label: 'Still the same PIN' })
    expect(await hashes()).toEqual([{ pin_hash: stored, pin_key: null }])
    await owner.patch(`${PATH}/${id}`, { pin: '2580' })
    expect(await hashes()).toEqual([{ pin_hash: null, pin_key: (await pinKeysOf(engine, 1, '2580'))[0] }])
  })

  it('created twice with one Idempotency-Key are created once, a PIN included; another PIN is another request', async () => {
    const body = { type: 'pin', pin: '5678', label: 'Once' }
    const key = { 'idempotency-key': 'pin-2' }
    const first = await owner.post(PATH, body, key)
    const second = await owner.post(PATH, body, key)
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect((await owner.post(PATH, { ...body, pin: '8765' }, key)).status).toBe(422)
  })

  it('are there only for those who may see them', async () => {
    const { id } = await card({ status_reason: 'lost' })
    const location = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    const reader = await memberWith(house, ['credentials:read'])
    const blind = await memberWith(house, ['spaces:read'])
    const local = await house.member('Facility manager', { location_id: location.id })
    const path = `${PATH}/${id}`
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await house.anonymous.post(`${path}/found`)).status).toBe(401)
    expect((await blind.get(path)).status).toBe(403)
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(PATH, { type: 'card' })).status).toBe(403)
    expect((await reader.patch(path, { label: 'x' })).status).toBe(403)
    expect((await reader.delete(path)).status).toBe(403)
    expect((await reader.post(`${path}/found`)).status).toBe(403)
    expect((await local.get(path)).status).toBe(404)
    expect((await local.post(`${path}/found`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${NOBODY}`)).status).toBe(404)
    expect((await owner.post(`${PATH}/${NOBODY}/found`)).status).toBe(404)
    expect((await owner.post(`${path}/found`, { x: 1 })).status).toBe(400)
    expect((await owner.post(`${path}/found`, undefined, { 'if-match': '"9"' })).status).toBe(412)
  })
})

describe('a PIN by itself', () => {
  const make = (pin: string, more: object = {}, who = owner) => who.post(PATH, { type: 'pin', pin, ...more })
  const told = ({ status, body }: { status: number; body: { error?: { reason: string } } }) => [
    status,
    body.error?.reason,
  ]
  const refused = [409, 'not_unique']

  it('is nobody else’s, and whose it is is not told', async () => {
    const first = (await make('304050', { label: 'Ada’s own' })).body.data
    const second = await make('304050')
    expect(told(second)).toEqual(refused)
    expect(second.body).toMatchObject({ msg: 'pin: this PIN cannot be used; choose another' })
    expect(second.text).not.toMatch(new RegExp(`${first.id}|Ada|304050`))
    const other = (await make('304051')).body.data
    expect(told(await owner.patch(`${PATH}/${other.id}`, { pin: '304050' }))).toEqual(refused)
    expect(told(await owner.post(`${PATH}?dry_run=true`, { type: 'pin', pin: '304050' }))).toEqual(refused)
    // Its own again, and that of a card, which opens nothing by itself.
    expect((await owner.patch(`${PATH}/${first.id}`, { pin: '304050' })).status).toBe(200)
    expect((await owner.post(PATH, { type: 'card', number: '304050', pin: '304050' })).status).toBe(201)
  })

  it('is free again once it is terminated, and then stays with whoever has it', async () => {
    const first = (await make('304060')).body.data
    await owner.patch(`${PATH}/${first.id}`, { status_reason: 'lost' })
    expect((await make('304060')).status).toBe(201)
    expect(told(await owner.post(`${PATH}/${first.id}/found`))).toEqual(refused)
    const other = (await make('304061')).body.data
    await owner.patch(`${PATH}/${other.id}`, { status_reason: 'returned' })
    expect((await make('304061')).status).toBe(201)
    expect(told(await owner.patch(`${PATH}/${other.id}`, { status_reason: 'forgotten' }))).toEqual(refused)
    expect((await owner.patch(`${PATH}/${other.id}`, { label: 'Old' })).status).toBe(200)
  })

  it('that is taken is told ten times in an hour, then of a free one no more than of a taken one', async () => {
    await make('304070')
    const guesser = await house.member('Administrator')
    for (let guess = 0; guess < 10; guess++) expect(told(await make('304070', {}, guesser))).toEqual(refused)
    for (const pin of ['304070', '304071']) {
      const answer = await make(pin, {}, guesser)
      expect([answer.status, answer.body.error.reason, answer.headers['retry-after']]).toEqual([
        429,
        'wrong_pins',
        '3600',
      ])
    }
    expect((await make('304072')).status).toBe(201)
  })
})
