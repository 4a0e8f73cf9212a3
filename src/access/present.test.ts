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
    await tx.update('credentials', ids.Cyd ?? '', { pin_key: null, pin_hash: await hashPin('1379'), match_key: '=card:815:' })
    tx.record({ action: 'test', resource: 'credentials', resourceId: null, before: null, after: null })
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
    [{ type: 'pin', pin: '918273' }],
  ])('%j is found', async (credential) => {
    expect(await ask(credential, more())).toMatchObject({ decision: 'granted' })
  })

  it.each([
    [{ type: 'card', facility_code: '109', number: '4711' }],
    [{ type: 'transponder', number: '4711' }],
    [{ type: 'card', number: '47110' }],
    // One that is known by its text alone.
    [{ type: 'card', number: '0815' }],
    [{ type: 'pin', pin: '918274' }],
    // The PIN of a card is no PIN by itself.
    [{ type: 'pin', pin: '2580' }],
    [{ type: 'pin' }],
  ])('%j is not', async (credential) => {
    expect(await ask(credential, more())).toMatchObject(unknown)
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
