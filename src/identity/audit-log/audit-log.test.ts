import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/audit-log'

describe('the audit log', () => {
  it('says who did what to which item, from where, before and after, and in which request', async () => {
    const made = await owner.post('/api/v1/locations', { name: 'Zürich' })
    const { id } = made.body.data
    const patched = await owner.patch(`/api/v1/locations/${id}`, { name: 'Zürich West' })
    await owner.delete(`/api/v1/locations/${id}`)
    const caller = (await owner.get('/api/v1/me')).body.data
    const { data, meta } = (await owner.get(`${path}?resource_id=eq.${id}`)).body
    expect(data.map((entry: { action: string }) => entry.action)).toEqual([
      'location.created',
      'location.updated',
      'location.deleted',
    ])
    expect(data[0]).toMatchObject({ before: null, after: { id, name: 'Zürich' } })
    expect(data[1]).toEqual({
      id: expect.any(String),
      sequence: data[0].sequence + 1,
      occurred_at: house.clock.now(),
      action: 'location.updated',
      resource: 'locations',
      resource_id: id,
      actor_kind: 'service_user',
      actor_id: caller.id,
      actor_name: caller.name,
      address: '127.0.0.1',
      req_id: patched.headers['x-request-id'],
      before: made.body.data,
      after: patched.body.data,
    })
    expect(data[2]).toMatchObject({ before: { name: 'Zürich West' }, after: null })
    expect(meta.order).toEqual([{ field: 'sequence', direction: 'asc', nulls: 'last' }])
    expect((await owner.get(`${path}/${data[1].id}`)).body.data).toEqual(data[1])
  })

  it('tells of an item what is its own, not what is shown beside it to whoever changed it', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Bern' })
    const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Archive', building_id: building.id })
    expect(space).toHaveProperty('summary')
    const own = Object.keys(space).filter(
      (name) => !['location', 'building', 'location_id', 'time_zone', 'access_points', 'summary'].includes(name),
    )
    await owner.patch(`/api/v1/spaces/${space.id}`, { name: 'Old archive' })
    await owner.delete(`/api/v1/spaces/${space.id}`)
    const { data } = (await owner.get(`${path}?resource_id=eq.${space.id}`)).body
    const named = data.map(({ before, after }: Record<'before' | 'after', object | null>) => ({
      before: before && Object.keys(before).toSorted(),
      after: after && Object.keys(after).toSorted(),
    }))
    expect(named).toEqual([
      { before: null, after: own.toSorted() },
      { before: own.toSorted(), after: own.toSorted() },
      { before: own.toSorted(), after: null },
    ])
  })

  it('is listed in the order of events, and equal values of another order too', async () => {
    // Three entries at the same moment each.
    for (let i = 0; i < 5; i++) await house.member('Auditor')
    const sequences = async (query: string) =>
      (await owner.get(`${path}?limit=100&select=sequence&${query}`)).body.data.map(
        (entry: { sequence: number }) => entry.sequence,
      )
    const all = await sequences('')
    expect(all).toEqual(all.toSorted((a: number, b: number) => a - b))
    expect(all[0]).toBe(1)
    expect(all.length).toBeGreaterThan(15)
    expect(await sequences('order=occurred_at')).toEqual(all)
    expect(await sequences('order=sequence.desc')).toEqual(all.toReversed())
  })

  it('is filtered by time, action, resource and actor, and pages without loss', async () => {
    house.clock.forward(1000)
    const since = house.clock.now()
    const auditor = await house.member('Facility manager')
    const { id } = (await auditor.get('/api/v1/me')).body.data
    await auditor.create('/api/v1/locations', { name: 'Late' })
    const total = async (query: string) => (await owner.get(`${path}?${query}`)).body.meta.pagination.total
    expect(await total(`occurred_at=gte.${since}`)).toBe(4)
    expect(await total(`occurred_at=gte.${since}&resource=eq.locations`)).toBe(1)
    expect(await total(`actor_id=eq.${id}`)).toBe(1)
    expect(
      await total(`occurred_at=gte.${since}&actor_kind=eq.command_line&action=in.(token.created,service_user.created)`),
    ).toBe(2)
    const { pages } = (await owner.get(`${path}?limit=3`)).body.meta.pagination
    const seen: number[] = []
    for (let page = 1; page <= pages; page++) {
      const { data } = (await owner.get(`${path}?limit=3&page=${page}`)).body
      seen.push(...data.map((entry: { sequence: number }) => entry.sequence))
    }
    expect(seen).toEqual(seen.map((_, index) => index + 1))
  })

  it('gives only what is asked for', async () => {
    const { data } = (await owner.get(`${path}?select=action,after&action=eq.location.created&limit=1`)).body
    expect(Object.keys(data[0])).toEqual(['action', 'after'])
    expect(data[0].after.name).toBe('Zürich')
    expect(Object.keys((await owner.get(`${path}?select=action&limit=1`)).body.data[0])).toEqual(['action'])
  })

  it('never holds a secret', async () => {
    const user = await owner.create('/api/v1/service-users', { name: 'Carrier' })
    const made = await house
      .loggedIn(owner.token)
      .create(`/api/v1/service-users/${user.id}/tokens`, { name: 'T', expires_at: '2027-12-31' })
    const { data } = (await owner.get(`${path}?resource_id=eq.${made.id}`)).body
    expect(data).toHaveLength(1)
    expect(JSON.stringify(data)).not.toContain(made.value)
    expect(Object.keys(data[0].after)).not.toContain('hash')
  })

  it('refuses what it cannot filter or sort by, and every kind of change', async () => {
    expect((await owner.get(`${path}?after=eq.x`)).body.error.reason).toBe('filter.not_filterable')
    expect((await owner.get(`${path}?order=before`)).body.error.reason).toBe('order.not_sortable')
    expect((await owner.get(`${path}?created_at=gt.2027-01-01`)).body.error.reason).toBe('filter.unknown_field')
    expect((await owner.get(`${path}?offset=x`)).body.error.reason).toBe('param.unknown')
    expect((await owner.post(path, {})).status).toBe(405)
    const [first] = (await owner.get(path)).body.data
    expect((await owner.delete(`${path}/${first.id}`)).status).toBe(405)
    expect((await owner.patch(`${path}/${first.id}`, {})).status).toBe(405)
  })

  it('is 401 without a credential, 403 without audit-log:read, 404 when unknown or outside the caller’s reach', async () => {
    const [first] = (await owner.get(path)).body.data
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await (await house.member('Facility manager')).get(path)).status).toBe(403)
    expect((await owner.get(`${path}/01997d2a-4c00-7000-8000-00000000ffff`)).status).toBe(404)
    const location = await owner.create('/api/v1/locations', { name: 'Only here' })
    const local = await house.member('Auditor', { location_id: location.id })
    expect((await local.get(path)).body.data).toEqual([])
    expect((await local.get(`${path}/${first.id}`)).status).toBe(404)
  })
})
