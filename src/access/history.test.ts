import { describe, expect, it } from 'vitest'
import { startHouse } from '../../test/support/app.ts'
import { historyColumns } from '../db/along/history.ts'
import { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { pruneHistory } from '../jobs/pruning/prune-history.ts'
import { placesIn } from './places-then.ts'
import { Settings } from './settings.ts'

const house = await startHouse()
const { owner, clock, engine } = house
const HOUR = 3_600_000

async function doorWithPerson(name: string) {
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name, location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name, building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name })
  const door = await owner.create('/api/v1/access-points', {
    name,
    space_id: space.id,
    access_control_system_id: system.id,
  })
  const person = await owner.create('/api/v1/individuals', { display_name: name })
  await owner.create('/api/v1/credentials', {
    type: 'plate',
    number: `ZH ${name}`,
    label: name,
    individual_id: person.id,
  })
  const grant = await owner.create('/api/v1/access-grants', { individual_id: person.id, space_id: space.id })
  return { building, space, door, person, grant, location }
}

const decide = async (body: object) => (await owner.post('/api/v1/access-decisions', body)).body

describe('the settings of an earlier day', () => {
  it('are the rows as they were: a place that moved, a person renamed, a door and a grant that are gone', async () => {
    const { building, door, person, grant } = await doorWithPerson('Then')
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR)
    const elsewhere = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: elsewhere.id })
    await owner.patch(`/api/v1/individuals/${person.id}`, { display_name: 'Renamed' })
    await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    const question = { individual_id: person.id, access_point_id: door.id }
    expect((await decide(question)).data).toMatchObject({ decision: 'denied', reason: 'no_access_rights' })
    const then = (await decide({ ...question, as_of: before })).data
    expect(then).toMatchObject({ decision: 'granted', evaluated_at: before })
    expect(then.explanation.join(' ')).toContain('Then')
    const list = await owner.get(`/api/v1/access-points/${door.id}/who-can-open?as_of=${before}`)
    expect(list.body.data).toMatchObject([{ display_name: 'Then', allowed: true }])
  })

  it('are known until the very change that ends them, whatever else was changed meanwhile', async () => {
    const { door, space, person } = await doorWithPerson('Dated')
    const ended: Record<string, string[]> = { access_points: [], spaces: [], individuals: [] }
    const rename = async (path: string, table: string, name: object) => {
      clock.forward(HOUR)
      // Nothing of it decides who may open what.
      await owner.patch(`/api/v1/individuals/${person.id}`, { phone: clock.now() })
      await owner.patch(`/api/v1/spaces/${space.id}`, { department: clock.now() })
      clock.forward(HOUR)
      ended[table]?.push(clock.now())
      await owner.patch(path, name)
    }
    await rename(`/api/v1/access-points/${door.id}`, 'access_points', { label: 'D-1' })
    await rename(`/api/v1/spaces/${space.id}`, 'spaces', { department: 'Also', occupancy_limit: 3 })
    await rename(`/api/v1/individuals/${person.id}`, 'individuals', { display_name: 'Dated II' })
    clock.forward(HOUR)
    ended.access_points?.push(clock.now())
    await owner.delete(`/api/v1/access-points/${door.id}`)
    for (const [table, moments] of Object.entries(ended)) {
      const rows = await engine.reader.all<{ ended_at: string }>(
        `select ended_at from ${table}_history where id in ($1, $2, $3) order by sequence`,
        [door.id, space.id, person.id],
      )
      expect(
        rows.map(({ ended_at }) => ended_at),
        table,
      ).toEqual(moments)
    }
  })

  it('share the places of now where none has been written since, and have their own where one has', async () => {
    const { building, location } = await doorWithPerson('Still')
    const [row] = await engine.reader.all<{ org: number }>('select org from buildings where id = $1', [building.id])
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR)
    const handle = new OrgHandle(engine, row?.org ?? 0, clock.now())
    expect(await placesIn(new Settings(handle, before))).toBe(await placesOf(handle))
    const elsewhere = await owner.create('/api/v1/locations', { name: 'Further' })
    await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: elsewhere.id })
    const then = await placesIn(new Settings(handle, before))
    expect([then.buildings.get(building.id)?.location_id, then.locations.has(elsewhere.id)]).toEqual([
      location.id,
      false,
    ])
  })

  it('are in the time zone of then: a place without one has that of the organization', async () => {
    const { door, person, grant } = await doorWithPerson('Zoned')
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const schedule = await owner.create('/api/v1/schedules', {
      name: 'Morning',
      windows: [{ days, start: '08:00', end: '12:00' }],
    })
    await owner.patch(`/api/v1/access-grants/${grant.id}`, { schedule_id: schedule.id })
    const { time_zone } = (await owner.get('/api/v1/organization')).body.data
    await owner.patch('/api/v1/organization', { time_zone: 'UTC' })
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR)
    await owner.patch('/api/v1/organization', { time_zone: 'Asia/Tokyo' })
    clock.forward(HOUR)
    await owner.patch('/api/v1/organization', { time_zone: 'America/New_York' })
    const at = '2027-06-21T09:00:00.000Z'
    const question = { individual_id: person.id, access_point_id: door.id, at }
    expect((await decide(question)).data).toMatchObject({ reason: 'out_of_time_range' })
    const then = { ...question, as_of: before }
    expect((await decide(then)).data).toMatchObject({ decision: 'granted', holds_until: '2027-06-21T12:00:00.000Z' })
    const list = await owner.get(`/api/v1/access-points/${door.id}/who-can-open?as_of=${before}&at=${at}`)
    expect(list.body.data).toMatchObject([{ display_name: 'Zoned', allowed: true }])
    await owner.patch('/api/v1/organization', { time_zone })
  })

  it('are the lockdowns as they were: one whose end was put off or brought forward, or whose reason was told since', async () => {
    const { building, door, person } = await doorWithPerson('Shut')
    const inHours = (hours: number) => new Date(Date.parse(clock.now()) + hours * HOUR).toISOString()
    const at = inHours(3)
    const lockdown = await owner.create('/api/v1/lockdowns', {
      kind: 'lockdown',
      building_id: building.id,
      reason: 'Leak',
      expires_at: inHours(5),
    })
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR / 2)
    const path = `/api/v1/lockdowns/${lockdown.id}`
    await owner.patch(path, { expires_at: inHours(1), reason: 'False alarm' })
    const question = { individual_id: person.id, access_point_id: door.id, at }
    expect((await decide(question)).data).toMatchObject({ decision: 'granted' })
    const then = (await decide({ ...question, as_of: before })).data
    expect(then).toMatchObject({ reason: 'locked_down', next_allowed_at: lockdown.expires_at })
    expect(then.explanation.join(' ')).toContain('Leak')
    expect(then.explanation.join(' ')).not.toContain('False alarm')
    await owner.post(`${path}/release`)
    const unreleased = (await decide({ ...question, at: before, as_of: before })).data
    expect(unreleased).toMatchObject({ reason: 'locked_down', next_allowed_at: lockdown.expires_at })
  })

  it('begin with the organization: before, the answer says so', async () => {
    const { door, person } = await doorWithPerson('Early')
    const early = await owner.post('/api/v1/access-decisions', {
      individual_id: person.id,
      access_point_id: door.id,
      as_of: '2020-01-01T00:00:00Z',
    })
    expect([early.status, early.body.error.reason]).toEqual([400, 'as_of.before_history'])
    expect(early.body.msg).toContain('2027-06-15')
    const late = await owner.get(`/api/v1/access-points/${door.id}/who-can-open?as_of=2030-01-01T00:00:00Z`)
    expect(late.body.error.reason).toBe('as_of.future')
  })

  it('forget a person who is anonymised', async () => {
    const { door, person } = await doorWithPerson('Forgotten')
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR)
    await owner.patch(`/api/v1/individuals/${person.id}`, { display_name: 'Forgotten II' })
    await owner.post(`/api/v1/individuals/${person.id}/offboard`)
    await owner.post(`/api/v1/individuals/${person.id}/anonymise`)
    const answer = await owner.post('/api/v1/access-decisions', {
      individual_id: person.id,
      access_point_id: door.id,
      as_of: before,
    })
    expect(answer.body.data).toMatchObject({ decision: 'granted' })
    expect(answer.body.data.explanation.join(' ')).toContain('Anonymised person')
    for (const table of Object.keys(historyColumns)) {
      const rows = await engine.reader.all(`select * from ${table}_history`, [])
      if (table === 'individuals' || table === 'credentials')
        expect(JSON.stringify(rows), table).not.toContain('Forgotten')
    }
  })

  it('are removed after their time, and the answer then names the day since when they are known', async () => {
    const { door, person, grant } = await doorWithPerson('Old')
    const before = clock.now()
    clock.forward(HOUR)
    await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    clock.forward(48 * HOUR)
    expect(await pruneHistory(engine, clock.now(), 0)).toBe(0)
    expect(await pruneHistory(engine, clock.now(), 1)).toBeGreaterThan(0)
    const gone = await owner.post('/api/v1/access-decisions', {
      individual_id: person.id,
      access_point_id: door.id,
      as_of: before,
    })
    expect(gone.body.error.reason).toBe('as_of.before_history')
    const later = new Date(Date.parse(clock.now()) - HOUR).toISOString()
    expect((await decide({ individual_id: person.id, access_point_id: door.id, as_of: later })).data).toMatchObject({
      decision: 'denied',
    })
  })
})

it('every column of the history is one of its table, and every table of the declaration keeps one', async () => {
  for (const [table, columns] of Object.entries(historyColumns)) {
    expect(
      await engine.reader.all(
        `select ${columns.join(', ')}, created_at, ended_at from ${table}_history where 1 = 0`,
        [],
      ),
    ).toEqual([])
    expect(await engine.reader.all(`select ${columns.join(', ')}, created_at from ${table} where 1 = 0`, [])).toEqual(
      [],
    )
  }
})
