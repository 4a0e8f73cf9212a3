import { describe, expect, it } from 'vitest'
import { startHouse } from '../support/app.ts'

const house = await startHouse()
const { owner, clock } = house
const DAY = 86_400_000
const DECISIONS = '/api/v1/access-decisions'

interface Item {
  id: string
}

describe('from the first day to the last', () => {
  it('a new hire comes in, is refused at night, loses a key, leaves, and last month is answered as it was', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Zürich', time_zone: 'Europe/Zurich' })
    const building = await owner.create('/api/v1/buildings', { name: 'Building A', location_id: location.id })
    const lab = await owner.create('/api/v1/spaces', { name: 'Lab', building_id: building.id })
    const controllers = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
    const door = await owner.create('/api/v1/access-points', {
      name: 'Lab door',
      space_id: lab.id,
      access_control_system_id: controllers.id,
    })
    const hours = await owner.create('/api/v1/schedules', {
      name: 'Night',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '22:00', end: '06:00' }],
    })
    const shift = await owner.create('/api/v1/access-groups', { name: 'Night shift' })
    const given = await owner.create('/api/v1/access-grants', {
      access_group_id: shift.id,
      building_id: building.id,
      schedule_id: hours.id,
    })
    const audience = `/api/v1/access-points/${door.id}/who-can-open`
    const asked = (more: object = {}, headers = {}) =>
      owner.post(DECISIONS, { access_point_id: door.id, ...more }, headers)

    const before = clock.now()
    clock.forward(1000)

    // Hired: a card, which opens nothing, and a group, which does.
    const ada: Item = await owner.create('/api/v1/individuals', { given_name: 'Ada', family_name: 'Lovelace' })
    const card: Item = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '4711',
      individual_id: ada.id,
    })
    expect((await asked({ credential_id: card.id })).body.data).toMatchObject({
      decision: 'denied',
      reason: 'no_access_rights',
    })
    const unborn = await asked({ individual_id: ada.id, as_of: before })
    expect(unborn.body.data).toMatchObject({ decision: 'denied', reason: 'no_credential', individual_id: null })
    expect(unborn.body.data.explanation).toEqual([
      'Somebody who was not known here then carries nothing that a reader takes: no card, PIN or mobile key.',
    ])
    const tried = await owner.post(`/api/v1/access-groups/${shift.id}/members?dry_run=true`, { individual_id: ada.id })
    expect(tried.body.meta.access, tried.text).toMatchObject({
      gained: { people: 1, doors: 1, pairs: 1, first: [{ individual_id: ada.id, access_point_id: door.id }] },
      lost: { people: 0 },
    })
    expect((await owner.get(audience)).body.data).toEqual([])
    await owner.create(`/api/v1/access-groups/${shift.id}/members`, { individual_id: ada.id })

    // Twenty to ten in the evening: refused, and told why, in either language.
    const early = '2027-06-15T19:40:00.000Z'
    const refused = await asked({ credential: { type: 'card', number: '4711' }, at: early })
    expect(refused.body.data).toMatchObject({
      decision: 'denied',
      reason: 'out_of_time_range',
      explanation: [
        'Card 4711 belongs to Ada Lovelace.',
        'Night shift may enter Building A from 22:00 to 06:00.',
        'It is 21:40 in Zurich, so not yet; allowed from 22:00.',
      ],
      grant_id: given.id,
      path: [{ id: ada.id }, { id: shift.id }, { id: building.id }, { id: lab.id }, { id: door.id }],
      next_allowed_at: '2027-06-15T20:00:00.000Z',
    })
    const german = await asked({ credential_id: card.id, at: early }, { 'accept-language': 'de-CH' })
    expect(german.body.data.explanation).toEqual([
      'Karte 4711 gehört Ada Lovelace.',
      'Night shift darf von 22:00 bis 06:00 in Building A.',
      'Es ist 21:40 in Zurich, also noch nicht; erlaubt ab 22:00.',
    ])
    const night = await asked({ credential_id: card.id, at: '2027-06-15T23:40:00.000Z' })
    expect(night.body.data).toMatchObject({
      decision: 'granted',
      holds_until: '2027-06-16T04:00:00.000Z',
      explanation: [
        'Card 4711 belongs to Ada Lovelace.',
        'Night shift may enter Building A from 22:00 to 06:00.',
        'The door opens, until 06:00.',
      ],
    })

    // What if she had the lab by day as well? Asked, tried, then done.
    const byDay = { individual_id: ada.id, space_id: lab.id }
    expect((await asked({ individual_id: ada.id, at: early, assume: [byDay] })).body.data).toMatchObject({
      decision: 'granted',
      grant_id: null,
    })
    const dry = await owner.post('/api/v1/access-grants?dry_run=true', byDay)
    expect(dry.body.meta, dry.text).toMatchObject({
      dry_run: true,
      access: { gained: { people: 0 }, lost: { people: 0 } },
    })
    expect((await asked({ individual_id: ada.id, at: early })).body.data).toMatchObject({ reason: 'out_of_time_range' })
    const grant: Item = await owner.create('/api/v1/access-grants', byDay)
    expect((await asked({ individual_id: ada.id, at: early })).body.data).toMatchObject({
      decision: 'granted',
      grant_id: grant.id,
    })

    // A master key is handed to her, and lost.
    const locking = await owner.create('/api/v1/locking-system', { name: 'Keys of A', building_id: building.id })
    const master = await owner.create('/api/v1/key-types', { locking_system_id: locking.id, code: 'GHS' })
    const cylinder = await owner.create('/api/v1/cylinders', {
      locking_system_id: locking.id,
      number: '101',
      status: 'installed',
      access_point_id: door.id,
    })
    await owner.post(`/api/v1/locking-system/${locking.id}/plan/cells`, {
      set: [{ key_type_id: master.id, cylinder_id: cylinder.id }],
    })
    const key: Item = await owner.create('/api/v1/keys', { key_type_id: master.id, number: '7', status: 'in_stock' })
    const spare: Item = await owner.create('/api/v1/keys', { key_type_id: master.id, number: '8', status: 'in_stock' })
    const bob: Item = await owner.create('/api/v1/individuals', { display_name: 'Bob', status: 'active' })
    await owner.post('/api/v1/keys/issue', { key_ids: [key.id], individual_id: ada.id, due_back_on: '2027-12-31' })
    await owner.post('/api/v1/keys/issue', { key_ids: [spare.id], individual_id: bob.id })
    const [held] = (await owner.get(`${audience}?individual_id=eq.${ada.id}`)).body.data
    expect(held.means).toContainEqual({ type: 'key', id: key.id, name: 'GHS · 7', ignores_rules: true })
    clock.forward(DAY)
    const loss = await owner.post(`/api/v1/keys/${key.id}/report-lost`, { note: 'On the train' })
    expect(loss.body.data).toMatchObject({
      status: 'lost',
      individual_id: null,
      opens: {
        cylinders: [{ id: cylinder.id, number: '101' }],
        access_points: [{ id: door.id, name: 'Lab door' }],
        spaces: [{ id: lab.id, name: 'Lab' }],
      },
      holders_of_same_type: 1,
    })
    expect((await owner.get(`/api/v1/key-handovers?key_id=eq.${key.id}`)).body.data).toMatchObject([
      { outcome: 'lost', returned_at: null },
    ])
    const lost = await owner.get(audience)
    expect(lost.body.meta).toMatchObject({
      unaccounted_keys: 1,
      unaccounted: [{ key_id: key.id, number: '7', key_type_code: 'GHS', status: 'lost', access_point_id: door.id }],
    })
    expect(lost.body.data).toMatchObject([
      { individual_id: ada.id, allowed: true, means: [{ id: card.id }] },
      { individual_id: bob.id, allowed: true, means: [{ id: spare.id }] },
    ])

    // It turns in a second door of the lab too: two doors, still one key.
    const back = await owner.create('/api/v1/access-points', { name: 'Back door', space_id: lab.id })
    const second = { locking_system_id: locking.id, number: '102', status: 'installed', access_point_id: back.id }
    const other = await owner.create('/api/v1/cylinders', second)
    const plan = `/api/v1/locking-system/${locking.id}/plan/cells`
    await owner.post(plan, { set: [{ key_type_id: master.id, cylinder_id: other.id }] })
    const entrants = await owner.get(`/api/v1/spaces/${lab.id}/who-can-enter`)
    expect(entrants.body.meta.unaccounted).toHaveLength(2)
    expect(entrants.body.meta.unaccounted_keys).toBe(1)

    // What has to be changed, in which order, whose keys that touches and what it costs. Until it is done the lost key
    // opens both.
    const rekeying = `/api/v1/keys/${key.id}/rekeying-plan?cost_per_cylinder=80`
    const planned = (await owner.get(rekeying)).body.data
    expect(planned).toMatchObject({ unaccounted_keys: 1, holders: 1, copies: 1, cost: 160 })
    expect(planned.steps).toMatchObject([
      { cylinder_id: cylinder.id, number: '101', still_open: [{ id: back.id, name: 'Back door' }], holders: 1 },
      { cylinder_id: other.id, number: '102', still_open: [] },
    ])
    await owner.patch(`/api/v1/cylinders/${cylinder.id}`, { status: 'retired', access_point_id: null })
    expect((await owner.get(rekeying)).body.data).toMatchObject({
      cost: 80,
      steps: [{ cylinder_id: other.id, still_open: [] }],
    })
    expect((await owner.get(audience)).body.meta.unaccounted_keys).toBe(0)
    expect((await owner.get(`/api/v1/spaces/${lab.id}/who-can-enter`)).body.meta.unaccounted_keys).toBe(1)
    await owner.patch(`/api/v1/cylinders/${cylinder.id}`, { status: 'installed', access_point_id: door.id })
    await owner.post(plan, { clear: [{ key_type_id: master.id, cylinder_id: other.id }] })
    await owner.post('/api/v1/keys/return', { key_ids: [spare.id] })

    // She leaves. A month later nothing opens, and last month's question is answered as of last month.
    clock.forward(DAY)
    const lastMonth = clock.now()
    const then = await asked({ individual_id: ada.id })
    const list = await owner.get(audience)
    clock.forward(DAY)
    expect((await owner.post(`/api/v1/individuals/${ada.id}/offboard`)).status).toBe(200)
    clock.forward(30 * DAY)
    expect((await asked({ individual_id: ada.id })).body.data).toMatchObject({
      decision: 'denied',
      reason: 'no_credential',
    })
    expect((await owner.get(audience)).body.data).toEqual([])
    expect((await asked({ individual_id: ada.id, as_of: lastMonth })).body.data).toEqual(then.body.data)
    const was = await owner.get(`${audience}?as_of=${lastMonth}`)
    expect(was.body.data).toEqual(list.body.data)
    expect(was.body.meta.unaccounted_keys).toBe(1)
    const changes = await owner.get(`${audience}/changes?from=${lastMonth}`)
    expect(changes.body.data).toMatchObject([
      { individual_id: ada.id, change: 'lost', allowed_before: true, allowed_after: false },
    ])
  })
})
