import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { OrgHandle } from '../../db/org.ts'
import { grantsOn, holdersOf, keyTypesAt, membersOf, usableCredentials } from './rights-in-force.ts'

const house = await startHouse()
const { owner, engine, clock } = house

it('few rights of single places are read as a whole where very many places are asked about', async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Here' })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const group = await owner.create('/api/v1/access-groups', { name: 'Group' })
  const rooms: string[] = []
  for (const name of ['Asked', 'Not asked']) {
    const { id } = await owner.create('/api/v1/spaces', { name, building_id: building.id })
    await owner.create('/api/v1/access-grants', { access_group_id: group.id, space_id: id })
    rooms.push(id)
  }
  const [asked = ''] = rooms
  const ids = [asked, ...Array.from({ length: 10_000 }, () => randomUUID())]
  const handle = new OrgHandle(engine, 1, clock.now())
  const statements = vi.spyOn(engine.reader, 'all')
  const grants = await grantsOn(handle, ids)
  const types = await keyTypesAt(handle, ids)
  const count = statements.mock.calls.length
  statements.mockRestore()
  expect([...grants]).toEqual([[asked, [expect.objectContaining({ effect: 'allow', subject: group.id })]]])
  expect([...types]).toEqual([])
  expect(count).toBe(4)
  expect(await grantsOn(handle, ids.slice(0, 600))).toEqual(grants)
})

it('who is in groups, and what many carry, is read where that does not hold up the event loop', async () => {
  const handle = new OrgHandle(engine, 1, clock.now())
  const many = Array.from({ length: 6000 }, () => randomUUID())
  const statements = vi.spyOn(engine.reader, 'all')
  await membersOf(handle, new Set(many.slice(0, 1)))
  await usableCredentials(handle, new Set(many))
  await holdersOf(handle, many)
  const extents = statements.mock.calls.map(([, , , extent]) => extent)
  statements.mockRestore()
  expect(extents).toEqual(Array(5).fill('all'))
})
