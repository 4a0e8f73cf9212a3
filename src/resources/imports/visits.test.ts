import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const here = await makeEstate(owner, 'Here')
await owner.patch(`/api/v1/spaces/${here.space.id}`, { external_id: 'office-1' })
const there = await makeEstate(owner, 'There')
const person = (display_name: string, kind: string) =>
  owner.create('/api/v1/individuals', { display_name, kind, building_id: here.building.id })
const vera = await person('Vera Gast', 'visitor')
await person('Hugo Host', 'employee')

const HEAD = ['external_id', 'Besucher', 'Gastgeber', 'Von', 'Ende', 'credential_type', 'places']
const row = (key: string, type = 'qr', places = JSON.stringify([{ building_id: 'Here house' }])) => [
  key,
  'Vera Gast',
  'Hugo Host',
  '16.06.2027 08:00',
  '16.06.2027 17:00',
  type,
  places,
]
const BY_KEY = '[{"space_id": "office-1"}]'
const taken = async (rows: string[][], more: object = {}, client = owner) =>
  (await client.post('/api/v1/imports', { resource: 'visits', rows: [HEAD, ...rows], ...more })).body.data
const visits = async () => (await owner.get('/api/v1/visits?order=external_id')).body.data

it('visits come from a file, places by name, each with what lets the visitor in; sent again they stay as they are', async () => {
  expect(await taken([row('v-1'), row('v-2', 'none', BY_KEY)], { dry_run: true })).toMatchObject({
    status: 'checked',
    created: 2,
    failed: 0,
  })
  expect([await visits(), (await owner.get('/api/v1/access-grants')).body.data]).toEqual([[], []])
  expect(await taken([row('v-1'), row('v-2', 'none', BY_KEY)])).toMatchObject({ status: 'done', created: 2, failed: 0 })
  const [first, second] = await visits()
  expect(first).toMatchObject({ visitor_id: vera.id, status: 'planned', places: [{ building_id: here.building.id }] })
  expect(second.places).toEqual([{ space_id: here.space.id }])
  expect((await owner.post(`/api/v1/visits/${first.id}/qr-code`)).status).toBe(200)
  expect([first.credential_id === null, second.credential_id]).toEqual([false, null])
  expect((await owner.get('/api/v1/access-grants')).body.meta.pagination.total).toBe(2)
  expect(await taken([row('v-1'), row('v-2', 'none', BY_KEY)])).toMatchObject({
    status: 'done',
    unchanged: 2,
    failed: 0,
  })
})

it('a PIN, which is shown once, is made from no file, and keeps no other row back', async () => {
  const { created, failed, errors } = await taken([row('v-3', 'pin'), row('v-4')])
  expect([created, failed, errors.map((one: { row: number; rule: string }) => [one.row, one.rule])]).toEqual([
    1,
    1,
    [[2, 'import.resource']],
  ])
  expect((await visits()).map((visit: { external_id: string }) => visit.external_id)).toEqual(['v-1', 'v-2', 'v-4'])
  expect((await owner.get('/api/v1/credentials?type=eq.pin')).body.data).toEqual([])
})

it('nobody lets a visitor in by a file where they could not by themselves', async () => {
  const client = await memberWith(
    house,
    ['imports:read', 'imports:write', 'visits:read', 'visits:write', 'individuals:read'],
    {
      building_id: here.building.id,
    },
  )
  const { created, failed, errors } = await taken(
    [
      row('', 'qr', JSON.stringify([{ building_id: there.building.id }])),
      row('', 'qr', JSON.stringify([{ space_id: 'There office' }])),
    ],
    {},
    client,
  )
  expect([created, failed]).toEqual([0, 2])
  expect(errors.map((one: { cell: string; rule: string }) => [one.cell, one.rule])).toEqual([
    ['G2', 'reference.not_found'],
    ['G3', 'reference.not_found'],
  ])
})

it('what is called like an id in settings of somebody else’s is left as it is', async () => {
  const settings = { building_id: 'north wing', login: { location_id: 'x' } }
  const rows = [
    ['external_id', 'name', 'settings'],
    ['acs-1', 'Vendor', JSON.stringify(settings)],
  ]
  const { data } = (await owner.post('/api/v1/imports', { resource: 'access-control-systems', rows })).body
  expect(data).toMatchObject({ status: 'done', created: 1, failed: 0 })
  const [system] = (await owner.get('/api/v1/access-control-systems?external_id=eq.acs-1')).body.data
  expect(system.settings.building_id).toBe('north wing')
})
