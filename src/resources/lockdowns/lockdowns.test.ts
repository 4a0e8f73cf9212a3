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
