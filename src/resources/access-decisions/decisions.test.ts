import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'

const house = await startHouse()
const { owner, clock } = house
const PATH = '/api/v1/access-decisions'

describe('a decision', () => {
  let door: { id: string }
  let room: { id: string }
  let ada: { id: string }
  let card: { id: string }

  beforeAll(async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Zürich' })
    const building = await owner.create('/api/v1/buildings', { name: 'Building A', location_id: location.id })
    room = await owner.create('/api/v1/spaces', { name: 'Lab', building_id: building.id })
    const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
    door = await owner.create('/api/v1/access-points', {
      name: 'Lab door',
      space_id: room.id,
      access_control_system_id: system.id,
    })
    ada = await owner.create('/api/v1/individuals', { display_name: 'Ada Lovelace' })
    card = await owner.create('/api/v1/credentials', { type: 'card', number: '4711', individual_id: ada.id })
  })

  it('is refused where the door, the person or the credential does not exist, and knows ids however written', async () => {
    const nobody = '01997d2a-4c00-7000-8000-00000000dead'
    const told = async (question: object) => {
      const { status, body } = await owner.post(PATH, question)
      return status === 200 ? body.data.access_point_id : [body.error.reason, body.error.details[0].path]
    }
    const refused = (path: string) => ['reference.not_found', path]
    expect(await told({ individual_id: ada.id, access_point_id: nobody })).toEqual(refused('access_point_id'))
    expect(await told({ individual_id: nobody, access_point_id: door.id })).toEqual(refused('individual_id'))
    expect(await told({ credential_id: nobody, access_point_id: door.id })).toEqual(refused('credential_id'))
    expect(await told({ individual_id: ada.id, access_point_id: door.id, with: [nobody] })).toEqual(refused('with[0]'))
    const upper = { individual_id: ada.id.toUpperCase(), access_point_id: door.id.toUpperCase() }
    expect(await told(upper)).toBe(door.id)
  })

  it('is denied without a right and granted with one, in both languages', async () => {
    const denied = await owner.post(PATH, { individual_id: ada.id, access_point_id: door.id })
    expect(denied.status, denied.text).toBe(200)
    expect(denied.body.data).toMatchObject({
      decision: 'denied',
      reason: 'no_access_rights',
      reasons: ['no_access_rights'],
      grant_id: null,
    })
    const group = await owner.create('/api/v1/access-groups', { name: 'Night shift' })
    await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: ada.id })
    const grant = await owner.create('/api/v1/access-grants', { access_group_id: group.id, space_id: room.id })
    const granted = await owner.post(PATH, { credential: { type: 'card', number: '4711' }, access_point_id: door.id })
    expect(granted.body.data).toMatchObject({
      decision: 'granted',
      reason: 'granted',
      grant_id: grant.id,
      credential_id: card.id,
    })
    const list = await owner.get(`/api/v1/access-points/${door.id}/who-can-open`)
    expect(list.status, list.text).toBe(200)
    const filtered = await owner.get(`/api/v1/spaces/${room.id}/who-can-enter?allowed=eq.true&order=reason.desc`)
    expect(filtered.body.meta.pagination.total, filtered.text).toBe(1)
    const open = await owner.get(`/api/v1/individuals/${ada.id}/can-open?search=lab`)
    expect(open.body.data, open.text).toHaveLength(1)
    clock.forward(60_000)
    const before = clock.now()
    clock.forward(60_000)
    await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    const then = await owner.post(PATH, { individual_id: ada.id, access_point_id: door.id, as_of: before })
    expect(then.body.data, then.text).toMatchObject({ decision: 'granted' })
    const now = await owner.post(PATH, { individual_id: ada.id, access_point_id: door.id })
    expect(now.body.data).toMatchObject({ decision: 'denied' })
    const was = await owner.get(`/api/v1/access-points/${door.id}/who-can-open?as_of=${before}`)
    expect(was.body.data, was.text).toHaveLength(1)
    const changes = await owner.get(`/api/v1/access-points/${door.id}/who-can-open/changes?from=${before}`)
    expect(changes.body.data, changes.text).toMatchObject([
      { change: 'lost', allowed_before: true, allowed_after: false },
    ])
  })

  it('is made at the first moment and at the last that there are', async () => {
    const calendar = await owner.create('/api/v1/calendars', {
      name: 'Last days',
      days: [{ date: '9999-12-31', name: 'The last' }],
    })
    const schedule = await owner.create('/api/v1/schedules', {
      name: 'By night',
      calendar_id: calendar.id,
      on_holiday: 'windows',
      holiday_windows: [{ start: '22:00', end: '06:00' }],
      windows: [{ days: ['mon', 'fri'], start: '18:00', end: '17:00' }],
    })
    const someone = await owner.create('/api/v1/individuals', { display_name: 'Somebody' })
    await owner.create('/api/v1/credentials', { type: 'card', number: '1', individual_id: someone.id })
    const given = { individual_id: someone.id, access_point_id: door.id, schedule_id: schedule.id }
    await owner.create('/api/v1/access-grants', given)
    for (const day of ['0001-01-01', '9999-12-30', '9999-12-31'])
      for (const time of ['00:00:00Z', '12:00:00Z', '23:59:30Z', '23:59:59.999Z']) {
        const at = `${day}T${time}`
        const told = await owner.post(PATH, { individual_id: someone.id, access_point_id: door.id, at })
        expect([at, told.status, told.body.data?.evaluated_at]).toEqual([at, 200, new Date(at).toISOString()])
        for (const list of [
          `access-points/${door.id}/who-can-open?at=${at}`,
          `individuals/${someone.id}/can-open?at=${at}&allowed=eq.true`,
          `individuals/${someone.id}/can-open/changes?to=${at}`,
          `schedules/${schedule.id}/state?at=${at}`,
        ])
          expect((await owner.get(`/api/v1/${list}`)).status, list).toBeLessThan(500)
      }
  })
})
