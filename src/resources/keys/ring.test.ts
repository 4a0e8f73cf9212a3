import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { type Estate, makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, anonymous, clock } = house
const HOUR = 3_600_000
type Item = { id: string }
let estate: Estate
let other: Estate
let type: Item
let elsewhere: Item
let ada: Item
let bob: Item
let counter = 0

const make = async (of = type) =>
  (await owner.create('/api/v1/keys', { key_type_id: of.id, number: `N${++counter}`, status: 'in_stock' })).id as string
const read = async (id: string) => (await owner.get(`/api/v1/keys/${id}`)).body.data
const handoversOf = async (id: string) =>
  (await owner.get(`/api/v1/key-handovers?key_id=eq.${id}&order=issued_at`)).body.data
const issue = (key_ids: string[], more: object = {}) =>
  owner.post('/api/v1/keys/issue', { key_ids, individual_id: ada.id, ...more })
const giveBack = (key_ids: string[], more: object = {}) => owner.post('/api/v1/keys/return', { key_ids, ...more })

beforeAll(async () => {
  estate = await makeEstate(owner, 'Campus')
  other = await makeEstate(owner, 'Elsewhere')
  type = await owner.create('/api/v1/key-types', { locking_system_id: estate.system.id, code: 'G1' })
  elsewhere = await owner.create('/api/v1/key-types', { locking_system_id: other.system.id, code: 'E1' })
  ada = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  bob = await owner.create('/api/v1/individuals', { display_name: 'Bob' })
})

