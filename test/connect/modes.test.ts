import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/db/engine.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { startDoorModes } from '../../src/jobs/door-modes.ts'
import { keepModes } from '../../src/live/modes.ts'
import { digestRows } from '../support/rows.ts'
import { makeSite } from './site.ts'

const site = await makeSite()
const { owner, house, door, other, building, ada } = site
await site.round()

/** What the door itself, the list, the filter and the decision say. */
async function told({ id } = door) {
  const { body } = await owner.get(`/api/v1/access-points/${id}`)
  const { mode } = body.data.state
  const listed = (await owner.get(`/api/v1/access-points?mode=eq.${mode.value}&select=id,mode`)).body.data
  expect(body.data.mode).toBe(mode.value)
  expect(listed).toContainEqual({ id, mode: mode.value })
  const asked = { individual_id: ada.id, access_point_id: id }
  const decision = (await owner.post('/api/v1/access-decisions', asked)).body.data
  const rows = (await owner.get(`/api/v1/access-points/${id}/who-can-open`)).body.data
  const row = rows.find(({ individual_id }: { individual_id: string }) => individual_id === ada.id)
  expect([row.reason, row.holds_until]).toEqual([decision.reason, decision.holds_until])
  return { mode: mode.value, since: mode.since, reason: decision.reason, until: decision.holds_until }
}

const command = async (action: string, body?: object) => {
  await owner.post(`/api/v1/access-points/${door.id}/${action}`, body)
  await site.round()
}

const later = (ms: number): string => new Date(Date.parse(house.clock.now()) + ms).toISOString()

