import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { change } from '../../db/change.ts'
import { Bulk } from '../../demo/bulk.ts'

const { owner, clock, engine } = await startHouse()
/** More than are read one by one. */
const CROWD = 1100

async function addCrowd(group: string): Promise<string[]> {
  const row = () => ({
    id: randomUUIDv7(),
    external_id: null,
    created_at: clock.now(),
    updated_at: clock.now(),
    version: 1,
  })
  const people = Array.from({ length: CROWD }, (_, index) => ({
    ...row(),
    kind: index % 2 === 0 ? 'employee' : 'contractor',
    given_name: 'Ada',
    family_name: `${index}`,
    display_name: `Ada ${String(index).padStart(4, '0')}`,
    status: index === 7 ? 'suspended' : 'active',
  }))
  const [{ key = 0 } = {}] = await engine.reader.all<{ key: number }>(
    'select min(org) as key from access_groups where id = $1',
    [group],
  )
  await change(engine, key, clock.now(), actor, async (tx) => {
    const bulk = new Bulk(tx, () => undefined)
    await bulk.addAll('individuals', people)
    await bulk.addAll(
      'access_group_members',
      people.map(({ id }, index) => ({
        ...row(),
        access_group_id: group,
        individual_id: id,
        valid_from: null,
        valid_until: index === 8 ? '2027-06-16T00:00:00.000Z' : null,
      })),
    )
    tx.record({
      action: 'demo.filled',
      resource: 'organizations',
      resourceId: null,
      before: null,
      after: { people: CROWD },
    })
  })
  return people.map(({ id }) => id)
}

it('a door of a crowd tells as many as it lists, whatever changes', async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Stadium' })
  const building = await owner.create('/api/v1/buildings', { name: 'Stand', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Gate', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Turnstiles' })
  const door = await owner.create('/api/v1/access-points', {
    name: 'Gate',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const group = await owner.create('/api/v1/access-groups', { name: 'Everybody' })
  const people = await addCrowd(group.id as string)
  await owner.create('/api/v1/access-grants', { access_group_id: group.id, building_id: building.id })
  const path = `/api/v1/access-points/${door.id}/who-can-open`
  const totals = async () => {
    const [whole, counted, judged] = [
      await owner.get(path),
      await owner.get(`${path}?kind=neq.visitor`),
      await owner.get(`${path}?reason=neq.evacuation`),
    ]
    expect(whole.body.data).toHaveLength(10)
    expect(whole.body.data).toEqual(counted.body.data)
    return [whole, counted, judged].map(({ body }) => body.meta.pagination.total)
  }
  expect(await totals()).toEqual([CROWD - 1, CROWD - 1, CROWD - 1])
  const deny = await owner.create('/api/v1/access-grants', {
    individual_id: people[3],
    access_point_id: door.id,
    effect: 'deny',
  })
  expect(await totals()).toEqual([CROWD - 2, CROWD - 2, CROWD - 2])
  await owner.post(`/api/v1/access-grants/${deny.id}/revoke`)
  clock.forward(24 * 3_600_000)
  expect(await totals()).toEqual([CROWD - 2, CROWD - 2, CROWD - 2])
})

it('a decision that is kept is another as soon as anything of it changes', async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Kept' })
  const building = await owner.create('/api/v1/buildings', { name: 'Kept', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Kept', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Kept' })
  const door = await owner.create('/api/v1/access-points', {
    name: 'Kept',
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const person = await owner.create('/api/v1/individuals', { display_name: 'Kept' })
  const card = await owner.create('/api/v1/credentials', { type: 'card', number: '815', individual_id: person.id })
  const decide = async (more: object = {}) => {
    const question = { credential: { type: 'card', number: '815' }, access_point_id: door.id, ...more }
    const { data } = (await owner.post('/api/v1/access-decisions', question)).body
    return (await owner.post('/api/v1/access-decisions', question)).body.data.reason === data.reason
      ? data.reason
      : 'differs'
  }
  expect(await decide()).toBe('no_access_rights')
  const grant = await owner.create('/api/v1/access-grants', { individual_id: person.id, location_id: location.id })
  expect(await decide()).toBe('granted')
  const lockdown = await owner.create('/api/v1/lockdowns', { kind: 'lockdown', building_id: building.id })
  expect(await decide()).toBe('locked_down')
  const during = clock.now()
  clock.forward(3_600_000)
  await owner.post(`/api/v1/lockdowns/${lockdown.id}/release`)
  expect(await decide()).toBe('granted')
  // What is kept was loaded after the lockdown: a question about an hour before is not answered from it.
  expect(await decide({ at: during })).toBe('locked_down')
  const elsewhere = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
  await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: elsewhere.id })
  expect(await decide()).toBe('no_access_rights')
  await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: location.id })
  await owner.patch(`/api/v1/credentials/${card.id}`, { status_reason: 'lost' })
  expect(await decide()).toBe('credential_lost')
  await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
})
