import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../support/app.ts'
import { memberWith } from '../support/role.ts'

const house = await startHouse()
const { owner } = house
const made: Record<string, { id: string }> = {}

beforeAll(async () => {
  const here = await owner.create('/api/v1/locations', { name: 'Here' })
  const there = await owner.create('/api/v1/locations', { name: 'There' })
  for (const [name, location] of [['near', here] as const, ['far', there] as const]) {
    const building = await owner.create('/api/v1/buildings', { name: `${name} house`, location_id: location.id })
    const space = await owner.create('/api/v1/spaces', {
      name: `${name} room`,
      building_id: building.id,
      department: 'Physics',
    })
    made[`${name} building`] = building
    made[`${name} space`] = space
    for (const kind of ['door', 'door', 'gate'])
      await owner.create('/api/v1/access-points', { name: `${name} ${kind}`, kind, space_id: space.id })
  }
  made.manager = await owner.create('/api/v1/individuals', {
    display_name: 'Ada',
    email: 'ada@example.com',
    building_id: made['near building']?.id,
  })
  made.managed = await owner.create('/api/v1/individuals', {
    display_name: 'Bob',
    manager_id: made.manager?.id,
    building_id: made['near building']?.id,
  })
  await owner.create('/api/v1/individuals', {
    display_name: 'Eve',
    manager_id: made.managed?.id,
    building_id: made['far building']?.id,
    kind: 'visitor',
  })
})

describe('fields of what an item refers to', () => {
  it('come with it, stored, derived and decorated ones, and null where it refers to nothing', async () => {
    const { body } = await owner.get(
      '/api/v1/individuals?select=display_name,manager(display_name,email,id)&order=display_name',
    )
    expect(body.data).toEqual([
      { display_name: 'Ada', manager: null },
      { display_name: 'Bob', manager: { display_name: 'Ada', email: 'ada@example.com', id: made.manager?.id } },
      { display_name: 'Eve', manager: { display_name: 'Bob', email: null, id: made.managed?.id } },
    ])
    expect(body.meta.select).toEqual(['display_name', 'manager(display_name,email,id)'])
    const doors = (
      await owner.get(
        '/api/v1/access-points?select=space(name,location,time_zone)&name=eq.far gate'.replace(' ', '%20'),
      )
    ).body.data
    expect(doors).toEqual([{ space: { name: 'far room', location: 'There', time_zone: 'Europe/Zurich' } }])
  })

  it('follow a change of what is referred to at once', async () => {
    const url = '/api/v1/individuals?select=manager(email)&display_name=eq.Bob'
    expect((await owner.get(url)).body.data).toEqual([{ manager: { email: 'ada@example.com' } }])
    await owner.patch(`/api/v1/individuals/${made.manager?.id}`, { email: 'ada@new.example' })
    expect((await owner.get(url)).body.data).toEqual([{ manager: { email: 'ada@new.example' } }])
  })

  it('are left out where the caller may not read the item, and where they do not see the field', async () => {
    const blind = await memberWith(house, ['access-points:read'])
    expect((await blind.get('/api/v1/access-points?select=name,space(name)&name=eq.near%20gate')).body.data).toEqual([
      { name: 'near gate' },
    ])
    const local = await house.member('Owner', { building_id: made['near building']?.id as string })
    const { data } = (
      await local.get('/api/v1/individuals?select=display_name,manager(display_name,email)&order=display_name')
    ).body
    expect(data).toContainEqual({ display_name: 'Bob', manager: { display_name: 'Ada', email: 'ada@new.example' } })
    expect(JSON.stringify(data)).not.toContain('Eve')
  })

  it.each([
    ['manager(nope)', 'select.unknown_field'],
    ['manager(display_name,display_name)', 'select.duplicate_field'],
    ['manager(display_name),manager(email)', 'select.duplicate_field'],
    ['manager()', 'select.empty_term'],
    ['manager(*)', 'select.star_not_alone'],
    ['manager(manager(email))', 'select.syntax'],
    ['manager(email', 'select.syntax'],
    ['manager(email))', 'select.syntax'],
    ['manager_id(email)', 'select.syntax'],
    ['nobody(email)', 'select.syntax'],
    ['id,manager(email)x', 'select.syntax'],
  ])('%s is %s', async (select, reason) => {
    expect((await owner.get(`/api/v1/individuals?select=${select}`)).body.error.reason).toBe(reason)
  })
})