describe('a door’s mode, the lists and the decision say the same', () => {
  it('of a command that the door has confirmed, until it is ended', async () => {
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    await command('unlock', { until_released: true })
    expect(await told()).toMatchObject({
      mode: 'unlocked',
      since: house.clock.now(),
      reason: 'door_unlocked',
      until: null,
    })
    await command('lock')
    expect(await told()).toMatchObject({ mode: 'locked', since: house.clock.now(), reason: 'granted' })
    await command('block')
    expect(await told()).toMatchObject({ mode: 'blocked', reason: 'point_blocked' })
    await command('release')
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
  })

  it('of one that ends by itself', async () => {
    await command('unlock', { seconds: 20 })
    expect(await told()).toMatchObject({ mode: 'unlocked_timed', reason: 'door_unlocked' })
    const stranger = await owner.create('/api/v1/individuals', { display_name: 'Ben' })
    const asked = { individual_id: stranger.id, access_point_id: door.id }
    const { reason, holds_until } = (await owner.post('/api/v1/access-decisions', asked)).body.data
    expect([reason, holds_until]).toEqual(['door_unlocked', later(20_000)])
    house.clock.forward(20_000)
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    expect(await told(other)).toMatchObject({ mode: 'locked' })
  })

  it('of one for some seconds behind one that lasts longer, which goes on', async () => {
    const lock = async () => (await owner.get(`/api/v1/access-points/${door.id}`)).body.data.lock_state
    for (const longer of [{ until_released: true }, { seconds: 60 }]) {
      await command('unlock', longer)
      const { mode } = await told()
      await command('unlock', { seconds: 2 })
      house.clock.forward(10_000)
      await site.round()
      expect([(await told()).mode, await lock()]).toEqual([mode, 'unlocked'])
      await command('lock')
      expect([(await told()).mode, await lock()]).toEqual(['locked', 'locked'])
    }
    await command('unlock', { seconds: 2 })
    await command('unlock', { seconds: 20 })
    house.clock.forward(10_000)
    await site.round()
    expect(await told()).toMatchObject({ mode: 'unlocked_timed' })
    await command('lock')
  })

  it('of a lockdown and of an evacuation, until it is released or expires', async () => {
    const lockdown = await owner.create('/api/v1/lockdowns', { kind: 'lockdown', building_id: building.id })
    expect(await told()).toMatchObject({ mode: 'locked_down', since: house.clock.now(), reason: 'locked_down' })
    await owner.create('/api/v1/lockdowns', { kind: 'evacuation', space_id: site.space.id, expires_at: later(60_000) })
    expect(await told(other)).toMatchObject({ mode: 'evacuation', reason: 'evacuation', until: later(60_000) })
    // Nobody opens what no system drives: to say so would send people to a shut door.
    const shut = await owner.create('/api/v1/access-points', { name: 'Mechanical', space_id: site.space.id })
    expect((await owner.get(`/api/v1/access-points/${shut.id}`)).body.data.mode).toBe('locked_down')
    const asked = await owner.post('/api/v1/access-decisions', { individual_id: ada.id, access_point_id: shut.id })
    expect(asked.body.data.reason).toBe('no_reader')
    await owner.delete(`/api/v1/access-points/${shut.id}`)
    house.clock.forward(60_000)
    expect(await told(other)).toMatchObject({ mode: 'locked_down', reason: 'locked_down' })
    await owner.post(`/api/v1/lockdowns/${lockdown.id}/release`)
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', building_id: building.id })
    expect(await told()).toMatchObject({ mode: 'locked' })
    await owner.post(`/api/v1/lockdowns/${drill.id}/release`)
  })

  it('of one for the whole organization, and of a door that comes meanwhile', async () => {
    const all = await owner.create('/api/v1/lockdowns', { kind: 'lockdown' })
    const late = await owner.create('/api/v1/access-points', { name: 'Late', space_id: site.space.id })
    expect((await owner.get(`/api/v1/access-points/${late.id}`)).body.data.mode).toBe('locked_down')
    await owner.post(`/api/v1/lockdowns/${all.id}/release`)
    expect((await owner.get('/api/v1/access-points/summary?group_by=mode')).body.data).toEqual([
      { mode: 'locked', count: 3 },
    ])
  })

  it('of a schedule that begins and ends, and of whoever comes first', async () => {
    const windows = [{ days: ['tue'], start: '15:00', end: '16:00' }]
    const schedule = await owner.create('/api/v1/schedules', { name: 'Afternoon', windows })
    await owner.patch(`/api/v1/access-points/${door.id}`, { unlock_schedule_id: schedule.id })
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    house.clock.set('2027-06-15T13:00:00.000Z')
    expect(await told()).toMatchObject({ mode: 'unlocked', reason: 'door_unlocked' })
    await owner.patch(`/api/v1/access-points/${door.id}`, { first_person_in: true })
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    const entry = { type: 'access.granted', access_point_id: door.id, direction: 'in', occurred_at: house.clock.now() }
    expect((await owner.post('/api/v1/access-events', entry)).status).toBe(201)
    house.clock.forward(1000)
    expect(await told()).toMatchObject({ mode: 'unlocked', reason: 'door_unlocked' })
    house.clock.set('2027-06-15T14:00:00.000Z')
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    await owner.patch(`/api/v1/access-points/${door.id}`, { unlock_schedule_id: null, first_person_in: false })
  })

  it('where the door is shown with what refers to it: in other lists, files and who can open', async () => {
    const windows = [17, 18, 19, 20].map((hour) => ({ days: ['tue'], start: `${hour}:00`, end: `${hour}:30` }))
    const schedule = await owner.create('/api/v1/schedules', { name: 'Evening', windows })
    await owner.patch(`/api/v1/access-points/${door.id}`, { unlock_schedule_id: schedule.id })
    const event = { type: 'door.closed', access_point_id: door.id }
    const { id } = (await owner.post('/api/v1/access-events', event)).body.data
    const others = [
      `/api/v1/access-events?id=eq.${id}&select=access_point(mode)`,
      `/api/v1/access-events?id=eq.${id}&select=access_point%28mode%29&format=ndjson`,
      `/api/v1/individuals/${ada.id}/can-open?access_point_id=eq.${door.id}&select=access_point(mode)`,
      `/api/v1/individuals/${ada.id}/can-open?access_point_id=eq.${door.id}&select=access_point(mode)&format=ndjson`,
    ]
    const shown = async (path: string) => /"mode":"(\w+)"/.exec((await owner.get(path)).text)?.[1]
    // Each is asked by itself, right as it turns: whoever looks first brings it up to date for the others.
    for (const [index, path] of others.entries()) {
      house.clock.set(`2027-06-15T${14 + index}:59:00.000Z`)
      expect(await shown(path), path).toBe('locked')
      house.clock.set(`2027-06-15T${15 + index}:00:00.000Z`)
      expect(await shown(path), path).toBe('unlocked')
    }
    await owner.patch(`/api/v1/access-points/${door.id}`, { unlock_schedule_id: null })
  })

  it('though nobody looks: it is worked out by itself, and by another process too', async () => {
    await command('unlock', { seconds: 20 })
    const stored = async () =>
      (
        await house.engine.reader.all<{ mode: string }>('select mode from access_point_states where id = $1', [door.id])
      )[0]?.mode
    const waiting: Array<() => void> = []
    const job = startDoorModes(house.engine, house.clock, house.app.log, (run) => {
      waiting.push(run)
      return { cancel: () => undefined }
    })
    const tick = async () => {
      waiting.shift()?.()
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
      return stored()
    }
    expect(await tick()).toBe('unlocked_timed')
    house.clock.forward(20_000)
    expect(await tick()).toBe('locked')
    await job.stop()
    const neighbour = house.client(owner.token, await house.neighbour())
    await owner.create('/api/v1/lockdowns', { kind: 'lockdown', access_point_id: door.id, expires_at: later(1000) })
    expect((await neighbour.get(`/api/v1/access-points/${door.id}`)).body.data.mode).toBe('locked_down')
    house.clock.forward(1000)
    expect((await neighbour.get(`/api/v1/access-points/${door.id}`)).body.data.mode).toBe('locked')
  })

  it('of an emergency that was released while a slower process stored it', async () => {
    const stored = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const slow: Engine = {
      ...house.engine,
      transaction: async (...of: Parameters<Engine['transaction']>) => {
        reached.resolve()
        await stored.promise
        return house.engine.transaction(...of)
      },
    } as Engine
    const lockdown = await owner.create('/api/v1/lockdowns', { kind: 'lockdown', access_point_id: door.id })
    const kept = keepModes(new OrgHandle(slow, 1, house.clock.now()))
    await reached.promise
    await owner.post(`/api/v1/lockdowns/${lockdown.id}/release`)
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
    stored.resolve()
    await kept
    expect(await told()).toMatchObject({ mode: 'locked', reason: 'granted' })
  })

  it('and looking at nothing stores nothing: who is refused has changed no row', async () => {
    const limited = await house.member('Owner', {
      location_id: (await owner.create('/api/v1/locations', { name: 'Elsewhere' })).id,
    })
    await owner.create('/api/v1/lockdowns', { kind: 'lockdown', access_point_id: door.id, expires_at: later(1000) })
    expect((await owner.get(`/api/v1/access-points/${door.id}`)).body.data.mode).toBe('locked_down')
    house.clock.forward(1000)
    const before = await digestRows(house.engine)
    for (const [path, status] of [
      [`/${door.id}`, 404],
      ['/00000000-0000-0000-0000-000000000000', 404],
      ['/by-external-id/nobody', 404],
      ['?mode=eq.wide_open', 400],
      ['?cursor=made-up', 400],
      ['/summary?group_by=colour', 400],
      ['?format=csv&select=colour', 400],
    ] as const)
      expect([path, (await limited.get(`/api/v1/access-points${path}`)).status]).toEqual([path, status])
    expect(await digestRows(house.engine)).toEqual(before)
    expect((await owner.get('/api/v1/access-points?format=ndjson&select=mode')).text).not.toContain('locked_down')
  })

  it('and a question about a moment before knows what a command had made of the door then', async () => {
    await command('unlock', { until_released: true })
    const then = house.clock.now()
    house.clock.forward(60_000)
    await command('release')
    const ask = async (at: string) =>
      (await owner.post('/api/v1/access-decisions', { individual_id: ada.id, access_point_id: door.id, at })).body.data
        .reason
    expect([await ask(then), await ask(house.clock.now())]).toEqual(['door_unlocked', 'granted'])
  })
})
