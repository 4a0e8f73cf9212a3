import { expect, it } from 'vitest'
import { loadDoors } from '../../src/access/doors.ts'
import { doorsWithRight } from '../../src/access/lists/doors-within-reach.ts'
import { loadPeople } from '../../src/access/people.ts'
import { Settings } from '../../src/access/settings.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { render } from '../../src/db/sql.ts'
import { startHouse } from '../support/app.ts'
import { watchTexts } from '../support/watched-texts.ts'

// What a statement costs on a large estate is not seen on a small one; how it is worded is.

const { engine, owner, clock } = await startHouse()
const location = await owner.create('/api/v1/locations', { name: 'Campus' })
const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
const system = await owner.create('/api/v1/access-control-systems', { name: 'Readers' })
const door = await owner.create('/api/v1/access-points', {
  name: 'Door',
  space_id: space.id,
  access_control_system_id: system.id,
})
const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
await owner.create('/api/v1/access-grants', { individual_id: person.id, building_id: building.id })
clock.forward(60_000)
const before = clock.now()
clock.forward(60_000)
await owner.patch(`/api/v1/spaces/${space.id}`, { name: 'Great hall', occupancy_limit: 40 })

const { watching, asked } = watchTexts(engine)
const [organization] = await engine.reader.all<{ key: number }>('select key from organizations', [])
const handle = new OrgHandle(engine, organization?.key ?? 0, clock.now(), watching)

it('doors of another day are read, and then their spaces by id: never every space there was', async () => {
  asked.length = 0
  const then = (await loadDoors(new Settings(handle, before), [door.id], before)).get(door.id)
  expect(then?.door.space).toMatchObject({ id: space.id, name: 'Hall', occupancy_limit: null })
  expect(then?.targets.map(({ name }) => name)).toEqual(['Campus', 'House', 'Hall', 'Door'])
  const now = (await loadDoors(new Settings(handle), [door.id], handle.now)).get(door.id)
  expect(now?.door.space).toMatchObject({ id: space.id, name: 'Great hall', occupancy_limit: 40 })
  const past = asked.filter((text) => text.includes('spaces_history'))
  expect(past).toHaveLength(1)
  expect(past[0]).not.toContain('access_points')
})

it('the doors that somebody can open are a condition on columns of the door alone, which indexes answer', async () => {
  for (const [settings, at, asked] of [
    [new Settings(handle), handle.now, ''],
    [new Settings(handle, before), before, `?as_of=${before}`],
  ] as const) {
    const facts = (await loadPeople(settings, [person.id])).get(person.id)
    if (!facts) throw new Error('the person is not there')
    expect(render(await doorsWithRight(settings, facts, at)).text).not.toMatch(/\b(exists|join|from [a-z_]*s) /)
    const { body } = await owner.get(`/api/v1/individuals/${person.id}/can-open${asked}`)
    expect(body.data, asked).toMatchObject([{ access_point_id: door.id }])
  }
})

it('whether cards have a PIN is read with them, not by joining all cards once more', async () => {
  asked.length = 0
  await loadPeople(new Settings(handle), [person.id])
  await loadPeople(new Settings(handle, before), [person.id])
  const cards = asked.filter((text) => text.includes('pin_key'))
  expect(cards).toHaveLength(2)
  for (const text of cards) expect(text).not.toContain('join')
})
