import { describe, expect, it } from 'vitest'
import { memberWith } from '../support/role.ts'
import { makeSite, type Site } from './site.ts'

const syncOf = async ({ owner }: Site, path: string) => (await owner.get(`/api/v1/${path}/sync`)).body.data

describe('whether a device holds what it should', () => {
  it('is unknown before anybody attends to it, and in sync once it has been given everything', async () => {
    const site = await makeSite()
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({
      state: 'unknown',
      contact: null,
    })
    await site.round()
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({
      state: 'in_sync',
      contact: 'online',
      pending: 0,
    })
    const system = (await site.owner.get(`/api/v1/access-control-systems/${site.system.id}`)).body.data
    expect([site.system.last_sync_at, system.last_sync_at]).toEqual([null, site.house.clock.now()])
    expect(await syncOf(site, `access-points/${site.door.id}`)).toMatchObject({ state: 'in_sync' })
    expect(await syncOf(site, `access-grants/${site.grant.id}`)).toMatchObject({ state: 'in_sync', still_opens: [] })
  })

  it('is told of a revocation at once, with the doors that still open and until when at worst; on return it takes hold', async () => {
    const site = await makeSite()
    const until = '2027-06-16T00:00:00.000Z'
    const ben = await site.owner.create('/api/v1/individuals', { display_name: 'Ben' })
    await site.owner.create('/api/v1/credentials', { type: 'card', number: '815', individual_id: ben.id })
    const passing = await site.owner.create('/api/v1/access-grants', {
      individual_id: ben.id,
      access_point_id: site.door.id,
      valid_until: until,
    })
    await site.round()
    await site.play({ action: 'go_offline' })
    await site.round()
    const since = site.house.clock.now()
    for (const id of [site.grant.id, passing.id]) await site.owner.post(`/api/v1/access-grants/${id}/revoke`)
    expect(await syncOf(site, `access-grants/${passing.id}`)).toEqual({
      state: 'pending',
      since,
      error: null,
      systems: [{ access_control_system_id: site.system.id, state: 'pending', since, error: null }],
      still_opens: [{ access_point_id: site.door.id, name: 'Site door', until }],
    })
    // Who reads grants alone learns how it stands, and of no system or door.
    const reader = await memberWith(site.house, ['access-grants:read'])
    expect((await reader.get(`/api/v1/access-grants/${passing.id}/sync`)).body.data).toEqual({
      state: 'pending',
      since,
      error: null,
      systems: null,
      still_opens: null,
    })
    const doors = await memberWith(site.house, ['access-grants:read', 'access-points:read'], {
      building_id: site.building.id,
    })
    expect((await doors.get(`/api/v1/access-grants/${passing.id}/sync`)).body.data).toMatchObject({
      systems: null,
      still_opens: [{ name: 'Site door' }],
    })
    await site.round()
    expect((await syncOf(site, `access-grants/${site.grant.id}`)).still_opens).toEqual([
      { access_point_id: site.door.id, name: 'Site door', until: null },
      { access_point_id: site.other.id, name: 'Site side', until: null },
    ])
    expect(await site.swipe('815')).toBe('granted')
    await site.play({ action: 'go_online' })
    await site.round()
    // Two people's, of four entries in six: somebody is asked first.
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({
      asks_first: true,
      removals: 4,
    })
    await site.owner.post(`/api/v1/access-control-systems/${site.system.id}/confirm-removal`, { removals: 4 })
    await site.round()
    const at = site.house.clock.now()
    const opensNothing = { state: 'in_sync', since: at, systems: [{ since: at }], still_opens: [] }
    expect(await syncOf(site, `access-grants/${passing.id}`)).toMatchObject(opensNothing)
    expect(await site.swipe('815')).toBe('unknown_credential')
    // Since its device let go of it, which is later than its revocation, and stays so.
    await site.round(60_000)
    expect(at > since).toBe(true)
    expect(await syncOf(site, `access-grants/${passing.id}`)).toMatchObject(opensNothing)
    // One that no device ever had has been as it should be since it was revoked.
    const unheard = await site.owner.create('/api/v1/access-grants', {
      individual_id: ben.id,
      access_point_id: site.door.id,
    })
    await site.owner.post(`/api/v1/access-grants/${unheard.id}/revoke`)
    const revoked = site.house.clock.now()
    await site.round()
    expect(await syncOf(site, `access-grants/${unheard.id}`)).toMatchObject({ state: 'in_sync', since: revoked })
  })

  it('is kept of no grant that was deleted, whether its device had let go of it by then or not', async () => {
    const site = await makeSite()
    const { owner, ada, door, house } = site
    const ahead = async () =>
      owner.create('/api/v1/access-grants', {
        individual_id: ada.id,
        access_point_id: door.id,
        valid_from: '2050-01-01T00:00:00.000Z',
      })
    const removed = async () => {
      const rows = await house.engine.reader.all<{ id: string }>('select item_id as id from device_removals', [])
      return rows.map(({ id }) => id)
    }
    const [held, left] = [await ahead(), await ahead()]
    await site.round()
    expect((await owner.delete(`/api/v1/access-grants/${held.id}`)).status).toBe(200)
    await site.round()
    expect(await removed()).toEqual([])
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: null })
    await site.round()
    // Its door and itself.
    await owner.post(`/api/v1/access-control-systems/${site.system.id}/confirm-removal`, { removals: 2 })
    await site.round()
    expect(await removed()).toEqual([left.id])
    expect((await owner.delete(`/api/v1/access-grants/${left.id}`)).status).toBe(200)
    expect(await removed()).toEqual([])
  })

  it('counts the uses of a card at every system: one that is used up at one opens nothing at another', async () => {
    const site = await makeSite()
    const second = await makeSite({ house: site.house, name: 'Second' })
    const { owner, ada, house } = site
    await owner.create('/api/v1/access-grants', { individual_id: ada.id, building_id: second.building.id })
    for (const number of ['815', '816'])
      await owner.create('/api/v1/credentials', { type: 'card', number, individual_id: ada.id, max_uses: 2 })
    await site.round()
    const supervised = async () => {
      house.clock.forward(1000)
      await site.supervisor.run()
    }
    expect([await second.swipe('815'), await second.swipe('815')]).toEqual(['granted', 'granted'])
    await supervised()
    await supervised()
    expect([await site.swipe('815'), await site.swipe('816')]).toEqual(['max_uses', 'granted'])
    await supervised()
    await supervised()
    expect([await second.swipe('816'), await site.swipe('816')]).toEqual(['granted', 'granted'])
    await supervised()
    await supervised()
    expect([await second.swipe('816'), await site.swipe('816')]).toEqual(['max_uses', 'max_uses'])
  })

  it('at several systems is so since the last of them holds it', async () => {
    const site = await makeSite({ name: 'First' })
    const second = await makeSite({ house: site.house, name: 'Second' })
    await second.play({ action: 'go_offline' })
    await site.round()
    const { owner, ada, house } = site
    const grant = await owner.create('/api/v1/access-grants', {
      individual_id: ada.id,
      location_id: (await owner.create('/api/v1/locations', { name: 'Both' })).id,
    })
    for (const { building } of [site, second])
      await owner.patch(`/api/v1/buildings/${building.id}`, { location_id: grant.location_id })
    await site.round()
    expect(await syncOf(site, `access-grants/${grant.id}`)).toMatchObject({ state: 'pending' })
    await second.play({ action: 'go_online' })
    await site.round(60_000)
    const at = house.clock.now()
    expect(await syncOf(site, `access-grants/${grant.id}`)).toMatchObject({ state: 'in_sync', since: at })
  })

  it.each([
    [
      'a stolen card',
      (site: Site) => site.owner.patch(`/api/v1/credentials/${site.card.id}`, { status_reason: 'stolen' }),
    ],
    ['a suspended person', (site: Site) => site.owner.post(`/api/v1/individuals/${site.ada.id}/suspend`)],
    ['a revoked grant', (site: Site) => site.owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)],
  ])(
    'is told of %s while the device is away, of its doors and of the whole; on return it takes hold',
    async (_what, end) => {
      const site = await makeSite()
      const states = async () => {
        const of = [`access-control-systems/${site.system.id}`, `access-points/${site.door.id}`]
        return Promise.all(of.map(async (path) => (await syncOf(site, path)).state))
      }
      await site.round()
      await site.play({ action: 'go_offline' })
      await site.round()
      expect(await states()).toEqual(['in_sync', 'in_sync'])
      expect((await end(site)).status).toBe(200)
      await site.round()
      expect(await states()).toEqual(['pending', 'pending'])
      expect((await syncOf(site, `access-control-systems/${site.system.id}`)).pending).toBeGreaterThan(0)
      expect(await site.swipe(site.card.number)).toBe('granted')
      await site.play({ action: 'go_online' })
      await site.round()
      const { asks_first, removals } = await syncOf(site, `access-control-systems/${site.system.id}`)
      if (asks_first)
        await site.owner.post(`/api/v1/access-control-systems/${site.system.id}/confirm-removal`, { removals })
      await site.round(60_000)
      expect(await states()).toEqual(['in_sync', 'in_sync'])
      expect(await site.swipe(site.card.number)).not.toBe('granted')
    },
  )

  it('of a grant is not so before its hours have arrived, and of no other', async () => {
    const site = await makeSite()
    const { owner, house } = site
    const hours = async (name: string, more = {}) =>
      owner.create('/api/v1/schedules', { name, windows: [{ days: ['tue'], start: '08:00', end: '20:00' }], ...more })
    const calendar = await owner.create('/api/v1/calendars', { name: 'Holidays', days: [] })
    const { id } = await hours('Day', { calendar_id: calendar.id })
    await owner.patch(`/api/v1/access-grants/${site.grant.id}`, { schedule_id: id })
    const beside = await owner.create('/api/v1/access-grants', {
      individual_id: site.ada.id,
      access_point_id: site.other.id,
      schedule_id: (await hours('Beside')).id,
    })
    const states = () =>
      Promise.all([site.grant, beside].map(async (one) => (await syncOf(site, `access-grants/${one.id}`)).state))
    await site.round()
    expect(await states()).toEqual(['in_sync', 'in_sync'])
    await site.play({ action: 'go_offline' })
    await site.round()
    for (const change of [
      () => owner.patch(`/api/v1/schedules/${id}`, { windows: [] }),
      () => owner.patch(`/api/v1/calendars/${calendar.id}`, { days: [{ date: '2027-06-15', name: 'Today' }] }),
    ]) {
      house.clock.forward(1000)
      expect((await change()).status).toBe(200)
      const since = house.clock.now()
      expect(await states()).toEqual(['pending', 'in_sync'])
      await site.round()
      const standing = await syncOf(site, `access-grants/${site.grant.id}`)
      expect([standing.state, standing.systems[0].state, standing.since >= since]).toEqual(['pending', 'pending', true])
      expect(await site.swipe(site.card.number)).toBe('granted')
    }
    await site.play({ action: 'go_online' })
    await site.round(60_000)
    expect(await syncOf(site, `access-grants/${site.grant.id}`)).toMatchObject({
      state: 'in_sync',
      since: house.clock.now(),
    })
    expect(await site.swipe(site.card.number)).toBe('out_of_time_range')
    await owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
    await site.round()
    expect(await states()).toEqual(['in_sync', 'in_sync'])
  })

  it('of a grant is so soon after its hours were renamed, though nothing was sent', async () => {
    const site = await makeSite()
    const { owner } = site
    const windows = [{ days: ['tue'], start: '08:00', end: '20:00' }]
    const { id } = await owner.create('/api/v1/schedules', { name: 'Day', windows })
    await owner.patch(`/api/v1/access-grants/${site.grant.id}`, { schedule_id: id })
    const state = async () => (await syncOf(site, `access-grants/${site.grant.id}`)).state
    await site.round()
    expect(await state()).toBe('in_sync')
    site.house.clock.forward(1000)
    expect((await owner.patch(`/api/v1/schedules/${id}`, { external_id: 'day' })).status).toBe(200)
    for (let n = 0; n < 12; n++) await site.round()
    expect(await state()).toBe('in_sync')
  })

  it('of a grant is not so while a card of whom it is for has not arrived, or did not fit', async () => {
    const site = await makeSite({ settings: { max_cards: 1 } })
    const { owner } = site
    const group = await owner.create('/api/v1/access-groups', { name: 'Crew' })
    const ben = await owner.create('/api/v1/individuals', { display_name: 'Ben' })
    await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: ben.id })
    const crew = await owner.create('/api/v1/access-grants', {
      access_group_id: group.id,
      access_point_id: site.door.id,
    })
    const states = () =>
      Promise.all([site.grant, crew].map(async (one) => (await syncOf(site, `access-grants/${one.id}`)).state))
    await site.round()
    expect(await states()).toEqual(['in_sync', 'in_sync'])
    const card = await owner.create('/api/v1/credentials', { type: 'card', number: '815', individual_id: ben.id })
    await site.round()
    expect(await states()).toEqual(['in_sync', 'failed'])
    expect(await syncOf(site, `access-grants/${crew.id}`)).toMatchObject({
      since: site.house.clock.now(),
      error: { code: 'device_full' },
      systems: [{ access_control_system_id: site.system.id, state: 'failed', error: { code: 'device_full' } }],
    })
    await owner.patch(`/api/v1/credentials/${card.id}`, { status_reason: 'lost' })
    await site.round()
    expect(await states()).toEqual(['in_sync', 'in_sync'])
    await site.play({ action: 'go_offline' })
    await site.round()
    await owner.patch(`/api/v1/credentials/${site.card.id}`, { status_reason: 'stolen' })
    await site.round()
    expect([await states(), await site.swipe(site.card.number)]).toEqual([['pending', 'in_sync'], 'granted'])
  })

  it('hours that did not fit open nothing, and are an error on the grants that have them', async () => {
    const site = await makeSite({ settings: { max_schedules: 1 } })
    const { owner } = site
    const windows = [{ days: ['mon'], start: '08:00', end: '20:00' }]
    const [first, second] = [
      await owner.create('/api/v1/schedules', { name: 'First', windows }),
      await owner.create('/api/v1/schedules', { name: 'Second', windows }),
    ]
    const ben = await owner.create('/api/v1/individuals', { display_name: 'Ben' })
    await owner.create('/api/v1/credentials', { type: 'card', number: '815', individual_id: ben.id })
    const given = await owner.create('/api/v1/access-grants', {
      individual_id: ben.id,
      building_id: site.building.id,
      schedule_id: first.id,
    })
    await site.round()
    await owner.patch(`/api/v1/access-grants/${site.grant.id}`, { schedule_id: second.id })
    await site.round()
    expect(await syncOf(site, `access-grants/${site.grant.id}`)).toMatchObject({
      state: 'failed',
      error: { code: 'device_full' },
    })
    expect((await syncOf(site, `access-grants/${given.id}`)).state).toBe('in_sync')
    expect([await site.swipe(site.card.number), await site.swipe('815')]).toEqual([
      'no_access_rights',
      'out_of_time_range',
    ])
  })

  it('full capacity is an error on the grant that did not fit, and ends when there is room', async () => {
    const site = await makeSite({ settings: { max_grants: 1 } })
    await site.round()
    const second = await site.owner.create('/api/v1/access-grants', {
      individual_id: site.ada.id,
      access_point_id: site.door.id,
    })
    await site.round()
    expect(await syncOf(site, `access-grants/${second.id}`)).toMatchObject({
      state: 'failed',
      error: { code: 'device_full' },
    })
    expect(await syncOf(site, `access-grants/${site.grant.id}`)).toMatchObject({ state: 'in_sync' })
    const { status, errors } = (await site.owner.get(`/api/v1/access-control-systems/${site.system.id}`)).body.data
    expect([status, errors[0].code]).toEqual(['degraded', 'entries_refused'])
    await site.owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
    await site.round()
    expect(await syncOf(site, `access-grants/${second.id}`)).toMatchObject({ state: 'in_sync', error: null })
  })

  it.each(['fails', 'empty'])('a read that %s never means that something was deleted', async (read) => {
    const site = await makeSite()
    await site.round()
    const held = async () => (await site.play({ action: 'go_online' })).body.data.entries
    const before = await held()
    await site.play({ action: 'set_faults', faults: { read } })
    await site.round(700_000)
    await site.round(60_000)
    expect(await held()).toEqual(before)
    expect(await site.swipe(site.card.number)).toBe('granted')
    // What is to be removed is removed all the same, though the device seems to hold nothing.
    await site.owner.post(`/api/v1/access-grants/${site.grant.id}/revoke`)
    await site.play({ action: 'set_faults', faults: { read: 'works' } })
    await site.round(60_000)
    expect((await held()).grants).toBe(0)
  })

  it('removing more than a tenth of a table asks first', async () => {
    const site = await makeSite()
    const people: string[] = []
    for (let n = 0; n < 14; n++) {
      const { id } = await site.owner.create('/api/v1/individuals', { display_name: `Person ${n}` })
      await site.owner.create('/api/v1/credentials', { type: 'card', number: `9${n}00`, individual_id: id })
      people.push(
        (await site.owner.create('/api/v1/access-grants', { individual_id: id, building_id: site.building.id })).id,
      )
    }
    await site.round()
    for (const id of people.slice(0, 8)) await site.owner.post(`/api/v1/access-grants/${id}/revoke`)
    await site.round()
    const path = `/api/v1/access-control-systems/${site.system.id}`
    const standing = await syncOf(site, `access-control-systems/${site.system.id}`)
    expect(standing).toMatchObject({ state: 'pending', removals: 16, asks_first: true })
    expect(await site.swipe('9000')).toBe('granted')
    expect((await site.owner.post(`${path}/confirm-removal`, { removals: 16 })).status).toBe(200)
    await site.round(60_000)
    expect(await site.swipe('9000')).toBe('unknown_credential')
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({
      state: 'in_sync',
      removals: 0,
      asks_first: false,
    })
    expect((await site.owner.post(`${path}/confirm-removal`, { removals: 16 })).body.error.reason).toBe(
      'sync.asks_nothing',
    )
  })

  it('so does what somebody ends by mistake, and not what has ended by itself on the device', async () => {
    const site = await makeSite()
    const { owner, house, system } = site
    const inHours = (hours: number) => new Date(Date.parse(house.clock.now()) + hours * 3_600_000).toISOString()
    const people: Array<{ id: string; card: string }> = []
    for (let n = 0; n < 14; n++) {
      const { id } = await owner.create('/api/v1/individuals', { display_name: `Person ${n}` })
      const card = await owner.create('/api/v1/credentials', { type: 'card', number: `9${n}00`, individual_id: id })
      await owner.create('/api/v1/access-grants', { individual_id: id, building_id: site.building.id })
      people.push({ id, card: card.id })
    }
    await site.round()
    // As a file with the wrong column would.
    for (const { card } of people.slice(0, 8))
      await owner.patch(`/api/v1/credentials/${card}`, { valid_until: inHours(-24) })
    await site.round()
    const standing = () => syncOf(site, `access-control-systems/${system.id}`)
    expect(await standing()).toMatchObject({ state: 'pending', removals: 8, asks_first: true })
    expect(await site.swipe('9000')).toBe('granted')
    for (const { card } of people.slice(0, 8)) await owner.patch(`/api/v1/credentials/${card}`, { valid_until: null })
    await site.round(60_000)
    expect(await standing()).toMatchObject({ state: 'in_sync', asks_first: false })
    for (const { id } of people) await owner.patch(`/api/v1/individuals/${id}`, { valid_until: inHours(1) })
    await site.round()
    await site.round(3_600_000)
    expect(await standing()).toMatchObject({ state: 'in_sync', asks_first: false })
    expect((await site.play({ action: 'go_online' })).body.data.entries.cards).toBe(1)
  })

  it('but the leaving of one person takes hold at once, however small the table is', async () => {
    const site = await makeSite()
    const own = { individual_id: site.ada.id, access_point_id: site.door.id }
    for (let n = 0; n < 3; n++) await site.owner.create('/api/v1/access-grants', own)
    await site.owner.create('/api/v1/credentials', { type: 'card', number: '4712', individual_id: site.ada.id })
    await site.round()
    await site.owner.post(`/api/v1/individuals/${site.ada.id}/offboard`)
    await site.round()
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({
      state: 'in_sync',
      asks_first: false,
    })
    expect(await site.swipe(site.card.number)).toBe('unknown_credential')
  })

  it('an acknowledgement that is lost leaves it unknown, and a later look settles it', async () => {
    const site = await makeSite()
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
    await site.round()
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({ state: 'unknown' })
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
    await site.round(60_000)
    expect(await syncOf(site, `access-control-systems/${site.system.id}`)).toMatchObject({ state: 'in_sync' })
    expect(await site.swipe(site.card.number)).toBe('granted')
  })

  it.each([false, true])(
    'tells of a revocation by the latest end that its device may have been given, acknowledged or not (asked since: %s)',
    async (isLookedAt) => {
      const site = await makeSite()
      const { owner, house, grant } = site
      const path = `access-grants/${grant.id}`
      const inMinutes = (minutes: number) => new Date(Date.parse(house.clock.now()) + minutes * 60_000).toISOString()
      await owner.patch(`/api/v1/${path}`, { valid_until: inMinutes(10) })
      await site.round()
      const until = inMinutes(600)
      await owner.patch(`/api/v1/${path}`, { valid_until: until })
      await site.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
      await site.round()
      if (isLookedAt) {
        await site.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
        await site.round(60_000)
        expect(await syncOf(site, path)).toMatchObject({ state: 'in_sync' })
      }
      await site.play({ action: 'go_offline' })
      await site.round(1_200_000)
      await owner.post(`/api/v1/${path}/revoke`)
      expect(await site.swipe(site.card.number)).toBe('granted')
      expect((await syncOf(site, path)).still_opens).toMatchObject([{ until }, { until }])
    },
  )

  it('is not said to be in sync because it is to hold again what it held before an unanswered change', async () => {
    const site = await makeSite()
    const { owner, grant } = site
    const path = `access-grants/${grant.id}`
    const soon = new Date(Date.parse(site.house.clock.now()) + 600_000).toISOString()
    await owner.patch(`/api/v1/${path}`, { valid_until: soon })
    await site.round()
    await owner.patch(`/api/v1/${path}`, { valid_until: null })
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: true } })
    await site.round()
    await site.play({ action: 'go_offline' })
    await owner.patch(`/api/v1/${path}`, { valid_until: soon })
    await site.round(60_000)
    expect((await syncOf(site, path)).state).toBe('unknown')
    await site.play({ action: 'set_faults', faults: { lose_acknowledgements: false } })
    await site.play({ action: 'go_online' })
    await site.round(60_000)
    expect((await syncOf(site, path)).state).toBe('in_sync')
    await site.round(600_000)
    expect(await site.swipe(site.card.number)).toBe('no_access_rights')
  })

  it('says in words what its device cannot express, which opens nothing there', async () => {
    const site = await makeSite({ settings: { pins: false } })
    const pin = await site.owner.create('/api/v1/access-grants', {
      individual_id: site.ada.id,
      building_id: site.building.id,
      requires_pin: true,
    })
    await site.round()
    const { inexpressible } = await syncOf(site, `access-control-systems/${site.system.id}`)
    expect(inexpressible).toEqual([
      { key: `grant:${pin.id}`, code: 'pins', message: expect.stringContaining('opens nothing') },
    ])
    // Which grants, cards and schedules those are is told to whoever reads them.
    const reader = await memberWith(site.house, ['access-control-systems:read'])
    const told = await reader.get(`/api/v1/access-control-systems/${site.system.id}/sync`)
    expect(told.body.data).toMatchObject({ state: 'in_sync', inexpressible: null })
  })

  it('a grant that denies does so in its hours alone, whatever else it asks for', async () => {
    const site = await makeSite({ settings: { pins: false } })
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const windows = [{ days, start: '02:00', end: '03:00' }]
    const { id } = await site.owner.create('/api/v1/schedules', { name: 'At night', windows })
    for (const more of [{ requires_pin: true }, { requires_second_person: true }])
      await site.owner.create('/api/v1/access-grants', {
        individual_id: site.ada.id,
        building_id: site.building.id,
        schedule_id: id,
        effect: 'deny',
        ...more,
      })
    await site.round()
    expect(await site.swipe(site.card.number)).toBe('granted')
    expect((await syncOf(site, `access-control-systems/${site.system.id}`)).inexpressible).toEqual([])
  })

  it('takes a number that says no site for the card that the rules take it for', async () => {
    const site = await makeSite()
    const { owner, house, door } = site
    for (const facility_code of ['100', '200']) {
      house.clock.forward(1000)
      const { id } = await owner.create('/api/v1/individuals', { display_name: `Of site ${facility_code}` })
      await owner.create('/api/v1/credentials', { type: 'card', number: '555', facility_code, individual_id: id })
      await owner.create('/api/v1/access-grants', { individual_id: id, access_point_id: door.id })
    }
    await site.round()
    const credential = { type: 'card', number: '555' }
    const told = await owner.post('/api/v1/access-decisions', { credential, access_point_id: door.id })
    expect(await site.swipe('555')).toBe('granted')
    await site.round()
    const [event] = (await site.events()).filter(({ type }) => type === 'access.granted')
    expect(event?.credential_id).toBe(told.body.data.credential_id)
  })

  it('is one process’s business at a time', async () => {
    const site = await makeSite()
    const second = await makeSite({ house: site.house, name: 'Second' })
    await site.supervisor.run()
    await second.supervisor.run()
    await site.supervisor.stop()
    await second.round()
    expect(await syncOf(second, `access-control-systems/${second.system.id}`)).toMatchObject({ state: 'in_sync' })
  })

  it('and of one kept by hand nothing is known', async () => {
    const site = await makeSite({ kind: 'manual' })
    await site.round()
    expect(await syncOf(site, `access-points/${site.door.id}`)).toMatchObject({
      state: 'unknown',
      error: { code: 'not_connected' },
    })
  })
})