it('whoever asks for all fields of what is referred to is told to name them', async () => {
  expect((await owner.get('/api/v1/individuals?select=id,manager(*)')).body.msg).toBe(
    'Parameter "select": "manager(*)" is not accepted; expected its fields by name, like manager(id,display_name)',
  )
})

it('where not. stands in a group of filters is told as it is taken', async () => {
  const { msg } = (await owner.get('/api/v1/individuals?or=(not.kind.eq.visitor)')).body
  expect(msg).toContain('field.not.eq.value')
  expect((await owner.get('/api/v1/individuals?or=(kind.not.eq.visitor)')).body.data).toHaveLength(2)
})

describe('counts of a list', () => {
  it('are by enum, boolean and reference, the largest first, with the filters of the list', async () => {
    const counts = async (query: string) => (await owner.get(`/api/v1/access-points/summary?${query}`)).body
    expect((await counts('')).data).toEqual([{ count: 6 }])
    expect((await counts('group_by=kind')).data).toEqual([
      { kind: 'door', count: 4 },
      { kind: 'gate', count: 2 },
    ])
    const near = await counts(
      `group_by=space_id,kind&space_id=eq.${made['near space']?.id}&or=(kind.eq.gate,name.like.near*)`,
    )
    expect(near.data).toEqual([
      { space_id: made['near space']?.id, kind: 'door', count: 2 },
      { space_id: made['near space']?.id, kind: 'gate', count: 1 },
    ])
    expect(near.meta).toMatchObject({ group_by: ['space_id', 'kind'], groups: 2, total: 3 })
    expect((await counts('group_by=kind&search=far')).data).toEqual([
      { kind: 'door', count: 2 },
      { kind: 'gate', count: 1 },
    ])
    expect((await counts('group_by=in_alarm')).data).toEqual([{ in_alarm: false, count: 6 }])
    expect((await owner.get('/api/v1/individuals/summary?group_by=manager_id')).body.data).toHaveLength(3)
    expect((await owner.get('/api/v1/spaces/summary?group_by=building_id')).body.data).toHaveLength(2)
  })

  it('are of what the caller may see, and of no more', async () => {
    const local = await house.member('Auditor', { building_id: made['near building']?.id as string })
    const { data, meta } = (await local.get('/api/v1/access-points/summary?group_by=kind')).body
    expect(data).toEqual([
      { kind: 'door', count: 2 },
      { kind: 'gate', count: 1 },
    ])
    expect(meta.limited_to).toMatchObject([{ building_id: made['near building']?.id }])
    expect((await (await memberWith(house, ['spaces:read'])).get('/api/v1/access-points/summary')).status).toBe(403)
    expect((await house.anonymous.get('/api/v1/access-points/summary')).status).toBe(401)
  })

  it.each([
    ['group_by=nope', 'group_by.unknown_field'],
    ['group_by=', 'group_by.unknown_field'],
    ['group_by=name', 'group_by.not_groupable'],
    ['group_by=kind,kind', 'group_by.duplicate_field'],
    ['group_by=kind,in_alarm,space_id,direction', 'group_by.too_many'],
    ['group_by=kind&group_by=kind', 'param.repeated'],
    ['page=2', 'param.unknown'],
    ['kind=eq.dor', 'filter.enum_value'],
  ])('with %s are refused: %s', async (query, reason) => {
    expect((await owner.get(`/api/v1/access-points/summary?${query}`)).body.error.reason).toBe(reason)
  })

  it('follow every change', async () => {
    const url = '/api/v1/access-points/summary?group_by=kind'
    const before = await owner.get(url)
    expect((await owner.get(url, { 'if-none-match': String(before.headers.etag) })).status).toBe(304)
    await owner.create('/api/v1/access-points', { name: 'new', kind: 'gate', space_id: made['near space']?.id })
    expect((await owner.get(url, { 'if-none-match': String(before.headers.etag) })).body.data).toContainEqual({
      kind: 'gate',
      count: 3,
    })
  })
})
