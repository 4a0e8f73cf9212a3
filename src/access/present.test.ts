import { beforeAll, describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../test/support/app.ts'
import { makeEstate } from '../../test/support/mechanical.ts'
import { hashPin } from '../core/cards/pin.ts'
import { change } from '../db/change.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const ids: Record<string, string> = {}
let door: string

beforeAll(async () => {
  const estate = await makeEstate(owner, 'Campus')
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Doors', kind: 'manual' })
  await owner.patch(`/api/v1/access-points/${estate.door.id}`, { access_control_system_id: system.id })
  door = estate.door.id
  const make = async (name: string, body: object) => {
    const holder = await owner.create('/api/v1/individuals', { display_name: name })
    await owner.create('/api/v1/access-grants', { individual_id: holder.id, access_point_id: door })
    ids[name] = (await owner.create('/api/v1/credentials', { individual_id: holder.id, ...body })).id
  }
  await make('Ada', { type: 'card', number: '04711', facility_code: '108', pin: '2580' })
  await make('Bob', { type: 'pin', pin: '918273' })
  await make('Cyd', { type: 'card', number: '815', pin: '1111' })
  await make('Dan', { type: 'plate', number: 'ZH 123 456' })
  await change(engine, 1, clock.now(), actor, async (tx) => {
    await tx.update('credentials', ids.Cyd ?? '', {
      pin_key: null,
      pin_hash: await hashPin('1379'),
      match_key: '=card:815:',
    })
    tx.record({ action: 'test.updated', resource: 'credentials', resourceId: null, before: null, after: null })
  })
  clock.forward(1000)
})

const ask = async (credential: object, more: object = {}) =>
  (await owner.post('/api/v1/access-decisions', { access_point_id: door, credential, ...more })).body.data
const unknown = { decision: 'denied', reason: 'unknown_credential' }

describe.each([
  ['now', () => ({})] as const,
  ['as of a moment ago', () => ({ as_of: new Date(Date.parse(clock.now()) - 1).toISOString() })] as const,
])('what is held to a reader, %s', (_when, more) => {
  it.each([
    [{ type: 'card', facility_code: '108', number: '4711' }],
    [{ type: 'card', facility_code: '0108', number: '0004711' }],
    [{ type: 'card', number: '108,04711' }],
    [{ type: 'card', number: '4711' }],
    [{ type: 'card', number: '815' }],
    [{ type: 'plate', number: 'zh123456' }],
  ])('%j is found', async (credential) => {
    expect(await ask(credential, more())).toMatchObject({ decision: 'granted' })
  })

  it.each([
    [{ type: 'card', facility_code: '109', number: '4711' }],
    [{ type: 'transponder', number: '4711' }],
    [{ type: 'card', number: '47110' }],
    // One that is known by its text alone.
    [{ type: 'card', number: '0815' }],
  ])('%j is not', async (credential) => {
    expect(await ask(credential, more())).toMatchObject(unknown)
  })
})

it.each([
  ['918273', 'granted'],
  ['918274', 'unknown_credential'],
  // The PIN of a card is no PIN by itself.
  ['2580', 'unknown_credential'],
])('the PIN %s by itself: %s', async (pin, reason) => {
  expect((await ask({ type: 'pin', pin })).reason).toBe(reason)
})

describe('as of before', () => {
  let before: string
  const asked = (question: object) =>
    owner.post('/api/v1/access-decisions', { access_point_id: door, as_of: before, ...question })
  const told = async (credential: object) => {
    const { decision, credential_id, reason } = (await asked({ credential })).body.data
    return decision === 'granted' ? credential_id : reason
  }

  beforeAll(async () => {
    const make = async (name: string, body: object) => {
      const holder = await owner.create('/api/v1/individuals', { display_name: name })
      await owner.create('/api/v1/access-grants', { individual_id: holder.id, access_point_id: door })
      ids[name] = (await owner.create('/api/v1/credentials', { type: 'card', individual_id: holder.id, ...body })).id
    }
    await make('Fay', { number: '05001', facility_code: '77' })
    await make('Gil', { number: '77-5002', pin: '3690' })
    await make('Hal', { number: '5044839', format: 'wiegand-26' })
    clock.forward(1000)
    before = clock.now()
    clock.forward(1000)
    await owner.patch(`/api/v1/credentials/${ids.Fay}`, { number: '6001', facility_code: '78' })
    clock.forward(1000)
    await owner.patch(`/api/v1/credentials/${ids.Fay}`, { number: '7001' })
    await owner.patch(`/api/v1/credentials/${ids.Hal}`, { number: '5044838' })
    await owner.delete(`/api/v1/credentials/${ids.Gil}`)
    // Whoever has the number by now is not meant.
    await make('Ivy', { number: '5001', facility_code: '77' })
  })

  it.each([
    [{ number: '5001', facility_code: '77' }, 'Fay'],
    [{ number: '0005001', facility_code: '077' }, 'Fay'],
    [{ number: '77,05001' }, 'Fay'],
    [{ number: '5001' }, 'Fay'],
    [{ number: '5002', facility_code: '77' }, 'Gil'],
    [{ number: '5002' }, 'Gil'],
    [{ number: '77-5002' }, 'Gil'],
    [{ number: '64103', facility_code: '76' }, 'Hal'],
  ])('%j is found by the number that it had, whatever became of it', async (read, name) => {
    expect(await told({ type: 'card', ...read })).toBe(ids[name])
  })

  it.each([
    { number: '6001', facility_code: '78' },
    { number: '7001' },
    { number: '5001', facility_code: '78' },
    { number: '64102', facility_code: '76' },
  ])('%j was nobody’s', async (read) => {
    expect(await told({ type: 'card', ...read })).toBe('unknown_credential')
  })

  it('a PIN is not looked at: what it was is not kept', async () => {
    for (const credential of [
      { type: 'pin', pin: '918273' },
      { type: 'card', number: '5002', pin: '3690' },
    ]) {
      const { status, body } = await asked({ credential })
      expect([status, body.error.reason, body.error.details[0].path]).toEqual([400, 'as_of.pin', 'credential.pin'])
      const question = { access_point_id: door, as_of: before, credential }
      const batch = await owner.post('/api/v1/access-decisions/batch', { questions: [question] })
      expect(batch.body.data.decisions).toEqual([{ error: { msg: body.msg, reason: 'as_of.pin' } }])
    }
  })
})

it.each([
  ['108,4711', '2580', 'granted'],
  ['108,4711', '2581', 'incorrect_pin'],
  ['815', '1379', 'granted'],
  ['815', '1111', 'incorrect_pin'],
])('the PIN typed with card %s, %s: %s', async (number, pin, reason) => {
  const answer = await ask({ type: 'card', number, pin })
  expect(answer.reason).toBe(reason)
})

it.each([
  [{ type: 'pin' }, 'credential.pin'],
  [{ type: 'pin', pin: null }, 'credential.pin'],
  [{ type: 'card' }, 'credential.number'],
  [{ type: 'card', number: null, pin: '2580' }, 'credential.number'],
  [{ type: 'card', number: '', facility_code: '108' }, 'credential.number'],
])('%j, of which nothing was read, is no question', async (credential, path) => {
  const { status, body } = await owner.post('/api/v1/access-decisions', { access_point_id: door, credential })
  expect([status, body.error.reason, body.error.details[0].path]).toEqual([400, 'body.required', path])
})

it.each([
  [{ type: 'pin', pin: '918274' }, 'en', 'PIN is not known here.'],
  [{ type: 'pin', pin: '918274' }, 'de', 'PIN ist hier nicht bekannt.'],
  [{ type: 'card', facility_code: '109', number: '4711' }, 'en', '109-4711 is not known here.'],
])('%j in %s: %s', async (credential, language, sentence) => {
  const { body } = await owner.post(
    '/api/v1/access-decisions',
    { access_point_id: door, credential },
    { 'accept-language': language },
  )
  expect(body.data.explanation).toEqual([sentence])
})

it('somebody whose cards do not work is not told to have none', async () => {
  const { id } = await owner.create('/api/v1/individuals', { display_name: 'Eve' })
  const explained = async (language: string) => {
    const question = { access_point_id: door, individual_id: id }
    const { data } = (await owner.post('/api/v1/access-decisions', question, { 'accept-language': language })).body
    return [data.reason, data.explanation[0]]
  }
  expect((await explained('en'))[1]).toBe('Eve carries nothing that a reader takes: no card, PIN or mobile key.')
  await owner.create('/api/v1/credentials', {
    type: 'card',
    number: '99',
    individual_id: id,
    valid_from: '2099-01-01T00:00:00Z',
  })
  expect(await explained('en')).toEqual(['no_credential', 'None of what Eve carries works here now.'])
  expect(await explained('de')).toEqual(['no_credential', 'Nichts von dem, was Eve hat, gilt hier jetzt.'])
})
