import { once } from 'node:events'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { concernedBy } from '../../access/affected.ts'
import { impactOf } from '../../access/impact.ts'

const house = await startHouse()
const { owner, engine } = house

// Whatever is tried here comes to the same where doors without anything of their own are taken together.
Object.assign(house.app.house, {
  impactOf: async (...[tx, rights]: Parameters<typeof impactOf>) => {
    const told = await impactOf(tx, rights)
    expect(await impactOf(tx, rights, 0)).toEqual(told)
    return told
  },
})

describe('a dry run', () => {
  const doors: string[] = []
  let building: { id: string; name: string }
  let group: { id: string }
  let ada: { id: string }

  beforeAll(async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Campus' })
    building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
    const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
    for (const name of ['One', 'Two', 'Three']) {
      const space = await owner.create('/api/v1/spaces', { name, building_id: building.id })
      const door = await owner.create('/api/v1/access-points', {
        name: `Door ${name}`,
        space_id: space.id,
        access_control_system_id: name === 'Three' ? null : system.id,
      })
      doors.push(door.id)
    }
    group = await owner.create('/api/v1/access-groups', { name: 'Cleaning' })
    for (const name of ['Ada', 'Ben']) {
      const person = await owner.create('/api/v1/individuals', { display_name: name })
      if (name === 'Ada') ada = person
      await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: person.id })
    }
  })

  it('of what cannot be tried is refused, with a credential and without one', async () => {
    const open = house.app.routeTable.filter(
      ({ method, permission, doc }) => method === 'POST' && permission === undefined && doc?.body,
    )
    expect(open.length).toBeGreaterThan(5)
    for (const { url } of open) {
      const answer = await house.anonymous.post(`${url}?dry_run=true`, {})
      expect([answer.status, answer.body.error.reason], url).toEqual([400, 'param.unknown'])
    }
  })

  it('shows no secret, and does not say that it does', async () => {
    const session = house.loggedIn(owner.token)
    const user = await session.create('/api/v1/service-users', { name: 'Importer' })
    const tried = await session.post(`/api/v1/service-users/${user.id}/tokens?dry_run=true`, {
      name: 'Nightly',
      expires_at: '2027-12-31T00:00:00.000Z',
    })
    expect(tried.body.msg, tried.text).toBe('Dry run, nothing was kept: Created token')
    expect(tried.body.data.token).toBeUndefined()
  })

  const count = async () => (await owner.get('/api/v1/access-grants?limit=1')).body.meta.pagination.total

  it('answers as it would, says who would gain which doors, and keeps nothing', async () => {
    const audited = (await owner.get('/api/v1/audit-log?limit=1')).body.meta.pagination.total
    const tried = await owner.post('/api/v1/access-grants?dry_run=true', {
      access_group_id: group.id,
      building_id: building.id,
    })
    expect(tried.status, tried.text).toBe(201)
    expect(tried.body.data).toMatchObject({ access_group_id: group.id, status: 'active' })
    // The third door has no reader: a grant opens nothing there.
    expect(tried.body.meta).toMatchObject({
      dry_run: true,
      access: { gained: { people: 2, doors: 2, pairs: 4 }, lost: { people: 0, doors: 0, pairs: 0 } },
    })
    expect(
      tried.body.meta.access.gained.first
        .map((pair: { display_name: string; name: string }) => `${pair.display_name} ${pair.name}`)
        .sort(),
    ).toEqual(['Ada Door One', 'Ada Door Two', 'Ben Door One', 'Ben Door Two'])
    const names = tried.body.meta.access.gained.first.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Door One', 'Door One', 'Door Two', 'Door Two'])
    expect((await owner.get(String(tried.headers.location))).status).toBe(404)
    expect(await count()).toBe(0)
    expect((await owner.get('/api/v1/audit-log?limit=1')).body.meta.pagination.total).toBe(audited)
  })

  it('counts what is lost, by a deny, a revocation, somebody leaving, or a door that goes', async () => {
    const grant = await owner.create('/api/v1/access-grants', { access_group_id: group.id, building_id: building.id })
    const lost = async (answer: Promise<{ body: { meta: { access: { lost: object } } } }>) =>
      (await answer).body.meta.access.lost
    expect(
      await lost(
        owner.post('/api/v1/access-grants?dry_run=true', {
          individual_id: ada.id,
          access_point_id: doors[0],
          effect: 'deny',
        }),
      ),
    ).toMatchObject({
      people: 1,
      doors: 1,
      pairs: 1,
    })
    expect(await lost(owner.post(`/api/v1/access-grants/${grant.id}/revoke?dry_run=true`))).toMatchObject({
      people: 2,
      doors: 2,
      pairs: 4,
    })
    expect(await lost(owner.post(`/api/v1/individuals/${ada.id}/suspend?dry_run=true`))).toMatchObject({
      people: 1,
      doors: 2,
      pairs: 2,
    })
    expect(await lost(owner.post(`/api/v1/individuals/${ada.id}/offboard?dry_run=true`))).toMatchObject({
      people: 1,
      doors: 2,
      pairs: 2,
    })
    expect(await lost(owner.delete(`/api/v1/access-points/${doors[0]}?dry_run=true`))).toMatchObject({
      people: 2,
      doors: 1,
      pairs: 2,
    })
    expect((await owner.get(`/api/v1/individuals/${ada.id}`)).body.data.status).toBe('active')
  })

  it('tells of the moment at which what is written begins, or ends, where nobody gains or loses before', async () => {
    const access = async (answer: Promise<{ text: string; body: { meta: { access: object } } }>) =>
      (await answer).body.meta.access
    const pairs = (at: string | null, gained: number, lost: number) => ({
      at,
      gained: { pairs: gained },
      lost: { pairs: lost },
    })
    const [start, end] = ['2027-09-01T06:00:00.000Z', '2027-10-01T06:00:00.000Z']
    const cleo = await owner.create('/api/v1/individuals', { display_name: 'Cleo' })
    const given = { individual_id: cleo.id, access_point_id: doors[0] }
    const later = { ...given, valid_from: start, valid_until: end }
    expect(await access(owner.post('/api/v1/access-grants?dry_run=true', later))).toMatchObject(pairs(start, 1, 0))
    const grant = await owner.create('/api/v1/access-grants', later)
    const path = `/api/v1/access-grants/${grant.id}`
    expect(await access(owner.post(`${path}/revoke?dry_run=true`))).toMatchObject(pairs(start, 0, 1))
    const until = '2027-11-01T06:00:00.000Z'
    expect(await access(owner.patch(`${path}?dry_run=true`, { valid_until: until }))).toMatchObject(pairs(end, 1, 0))
    expect(await access(owner.patch(`${path}?dry_run=true`, { valid_from: null }))).toMatchObject(pairs(null, 1, 0))
    expect(await access(owner.patch(`${path}?dry_run=true`, { reason: 'Said' }))).toMatchObject(pairs(null, 0, 0))
    await owner.patch(path, { valid_from: null, valid_until: null })
    expect(await access(owner.patch(`${path}?dry_run=true`, { valid_until: end }))).toMatchObject(pairs(end, 0, 1))
    const members = `/api/v1/access-groups/${group.id}/members?dry_run=true`
    const joined = await access(owner.post(members, { individual_id: cleo.id, valid_from: start }))
    expect(joined).toMatchObject({
      at: start,
      gained: { people: 1, doors: 1, first: [{ display_name: 'Cleo', name: 'Door Two' }] },
    })
  })

  /** What is asked in the transaction, and outside of it, to say what a change gives and takes. */
  const askedFor = async (trying: () => Promise<{ status: number; text: string }>) => {
    const asked = { inside: [] as string[], outside: [] as string[] }
    const told = vi.spyOn(house.app.house, 'impactOf').mockImplementation(async (tx, rights) => {
      const inside = vi.spyOn(tx, 'query')
      const outside = vi.spyOn(tx.engine.reader, 'all')
      const impact = await impactOf(tx, rights, 0)
      asked.inside = inside.mock.calls.map(([text]) => text)
      asked.outside = outside.mock.calls.map(([text]) => text)
      inside.mockRestore()
      outside.mockRestore()
      return impact
    })
    const { status, text } = await trying()
    told.mockRestore()
    expect(status, text).toBeLessThan(300)
    return asked
  }
  const areDoors = (text: string) => text.includes('access_points')

  it('of places, or of rights, reads no door in the transaction: others wait for what that reads', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Many' })
    for (let n = 1; n <= 11; n++)
      await owner.create('/api/v1/buildings', { name: `House ${n}`, location_id: location.id })
    const renamed = await askedFor(() => owner.patch(`/api/v1/locations/${location.id}?dry_run=true`, { name: 'More' }))
    expect(renamed.outside.filter(areDoors).length).toBeGreaterThan(0)
    expect(renamed.inside.filter(areDoors)).toEqual([])
    const person = await owner.create('/api/v1/individuals', { display_name: 'Ida' })
    const grant = { individual_id: person.id, location_id: location.id }
    const granted = await askedFor(() => owner.post('/api/v1/access-grants?dry_run=true', grant))
    expect(granted.inside.filter((text) => areDoors(text) || text.includes('cylinders'))).toEqual([])
    // How many doors each of many buildings has is known by now.
    const counts = (text: string) => text.includes('as readers')
    expect([renamed, granted].map(({ outside }) => outside.filter(counts).length)).toEqual([1, 0])
  })

  it('is refused as the change itself would be', async () => {
    expect(
      (await owner.post('/api/v1/access-grants?dry_run=true', { access_group_id: group.id })).body.error.reason,
    ).toBe('grant.target')
    expect((await owner.post('/api/v1/access-grants?dry_run=maybe', {})).body.error.reason).toBe('param.not_boolean')
    const reader = await house.member('Auditor')
    expect((await reader.post('/api/v1/locations?dry_run=true', { name: 'Nowhere' })).status).toBe(403)
  })

  it('says nothing of rights where none is touched, and null to whoever may not see who can open doors', async () => {
    expect(
      (await owner.post('/api/v1/roles?dry_run=true', { name: 'Guard', permissions: ['spaces:read'] })).body.meta,
    ).toEqual({
      dry_run: true,
    })
    const role = await owner.create('/api/v1/roles', {
      name: 'Grants alone',
      permissions: ['access-grants:read', 'access-grants:write'],
    })
    const narrow = await house.member(role.name)
    const tried = await narrow.post('/api/v1/access-grants?dry_run=true', {
      access_group_id: group.id,
      building_id: building.id,
    })
    expect(tried.body.meta, tried.text).toEqual({ dry_run: true, access: null })
  })

  it('says to whoever is limited to places that it tells of those alone', async () => {
    const manager = await house.member('Facility manager', { building_id: building.id })
    const grant = { access_group_id: group.id, building_id: building.id }
    const { access } = (await manager.post('/api/v1/access-grants?dry_run=true', grant)).body.meta
    expect(access.limited_to).toEqual([{ location_id: null, building_id: building.id, name: building.name }])
    expect((await owner.post('/api/v1/access-grants?dry_run=true', grant)).body.meta.access).not.toHaveProperty(
      'limited_to',
    )
  })

  it('says what then happens, write by write', async () => {
    const people = new Map<string, string>()
    for (const name of ['Dora', 'Eli', 'Finn', 'Gwen'])
      people.set(name, (await owner.create('/api/v1/individuals', { display_name: name })).id)
    const [dora, eli, finn] = ['Dora', 'Eli', 'Finn'].map((name) => people.get(name))
    const night = await owner.create('/api/v1/access-groups', { name: 'Night' })
    const members = `/api/v1/access-groups/${night.id}/members`
    const grants = '/api/v1/access-grants'
    const [one, two] = doors
    const steps: Array<[string, object?]> = [
      [grants, { individual_id: dora, access_point_id: one }],
      [grants, { access_group_id: night.id, building_id: building.id }],
      [members, { individual_id: eli }],
      [members, { individual_id: dora }],
      [grants, { individual_id: finn, building_id: building.id }],
      [grants, { individual_id: eli, building_id: building.id }],
      [`/api/v1/individuals/${eli}/suspend`],
      [grants, { access_group_id: night.id, access_point_id: two, effect: 'deny' }],
      [`/api/v1/individuals/${eli}/reactivate`],
      [grants, { access_group_id: group.id, access_point_id: one, effect: 'deny' }],
      [grants, { individual_id: finn, building_id: building.id, effect: 'deny' }],
      [members, { individual_id: people.get('Gwen') }],
    ]
    const pairs = async () => {
      const found = new Set<string>()
      for (const door of doors) {
        const { body } = await owner.get(`/api/v1/access-points/${door}/who-can-open?limit=100`)
        for (const { individual_id } of body.data) found.add(`${individual_id} ${door}`)
      }
      return found
    }
    let was = await pairs()
    const seen = { gained: 0, lost: 0 }
    for (const [path, body] of steps) {
      const tried = await owner.post(`${path}?dry_run=true`, body)
      const told = (side: 'gained' | 'lost') =>
        tried.body.meta.access[side].first
          .map((pair: Record<string, string>) => `${pair.individual_id} ${pair.access_point_id}`)
          .sort()
      expect((await owner.post(path, body)).status, path).toBeLessThan(300)
      const is = await pairs()
      const [gained, lost] = [[...is.difference(was)].sort(), [...was.difference(is)].sort()]
      expect([told('gained'), told('lost')], `${path} ${JSON.stringify(body)} ${tried.text}`).toEqual([gained, lost])
      seen.gained += gained.length
      seen.lost += lost.length
      was = is
    }
    expect(seen).toEqual({ gained: 8, lost: 7 })
  })

  it('that takes long is given up before those who change something are refused for it', async () => {
    const long = vi.spyOn(house.app.house, 'impactOf').mockImplementation(async ({ signal }) => {
      if (signal && !signal.aborted) await once(signal, 'abort')
      signal?.throwIfAborted()
      return null
    })
    onTestFinished(() => long.mockRestore())
    const tried = owner.post('/api/v1/access-grants?dry_run=true', {
      access_group_id: group.id,
      building_id: building.id,
    })
    await vi.waitFor(() => expect(long).toHaveBeenCalled())
    expect((await owner.post('/api/v1/locations', { name: 'Meanwhile' })).status).toBe(201)
    const { status, body } = await tried
    expect([status, body.error.reason]).toEqual([503, 'too_slow'])
  }, 20_000)

  it.runIf(engine.dialect.name === 'postgres')(
    'is given its time once nobody before it holds the organization',
    async () => {
      const timers = vi.spyOn(globalThis, 'setTimeout')
      onTestFinished(() => timers.mockRestore())
      const begun = () => timers.mock.calls.some(([begin, ms]) => ms === 4000 && String(begin).includes('abort'))
      const tried = await engine.transaction(async (session) => {
        await session.all('select key from organizations where key = 1 for update', [])
        const asked = owner.post('/api/v1/access-grants?dry_run=true', {
          access_group_id: group.id,
          building_id: building.id,
        })
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await engine.reader.all(waiting, [])).length).toBe(1)
        expect(begun()).toBe(false)
        return { asked }
      })
      expect((await tried.asked).status).toBe(201)
      expect(begun()).toBe(true)
    },
  )

  it('keeps whoever changes something waiting no longer than one of many does', async () => {
    const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const turns = vi.spyOn(house.app.house.engine.writers, 'take')
    const slow = vi.spyOn(house.app.house, 'impactOf')
    slow.mockImplementation(async () => {
      await (slow.mock.calls.length === 1 ? first : others).promise
      return null
    })
    onTestFinished(() => {
      slow.mockRestore()
      turns.mockRestore()
      first.resolve()
      others.resolve()
    })
    const grant = { access_group_id: group.id, building_id: building.id }
    const tried = Array.from({ length: 3 }, () => owner.post('/api/v1/access-grants?dry_run=true', grant))
    await vi.waitFor(() => expect(slow).toHaveBeenCalled())
    // The others have arrived by then, and wait among themselves.
    for (let n = 1; n <= 5; n++) await owner.get(`/api/v1/access-grants?limit=${n}`)
    const made = owner.post('/api/v1/locations', { name: 'Between' })
    await vi.waitFor(() => expect(turns).toHaveBeenCalledTimes(2))
    first.resolve()
    expect((await made).status).toBe(201)
    others.resolve()
    expect((await Promise.all(tried)).map(({ status }) => status)).toEqual([201, 201, 201])
  }, 20_000)

  it('of a membership looks at what the group opens, not at all that its members open otherwise, and at nobody else', () => {
    const after = { id: '1', access_group_id: 'group', individual_id: 'person' }
    const record = { resource: 'access-group-members', resourceId: '1', before: null, after }
    const { subjects, crowd } = concernedBy([{ action: 'access_group_member.created', ...record }])
    expect([...subjects]).toEqual(['group'])
    expect([...crowd]).toEqual(['person'])
    const deleted = { ...record, resource: 'access-groups', resourceId: 'group' }
    expect([...concernedBy([{ action: 'access_group.deleted', ...deleted }]).crowd]).toEqual(['group'])
  })

  it('of a lockdown looks at no door: it takes nobody’s right away', async () => {
    const after = { id: '1', building_id: 'building', space_id: null }
    const record = { resource: 'lockdowns', resourceId: '1', before: null, after }
    expect(concernedBy([{ action: 'lockdown.created', ...record }]).places.size).toBe(0)
    const tried = await owner.post('/api/v1/lockdowns?dry_run=true', { reason: 'A drill', building_id: building.id })
    expect(tried.body.meta.access, tried.text).toMatchObject({ gained: { pairs: 0 }, lost: { pairs: 0 } })
  })
})