describe('keys handed over together', () => {
  it('are all issued on the same terms, each with its entry, on one receipt', async () => {
    const ids = [await make(), await make(), await make(elsewhere)]
    const terms = { due_back_on: '2027-07-01', purpose: 'Night shift', deposit_amount: 20, condition: 'new' }
    const answer = await issue(ids, terms)
    expect([answer.status, answer.body.msg]).toEqual([200, 'Issued 3 keys'])
    const { keys, handovers } = answer.body.data
    expect(keys).toEqual(await Promise.all(ids.map(read)))
    expect(keys.map((key: { status: string }) => key.status)).toEqual(['issued', 'issued', 'issued'])
    expect(handovers.map((entry: { key_id: string }) => entry.key_id)).toEqual(ids)
    expect(new Set(handovers.map((entry: { receipt_id: string }) => entry.receipt_id)).size).toBe(1)
    for (const entry of handovers)
      expect(entry).toMatchObject({ ...terms, individual_id: ada.id, issued_at: clock.now(), outcome: 'held' })
  })

  it('come back together, whoever held them', async () => {
    const [one, two] = [await make(), await make()]
    await issue([one])
    await issue([two], { individual_id: bob.id })
    const answer = await giveBack([one, two], { storage: 'Hook 3', return_condition: 'bent' })
    expect([answer.status, answer.body.msg]).toEqual([200, 'Took back 2 keys'])
    expect(answer.body.data.keys).toMatchObject([
      { status: 'in_stock', individual_id: null, storage: 'Hook 3' },
      { status: 'in_stock', individual_id: null, storage: 'Hook 3' },
    ])
    expect(answer.body.data.handovers).toMatchObject([
      { individual_id: ada.id, outcome: 'returned', returned_at: clock.now(), return_condition: 'bent' },
      { individual_id: bob.id, outcome: 'returned' },
    ])
  })

  it('are handed over all or none, and the one that stands in the way is named', async () => {
    const [one, lost] = [await make(), await make()]
    await owner.post(`/api/v1/keys/${lost}/report-lost`)
    const before = [await read(one), await read(lost)]
    const answer = await issue([one, lost])
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'key.transition'])
    expect(answer.body.msg).toContain(`Key G1 ${before[1].number}: The key is lost`)
    expect(answer.body.error.details[0].path).toBe('key_ids[1]')
    expect([await read(one), await read(lost)]).toEqual(before)
    expect(await handoversOf(one)).toEqual([])
    expect((await giveBack([one])).status).toBe(409)
  })

  it('are audited and told one by one, as one change', async () => {
    const ids = [await make(), await make()]
    await issue(ids)
    const rows = await house.engine.reader.all<{ action: string; occurred_at: string }>(
      'select action, occurred_at from audit_log where resource_id in ($1, $2) order by sequence desc limit 2',
      ids,
    )
    expect(rows.map(({ action }) => action)).toEqual(['key.issued', 'key.issued'])
    expect(new Set(rows.map(({ occurred_at }) => occurred_at)).size).toBe(1)
  })

  it('a dry run says what would be and hands over nothing', async () => {
    const id = await make()
    const answer = await owner.post('/api/v1/keys/issue?dry_run=true', { key_ids: [id], individual_id: ada.id })
    expect(answer.body).toMatchObject({ data: { keys: [{ status: 'issued' }] }, meta: { dry_run: true } })
    expect((await read(id)).status).toBe('in_stock')
  })

  it('the same request with the same key is answered once more and done once', async () => {
    const id = await make()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { key_ids: [id], individual_id: ada.id }
    const first = await owner.post('/api/v1/keys/issue', body, headers)
    const again = await owner.post('/api/v1/keys/issue', body, headers)
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body])
    expect(await handoversOf(id)).toHaveLength(1)
  })

  it.each([
    [{ key_ids: [] }],
    [{ key_ids: 'all' }],
    [{ key_ids: ['7'] }],
    [{ key_ids: Array.from({ length: 101 }, () => randomUUID()) }],
    [{ individual_id: 'ada' }],
    [{ external_id: 'form-1' }],
    [{ deposit_amount: -1 }],
    [{ issued_at: 'yesterday' }],
    [{ holder: 'Ada' }],
  ])('%j is refused', async (more) => {
    expect((await issue([await make()], more)).status).toBe(400)
  })

  it('the same key twice, or one that does not exist, is refused by its place in the list', async () => {
    const id = await make()
    expect((await issue([id, id])).status).toBe(400)
    expect((await issue([id, id.toUpperCase()])).status).toBe(400)
    const unknown = await issue([id, randomUUID()])
    expect([unknown.status, unknown.body.error.reason]).toEqual([400, 'reference.not_found'])
    expect(unknown.body.error.details[0].path).toBe('key_ids[1]')
    expect((await read(id)).status).toBe('in_stock')
  })

  it.each(['issue', 'return'])(
    '%s needs a credential, the permission, and all keys in the caller’s places',
    async (verb) => {
      const url = `/api/v1/keys/${verb}`
      const [here, there] = [await make(), await make(elsewhere)]
      const more = verb === 'issue' ? { individual_id: ada.id } : {}
      if (verb === 'return') await issue([here, there])
      const without = await memberWith(house, ['keys:read', 'keys:write'])
      expect((await anonymous.post(url, { key_ids: [here], ...more })).status).toBe(401)
      expect((await without.post(url, { key_ids: [here], ...more })).status).toBe(403)
      const porter = await house.member('Operator', { building_id: estate.building.id })
      const both = await porter.post(url, { key_ids: [here, there], ...more })
      const unknown = await porter.post(url, { key_ids: [here, randomUUID()], ...more })
      expect([both.status, both.body.error.reason]).toEqual([400, 'reference.not_found'])
      // It may be there: that it is not would be a lie.
      expect(both.body.msg).toContain('among those that you may see')
      expect(both.body.msg.replace(there, '')).toBe(unknown.body.msg.replace(/[0-9a-f-]{36}/, ''))
      expect((await porter.post(url, { key_ids: [here], ...more })).status).toBe(200)
    },
  )
})

