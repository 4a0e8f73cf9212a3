import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/lockdowns'

it('whoever is limited to a building sees what locks it, from above too, and ends only what is their own', async () => {
  const own = await makeEstate(owner, 'Own')
  const other = await makeEstate(owner, 'Other')
  const guard = await memberWith(house, ['lockdowns:read', 'lockdowns:write'], { building_id: own.building.id })
  const { location_id } = (await owner.get(`/api/v1/buildings/${own.building.id}`)).body.data
  const places = { all: {}, above: { location_id }, own: { building_id: own.building.id }, elsewhere: { building_id: other.building.id } }
  for (const [reason, place] of Object.entries(places)) await owner.create(PATH, { kind: 'lockdown', reason, ...place })
  const seen = (await guard.get(`${PATH}?order=reason`)).body
  expect(seen.data.map(({ reason }: { reason: string }) => reason)).toEqual(['above', 'all', 'own'])
  const released = []
  for (const { id } of seen.data) released.push((await guard.post(`${PATH}/${id}/release`)).status)
  expect(released).toEqual([403, 403, 200])
})

it('a fire panel that says it again starts one evacuation, and one that is about to end is not it', async () => {
  const { building } = await makeEstate(owner, 'Fire')
  const panel = await memberWith(house, ['lockdowns:evacuate'])
  const soon = new Date(Date.parse(house.clock.now()) + 8000).toISOString()
  const test = await owner.create(PATH, { kind: 'evacuation', building_id: building.id, reason: 'Test run', expires_at: soon })
  const start = async (more: object = {}) =>
    (await panel.post(`${PATH}/evacuate`, { building_id: building.id, reason: 'Fire', ...more })).body.data.id
  expect(await start({ expires_at: soon })).toBe(test.id)
  const real = await start()
  expect(real).not.toBe(test.id)
  expect(await start()).toBe(real)
  house.clock.forward(10_000)
  expect((await owner.get(`${PATH}/${real}`)).body.data.status).toBe('active')
})
