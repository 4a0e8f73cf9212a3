import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, clock } = house
const PATH = '/api/v1/alarms'

let building: { id: string }
let system: { id: string }
let door: { id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers', location_id: location.id })
  door = await owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: space.id,
    access_control_system_id: system.id,
  })
})

const happens = async (type: string, more: object = { access_point_id: door.id }) => {
  clock.forward(1000)
  return (await owner.post('/api/v1/access-events', { type, ...more })).body.data
}
const alarmsOf = async (kind: string) => (await owner.get(`${PATH}?kind=eq.${kind}&order=raised_at`)).body.data

describe('alarms', () => {
  it('are raised by an event, counted while not closed, acknowledged with a note, and closed when it is over', async () => {
    const event = await happens('door.forced')
    await happens('door.forced')
    const [alarm] = await alarmsOf('forced_open')
    expect(alarm).toMatchObject({
      status: 'open',
      access_point_id: door.id,
      building_id: building.id,
      event_id: event.id,
      event_count: 2,
    })
    const taken = await owner.post(`${PATH}/${alarm.id}/acknowledge`, { note: 'On my way' })
    expect(taken.body.data).toMatchObject({ status: 'acknowledged', note: 'On my way', acknowledged_at: clock.now() })
    expect(taken.body.data.acknowledged_by).not.toBeNull()
    expect((await owner.post(`${PATH}/${alarm.id}/acknowledge`)).body.error).toMatchObject({
      code: 'INVALID_STATE',
      reason: 'alarm.acknowledged',
    })
    await happens('door.closed')
    expect((await owner.get(`${PATH}/${alarm.id}`)).body.data).toMatchObject({
      status: 'closed',
      ended_at: clock.now(),
      closed_by: null,
    })
    await happens('door.forced')
    expect(await alarmsOf('forced_open')).toHaveLength(2)
    const log = await owner.get(`/api/v1/audit-log?resource=eq.alarms&resource_id=eq.${alarm.id}`)
    expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual(['alarm.acknowledged'])
  })

  it('are told in the feed of events when they are new, and cannot be reported', async () => {
    const { meta } = (await owner.get('/api/v1/access-events?after=0&limit=1000')).body
    const far = await owner.create('/api/v1/access-points', {
      name: 'Far',
      space_id: (await owner.get('/api/v1/spaces?limit=1')).body.data[0].id,
    })
    await happens('door.forced', { access_point_id: far.id })
    await happens('door.forced', { access_point_id: far.id })
    const told = (await owner.get(`/api/v1/access-events?after=${meta.last}&type=alarm.*`)).body.data
    expect(told).toMatchObject([
      {
        type: 'alarm.raised',
        reason: 'forced_open',
        access_point_id: far.id,
        building_id: building.id,
        verdict: 'unknown',
        result: null,
      },
    ])
    expect((await owner.post('/api/v1/access-events', { type: 'alarm.raised' })).status).toBe(400)
  })

  it('that nobody has seen stay open when it is over, and are closed by whoever takes note', async () => {
    await happens('door.tampered')
    await happens('door.tamper_ended')
    const [alarm] = await alarmsOf('tamper')
    expect(alarm).toMatchObject({ status: 'open', ended_at: clock.now() })
    expect((await owner.post(`${PATH}/${alarm.id}/acknowledge`)).body.data.status).toBe('closed')
  })

  it('of doors held open and systems away end by themselves', async () => {
    await happens('door.held_open')
    await happens('door.closed')
    expect(await alarmsOf('held_open_too_long')).toMatchObject([
      { status: 'closed', closed_by: null, closed_at: clock.now() },
    ])
    await happens('system.offline', { access_control_system_id: system.id })
    expect(await alarmsOf('system_offline')).toMatchObject([{ status: 'open', access_point_id: null }])
    await happens('system.online', { access_control_system_id: system.id })
    expect(await alarmsOf('system_offline')).toMatchObject([{ status: 'closed' }])
  })

  it('told of late are over where the door has told so since, and wait for nobody to close it once more', async () => {
    const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const bay = await owner.create('/api/v1/access-points', { name: 'Bay', space_id })
    const here = { access_point_id: bay.id }
    const alarms = async () =>
      (await owner.get(`${PATH}?access_point_id=eq.${bay.id}&order=raised_at,kind&select=kind,status,ended_at`)).body
        .data
    clock.forward(60_000)
    const at = (ago: number) => new Date(Date.parse(clock.now()) - ago * 1000).toISOString()
    const early = { occurred_at: at(40) }
    const closed_at = at(20)
    await owner.post('/api/v1/access-events', { type: 'door.closed', ...here, occurred_at: closed_at })
    // From the buffer of a device that sends the newest first.
    await owner.post('/api/v1/access-events', { type: 'door.held_open', ...here, ...early })
    await owner.post('/api/v1/access-events', { type: 'door.forced', ...here, ...early })
    expect(await alarms()).toEqual([
      { kind: 'forced_open', status: 'open', ended_at: closed_at },
      { kind: 'held_open_too_long', status: 'closed', ended_at: closed_at },
    ])
    // What has happened since is still going on, told of beside what is over.
    const events = [
      { type: 'door.forced', ...here, ...early },
      { type: 'door.held_open', ...here, occurred_at: at(10) },
    ]
    await owner.post('/api/v1/access-events/batch', { events })
    expect(await alarms()).toEqual([
      { kind: 'forced_open', status: 'open', ended_at: closed_at },
      { kind: 'held_open_too_long', status: 'closed', ended_at: closed_at },
      { kind: 'held_open_too_long', status: 'open', ended_at: null },
    ])
    await owner.post('/api/v1/access-events', { type: 'door.closed', ...here })
  })

  it('told of late of a system are over where that has spoken since, and it is away as long as its alarm says so', async () => {
    const { id } = await owner.create('/api/v1/access-control-systems', { name: 'Told of late' })
    const of = { access_control_system_id: id }
    const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const bay = await owner.create('/api/v1/access-points', { name: 'Bay', space_id, ...of })
    clock.forward(60_000)
    const start = Date.parse(clock.now())
    const at = (second: number) => new Date(start + second * 1000).toISOString()
    clock.forward(60_000)
    const told = async (type: string, second: number, more = {}) => {
      const event = { type, ...of, occurred_at: at(second), ...more }
      expect((await owner.post('/api/v1/access-events', event)).status).toBe(201)
      const alarms = (await owner.get(`${PATH}?access_control_system_id=eq.${id}&order=raised_at,created_at`)).body.data
      const { connectivity } = (await owner.get(`/api/v1/access-control-systems/${id}`)).body.data
      const doors = (await owner.get(`/api/v1/access-points/${bay.id}`)).body.data.connectivity
      const last = alarms.map(({ kind, status, ended_at }: Record<string, string>) => [kind, status, ended_at]).at(-1)
      return [connectivity, doors, last]
    }
    await told('door.opened', 20, { access_point_id: bay.id })
    expect(await told('system.offline', 10)).toEqual(['online', 'online', ['system_offline', 'closed', at(20)]])
    const away = ['offline', 'offline', ['system_offline', 'open', null]]
    for (const second of [22, 26]) expect(await told('system.offline', second)).toEqual(away)
    expect(await told('door.closed', 24, { access_point_id: bay.id })).toEqual(away)
    expect((await told('system.tamper_ended', 40)).slice(0, 2)).toEqual(['online', 'online'])
    const over = ['online', 'online', ['tamper', 'open', at(40)]]
    expect(await told('system.tampered', 30)).toEqual(over)
    expect(await told('system.tamper_ended', 35)).toEqual(over)
    // What came while our clock was ahead was not said after what comes now.
    const now = clock.now()
    clock.forward(3_600_000)
    for (const type of ['system.restarted', 'system.tamper_ended']) await told(type, 3700)
    clock.set(now)
    clock.forward(1000)
    expect(await told('system.offline', 121)).toEqual(['offline', 'offline', ['system_offline', 'open', null]])
    await told('system.tampered', 122)
    const [tampered] = (await owner.get(`${PATH}?access_control_system_id=eq.${id}&kind=eq.tamper`)).body.data
    expect([tampered.status, tampered.ended_at]).toEqual(['open', null])
  })

  it('of a system that was away end with whatever it says, though nothing says that it is back', async () => {
    const of = { access_control_system_id: system.id }
    const last = async () => (await alarmsOf('system_offline')).at(-1)
    await happens('system.offline', of)
    await happens('system.tampered', {
      access_control_system_id: (await owner.create('/api/v1/access-control-systems', { name: 'Other' })).id,
    })
    expect(await last()).toMatchObject({ status: 'open', ended_at: null })
    await happens('door.opened', { access_point_id: door.id, ...of })
    expect(await last()).toMatchObject({ status: 'closed', ended_at: clock.now() })
    // What it said before it was away says nothing of now.
    const before = clock.now()
    await happens('system.offline', of)
    await happens('door.closed', { access_point_id: door.id, ...of, occurred_at: before })
    expect(await last()).toMatchObject({ status: 'open' })
    const events = [
      { type: 'system.offline', ...of },
      { type: 'system.restarted', ...of },
    ]
    await owner.post('/api/v1/access-events/batch', { events })
    expect(await last()).toMatchObject({ status: 'closed', event_count: 2 })
    expect((await owner.get(`/api/v1/access-control-systems/${system.id}`)).body.data.connectivity).toBe('online')
  })

  it('are raised by duress, and by a door that opened against the rules', async () => {
    const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '1', individual_id: person.id })
    clock.forward(1000)
    await happens('access.duress', { access_point_id: door.id, credential_id: card.id })
    await happens('access.granted', { access_point_id: door.id, credential_id: card.id })
    expect(await alarmsOf('duress')).toMatchObject([{ status: 'open', individual_id: person.id }])
    const [alarm] = await alarmsOf('unexpected_grant')
    expect(alarm).toMatchObject({ status: 'open', individual_id: person.id, event_count: 1 })
    expect((await owner.post(`${PATH}/${alarm.id}/close`, { note: 'Test' })).body.data).toMatchObject({
      status: 'closed',
      note: 'Test',
    })
    expect((await owner.post(`${PATH}/${alarm.id}/close`)).body.error.reason).toBe('alarm.closed')
  })

  it('of duress, and of a door that opened against the rules, are others once somebody has taken note of the last', async () => {
    const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const safe = await owner.create('/api/v1/access-points', {
      name: 'Safe',
      space_id,
      access_control_system_id: system.id,
    })
    const people = []
    for (const name of ['Eve', 'Mallory']) {
      const { id } = await owner.create('/api/v1/individuals', { display_name: name })
      people.push(id)
    }
    for (const [type, kind] of [
      ['access.duress', 'duress'],
      ['access.granted', 'unexpected_grant'],
    ] as const) {
      const seen = async () =>
        (
          await owner.get(
            `${PATH}?access_point_id=eq.${safe.id}&kind=eq.${kind}&order=raised_at&select=id,status,event_count,individual_id`,
          )
        ).body.data
      const raised = async () =>
        (await owner.get(`/api/v1/access-events?type=eq.alarm.raised&reason=eq.${kind}&access_point_id=eq.${safe.id}`))
          .body.data.length
      for (let n = 0; n < 2; n++) await happens(type, { access_point_id: safe.id, individual_id: people[0] })
      const [first] = await seen()
      expect([await seen(), await raised()]).toEqual([[{ ...first, status: 'open', event_count: 2 }], 1])
      await owner.post(`${PATH}/${first.id}/acknowledge`, { note: 'On my way' })
      for (let n = 0; n < 2; n++) await happens(type, { access_point_id: safe.id, individual_id: people[1] })
      expect([await seen(), await raised()]).toEqual([
        [
          { id: first.id, status: 'acknowledged', event_count: 2, individual_id: people[0] },
          { id: expect.any(String), status: 'open', event_count: 2, individual_id: people[1] },
        ],
        2,
      ])
      for (const { id } of await seen()) {
        const shown = (await owner.get(`/api/v1/access-points/${safe.id}`)).body.data.state.alarms.value
        expect(shown).toEqual(kind === 'duress' ? ['duress'] : [])
        expect((await owner.post(`${PATH}/${id}/close`)).status).toBe(200)
      }
      expect((await owner.get(`/api/v1/access-points/${safe.id}`)).body.data.in_alarm).toBe(false)
    }
  })

  it('of duress, which no event ends, leave the door when they are closed', async () => {
    const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const till = await owner.create('/api/v1/access-points', { name: 'Till', space_id })
    const here = { access_point_id: till.id }
    const stateOf = async () => {
      const { in_alarm, state, state_changed_at } = (await owner.get(`/api/v1/access-points/${till.id}`)).body.data
      return { in_alarm, alarms: state.alarms, state_changed_at }
    }
    await happens('access.duress', here)
    const since = clock.now()
    await happens('door.forced', here)
    const [alarm] = (await owner.get(`${PATH}?kind=eq.duress&access_point_id=eq.${till.id}`)).body.data
    await owner.post(`${PATH}/${alarm.id}/acknowledge`)
    expect(await stateOf()).toMatchObject({ in_alarm: true, alarms: { value: ['forced_open', 'duress'] } })
    clock.forward(1000)
    expect((await owner.post(`${PATH}/${alarm.id}/close?dry_run=true`)).status).toBe(200)
    expect((await stateOf()).alarms.value).toEqual(['forced_open', 'duress'])
    await owner.post(`${PATH}/${alarm.id}/close`)
    const closedAt = clock.now()
    expect(await stateOf()).toEqual({
      in_alarm: true,
      alarms: { value: ['forced_open'], since: closedAt },
      state_changed_at: closedAt,
    })
    // What is closed though the door still stands open is still seen at the door.
    const [forced] = (await owner.get(`${PATH}?kind=eq.forced_open&access_point_id=eq.${till.id}`)).body.data
    await owner.post(`${PATH}/${forced.id}/close`)
    expect((await stateOf()).alarms.value).toEqual(['forced_open'])
    await happens('door.closed', here)
    expect(await stateOf()).toMatchObject({ in_alarm: false, alarms: { value: [] } })
    expect((await owner.get(`/api/v1/access-points?in_alarm=is.true&id=eq.${till.id}`)).body.data).toEqual([])
    // Another, told of late, is shown as its alarm is.
    const late = new Date(Date.parse(since) + 500).toISOString()
    await happens('access.duress', { ...here, occurred_at: late })
    expect(await stateOf()).toMatchObject({ in_alarm: true, alarms: { value: ['duress'] } })
  })

  it('are there for those who may see them, in their places', async () => {
    const [alarm] = await alarmsOf('forced_open')
    const reader = await memberWith(house, ['alarms:read'])
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await (await memberWith(house, ['spaces:read'])).get(PATH)).status).toBe(403)
    expect((await reader.post(`${PATH}/${alarm.id}/acknowledge`)).status).toBe(403)
    const other = await owner.create('/api/v1/buildings', {
      name: 'Other',
      location_id: (await owner.get(`/api/v1/buildings/${building.id}`)).body.data.location_id,
    })
    const elsewhere = await house.member('Operator', { building_id: other.id })
    expect((await elsewhere.get(PATH)).body.data).toEqual([])
    expect((await elsewhere.get(`${PATH}/${alarm.id}`)).status).toBe(404)
    expect((await elsewhere.post(`${PATH}/${alarm.id}/acknowledge`)).status).toBe(404)
    const local = await house.member('Operator', { building_id: building.id })
    expect((await local.get(PATH)).body.meta.pagination.total).toBeGreaterThan(3)
  })

  it('are found by the door or the system they are of', async () => {
    const loading = await owner.create('/api/v1/access-points', {
      name: 'Loading bay',
      space_id: (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.space_id,
    })
    await happens('door.tampered', { access_point_id: loading.id })
    await happens('system.offline', { access_control_system_id: system.id })
    const found = async (word: string) =>
      (await owner.get(`${PATH}?search=${word}&status=eq.open&select=kind`)).body.data
    expect(await found('loading')).toEqual([{ kind: 'tamper' }])
    expect(await found('controllers')).toEqual([{ kind: 'system_offline' }])
    expect(await found('nowhere')).toEqual([])
    await happens('system.online', { access_control_system_id: system.id })
  })

  it.each(['door.forced', 'door.held_open', 'door.tampered', 'access.duress', 'system.offline', 'system.tampered'])(
    'are of something: %s without a door or a system is refused, and raises none',
    async (type) => {
      const before = (await owner.get(PATH)).body.meta.pagination.total
      const answer = await owner.post('/api/v1/access-events', { type })
      expect([answer.status, answer.body.error?.reason]).toEqual([400, 'event.of_nothing'])
      const ofDoor = await owner.post('/api/v1/access-events', { type: 'system.offline', access_point_id: door.id })
      expect([ofDoor.status, ofDoor.body.error?.details[0].path]).toEqual([400, 'access_control_system_id'])
      expect((await owner.get(PATH)).body.meta.pagination.total).toBe(before)
    },
  )

  it('of a system are the system’s, though a door of it is named, and end with what it says of itself', async () => {
    await happens('system.offline', { access_point_id: door.id, access_control_system_id: system.id })
    const last = async () => (await alarmsOf('system_offline')).at(-1)
    expect(await last()).toMatchObject({ status: 'open', access_point_id: null, access_control_system_id: system.id })
    await happens('system.online', { access_control_system_id: system.id })
    expect(await last()).toMatchObject({ status: 'closed', ended_at: clock.now() })
  })

  it('of a door go along with it into another building, where they are seen from then on', async () => {
    const { location_id } = (await owner.get(`/api/v1/buildings/${building.id}`)).body.data
    const make = async (name: string) => {
      const made = await owner.create('/api/v1/buildings', { name, location_id })
      const guard = await memberWith(house, ['alarms:read', 'alarms:acknowledge'], { building_id: made.id })
      return { id: made.id, guard }
    }
    const houses = [await make('Before'), await make('After'), await make('Later')] as const
    const [before, after, later] = houses
    const room = await owner.create('/api/v1/spaces', { name: 'Room', building_id: before.id })
    const next = await owner.create('/api/v1/spaces', { name: 'Next', building_id: after.id })
    const moving = await owner.create('/api/v1/access-points', { name: 'Moving', space_id: room.id })
    const seen = () =>
      Promise.all(houses.map(async ({ guard }) => (await guard.get(PATH)).body.data.map(({ kind }: never) => kind)))
    await happens('door.tampered', { access_point_id: moving.id })
    await happens('door.held_open', { access_point_id: moving.id })
    await happens('door.closed', { access_point_id: moving.id })
    expect(await seen()).toEqual([['tamper', 'held_open_too_long'], [], []])
    await owner.patch(`/api/v1/access-points/${moving.id}`, { space_id: next.id })
    // What is over stays where it was.
    expect(await seen()).toEqual([['held_open_too_long'], ['tamper'], []])
    await happens('door.tampered', { access_point_id: moving.id })
    const [alarm] = (await after.guard.get(PATH)).body.data
    expect(alarm).toMatchObject({ building_id: after.id, event_count: 2, version: 3 })
    await owner.patch(`/api/v1/spaces/${next.id}`, { building_id: later.id })
    expect(await seen()).toEqual([['held_open_too_long'], [], ['tamper']])
    expect((await later.guard.post(`${PATH}/${alarm.id}/close`)).status).toBe(200)
  })

  it('of a system that is away end when nobody attends to it any more', async () => {
    for (const change of [{ kind: 'manual' }, { status: 'disabled' }, 'delete'] as const) {
      const away = await owner.create('/api/v1/access-control-systems', { name: 'Away', kind: 'simulator' })
      const path = `/api/v1/access-control-systems/${away.id}`
      await happens('system.offline', { access_control_system_id: away.id })
      await owner.patch(path, { name: 'Still away' })
      const find = async () => (await owner.get(`${PATH}?access_control_system_id=eq.${away.id}`)).body.data
      const [alarm] = await find()
      expect(alarm).toMatchObject({ status: 'open', access_control_system_id: away.id })
      clock.forward(1000)
      expect((change === 'delete' ? await owner.delete(path) : await owner.patch(path, change)).status).toBe(200)
      expect((await find())[0]).toMatchObject({
        id: alarm.id,
        status: 'closed',
        ended_at: clock.now(),
        closed_at: clock.now(),
      })
    }
  })
})
