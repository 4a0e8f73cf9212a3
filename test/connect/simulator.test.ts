import { expect, it, vi } from 'vitest'
import { codeOf } from '../../src/resources/visits/code.ts'
import { memberWith } from '../support/role.ts'
import { watchTransactions } from '../support/watched-texts.ts'
import { makeSite } from './site.ts'

it('a virtual controller decides by the table it was given: nothing before, then whoever may', async () => {
  const site = await makeSite()
  expect(
    (await site.play({ action: 'swipe', access_point_id: site.door.id, number: site.card.number })).body.error.reason,
  ).toBe('simulator.unknown_door')
  await site.round()
  expect(await site.swipe(site.card.number)).toBe('granted')
  expect(await site.swipe('999')).toBe('unknown_credential')
  await site.round()
  expect((await site.events()).map(({ type, reason, credential_number }) => [type, reason, credential_number])).toEqual(
    [
      ['access.granted', 'granted', null],
      ['lock.unlocked', null, null],
      ['door.opened', null, null],
      ['access.taken', 'granted', null],
      ['door.closed', null, null],
      ['access.denied', 'unknown_credential', '999'],
    ],
  )
})

it('a controller is given its table without waiting for each entry', async () => {
  const site = await makeSite()
  const { waited, sent } = watchTransactions(site.house.engine)
  await site.round()
  vi.restoreAllMocks()
  const isPut = (text: string) => /insert into simulator_entries/.test(text)
  const [row] = await site.house.engine.reader.all<{ n: number }>('select count(*) as n from simulator_entries', [])
  expect([waited.filter(isPut).length, sent.filter(isPut).length]).toEqual([0, row?.n])
  expect(row?.n).toBeGreaterThan(2)
})

it('a controller knows the QR code of a visit by its digest: the code is in no table, and opens', async () => {
  const site = await makeSite()
  const { owner, house, building } = site
  const visitor = await owner.create('/api/v1/individuals', { display_name: 'Vera', kind: 'visitor' })
  const until = new Date(Date.parse(house.clock.now()) + 3_600_000).toISOString()
  const { credential_id } = await owner.create('/api/v1/visits', {
    visitor_id: visitor.id,
    host_id: site.ada.id,
    valid_from: house.clock.now(),
    valid_until: until,
    places: [{ building_id: building.id }],
  })
  await site.round()
  const { data: credential } = (await owner.get(`/api/v1/credentials/${credential_id}`)).body
  const code = await codeOf(house.engine, 1, credential)
  expect(await site.swipe(code ?? '', { type: 'qr' })).toBe('granted')
  expect(await site.swipe(credential.match_key, { type: 'qr' })).toBe('unknown_credential')
  for (const table of ['simulator_entries', 'device_entries', 'simulator_events'])
    expect(JSON.stringify(await house.engine.reader.all(`select * from ${table}`, [])), table).not.toContain(code)
})

it('a revocation that has not arrived is really still open; it takes hold on return', async () => {
  const site = await makeSite()
  await site.round()
  await site.play({ action: 'go_offline' })
  await site.owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
  await site.round()
  expect(await site.swipe(site.card.number)).toBe('granted')
  expect((await site.owner.get(`/api/v1/access-control-systems/${site.system.id}`)).body.data.status).toBe(
    'disconnected',
  )
  await site.play({ action: 'go_online' })
  await site.round()
  expect(await site.swipe(site.card.number)).toBe('unknown_credential')
  expect((await site.owner.get(`/api/v1/access-control-systems/${site.system.id}`)).body.data.status).toBe('connected')
})

