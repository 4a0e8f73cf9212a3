import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { populate } from '../../../test/support/population.ts'
import { memberWith } from '../../../test/support/role.ts'
import { resourcesOf } from '../../db/resources.ts'
import { changesFeed, nouns, typeOf } from '../../live/changes/feed.ts'
import { canHave } from '../../live/feed.ts'

const house = await startHouse()
const { owner, engine } = house
const path = '/api/v1/changes'

interface Told {
  sequence: number
  type: string
  resource_id: string
  changed: string[] | null
  data: Record<string, unknown> | null
}

const last = async (): Promise<number> => (await owner.get(`${path}?after=0&limit=1&type=demo.erased`)).body.meta.last
const since = async (after: number, query = '', reader = owner): Promise<Told[]> =>
  (await reader.get(`${path}?after=${after}${query}`)).body.data
const typesOf = (told: readonly Told[]) => told.map(({ type }) => type)

describe('changes', () => {
  it('are what was created, changed and deleted, in that order, with what the item became and last was', async () => {
    const before = await last()
    const { id } = await owner.create('/api/v1/access-groups', { name: 'Night shift' })
    await owner.patch(`/api/v1/access-groups/${id}`, { name: 'Night watch' })
    await owner.delete(`/api/v1/access-groups/${id}`)
    const told = await since(before)
    expect(told).toMatchObject([
      {
        type: 'access-group.created',
        resource: 'access-groups',
        resource_id: id,
        changed: null,
        data: { name: 'Night shift' },
      },
      {
        type: 'access-group.updated',
        changed: expect.arrayContaining(['name', 'version']),
        data: { name: 'Night watch', version: 2 },
      },
      { type: 'access-group.deleted', changed: null, data: { id, name: 'Night watch' } },
    ])
    expect(told.map(({ sequence }) => sequence)).toEqual([before + 1, before + 2, before + 3])
  })

  it('tell of what goes with an item that is deleted, each by itself and before it', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Whole' })
    const building = await owner.create('/api/v1/buildings', { name: 'Whole', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Whole', building_id: building.id })
    const door = await owner.create('/api/v1/access-points', { name: 'Whole', space_id: space.id })
    const plan = await owner.create('/api/v1/floor-plans', { name: 'Ground', floor: 0, building_id: building.id })
    const place = { access_point_id: door.id, x: 0.5, y: 0.5 }
    const position = await owner.create(`/api/v1/floor-plans/${plan.id}/positions`, place)
    const group = await owner.create('/api/v1/access-groups', { name: 'Whole' })
    const members: string[] = []
    for (const display_name of ['Ada', 'Bob']) {
      const { id } = await owner.create('/api/v1/individuals', { display_name })
      members.push((await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: id })).id)
    }
    const before = await last()
    for (const path of [
      `access-groups/${group.id}`,
      `access-points/${door.id}`,
      `spaces/${space.id}`,
      `buildings/${building.id}`,
    ])
      expect((await owner.delete(`/api/v1/${path}`)).status).toBe(200)
    const told = await since(before)
    expect(told.map(({ type, resource_id }) => [type, resource_id])).toEqual([
      ['access-group-member.deleted', members[0]],
      ['access-group-member.deleted', members[1]],
      ['access-group.deleted', group.id],
      ['floor-plan-position.deleted', position.id],
      ['access-point.deleted', door.id],
      ['space.deleted', space.id],
      ['floor-plan.deleted', plan.id],
      ['building.deleted', building.id],
    ])
    expect(told[0]?.data).toMatchObject({ id: members[0], access_group_id: group.id })
  })

  it('of a locking plan are told with its system, to whoever is limited to where that lies too', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Locks' })
    const building = await owner.create('/api/v1/buildings', { name: 'Locks', location_id: location.id })
    const system = await owner.create('/api/v1/locking-system', { name: 'Locks', building_id: building.id })
    const of = { locking_system_id: system.id }
    const type = await owner.create('/api/v1/key-types', { ...of, code: 'A' })
    const cylinder = await owner.create('/api/v1/cylinders', { ...of, number: '1' })
    const guard = await house.member('Integration', { building_id: building.id })
    const before = await last()
    const set = [{ key_type_id: type.id, cylinder_id: cylinder.id }]
    expect((await owner.post(`/api/v1/locking-system/${system.id}/plan/cells`, { set })).status).toBe(200)
    for (const reader of [owner, guard])
      expect(await since(before, '', reader)).toMatchObject([
        { type: 'locking-plan.changed', resource_id: system.id, data: { id: system.id, name: 'Locks' } },
      ])
  })

  it('that say nothing of the item have none as their data', async () => {
    const { id } = await owner.create('/api/v1/users', { name: 'Eve', email: 'eve@example.org' })
    const before = await last()
    expect((await house.loggedIn(owner.token).post(`/api/v1/users/${id}/invite`)).status).toBe(200)
    expect(await since(before)).toMatchObject([{ type: 'user.invited', resource_id: id, changed: null, data: null }])
  })

  it('are read on from where one was, without a gap or a repeat, whatever the size of a page', async () => {
    const before = await last()
    for (let i = 0; i < 7; i++) await owner.create('/api/v1/locations', { name: `Place ${i}` })
    const seen: Told[] = []
    let after = before
    for (let more = true; more; ) {
      const { data, meta } = (await owner.get(`${path}?after=${after}&limit=3`)).body
      expect(meta.after).toBe(after)
      seen.push(...data)
      after = meta.last
      more = meta.has_more
    }
    expect(seen.map(({ data }) => data?.name)).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `Place ${i}`))
    expect((await owner.get(`${path}?after=${after}`)).body).toMatchObject({
      data: [],
      meta: { last: after, has_more: false },
    })
  })

  it('are narrowed by type, by resource and by item; an odd filter is refused and never passed over', async () => {
    const before = await last()
    const place = await owner.create('/api/v1/locations', { name: 'Bern' })
    const group = await owner.create('/api/v1/access-groups', { name: 'Bern' })
    await owner.patch(`/api/v1/access-groups/${group.id}`, { description: 'x' })
    expect(typesOf(await since(before, '&type=access-group.*'))).toEqual([
      'access-group.created',
      'access-group.updated',
    ])
    expect(typesOf(await since(before, '&type=*.updated,location.created'))).toEqual([
      'location.created',
      'access-group.updated',
    ])
    expect(typesOf(await since(before, '&resource=locations'))).toEqual(['location.created'])
    expect(typesOf(await since(before, `&resource_id=${place.id}`))).toEqual(['location.created'])
    for (const query of [
      'type=locations.created',
      'type=location',
      'resource=location',
      'resource=locations,x',
      'resource_id=4711',
    ])
      expect([query, (await owner.get(`${path}?${query}`)).status]).toEqual([query, 400])
    // A slip of the keys would be waited for in vain.
    const slip = await owner.get(`${path}?type=location.creatd`)
    expect([slip.status, slip.body.msg]).toEqual([400, expect.stringContaining('did you mean "location.created"?')])
    expect((await owner.get(`${path}?type=*.creatd`)).status).toBe(400)
    await owner.get('/api/v1/locations?format=csv')
    expect(typesOf(await since(before, '&type=locations.exported'))).toEqual(['locations.exported'])
    for (const query of [
      'type=',
      'type=a b',
      'resource=',
      'after=-1',
      'after=x',
      'limit=0',
      'limit=101',
      'order=id',
      'after=1&after=2',
    ])
      expect([query, (await owner.get(`${path}?${query}`)).status]).toEqual([query, 400])
  })

  it('can be asked for by every type and resource that is recorded', async () => {
    await populate(house, owner, 'all')
    const recorded = await engine.reader.all<{ action: string; resource: string }>(
      'select distinct action, resource from audit_log',
      [],
    )
    expect(recorded.length).toBeGreaterThan(30)
    const resources = resourcesOf(engine)
    const wanting = recorded.filter(
      ({ action, resource }) =>
        !canHave(changesFeed, resources, typeOf(action)) || !nouns(resources).includes(resource),
    )
    expect(wanting).toEqual([])
  })

  it('are for those who may read them: each kind by its own permission', async () => {
    expect((await house.anonymous.get(path)).status).toBe(401)
    await owner.create('/api/v1/roles', { name: 'Places alone', permissions: ['locations:read'] })
    expect((await (await house.member('Places alone')).get(path)).status).toBe(403)
    await owner.create('/api/v1/roles', { name: 'Follows places', permissions: ['changes:read', 'locations:read'] })
    const reader = await house.member('Follows places')
    const before = await last()
    await owner.create('/api/v1/locations', { name: 'Seen' })
    await owner.create('/api/v1/access-groups', { name: 'Unseen' })
    expect(typesOf(await since(before, '', reader))).toEqual(['location.created'])
    expect((await reader.get(`${path}?after=${before}`)).body.meta.last).toBe(before + 2)
    expect(typesOf(await since(0, '&type=role.*,session.*,audit-log.*,organization.*', reader))).toEqual([])
    expect((await since(0, '&type=role.*')).length).toBeGreaterThan(0)
    const integration = await house.member('Integration')
    expect((await integration.get(path)).status).toBe(200)
  })

  it('say which permissions their reader lacks, and nothing of it to whoever lacks none', async () => {
    const before = await last()
    await owner.create('/api/v1/locations', { name: 'Unseen' })
    const blind = await memberWith(house, ['changes:read', 'spaces:read'])
    const { data, meta } = (await blind.get(`${path}?after=${before}`)).body
    expect(data).toEqual([])
    expect(meta.missing_permissions).toContain('locations:read')
    expect(meta.missing_permissions).not.toContain('spaces:read')
    expect((await owner.get(`${path}?after=${before}`)).body.meta).not.toHaveProperty('missing_permissions')
  })

  it('hide what was worked out by the rights of whoever made them', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'HQ' })
    const building = await owner.create('/api/v1/buildings', { name: 'A', location_id: location.id })
    const before = await last()
    await owner.create('/api/v1/spaces', { name: 'Lab', building_id: building.id })
    const [told] = await since(before)
    expect(told?.data).toMatchObject({ name: 'Lab', building_id: building.id })
    expect(Object.keys(told?.data ?? {})).not.toContain('summary')
    expect(Object.keys(told?.data ?? {})).not.toContain('access_points')
  })

  it('of one place are told to a role that is limited to it; nothing of what lies elsewhere', async () => {
    const [here, there] = [
      await owner.create('/api/v1/locations', { name: 'Here' }),
      await owner.create('/api/v1/locations', { name: 'Away' }),
    ]
    const local = await house.member('Integration', { location_id: here.id })
    const before = await last()
    const near = await owner.create('/api/v1/buildings', { name: 'Near', location_id: here.id })
    const far = await owner.create('/api/v1/buildings', { name: 'Far', location_id: there.id })
    await owner.patch(`/api/v1/buildings/${near.id}`, { address: '1 Road' })
    await owner.patch(`/api/v1/buildings/${far.id}`, { address: '2 Road' })
    const gone = await owner.create('/api/v1/buildings', { name: 'Gone', location_id: here.id })
    await owner.delete(`/api/v1/buildings/${gone.id}`)
    await owner.delete(`/api/v1/buildings/${far.id}`)
    await owner.create('/api/v1/access-groups', { name: 'Of the whole organization' })
    const { data: told, meta }: { data: Told[]; meta: object } = (await local.get(`${path}?after=${before}`)).body
    expect(meta).toMatchObject({ limited_to: [{ location_id: here.id, building_id: null, name: 'Here' }] })
    expect((await owner.get(`${path}?after=${before}`)).body.meta).not.toHaveProperty('limited_to')
    expect(told.map(({ type, data }) => [type, data?.name])).toEqual([
      ['building.created', 'Near'],
      ['building.updated', 'Near'],
      ['building.created', 'Gone'],
      ['building.deleted', 'Gone'],
    ])
    // What moves away is gone; where to, is not told.
    await owner.patch(`/api/v1/buildings/${near.id}`, { location_id: there.id })
    const [moved, ...more] = (await local.get(`${path}?after=${before}&type=building.updated`)).body.data.slice(-1)
    expect([moved, more]).toMatchObject([{ resource_id: near.id, changed: null, data: null }, []])
    expect((await local.get(`${path}?after=0`)).text).not.toMatch(/Far|Away|whole organization/)
  })

  it('of what lay in a place that is gone by now are told to whoever saw it, and nothing of what lay elsewhere', async () => {
    const [here, there] = [
      await owner.create('/api/v1/locations', { name: 'Stays' }),
      await owner.create('/api/v1/locations', { name: 'Far off' }),
    ]
    const local = await house.member('Integration', { location_id: here.id })
    const { id: individual_id } = await owner.create('/api/v1/individuals', { display_name: 'Ada of the wing' })
    const before = await last()
    const make = async (location_id: string, name: string) => {
      const wing = await owner.create('/api/v1/locations', { name: `${name} wing`, parent_id: location_id })
      const building = await owner.create('/api/v1/buildings', { name, location_id: wing.id })
      const space = await owner.create('/api/v1/spaces', { name: `${name} hall`, building_id: building.id })
      const door = await owner.create('/api/v1/access-points', { name: `${name} door`, space_id: space.id })
      const grant = await owner.create('/api/v1/access-grants', {
        individual_id,
        access_point_id: door.id,
        // What has begun is revoked, not deleted.
        valid_from: '2050-01-01T00:00:00.000Z',
        reason: `${name} grant`,
      })
      return [
        `access-grants/${grant.id}`,
        `access-points/${door.id}`,
        `spaces/${space.id}`,
        `buildings/${building.id}`,
        `locations/${wing.id}`,
      ]
    }
    for (const made of [await make(here.id, 'Torn down'), await make(there.id, 'Unseen')])
      for (const path of made) expect((await owner.delete(`/api/v1/${path}`)).status).toBe(200)
    const told: Told[] = (await local.get(`${path}?after=${before}`)).body.data
    expect(told.map(({ type, data }) => [type, data?.name ?? data?.reason])).toEqual([
      ['location.created', 'Torn down wing'],
      ['building.created', 'Torn down'],
      ['space.created', 'Torn down hall'],
      ['access-point.created', 'Torn down door'],
      ['access-grant.created', 'Torn down grant'],
      ['access-grant.deleted', 'Torn down grant'],
      ['access-point.deleted', 'Torn down door'],
      ['space.deleted', 'Torn down hall'],
      ['building.deleted', 'Torn down'],
      ['location.deleted', 'Torn down wing'],
    ])
    // What had moved away before is told of as gone, and nothing more.
    const moved = await owner.create('/api/v1/buildings', { name: 'Goes', location_id: here.id })
    const hall = await owner.create('/api/v1/spaces', { name: 'Goes along', building_id: moved.id })
    await owner.patch(`/api/v1/buildings/${moved.id}`, { location_id: there.id })
    const since = await last()
    await owner.patch(`/api/v1/spaces/${hall.id}`, { name: 'Secret' })
    for (const gone of [`spaces/${hall.id}`, `buildings/${moved.id}`]) await owner.delete(`/api/v1/${gone}`)
    expect((await local.get(`${path}?after=${since}`)).body.data).toEqual([])
  })

  it('say every place to which one of their reader’s roles is limited', async () => {
    const places = await Promise.all(['East', 'West'].map((name) => owner.create('/api/v1/locations', { name })))
    const within = await owner.create('/api/v1/locations', { name: 'In the east', parent_id: places[0].id })
    const reader = await memberWith(house, ['changes:read', 'buildings:read'], { location_id: places[0].id })
    const keys = await owner.create('/api/v1/roles', { name: 'Keys of a place', permissions: ['keys:read'] })
    const service_user_id = (await reader.get('/api/v1/me')).body.data.id
    const given = { role_id: keys.id, service_user_id, location_id: places[1].id }
    const assignment = await owner.create('/api/v1/role-assignments', given)
    const limits = async () => (await reader.get(path)).body.meta.limited_to.map(({ name }: { name: string }) => name)
    expect(await limits()).toEqual(['East', 'West'])
    // What the one is limited to says nothing of the other, though it lies around it.
    await owner.delete(`/api/v1/role-assignments/${assignment.id}`)
    await owner.create('/api/v1/role-assignments', { ...given, location_id: within.id })
    expect(await limits()).toEqual(['East', 'In the east'])
  })

  it('of somebody who belongs elsewhere show as much of them as is seen of them', async () => {
    const [here, there] = [
      await owner.create('/api/v1/locations', { name: 'In' }),
      await owner.create('/api/v1/locations', { name: 'Out' }),
    ]
    const local = await house.member('Integration', { location_id: here.id })
    const building = await owner.create('/api/v1/buildings', { name: 'B', location_id: here.id })
    const space = await owner.create('/api/v1/spaces', { name: 'S', building_id: building.id })
    const door = await owner.create('/api/v1/access-points', { name: 'D', space_id: space.id })
    const before = await last()
    const body = { display_name: 'Ada Example', email: 'ada@example.com', location_id: there.id }
    const guest = await owner.create('/api/v1/individuals', body)
    const mine = await owner.create('/api/v1/individuals', {
      ...body,
      display_name: 'Local',
      email: 'l@example.com',
      location_id: here.id,
    })
    expect((await since(before, '', local)).map(({ resource_id }) => resource_id)).toEqual([mine.id])
    await owner.create('/api/v1/access-grants', { individual_id: guest.id, access_point_id: door.id })
    const [told] = await since(before, `&resource_id=${guest.id}`, local)
    expect(told?.data).toMatchObject({ id: guest.id, display_name: 'Ada Example' })
    expect(Object.keys(told?.data ?? {})).not.toContain('email')
    // Of what they do not see of them nothing is told, not even that it has changed.
    const path = `/api/v1/individuals/${guest.id}`
    await owner.patch(path, { email: 'other@example.com' })
    await owner.patch(path, { email: 'ada@example.com', display_name: 'Ada Renamed' })
    const [renamed, ...others] = await since(before, `&resource_id=${guest.id}&type=individual.updated`, local)
    expect([renamed?.changed, others]).toEqual([['display_name'], []])
    await owner.patch(`/api/v1/individuals/${mine.id}`, { email: 'm@example.com' })
    expect((await since(before, `&resource_id=${mine.id}`, local)).at(-1)?.changed).toContain('email')
  })

  it('of what there is not are refused by what there is', async () => {
    expect((await owner.get(`${path}?resource=individual`)).body.msg).toMatch(
      /"individual" is not accepted; expected one or more of .*individuals/,
    )
  })

  it('that are not kept any more are a distinct error, and so is a cursor that was never given', async () => {
    await engine.transaction((session) => session.run('delete from audit_log where org = 1 and sequence <= 3', []))
    expect((await owner.get(`${path}?after=2`)).body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      reason: 'feed.expired',
      details: [{ message: '4' }],
    })
    expect((await owner.get(`${path}?after=3&limit=1`)).status).toBe(200)
    expect((await owner.get(`${path}?after=0&limit=1`)).status).toBe(200)
    expect((await owner.get(`${path}?after=${(await last()) + 1}`)).body.error.reason).toBe('feed.ahead')
  })
})
