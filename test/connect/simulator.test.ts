import { expect, it } from 'vitest'
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
