import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { miscounts } from '../../db/along/tallies.ts'
import { OrgHandle } from '../../db/org.ts'
import { pruneEvents } from '../../live/retention.ts'
import { judgeEvents } from '../../live/verdicts.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/access-events'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'
const DAY = 86_400_000

interface Place {
  building: { id: string }
  door: { id: string; access_control_system_id: string }
}
let here: Place
let there: Place
let person: { id: string }
let card: { id: string }

async function place(name: string): Promise<Place> {
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name, location_id: location.id })
  return {
    building,
    door: await owner.create('/api/v1/access-points', {
      name: 'Door',
      space_id: space.id,
      access_control_system_id: system.id,
    }),
  }
}

beforeAll(async () => {
  here = await place('Here')
  there = await place('There')
  person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  card = await owner.create('/api/v1/credentials', { type: 'card', number: '4711', individual_id: person.id })
  clock.forward(60_000)
})

const total = async (query = '') => (await owner.get(`${PATH}?${query}`)).body.meta.pagination.total
const feed = (after: number, more = '', client = owner) => client.get(`${PATH}?after=${after}${more}`)

describe('access events', () => {
  it('are taken at a leap second, with the offset of wherever the device stands', async () => {
    const at = ['2016-12-31T23:59:60Z', '2017-01-01T00:59:60.250+01:00']
    const events = at.map((occurred_at) => ({ type: 'system.clock_set', occurred_at }))
    const [first, second] = (await owner.post(`${PATH}/batch`, { events })).body.data.results
    const stored = [await owner.get(`${PATH}/${first.id}`), await owner.get(`${PATH}/${second.id}`)]
    expect(stored.map(({ body }) => body.data.occurred_at)).toEqual([
      '2017-01-01T00:00:00.000Z',
      '2017-01-01T00:00:00.250Z',
    ])
  })

  it('are reported one at a time: 201, and 200 when it was sent before', async () => {
    const event = {
      type: 'access.denied',
      access_point_id: here.door.id,
      credential_number: '99',
      source_id: 'one',
      reason: 'unknown',
    }
    const made = await owner.post(PATH, event)
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`${PATH}/${made.body.data.id}`)
    expect(made.body.data).toMatchObject({
      ...event,
      result: 'denied',
      building_id: here.building.id,
      individual_id: null,
      verdict: 'agreed',
      verdict_reason: 'unknown_credential',
      occurred_at: clock.now(),
    })
    expect((await owner.get(`${PATH}/${made.body.data.id}`)).body.data).toEqual(made.body.data)
    const again = await owner.post(PATH, event)
    expect([again.status, again.body.data.id]).toEqual([200, made.body.data.id])
  })

  it.each([
    ['a type that is none', { type: 'door.exploded' }, 'body.one_of'],
    ['a door that is not there', { type: 'door.opened', access_point_id: NOBODY }, 'reference.not_found'],
    ['a field that is ours', { type: 'door.opened', verdict: 'agreed' }, 'body.unknown_field'],
    [
      'a moment that is ours to work out',
      { type: 'door.opened', happened_at: '2026-05-04T08:30:00Z' },
      'body.unknown_field',
    ],
    ['a time that is none', { type: 'door.opened', occurred_at: 'noon' }, 'body.format'],
    ['no type', {}, 'body.required'],
  ])('refuse %s', async (_what, body, _reason) => {
    const answer = await owner.post(PATH, body)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.code).toBe('VALIDATION_ERROR')
  })

  it('are reported in batches, with a result for each', async () => {
    const events = [
      { type: 'door.opened', access_point_id: here.door.id },
      { type: 'door.opened', access_point_id: NOBODY },
      { type: 'door.closed', access_point_id: here.door.id, source_id: 'one' },
    ]
    const answer = await owner.post(`${PATH}/batch`, { events })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ stored: 1, duplicates: 1, refused: 1 })
    expect(answer.body.data.results[1].fault).toMatchObject({ path: 'access_point_id', rule: 'reference.not_found' })
    expect((await owner.post(`${PATH}/batch`, { events: Array(1001).fill(events[0]) })).status).toBe(400)
    expect((await owner.post(`${PATH}/batch`, { events: [] })).status).toBe(400)
  })

  it.each([
    ['a type that is none', { type: 'nope' }, 'type'],
    ['a day that is none', { type: 'door.opened', occurred_at: '2026-02-30T00:00:00Z' }, 'occurred_at'],
    ['a field that is none', { type: 'door.opened', colour: 'red' }, 'colour'],
    ['a field that is ours', { type: 'door.opened', verdict: 'agreed' }, 'verdict'],
    ['nothing', null, ''],
  ])('of a batch with %s: that one is refused as by itself, and the others are stored', async (_what, odd, path) => {
    const good = { type: 'door.opened', access_point_id: here.door.id }
    const answer = await owner.post(`${PATH}/batch`, { events: [good, odd, good] })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ stored: 2, duplicates: 0, refused: 1 })
    const [first, { status, fault }, last] = answer.body.data.results
    expect([status, fault.path]).toEqual(['refused', path])
    expect(last.sequence).toBe(first.sequence + 1)
    if (odd) expect((await owner.post(PATH, odd)).body.error.details).toEqual([fault])
    const none = await owner.post(`${PATH}/batch`, { events: [odd] })
    expect([none.status, none.body.data]).toEqual([
      200,
      { results: [{ status, fault }], stored: 0, duplicates: 0, refused: 1 },
    ])
  })

  it.each([7, 'door.opened', null, ['door.opened'], true])(
    'of a batch that is %j is told to be no object',
    async (odd) => {
      const { status, body } = await owner.post(`${PATH}/batch`, { events: [odd] })
      const [result] = body.data.results
      expect([status, result.status, result.fault.rule]).toEqual([200, 'refused', 'body.type'])
      expect(result.fault.message).toMatch(/^An event must be an object; got /)
    },
  )

  it('of a batch that repeat a token in the wrong place do not say it back', async () => {
    const token = `acs_pat_${'a'.repeat(43)}`
    const answer = await owner.post(`${PATH}/batch`, { events: [{ type: token }] })
    expect(answer.body.data.results[0].fault.path).toBe('type')
    expect(answer.text).not.toContain(token)
  })

  it('whose result contradicts their type are refused, and are no use of a card', async () => {
    const odd = { type: 'access.granted', result: 'denied', access_point_id: here.door.id, credential_id: card.id }
    const answer = await owner.post(PATH, odd)
    expect([answer.status, answer.body.error.reason]).toEqual([400, 'event.contradiction'])
    const granted = { ...odd, type: 'access.denied', result: 'granted' }
    const { data } = (await owner.post(`${PATH}/batch`, { events: [granted, { ...odd, type: 'access.taken' }] })).body
    expect(data.results.map(({ fault }: { fault: object }) => fault)).toEqual(
      Array(2).fill(expect.objectContaining({ path: 'result', rule: 'event.contradiction' })),
    )
    expect((await owner.get(`/api/v1/credentials/${card.id}`)).body.data.use_count).toBe(0)
    // A type that leaves it open takes either.
    const open = await owner.post(PATH, { ...odd, type: 'access.duress' })
    expect([open.status, open.body.data.result]).toEqual([201, 'denied'])
  })

  it('have the verdict of the rules as they were at their moment', async () => {
    const granted = { type: 'access.granted', access_point_id: here.door.id, credential_id: card.id }
    const verdict = async (body: object) => {
      const { data } = (await owner.post(PATH, body)).body
      return [data.verdict, data.verdict_reason]
    }
    expect(await verdict(granted)).toEqual(['unexpected_grant', 'no_access_rights'])
    const before = clock.now()
    clock.forward(1000)
    const grant = await owner.create('/api/v1/access-grants', {
      individual_id: person.id,
      access_point_id: here.door.id,
    })
    clock.forward(1000)
    expect(await verdict(granted)).toEqual(['agreed', 'granted'])
    expect(await verdict({ ...granted, type: 'access.denied' })).toEqual(['unexpected_denial', 'granted'])
    const meanwhile = clock.now()
    clock.forward(1000)
    await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    clock.forward(1000)
    expect(await verdict({ ...granted, occurred_at: meanwhile })).toEqual(['agreed', 'granted'])
    expect(await verdict({ ...granted, occurred_at: before })).toEqual(['unexpected_grant', 'no_access_rights'])
    expect(await verdict({ type: 'door.opened', access_point_id: here.door.id })).toEqual(['unknown', null])
    const once = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '12',
      individual_id: person.id,
      max_uses: 1,
    })
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: here.door.id })
    clock.forward(1000)
    expect(await verdict({ ...granted, credential_id: once.id })).toEqual(['agreed', 'granted'])
    expect(await verdict({ ...granted, credential_id: once.id })).toEqual(['unexpected_grant', 'max_uses'])
    const found = await owner.get(`${PATH}?verdict=eq.unexpected_grant&order=sequence.desc&limit=1`)
    expect(found.body.meta.pagination.total).toBe(3)
    expect(found.body.data[0].credential_id).toBe(once.id)
  })

  it('of whoever was asked for a PIN or a second person as well agree with the device that asked', async () => {
    const { door } = await place('Guarded')
    const ada = await owner.create('/api/v1/individuals', { display_name: 'Ada of the vault' })
    const { id: credential_id } = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '4000010',
      pin: '482915',
      individual_id: ada.id,
    })
    const guard = { individual_id: ada.id, access_point_id: door.id, requires_pin: true, requires_second_person: true }
    const grant = await owner.create('/api/v1/access-grants', guard)
    const verdicts = async (occurred_at = clock.now()) => {
      const event = { access_point_id: door.id, credential_id, occurred_at }
      const events = ['access.granted', 'access.denied'].map((type) => ({ ...event, type }))
      const { results } = (await owner.post(`${PATH}/batch`, { events })).body.data
      const told = await Promise.all(results.map(({ id }: { id: string }) => owner.get(`${PATH}/${id}`)))
      return told.map(({ body }) => [body.data.verdict, body.data.verdict_reason])
    }
    clock.forward(1000)
    const agreed = [
      ['agreed', 'granted'],
      ['agreed', 'pin_required'],
    ]
    expect(await verdicts()).toEqual(agreed)
    const then = clock.now()
    clock.forward(1000)
    await owner.post(`/api/v1/access-grants/${grant.id}/revoke`)
    clock.forward(1000)
    expect(await verdicts(then)).toEqual(agreed)
    expect((await verdicts())[0]).toEqual(['unexpected_grant', 'no_access_rights'])
    expect((await owner.get(`/api/v1/alarms?access_point_id=eq.${door.id}`)).body.meta.pagination.total).toBe(1)
    // Whoever need not type a PIN must not type a wrong one either.
    await owner.create('/api/v1/access-grants', { individual_id: ada.id, access_point_id: door.id })
    clock.forward(1000)
    const denied = { type: 'access.denied', access_point_id: door.id, credential_id }
    const wrong = (await owner.post(PATH, { ...denied, reason: 'incorrect_pin' })).body.data
    expect([wrong.verdict, wrong.verdict_reason]).toEqual(['agreed', 'incorrect_pin'])
    expect((await owner.post(PATH, denied)).body.data.verdict).toBe('unexpected_denial')
  })

  it.each(['verdict', 'type,verdict', 'verdict_reason'])('are there for who asks for %s alone', async (select) => {
    const { door } = await place(`Alone ${select}`)
    const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    // Such a door takes a closer look: many at once wait for theirs.
    await owner.patch(`/api/v1/spaces/${space_id}`, { occupancy_limit: 5 })
    clock.forward(1000)
    const query = `${PATH}?access_point_id=eq.${door.id}&select=${select}`
    const verdict = select === 'verdict_reason' ? { verdict_reason: 'unknown_credential' } : { verdict: 'agreed' }
    const happen = async () => {
      const event = { type: 'access.denied', access_point_id: door.id, credential_number: '40404' }
      expect((await owner.post(`${PATH}/batch`, { events: [event] })).status).toBe(200)
    }
    await happen()
    expect((await owner.get(query)).body.data).toMatchObject([verdict])
    await happen()
    const { text } = await owner.get(`${query}&format=csv`)
    const [value] = Object.values(verdict)
    expect(text.trim().split('\r\n').slice(1)).toEqual([
      expect.stringContaining(String(value)),
      expect.stringContaining(String(value)),
    ])
  })

  it.each([
    ['passback', { passback: 'hard' }],
    ['occupancy_limit', { occupancy_limit: 1 }],
  ])(
    'tell of somebody kept out by %s nothing that is known no more, once people have moved on',
    async (reason, rule) => {
      const { door } = await place(`Late ${reason}`)
      await owner.patch(`/api/v1/access-points/${door.id}`, { direction: 'both' })
      const { space_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
      expect((await owner.patch(`/api/v1/spaces/${space_id}`, rule)).status).toBe(200)
      const make = async (name: string) => {
        const { id } = await owner.create('/api/v1/individuals', { display_name: name })
        await owner.create('/api/v1/credentials', { type: 'card', number: `${reason} ${name}`, individual_id: id })
        await owner.create('/api/v1/access-grants', { individual_id: id, access_point_id: door.id })
        return id as string
      }
      const inside = await make('Inside')
      const individual_id = reason === 'passback' ? inside : await make('Outside')
      clock.forward(60_000)
      const at = (second: number) => new Date(Date.parse(clock.now()) - (60 - second) * 1000).toISOString()
      const granted = { type: 'access.granted', access_point_id: door.id, individual_id: inside }
      const denied = { type: 'access.denied', access_point_id: door.id, individual_id, direction: 'in' }
      const events = [
        { ...granted, direction: 'in', occurred_at: at(1) },
        { ...denied, reason, occurred_at: at(2) },
        { ...denied, reason: 'no_access_rights', occurred_at: at(3) },
        { ...granted, direction: 'out', occurred_at: at(4) },
      ]
      expect((await owner.post(`${PATH}/batch`, { events })).body.data.stored).toBe(4)
      const told = (await owner.get(`${PATH}?access_point_id=eq.${door.id}&order=occurred_at&select=verdict`)).body.data
      const verdicts = told.map(({ verdict }: { verdict: string }) => verdict)
      expect(verdicts).toEqual(['agreed', 'unknown', 'unexpected_denial', 'agreed'])
      // Whoever is kept out though nobody has passed since is so for no reason.
      clock.forward(1000)
      expect((await owner.post(PATH, { ...denied, reason })).body.data.verdict).toBe('unexpected_denial')
    },
  )

  it('of a card of another site, or of another kind with the same number, have the verdict of what was read', async () => {
    const { door } = await place('Sites')
    const own = { type: 'card', number: '4000002', facility_code: '100', individual_id: person.id }
    const { id } = await owner.create('/api/v1/credentials', own)
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    clock.forward(1000)
    const verdict = async (read: object) => {
      const event = { type: 'access.granted', access_point_id: door.id, credential_number: '4000002', ...read }
      const { data } = (await owner.post(PATH, event)).body
      return [data.credential_id, data.verdict, data.verdict_reason]
    }
    const unknown = [null, 'unexpected_grant', 'unknown_credential']
    expect(await verdict({ facility_code: '100' })).toEqual([id, 'agreed', 'granted'])
    expect(await verdict({})).toEqual([id, 'agreed', 'granted'])
    expect(await verdict({ facility_code: '999' })).toEqual(unknown)
    expect(await verdict({ facility_code: '100', credential_type: 'mobile' })).toEqual(unknown)
    expect((await owner.get(`/api/v1/alarms?access_point_id=eq.${door.id}`)).body.data).toMatchObject([
      { kind: 'unexpected_grant' },
    ])
    // What is told late is judged by what was known then: of this card, of that number, and not of one that came after.
    const then = clock.now()
    clock.forward(1000)
    await owner.patch(`/api/v1/credentials/${id}`, { number: '4000003' })
    await owner.create('/api/v1/credentials', { ...own, facility_code: '999' })
    clock.forward(1000)
    expect(await verdict({ facility_code: '100', occurred_at: then })).toEqual([null, 'agreed', 'granted'])
    expect(await verdict({ facility_code: '101', occurred_at: then })).toEqual(unknown)
    expect((await verdict({ facility_code: '999', occurred_at: then })).slice(1)).toEqual(unknown.slice(1))
  })

  it('of whoever goes in with the last use of their card agree, as that use did', async () => {
    const { door } = await place('Once')
    const once = { type: 'card', number: '1201', individual_id: person.id, max_uses: 1 }
    const held = await owner.create('/api/v1/credentials', once)
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    clock.forward(1000)
    const passes = async () => {
      const events = ['access.granted', 'door.opened', 'access.taken', 'door.closed'].map((type) => ({
        type,
        access_point_id: door.id,
        ...(type.startsWith('access.') ? { credential_id: held.id, direction: 'in' } : {}),
      }))
      await owner.post(`${PATH}/batch`, { events })
      clock.forward(1000)
      const { data } = (await owner.get(`${PATH}?access_point_id=eq.${door.id}&result=eq.granted&order=sequence`)).body
      return data.slice(-2).map(({ verdict }: { verdict: string }) => verdict)
    }
    expect(await passes()).toEqual(['agreed', 'agreed'])
    expect((await owner.get(`/api/v1/alarms?access_point_id=eq.${door.id}`)).body.data).toEqual([])
    expect(await passes()).toEqual(['unexpected_grant', 'unexpected_grant'])
  })

  it('keep nothing of a PIN, and of whoever typed it nobody is known', async () => {
    const typed = {
      type: 'access.granted',
      access_point_id: here.door.id,
      credential_type: 'pin',
      credential_number: '73519',
    }
    const { id, ...shown } = (await owner.post(PATH, typed)).body.data
    expect(shown).toMatchObject({ credential_id: null, credential_number: null, verdict: 'unknown' })
    const [row] = await engine.reader.all<object>('select * from access_events where id = $1', [id])
    expect(JSON.stringify(row)).not.toContain('73519')
  })

  it('are filtered, ordered and counted; the count goes on as they come', async () => {
    const before = await total(`access_point_id=eq.${there.door.id}&type=in.(door.opened)`)
    const events = Array.from({ length: 25 }, () => ({ type: 'door.opened', access_point_id: there.door.id }))
    await owner.post(`${PATH}/batch`, { events })
    expect(await total(`access_point_id=eq.${there.door.id}&type=in.(door.opened)`)).toBe(before + 25)
    await owner.post(`${PATH}/batch`, { events })
    expect(await total(`access_point_id=eq.${there.door.id}&type=in.(door.opened)`)).toBe(before + 50)
    const all = await total()
    const last = await owner.get(`${PATH}?order=sequence.desc&limit=1&select=sequence`)
    expect(last.body.data).toEqual([{ sequence: all }])
    expect((await owner.get(`${PATH}?type=eq.door.exploded`)).body.error.reason).toBe('filter.enum_value')
  })

  it('are read as a feed however the parameter is written', async () => {
    const { meta } = (await owner.get(`${PATH}?%61fter=0&limit=1`)).body
    expect(meta).toMatchObject({ after: 0, has_more: true })
    expect((await owner.get(`${PATH}?limit=x&type=%`)).body.error.reason).toBe('limit.not_integer')
  })

  it('are read on as a feed, without a gap or a repeat, narrowed by type', async () => {
    const seen: number[] = []
    let after = 0
    for (;;) {
      const { body } = await feed(after, '&limit=7')
      seen.push(...body.data.map(({ sequence }: { sequence: number }) => sequence))
      after = body.meta.last
      if (!body.meta.has_more) break
    }
    expect(seen).toEqual(Array.from({ length: await total() }, (_, index) => index + 1))
    const { data } = (await feed(0, '&type=access.*,lock.locked')).body
    expect(
      data.every(
        ({ type, verdict }: { type: string; verdict: string }) => type.startsWith('access.') && verdict !== null,
      ),
    ).toBe(true)
    expect(data.length).toBe(await total('type=like.access.*'))
    expect((await feed(after + 1)).body.error.reason).toBe('feed.ahead')
    for (const odd of ['-1', 'x', '1.5']) expect((await owner.get(`${PATH}?after=${odd}`)).status).toBe(400)
    expect((await feed(0, '&limit=1001')).status).toBe(400)
  })

  it('are there for those who may see their doors, and come from those who may report of them', async () => {
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    const reader = await memberWith(house, ['access-events:read'])
    const writer = await memberWith(house, ['access-events:write'])
    const event = { type: 'door.opened', access_point_id: here.door.id }
    expect((await writer.get(PATH)).status).toBe(403)
    expect((await reader.post(PATH, event)).status).toBe(403)
    expect((await writer.post(PATH, event)).status).toBe(201)
    const local = await house.member('Operator', { building_id: here.building.id })
    const all = await total(`building_id=eq.${here.building.id}`)
    const list = await local.get(`${PATH}?limit=100`)
    expect(list.body.meta.pagination.total).toBe(all)
    expect(list.body.data.every(({ building_id }: { building_id: string }) => building_id === here.building.id)).toBe(
      true,
    )
    const read = (await feed(0, '', local)).body
    expect(read.data).toHaveLength(all)
    // Nothing is no answer to whoever may not see it.
    expect([read.meta.limited_to, (await feed(0)).body.meta]).toEqual([
      list.body.meta.limited_to,
      expect.not.objectContaining({ limited_to: expect.anything() }),
    ])
    expect(read.meta.limited_to).toMatchObject([{ building_id: here.building.id }])
    const foreign = (await owner.post(PATH, { type: 'door.closed', access_point_id: there.door.id })).body.data
    expect((await local.get(`${PATH}/${foreign.id}`)).status).toBe(404)
    const integration = await house.member('Integration', { building_id: here.building.id })
    expect(
      (await integration.post(PATH, { type: 'door.opened', access_point_id: there.door.id })).body.error.reason,
    ).toBe('reference.not_found')
    expect((await integration.post(PATH, event)).status).toBe(201)
  })

  it('are shown to whoever reports them as they could read them, and no more', async () => {
    const [at, other] = [{ building_id: here.building.id }, { building_id: there.building.id }]
    const stranger = await owner.create('/api/v1/individuals', { display_name: 'Bea', ...other })
    const held = await owner.create('/api/v1/credentials', { type: 'card', number: '0815', individual_id: stranger.id })
    const event = {
      type: 'access.denied',
      access_point_id: here.door.id,
      credential_number: '0815',
      source_id: 'of a stranger',
    }
    const writer = await memberWith(house, ['access-events:write'], at)
    const reader = await memberWith(house, ['access-events:read', 'access-events:write'], at)
    // One that may read of another place reads nothing here either.
    const elsewhere = await memberWith(house, ['access-events:write'], at)
    const { body: assignments } = await owner.get('/api/v1/role-assignments?order=created_at.desc&limit=1')
    const { id: role_id } = await owner.create('/api/v1/roles', {
      name: 'Reads there',
      permissions: ['access-events:read'],
    })
    await owner.create('/api/v1/role-assignments', {
      role_id,
      service_user_id: assignments.data[0].service_user_id,
      ...other,
    })
    for (const sender of [writer, elsewhere]) {
      const made = await sender.post(PATH, event)
      const { id, sequence } = made.body.data
      expect(made.body.data).toEqual({ id, sequence })
      for (const path of [`${PATH}/${id}`, `${PATH}/stream?after=${sequence - 1}`, `${PATH}?after=${sequence - 1}`])
        expect((await sender.get(path)).text).not.toContain(stranger.id)
    }
    const again = await reader.post(PATH, event)
    const { id, sequence } = again.body.data
    expect([again.status, again.body.data.individual_id, again.body.data.credential_id]).toEqual([
      200,
      stranger.id,
      held.id,
    ])
    const fresh = (await reader.post(PATH, { ...event, source_id: 'once more' })).body.data
    expect(fresh.individual_id).toBe(stranger.id)
    expect((await reader.get(`${PATH}/${fresh.id}`)).body.data).toEqual(fresh)
    const read = [(await reader.get(`${PATH}/${id}`)).body.data, fresh]
    expect(again.body.data).toEqual(read[0])
    expect((await feed(sequence - 1, '', reader)).body.data).toEqual(read)
    const { text } = await reader.get(`${PATH}/stream?after=${sequence - 1}`)
    expect([...text.matchAll(/^data: (.*"id".*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))).toEqual(read)
    // By name they are not known here.
    expect((await (await house.member('Operator', at)).get(`/api/v1/individuals/${stranger.id}`)).status).toBe(404)
  })

  it('whose source_id is taken elsewhere are stored, and nothing is told of what has it', async () => {
    const taken = (
      await owner.post(PATH, { type: 'door.opened', access_point_id: there.door.id, source_id: 'elsewhere' })
    ).body.data
    const event = { type: 'door.opened', access_point_id: here.door.id, source_id: 'elsewhere' }
    const integration = await house.member('Integration', { building_id: here.building.id })
    const batch = await integration.post(`${PATH}/batch`, { events: [event, event, { ...event, source_id: 'own' }] })
    expect(batch.body.data.results.map((one: { status: string }) => one.status)).toEqual([
      'stored',
      'duplicate',
      'stored',
    ])
    const again = await integration.post(PATH, event)
    expect([again.status, again.body.data.id]).toEqual([200, batch.body.data.results[0].id])
    for (const answer of [batch.text, again.text]) expect(answer).not.toContain(taken.id)
    expect((await owner.post(`${PATH}/batch`, { events: [event] })).body.data.results).toEqual([
      { status: 'duplicate', id: taken.id, sequence: taken.sequence },
    ])
  })

  it('of a system without a place of its own are of where all its doors are', async () => {
    const { building, door } = await place('Own system')
    const { id: access_control_system_id } = await owner.create('/api/v1/access-control-systems', { name: 'Nowhere' })
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id })
    const local = await house.member('Integration', { building_id: building.id })
    const event = { type: 'system.offline', access_control_system_id }
    const told = await local.post(PATH, event)
    expect([told.status, told.body.data]).toMatchObject([201, event])
    const seen = async () => {
      const { body } = await local.get(`${PATH}?type=eq.system.offline`)
      const counted = (await local.get(`${PATH}/summary?group_by=type&type=eq.system.offline`)).body.meta
      const streamed = (await feed(0, '&type=system.*', local)).body.data
      return [body.data.length, body.meta.pagination.total, counted.total, streamed.length]
    }
    expect(await seen()).toEqual([1, 1, 1, 1])
    const watcher = await memberWith(house, ['alarms:read'], { building_id: building.id })
    expect((await watcher.get('/api/v1/alarms?kind=eq.system_offline')).body.data).toHaveLength(1)
    // What it does elsewhere too is no matter of one building.
    await owner.patch(`/api/v1/access-points/${there.door.id}`, { access_control_system_id })
    expect(await seen()).toEqual([0, 0, 0, 0])
    await owner.post(PATH, { type: 'door.opened', access_control_system_id, access_point_id: there.door.id })
    const through = { ...event, access_point_id: door.id }
    for (const told of [event, through, { ...through, type: 'system.tampered' }])
      expect((await local.post(PATH, told)).body.error?.reason).toBe('reference.not_found')
    expect((await owner.get(`/api/v1/access-points/${there.door.id}`)).body.data.connectivity).toBe('online')
    expect((await local.post(PATH, { ...through, type: 'door.opened' })).status).toBe(201)
    await owner.patch(`/api/v1/access-points/${there.door.id}`, {
      access_control_system_id: there.door.access_control_system_id,
    })
    expect(await seen()).toEqual([1, 1, 1, 1])
  })

  it('of a system without a place are read without a look at its doors each time', async () => {
    const { building, door } = await place('Wide')
    const { id: access_control_system_id } = await owner.create('/api/v1/access-control-systems', { name: 'Wide' })
    await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id })
    const local = await house.member('Integration', { building_id: building.id })
    const report = (client = owner) => client.post(PATH, { type: 'system.offline', access_control_system_id })
    const read = async () =>
      [
        (await local.get(`${PATH}?type=eq.system.offline`)).body.meta.pagination.total,
        (await feed(0, '&type=system.*', local)).body.data.length,
        (await local.get('/api/v1/alarms')).body.data.length,
      ].join()
    for (const client of [owner, local]) await report(client)
    expect(await read()).toBe('2,2,1')
    await report()
    const asked = vi.spyOn(engine.reader, 'all')
    expect(await read()).toBe('3,3,1')
    expect(asked.mock.calls.filter(([text]) => text.includes('access_points pd'))).toEqual([])
    asked.mockRestore()
  })

  it('of a system that buildings share: one that reports of its own uses up no source_id of another, nor of the whole', async () => {
    const access_control_system_id = (await owner.create('/api/v1/access-control-systems', { name: 'Shared' })).id
    for (const { door } of [here, there])
      await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id })
    const integrations = [
      await house.member('Integration', { building_id: here.building.id }),
      await house.member('Integration', { building_id: there.building.id }),
    ] as const
    for (const system of [{ access_control_system_id }, {}]) {
      const at = ({ door }: Place, type = 'door.forced') => ({
        type,
        access_point_id: door.id,
        ...system,
        source_id: 'ctl-7/1',
      })
      const send = async (sender: typeof owner, event: object) => (await sender.post(PATH, event)).body.data
      const early = await send(integrations[0], at(here, 'door.closed'))
      const other = await send(integrations[1], at(there))
      const whole = await send(owner, at(there))
      const ofHere = await send(owner, { ...at(here), source_id: 'ctl-7/2' })
      expect([other, whole, ofHere]).toMatchObject([at(there), at(there), { ...at(here), source_id: 'ctl-7/2' }])
      expect(new Set([early.id, other.id, whole.id, ofHere.id]).size).toBe(4)
      // What is sent again is known again, by whoever sent it; and what the whole has told of a building, by those who
      // report of it too.
      expect((await send(integrations[0], at(here, 'door.closed'))).id).toBe(early.id)
      expect((await send(integrations[1], at(there))).id).toBe(other.id)
      expect((await send(owner, at(there))).id).toBe(whole.id)
      expect((await send(integrations[0], { ...at(here), source_id: 'ctl-7/2' })).id).toBe(ofHere.id)
    }
  })

  it('are not asked for by what none of them can be: 400, and nobody is judged meanwhile', async () => {
    await owner.post(`${PATH}/batch`, {
      events: [{ type: 'access.granted', access_point_id: here.door.id, individual_id: person.id }],
    })
    const pending = async () =>
      (await engine.reader.all('select 1 from access_events where verdict is null', [])).length
    const before = await pending()
    expect(before).toBeGreaterThan(0)
    for (const query of [
      'after=0&type=acces.granted',
      'after=0&type=access.granted,door.opend',
      'after=0&type=key.*',
      'after=0&access_point_id=4711',
      'verdict=eq.agred',
    ])
      for (const path of query.startsWith('after') ? [PATH, `${PATH}/stream`] : [PATH, `${PATH}/summary`])
        expect([path, query, (await owner.get(`${path}?${query}`)).status]).toEqual([path, query, 400])
    expect((await owner.get(`${PATH}/summary?group_by=verdict,colour`)).status).toBe(400)
    expect(await pending()).toBe(before)
    // Whoever reports one waits for its own verdict alone, however many were left from before.
    const { verdict } = (
      await owner.post(PATH, { type: 'access.granted', access_point_id: here.door.id, individual_id: person.id })
    ).body.data
    expect([verdict === null, await pending()]).toEqual([false, before])
    const gone = new OrgHandle(
      engine,
      1,
      clock.now(),
      engine.reader,
      AbortSignal.abort(new Error('this took too long')),
    )
    await expect(judgeEvents(gone)).rejects.toThrow('this took too long')
    const upper = `&type=*.granted&individual_id=${person.id.toUpperCase()}&limit=1000`
    expect((await feed(0, upper)).body.data.length).toBeGreaterThan(0)
    const counted = (await owner.get(`${PATH}/summary?group_by=verdict`)).body.data
    expect(counted.some(({ verdict }: { verdict: string | null }) => verdict === null)).toBe(false)
  })

  it('go when they have had their time, by class, and a cursor from before that is told so', async () => {
    const kept = { access: 0, door: 1, system: 0 }
    const before = (await feed(0, '&limit=1000')).body.meta.last as number
    const types = [
      ...new Set<string>((await feed(0, '&limit=1000')).body.data.map(({ type }: { type: string }) => type)),
    ]
    // Known before, and right afterwards: what goes second may lie before what went first.
    const totals = () => Promise.all(types.map(async (type) => [type, await total(`type=eq.${type}`)]))
    await totals()
    clock.forward(2 * DAY)
    await owner.post(PATH, { type: 'door.opened', access_point_id: here.door.id })
    expect(await pruneEvents(engine, clock.now(), kept)).toBeGreaterThan(50)
    expect(await total('type=like.door.*')).toBe(1)
    expect(await total('type=like.access.*')).toBeGreaterThan(5)
    expect((await feed(before)).body.data).toHaveLength(1)
    const expired = await feed(3)
    expect([expired.status, expired.body.error.reason]).toEqual([400, 'feed.expired'])
    // What is kept longer lies before what is gone: whoever begins anew comes to the end all the same.
    await owner.post(`${PATH}/batch`, {
      events: Array(3).fill({ type: 'door.released', access_point_id: here.door.id }),
    })
    const sequences: number[] = []
    for (let after = 0, isMore = true; isMore; ) {
      const { status, body } = await feed(after, '&limit=2')
      expect([after, status]).toEqual([after, 200])
      sequences.push(...body.data.map(({ sequence }: { sequence: number }) => sequence))
      after = body.meta.last
      isMore = body.meta.has_more
    }
    const begins = Number(expired.body.error.details[0].message)
    expect(begins).toBeLessThan(before)
    expect(sequences.slice(-4)).toEqual([1, 2, 3, 4].map((n) => before + n))
    expect(sequences.every((sequence) => sequence >= begins)).toBe(true)
    expect(await total(`sequence=gte.${begins}`)).toBe(sequences.length)
    expect(await total()).toBeGreaterThan(sequences.length)
    expect((await feed(0, '&type=door.opened&limit=2')).body.data).toHaveLength(1)
    expect(await pruneEvents(engine, clock.now(), kept)).toBe(0)
    const left = await engine.reader.all<{ type: string }>('select type from access_events where org = 1', [])
    expect(await totals()).toEqual(types.map((type) => [type, left.filter((row) => row.type === type).length]))
    expect(await miscounts(engine.reader)).toEqual([])
    expect(await total()).toBe((await owner.get(`${PATH}?limit=100`)).body.data.length)
  })

  it('are counted anew where some go that lie before what went already', async () => {
    const close = () => owner.post(PATH, { type: 'door.closed', access_point_id: here.door.id })
    for (let n = 0; n < 3; n++) await close()
    await owner.post(PATH, { type: 'system.offline', access_control_system_id: here.door.access_control_system_id })
    clock.forward(2 * DAY)
    for (let n = 0; n < 3; n++) await close()
    const closed = async () => (await owner.get(`${PATH}?type=eq.door.closed&limit=1`)).body.meta.pagination.total
    expect(await pruneEvents(engine, clock.now(), { access: 0, door: 0, system: 1 })).toBeGreaterThan(0)
    expect(await closed()).toBe(6)
    expect(await pruneEvents(engine, clock.now(), { access: 0, door: 1, system: 0 })).toBeGreaterThan(2)
    expect(await closed()).toBe(3)
  })

  it('stay for their time though our clock was years behind for a while and some seem to have come then', async () => {
    const { owner, engine, clock } = await startHouse()
    const restart = () => owner.post(PATH, { type: 'system.restarted' })
    const now = clock.now()
    for (const at of [now, now, '2026-05-01T00:00:00.000Z', '2027-05-20T00:00:00.000Z', now, now]) {
      clock.set(at)
      await restart()
    }
    const kept = { access: 0, door: 0, system: 30 }
    expect(await pruneEvents(engine, clock.now(), kept)).toBe(1)
    const sequences = async () => (await owner.get(`${PATH}?select=sequence`)).body.data.flatMap(Object.values)
    expect(await sequences()).toEqual([1, 2, 4, 5, 6])
    clock.forward(10 * DAY)
    expect(await pruneEvents(engine, clock.now(), kept)).toBe(1)
    expect(await sequences()).toEqual([1, 2, 5, 6])
    clock.forward(30 * DAY)
    expect(await pruneEvents(engine, clock.now(), kept)).toBe(4)
  })

  it('are found by when they happened, from either end, wherever those lie that fit', async () => {
    clock.forward(60_000)
    const start = Date.parse(clock.now())
    const at = (n: number) => new Date(start + n * 1000).toISOString()
    // More than are looked through from either end; in the midst, some that a device tells late.
    const events = Array.from({ length: 4500 }, (_, n) => ({
      type: 'door.opened',
      access_point_id: there.door.id,
      occurred_at: at(n % 1000 === 0 ? 0 : n),
    }))
    for (let from = 0; from < events.length; from += 900)
      expect((await owner.post(`${PATH}/batch`, { events: events.slice(from, from + 900) })).body.data.refused).toBe(0)
    const found = async (query: string) => {
      const { data, meta } = (
        await owner.get(`${PATH}?access_point_id=eq.${there.door.id}&select=occurred_at&limit=10&${query}`)
      ).body
      return [
        data.map(({ occurred_at }: { occurred_at: string }) => (Date.parse(occurred_at) - start) / 1000),
        meta.pagination.total,
      ]
    }
    const up = (from: number, n = 10) => Array.from({ length: n }, (_, index) => from + index)
    expect(await found(`occurred_at=gte.${at(2500)}`)).toEqual([up(2500), 1998])
    expect(await found(`occurred_at=gte.${at(4495)}`)).toEqual([up(4495, 5), 5])
    expect(await found(`occurred_at=lte.${at(1)}&occurred_at=gte.${at(0)}`)).toEqual([[0, 1, 0, 0, 0, 0], 6])
    expect(await found(`occurred_at=gte.${at(1)}&order=sequence.desc`)).toEqual([up(4490).reverse(), 4495])
    expect(await found(`occurred_at=lt.${at(12)}&occurred_at=gte.${at(0)}&order=sequence.desc`)).toEqual([
      [0, 0, 0, 0, ...up(6, 6).reverse()],
      16,
    ])
    expect(await found(`occurred_at=gte.${at(1)}&page=3`)).toEqual([up(21), 4495])
  })

  it('are found by their door, their person, their type and an unknown card', async () => {
    const gate = await owner.create('/api/v1/access-points', {
      name: 'Westgate',
      space_id: (await owner.get(`/api/v1/access-points/${here.door.id}`)).body.data.space_id,
    })
    const grace = await owner.create('/api/v1/individuals', { display_name: 'Grace' })
    for (const event of [
      { type: 'door.battery_low', access_point_id: gate.id },
      { type: 'access.denied', access_point_id: gate.id, individual_id: grace.id },
      { type: 'access.denied', access_point_id: here.door.id, credential_number: 'ABC-778899' },
    ])
      expect((await owner.post(PATH, event)).status).toBe(201)
    const found = async (words: string) =>
      (await owner.get(`${PATH}?search=${words}&select=type&order=sequence`)).body.data.map(
        ({ type }: { type: string }) => type,
      )
    expect(await found('westgate')).toEqual(expect.arrayContaining(['door.battery_low', 'access.denied']))
    expect(await found('grace')).toEqual(['access.denied'])
    expect(await found('abc-778899')).toEqual(['access.denied'])
    expect(await found('westgate%20battery')).toEqual(['door.battery_low'])
    expect(await found('nobody')).toEqual([])
    expect(await total('search=grace')).toBe(1)
    // Whoever may not read individuals does not learn names by searching.
    const guard = await memberWith(house, ['access-events:read', 'access-points:read'])
    expect((await guard.get(`${PATH}?search=grace`)).body.data).toEqual([])
    expect((await guard.get(`${PATH}?search=westgate%20denied`)).body.data).toHaveLength(1)
    // A door that is called otherwise is found by its new name alone, at once.
    expect(await total('search=westgate')).toBe(2)
    await owner.patch(`/api/v1/access-points/${gate.id}`, { name: 'Eastgate' })
    expect([await total('search=westgate'), await total('search=eastgate')]).toEqual([0, 2])
  })

  it('that a search passes over, since the caller may not see whose they are, are not told to be none', async () => {
    await owner.post(PATH, { type: 'access.granted', access_point_id: here.door.id, individual_id: person.id })
    const meta = async (client: typeof owner, query: string) => (await client.get(`${PATH}${query}`)).body.meta
    const blind = await memberWith(house, ['access-events:read'])
    const missing_permissions = ['access-points:read', 'individuals:read']
    expect(await meta(blind, '?search=ada')).toMatchObject({ pagination: { total: 0 }, missing_permissions })
    expect(await meta(blind, '?search=ada&cursor=')).toMatchObject({ missing_permissions })
    expect(await meta(blind, '/summary?search=ada')).toMatchObject({ total: 0, missing_permissions })
    const half = await memberWith(house, ['access-events:read', 'individuals:read'])
    expect((await meta(half, '?search=ada')).missing_permissions).toEqual(['access-points:read'])
    for (const whole of [
      await meta(owner, '?search=ada'),
      await meta(blind, '?limit=1'),
      await meta(blind, '/summary'),
    ])
      expect(whole).not.toHaveProperty('missing_permissions')
    expect((await meta(half, '?search=ada')).pagination.total).toBeGreaterThan(0)
    // What is referred to is looked through as far as it goes: a handover by its key, a key by its type.
    const desk = await memberWith(house, ['keys:handover', 'keys:read', 'individuals:read'])
    const handovers = await desk.get('/api/v1/key-handovers?search=ada')
    expect([handovers.status, handovers.body.meta?.missing_permissions]).toEqual([200, ['key-types:read']])
  })

  it('under an Idempotency-Key are stored once, one by one and in batches, and answered as the first time', async () => {
    const key = (value: string) => ({ 'idempotency-key': value })
    const event = { type: 'door.opened', access_point_id: here.door.id }
    const stored = await total()
    const [first, again] = [await owner.post(PATH, event, key('lost')), await owner.post(PATH, event, key('lost'))]
    expect([first.status, again.status, again.headers.location]).toEqual([201, 201, first.headers.location])
    expect(again.body).toEqual(first.body)
    expect(await total()).toBe(stored + 1)
    expect(first.body.data.source_id).toBeNull()
    // The key is good for that request alone.
    const another = await owner.post(PATH, { ...event, type: 'door.closed' }, key('lost'))
    expect([another.status, another.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    await owner.post(PATH, event, key('another'))
    await owner.post(PATH, event)
    expect(await total()).toBe(stored + 3)
    const events = [event, event, { ...event, source_id: 'its own' }, { type: 'nope' }]
    const send = (more: readonly object[] = []) =>
      owner.post(`${PATH}/batch`, { events: [...events, ...more] }, key('batch'))
    const batches = [await send(), await send()]
    expect(batches[0]?.body.data).toMatchObject({ stored: 3, duplicates: 0, refused: 1 })
    expect(batches[1]?.text).toBe(batches[0]?.text)
    expect((await send([event])).status).toBe(422)
    expect(await total()).toBe(stored + 6)
    // What was refused is kept by nobody, and after a day a key is like any other.
    const unknown = { type: 'door.opened', access_point_id: NOBODY }
    expect((await owner.post(PATH, unknown, key('refused'))).status).toBe(400)
    expect((await owner.post(PATH, event, key('refused'))).status).toBe(201)
    clock.set(new Date(Date.parse(clock.now()) + 25 * 3_600_000).toISOString())
    expect((await owner.post(PATH, { ...event, type: 'door.closed' }, key('lost'))).status).toBe(201)
    expect(await total()).toBe(stored + 8)
    const other = await house.member('Integration')
    await other.post(PATH, event, key('lost'))
    expect(await total()).toBe(stored + 9)
    expect((await owner.post(PATH, event, key('with a space'))).body.error.reason).toBe('header.idempotency_key')
  })
})
