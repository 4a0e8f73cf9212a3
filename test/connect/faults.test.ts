import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { noteContact } from '../../src/connect/contact.ts'
import { LeaseLost, Link } from '../../src/connect/link.ts'
import { manual } from '../../src/connect/manual.ts'
import { Supervisor } from '../../src/connect/supervisor.ts'
import { startHouse } from '../support/app.ts'
import { makeSite, type Site } from './site.ts'

const house = await startHouse()
const { owner, clock } = house
const DAY_MS = 86_400_000
let made = 0
const newSite = async (): Promise<Site> => {
  made += 1
  const site = await makeSite({ house, name: `Site ${'x'.repeat(made)}` })
  await site.round()
  return site
}
const act = async (site: Site, action: string, more: object = {}) => {
  const answer = await site.play({ action, ...more })
  expect(answer.status, answer.text).toBe(200)
}
const atDoor = (site: Site, action: string) => act(site, action, { access_point_id: site.door.id })
const typesOf = async (site: Site) => (await site.events()).map(({ type }) => type)
const stateOf = async (site: Site) => (await owner.get(`/api/v1/access-points/${site.door.id}`)).body.data.state
const alarmsOf = async (site: Site) =>
  (await owner.get(`/api/v1/alarms?access_point_id=eq.${site.door.id}`)).body.data.map(
    ({ kind, status }: Record<string, string>) => [kind, status],
  )