describe('a handover that is recorded later', () => {
  it('is dated when it was, and recorded when it is', async () => {
    const id = await make()
    const past = { issued_at: '2024-03-01T08:00:00+01:00' }
    const { handovers, keys } = (await issue([id], past)).body.data
    expect(handovers[0]).toMatchObject({ issued_at: '2024-03-01T07:00:00.000Z', created_at: clock.now() })
    expect(keys[0].status_since).toBe('2024-03-01T07:00:00.000Z')
    const back = (await giveBack([id], { returned_at: '2025-01-31T16:00:00Z' })).body.data
    expect(back.handovers[0]).toMatchObject({
      returned_at: '2025-01-31T16:00:00.000Z',
      ended_at: '2025-01-31T16:00:00.000Z',
    })
    await owner.post(`/api/v1/keys/${id}/issue`, { individual_id: bob.id, issued_at: '2025-02-01T08:00:00Z' })
    expect((await handoversOf(id)).map((entry: { individual_id: string }) => entry.individual_id)).toEqual([
      ada.id,
      bob.id,
    ])
  })

  it('is never yet to come, and never before what happened last', async () => {
    const id = await make()
    const future = await issue([id], { issued_at: new Date(Date.parse(clock.now()) + 1).toISOString() })
    expect([future.status, future.body.error.reason]).toEqual([400, 'handover.future'])
    await issue([id], { issued_at: '2025-05-01T08:00:00Z' })
    const early = await giveBack([id], { returned_at: '2025-04-30T08:00:00Z' })
    expect([early.status, early.body.error.reason]).toEqual([409, 'handover.order'])
    expect(early.body.msg).toContain('2025-05-01T08:00:00.000Z')
    await giveBack([id], { returned_at: '2025-06-01T08:00:00Z' })
    expect((await issue([id], { issued_at: '2025-05-31T08:00:00Z' })).body.error.reason).toBe('handover.order')
    await owner.post(`/api/v1/keys/${id}/report-lost`)
    clock.forward(HOUR)
    const found = clock.now()
    await owner.post(`/api/v1/keys/${id}/found`)
    clock.forward(HOUR)
    expect((await issue([id], { issued_at: new Date(Date.parse(found) - 1).toISOString() })).body.error.reason).toBe(
      'handover.order',
    )
    expect((await issue([id], { issued_at: found })).status).toBe(200)
  })

  it('changes nothing about what was known before it was recorded', async () => {
    const system = await owner.create('/api/v1/access-control-systems', { name: 'S' })
    const door = await owner.create('/api/v1/access-points', {
      name: 'D',
      space_id: estate.space.id,
      access_control_system_id: system.id,
    })
    const cylinder = await owner.create('/api/v1/cylinders', {
      locking_system_id: estate.system.id,
      number: 'C1',
      access_point_id: door.id,
      status: 'installed',
    })
    const set = [{ key_type_id: type.id, cylinder_id: cylinder.id }]
    await owner.post(`/api/v1/locking-system/${estate.system.id}/plan/cells`, { set })
    const id = await make()
    clock.forward(HOUR)
    const before = clock.now()
    clock.forward(HOUR)
    const cleo = await owner.create('/api/v1/individuals', { display_name: 'Cleo' })
    await issue([id], { individual_id: cleo.id, issued_at: new Date(Date.parse(before) - HOUR).toISOString() })
    const names = async (query: string) =>
      (await owner.get(`/api/v1/access-points/${door.id}/who-can-open?limit=100${query}`)).body.data.map(
        (row: { display_name: string }) => row.display_name,
      )
    expect(await names('')).toContain('Cleo')
    expect(await names(`&as_of=${before}`)).not.toContain('Cleo')
  })

  it('asks whether the holder was valid then', async () => {
    const gone = await owner.create('/api/v1/individuals', {
      display_name: 'Gone',
      valid_until: '2026-01-01T00:00:00Z',
    })
    const late = await issue([await make()], { individual_id: gone.id, issued_at: '2026-01-01T00:00:00Z' })
    expect(late.body.error.reason).toBe('individual.expired')
    expect((await issue([await make()], { individual_id: gone.id, issued_at: '2025-12-31T23:00:00Z' })).status).toBe(
      200,
    )
  })

  it('is forgotten with its holder, whatever was dated after it', async () => {
    const dora = await owner.create('/api/v1/individuals', { display_name: 'Dora' })
    const id = await make()
    await issue([id], { individual_id: dora.id, issued_at: '2024-01-01T00:00:00Z' })
    clock.forward(HOUR)
    await giveBack([id], { returned_at: '2024-02-01T00:00:00Z', note: 'Dora was ill' })
    clock.forward(HOUR)
    await issue([id], { individual_id: bob.id, issued_at: '2024-03-01T00:00:00Z' })
    await owner.post(`/api/v1/individuals/${dora.id}/offboard`)
    expect((await owner.post(`/api/v1/individuals/${dora.id}/anonymise`)).status).toBe(200)
    const rows = await house.engine.reader.all('select content from audit_log where resource_id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain('Dora was ill')
  })
})