it('tells whether a PIN is right to those who may ask that, and of so many wrong ones only', async () => {
  const site = await makeSite()
  const { owner, house, door } = site
  await owner.create('/api/v1/credentials', { type: 'pin', pin: '147036', individual_id: site.ada.id })
  await site.round()
  const path = `/api/v1/access-control-systems/${site.system.id}/simulator`
  const typed = (pin: string) => ({ action: 'swipe', access_point_id: door.id, type: 'pin', pin })
  const player = await memberWith(house, ['access-control-systems:simulate'])
  for (const query of ['', '?dry_run=true'])
    for (const pin of ['147036', '999999']) {
      const { status, body } = await player.post(path + query, typed(pin))
      expect([status, body.error.reason]).toEqual([403, 'insufficient_permissions'])
    }
  expect((await player.post(path, { action: 'go_online', pin: '1234' })).status).toBe(200)
  expect((await player.post(path, { action: 'swipe', access_point_id: door.id, number: '999' })).body.data.reason).toBe(
    'unknown_credential',
  )
  const reader = await memberWith(house, ['access-control-systems:simulate', 'access-decisions:check-pin'])
  const told = async (pin: string) => {
    const { status, body } = await reader.post(`${path}?dry_run=true`, typed(pin))
    return status === 200 ? body.data.reason : body.error.reason
  }
  expect(await told('147036')).toBe('granted')
  for (let guess = 0; guess < 60; guess++) expect(await told(String(200_000 + guess))).toBe('unknown_credential')
  expect(await told('147036')).toBe('wrong_pins')
})

it('a system that answers is heard of and reaches its doors, though nothing happens there', async () => {
  const site = await makeSite()
  const { owner, system } = site
  const connectivity = async (id: string) => (await owner.get(`/api/v1/access-points/${id}`)).body.data.connectivity
  const seen = async () => (await owner.get(`/api/v1/access-control-systems/${system.id}`)).body.data.last_seen_at
  expect([await connectivity(site.door.id), await seen()]).toEqual(['never_connected', null])
  await site.round()
  const [first] = [await seen()]
  expect(first).toBe(site.house.clock.now())
  expect([await connectivity(site.door.id), await connectivity(site.other.id)]).toEqual(['online', 'online'])
  const late = await owner.create('/api/v1/access-points', {
    name: 'Late',
    space_id: site.space.id,
    access_control_system_id: system.id,
  })
  expect(await connectivity(late.id)).toBe('never_connected')
  await site.round(60_000)
  expect([await connectivity(late.id), await seen()]).toEqual(['online', site.house.clock.now()])
  await site.play({ action: 'go_offline' })
  await site.round(60_000)
  expect(await connectivity(late.id)).toBe('offline')
  expect(await site.events()).toHaveLength(2)
})

it('what a door’s system told of it is not known any more once another system drives it, or none', async () => {
  const site = await makeSite()
  const { owner, door, house } = site
  const stateOf = async () => {
    const { state, in_alarm } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const { lock_state, position, alarms, connectivity } = state
    return [lock_state.value, position.value, alarms.value, in_alarm, connectivity.value, connectivity.since]
  }
  const other = await owner.create('/api/v1/access-control-systems', { name: 'Other', kind: 'simulator' })
  for (const [next, connectivity] of [
    [other.id, 'never_connected'],
    [null, 'unsupervised'],
  ] as const) {
    await site.round()
    await owner.post(`/api/v1/access-points/${door.id}/unlock`, { until_released: true })
    await site.round()
    await site.play({ action: 'force', access_point_id: door.id })
    await site.round()
    expect((await stateOf()).slice(0, 5)).toEqual(['unlocked', 'open', ['forced_open'], true, 'online'])
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: next })
    expect(await stateOf()).toEqual(['unknown', 'unknown', [], false, connectivity, house.clock.now()])
    // That it was forced somebody has yet to take note of.
    const alarms = (await owner.get(`/api/v1/alarms?access_point_id=eq.${door.id}&status=eq.open`)).body.data
    expect(alarms).toHaveLength(1)
    await owner.post(`/api/v1/alarms/${alarms[0].id}/close`)
    await site.play({ action: 'close', access_point_id: door.id })
    await site.round()
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: site.system.id })
  }
})