describe('a controller that', () => {
  it('loses its power keeps what it has to tell, and tells it once it has both power and a line', async () => {
    const site = await newSite()
    await act(site, 'go_offline')
    expect(await site.swipe(site.card.number, { passes: false })).toBe('granted')
    await act(site, 'lose_power')
    const dead = await site.play({ action: 'swipe', access_point_id: site.door.id, number: site.card.number })
    expect([dead.status, dead.body.error.reason]).toEqual([409, 'simulator.no_power'])
    await site.round()
    expect(await typesOf(site)).toEqual(['system.offline', 'alarm.raised'])
    await act(site, 'restore_power')
    await act(site, 'go_online')
    await site.round(60_000)
    const told = await typesOf(site)
    expect(told.slice(2)).toEqual([
      'access.granted',
      'lock.unlocked',
      'system.power_lost',
      'system.power_restored',
      'access.not_taken',
      'lock.locked',
      'system.online',
    ])
    // Its table survived: nothing was given to it anew.
    expect(await site.swipe(site.card.number)).toBe('granted')
  })

  it('has a clock that drifts tells by it, decides by it, and is set right', async () => {
    const site = await newSite()
    const ends = new Date(Date.parse(clock.now()) + 60_000).toISOString()
    await owner.patch(`/api/v1/access-grants/${site.grant.id}`, { valid_until: ends })
    await site.round()
    await act(site, 'set_clock', { offset_ms: 120_000, drift_ppm: 100 })
    expect(await site.swipe(site.card.number)).toBe('no_access_rights')
    await site.supervisor.run()
    const [denied] = await site.events(`and type = 'access.denied'`)
    expect(new Date(String(denied?.occurred_at)).getTime() - Date.parse(clock.now())).toBe(120_000)
    await site.round(31_000)
    expect(await typesOf(site)).toContain('system.clock_set')
    expect(await site.swipe(site.card.number)).toBe('granted')
  })

  it('has a clock that was set back tells by it, and what follows goes by ours', async () => {
    const site = await newSite()
    const offsets = async () => {
      const path = `/api/v1/access-control-systems/${site.system.id}`
      const answers = [await owner.get(path), await owner.get(`${path}/sync`)]
      return answers.map(({ body }) => body.data.clock_offset_ms)
    }
    await atDoor(site, 'force')
    await site.round()
    await act(site, 'set_clock', { offset_ms: -DAY_MS })
    clock.forward(1000)
    await atDoor(site, 'close')
    const closedAt = clock.now()
    expect(await site.swipe(site.card.number)).toBe('granted')
    await site.round()
    const { position, lock_state, alarms } = await stateOf(site)
    expect([position.value, lock_state.value, alarms.value]).toEqual(['closed', 'unlocked', []])
    const [alarm] = (await owner.get(`/api/v1/alarms?access_point_id=eq.${site.door.id}`)).body.data
    expect(alarm.ended_at).toBe(closedAt)
    expect((await owner.get(`/api/v1/credentials/${site.card.id}`)).body.data.last_used_at).toBe(closedAt)
    expect(await offsets()).toEqual([-DAY_MS, -DAY_MS])
    const shown = (await owner.get(`/api/v1/access-events?access_point_id=eq.${site.door.id}&type=eq.access.granted`))
      .body.data
    expect(shown).toMatchObject([{ occurred_at: new Date(Date.parse(closedAt) - DAY_MS).toISOString() }])
    expect(shown[0]).not.toHaveProperty('happened_at')
    // The lock falls back into place by a clock that was set meanwhile.
    await site.round(6000)
    expect((await stateOf(site)).lock_state.value).toBe('locked')
    await site.round(31_000)
    expect(await offsets()).toEqual([0, 0])
  })

  it('has its clock set right while a door stands unlocked locks it, and is believed', async () => {
    const site = await newSite()
    await act(site, 'set_clock', { offset_ms: -DAY_MS })
    clock.forward(30_000)
    await site.swipe(site.card.number)
    await site.round()
    expect(await typesOf(site)).toContain('system.clock_set')
    await site.round()
    expect((await stateOf(site)).lock_state.value).toBe('locked')
  })

  it('told of something before its clock was set back is believed as to that', async () => {
    const site = await newSite()
    await act(site, 'go_offline')
    clock.forward(1000)
    await atDoor(site, 'force')
    const forcedAt = clock.now()
    clock.forward(60_000)
    await act(site, 'set_clock', { offset_ms: -DAY_MS })
    await act(site, 'go_online')
    await site.round()
    expect((await stateOf(site)).position).toEqual({ value: 'open', since: forcedAt })
  })

  it('does not let its table be read is not away for that: it tells and obeys at once, and says what is wrong', async () => {
    const site = await newSite()
    const path = `/api/v1/access-control-systems/${site.system.id}`
    const shown = async () => {
      const { status, errors, connectivity } = (await owner.get(path)).body.data
      return [status, connectivity, errors.map(({ code }: { code: string }) => code)]
    }
    await act(site, 'set_faults', { faults: { read: 'fails' } })
    await site.round(700_000)
    const { version } = (await owner.get(path)).body.data
    for (let n = 0; n < 4; n++) await site.round(40_000)
    expect([await typesOf(site), await shown()]).toEqual([[], ['degraded', 'online', ['table_not_updated']]])
    await site.swipe(site.card.number, { passes: false })
    const { id } = (await owner.post(`/api/v1/access-points/${site.other.id}/unlock`, { seconds: 5 })).body.data
    await site.round()
    await site.round()
    expect(await typesOf(site)).toEqual(['access.granted', 'lock.unlocked', 'lock.unlocked'])
    expect((await owner.get(`/api/v1/commands/${id}`)).body.data.status).toBe('confirmed')
    expect((await owner.get(path)).body.data.version).toBe(version)
    await act(site, 'set_faults', { faults: { read: 'works' } })
    await site.round(60_000)
    expect(await shown()).toEqual(['connected', 'online', []])
  })

  it('tells everything twice is heard once', async () => {
    const site = await newSite()
    await act(site, 'set_faults', { faults: { duplicate_events: true } })
    await site.swipe(site.card.number)
    await site.round()
    await site.round()
    expect(await typesOf(site)).toEqual([
      'access.granted',
      'lock.unlocked',
      'door.opened',
      'access.taken',
      'door.closed',
    ])
    const uses = (await owner.get(`/api/v1/credentials/${site.card.id}`)).body.data.use_count
    expect(uses).toBe(1)
  })

  it('tells some of it late sets nothing back', async () => {
    const site = await newSite()
    await act(site, 'set_faults', { faults: { late_events: true } })
    for (let n = 0; n < 3; n++) {
      await atDoor(site, 'force')
      clock.forward(1000)
      await atDoor(site, 'close')
      await site.round()
      await site.round()
      expect((await stateOf(site)).position.value).toBe('closed')
    }
    const told = await typesOf(site)
    expect([
      told.filter((type) => type === 'door.forced').length,
      told.filter((type) => type === 'door.closed').length,
    ]).toEqual([3, 3])
  })

  it('has a door that is locked and closed lets nobody hold it, and tells of nothing', async () => {
    const site = await newSite()
    await site.round()
    const held = () => site.play({ action: 'hold', access_point_id: site.door.id })
    const { status, body } = await held()
    expect([status, body.error.reason]).toEqual([409, 'simulator.is_locked'])
    expect(body.msg).toContain('have it opened')
    await site.round()
    expect(await typesOf(site)).toEqual([])
    await atDoor(site, 'push_button')
    expect((await held()).status).toBe(200)
    await site.round()
    expect(await typesOf(site)).toEqual(expect.arrayContaining(['door.opened', 'door.held_open']))
  })

  it('has a door forced or held open raises the alarm, which ends as its kind does', async () => {
    const site = await newSite()
    await atDoor(site, 'force')
    await site.round()
    expect([(await stateOf(site)).alarms.value, await alarmsOf(site)]).toEqual([
      ['forced_open'],
      [['forced_open', 'open']],
    ])
    await atDoor(site, 'close')
    await atDoor(site, 'push_button')
    await atDoor(site, 'open')
    await site.round(31_000)
    expect(await alarmsOf(site)).toContainEqual(['held_open_too_long', 'open'])
    await atDoor(site, 'close')
    await site.round()
    expect((await alarmsOf(site)).sort()).toEqual([
      ['forced_open', 'open'],
      ['held_open_too_long', 'closed'],
    ])
    expect((await stateOf(site)).alarms.value).toEqual([])
  })

  it('has a keypad asks for the PIN where the grant does, and knows the right one', async () => {
    const site = await newSite()
    await owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
    await owner.create('/api/v1/access-grants', {
      individual_id: site.ada.id,
      access_point_id: site.door.id,
      requires_pin: true,
    })
    await owner.patch(`/api/v1/credentials/${site.card.id}`, { pin: '482915' })
    await site.round()
    const reasons = []
    for (const pin of [undefined, '482916', '482915'])
      reasons.push(await site.swipe(site.card.number, pin ? { pin } : {}))
    expect(reasons).toEqual(['pin_required', 'incorrect_pin', 'granted'])
  })

  it('goes away is told of once, though whoever tells it dies in between', async () => {
    const site = await newSite()
    const link = new Link(house, 1, site.system.id, manual)
    clock.forward(1000)
    const killed = new Error('killed')
    const now = () => {
      throw killed
    }
    const dying = { engine: house.engine, clock: { now, elapsed: () => clock.elapsed() } }
    await expect(noteContact(dying, link, 'offline')).rejects.toThrow(killed)
    vi.spyOn(link, 'note').mockRejectedValueOnce(killed)
    await expect(noteContact(house, link, 'offline')).rejects.toThrow(killed)
    clock.forward(1000)
    expect([await noteContact(house, link, 'offline'), await noteContact(house, link, 'offline')]).toEqual([
      true,
      false,
    ])
    expect(await typesOf(site)).toEqual(['system.offline', 'alarm.raised'])
  })

  it('is away, disabled and attended to again is told of as away once more', async () => {
    const site = await newSite()
    await site.round()
    await act(site, 'go_offline')
    await site.round(60_000)
    const of = `access_control_system_id=eq.${site.system.id}&kind=eq.system_offline&order=raised_at`
    const statuses = async () =>
      (await owner.get(`/api/v1/alarms?${of}`)).body.data.map(({ status }: { status: string }) => status)
    expect(await statuses()).toEqual(['open'])
    const system = `/api/v1/access-control-systems/${site.system.id}`
    await owner.patch(system, { status: 'disabled' })
    await site.round(60_000)
    expect(await statuses()).toEqual(['closed'])
    await owner.patch(system, { status: 'disconnected' })
    await site.round(60_000)
    expect(await statuses()).toEqual(['closed', 'open'])
    await act(site, 'go_online')
    await site.round(60_000)
    expect(await statuses()).toEqual(['closed', 'closed'])
  })

  it('is not away any more once it answers, though somebody else had said so and it has nothing to tell', async () => {
    const site = await newSite()
    await site.round()
    const told = await owner.post('/api/v1/access-events', {
      type: 'system.offline',
      access_control_system_id: site.system.id,
    })
    expect(told.status).toBe(201)
    const alarm = async () => {
      const of = `access_control_system_id=eq.${site.system.id}&kind=eq.system_offline`
      const [found] = (await owner.get(`/api/v1/alarms?${of}`)).body.data
      return { status: found.status, isOver: found.ended_at !== null }
    }
    expect(await alarm()).toEqual({ status: 'open', isOver: false })
    await site.round(60_000)
    expect(await alarm()).toEqual({ status: 'closed', isOver: true })
  })

  it('is back before it was noted that it went away is told of as back, and of as away when it goes again', async () => {
    const site = await newSite()
    await site.supervisor.stop()
    clock.forward(1000)
    const dying = new Link(house, 1, site.system.id, manual)
    vi.spyOn(dying, 'note').mockRejectedValueOnce(new Error('killed'))
    await expect(noteContact(house, dying, 'offline')).rejects.toThrow('killed')
    const next = new Supervisor({ engine: house.engine, clock, logger: pino({ level: 'silent' }) })
    const told = async () => {
      clock.forward(1000)
      await next.run()
      return (await typesOf(site)).filter((type) => /system|alarm/.test(`${type}`))
    }
    await site.swipe(site.card.number)
    const back = ['system.offline', 'alarm.raised', 'system.online']
    expect([await told(), await told()]).toEqual([back, back])
    await act(site, 'go_offline')
    expect(await told()).toEqual([...back, 'system.offline', 'alarm.raised'])
    await next.stop()
  })

  it('is another process’s by now is not said to be away by one that stood still', async () => {
    const site = await newSite()
    const still = new Link(house, 1, site.system.id, manual, randomUUID())
    await expect(noteContact(house, still, 'offline')).rejects.toThrow(LeaseLost)
    expect(await typesOf(site)).toEqual([])
  })

  it('is attended to by one process: while that lives no other does anything, and when it dies another takes over, once', async () => {
    const site = await newSite()
    const other = (await house.neighbour()).house.engine
    const second = new Supervisor({ engine: other, clock, logger: pino({ level: 'silent' }) })
    const { id } = (await owner.post(`/api/v1/access-points/${site.door.id}/unlock`, { seconds: 5 })).body.data
    const statusOf = async () => (await owner.get(`/api/v1/commands/${id}`)).body.data.status
    await second.run()
    expect(await statusOf()).toBe('queued')
    // The first looks no more.
    clock.forward(16_000)
    await second.run()
    expect(await statusOf()).toBe('confirmed')
    await site.supervisor.run()
    expect((await site.events()).filter(({ command_id }) => command_id === id)).toHaveLength(1)
    await second.stop()
  })
})
