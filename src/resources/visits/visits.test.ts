import { toString as drawn } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'
import { hiddenKeyOf } from '../../core/cards/match-key.ts'
import { change } from '../../db/change.ts'
import { whatIsLost } from '../../jobs/forget-sealed.ts'
import { codeOf } from './code.ts'

const house = await startHouse()
const { owner, clock, engine } = house
const PATH = '/api/v1/visits'
const here = await makeEstate(owner, 'Here')
const there = await makeEstate(owner, 'There')
const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers', kind: 'simulator' })
for (const { door } of [here, there])
  await owner.patch(`/api/v1/access-points/${door.id}`, { access_control_system_id: system.id })
const person = (display_name: string, kind = 'visitor', more = {}) =>
  owner.create('/api/v1/individuals', { display_name, kind, building_id: here.building.id, ...more })
const visitor = await person('Vera')
const host = await person('Hugo', 'employee')
const window = { valid_from: '2027-06-15T11:00:00.000Z', valid_until: '2027-06-15T17:00:00.000Z' }
const planned = { visitor_id: visitor.id, host_id: host.id, ...window, places: [{ building_id: here.building.id }] }
const opens = async (question: object) =>
  (await owner.post('/api/v1/access-decisions', { access_point_id: here.door.id, ...question })).body.data.reason
/** What its QR code says; held against the image that is shown. */
async function shownCode({ id, credential_id }: { id: string; credential_id: string }): Promise<string> {
  const code = (await codeOf(engine, 1, (await owner.get(`/api/v1/credentials/${credential_id}`)).body.data)) ?? ''
  expect((await owner.post(`${PATH}/${id}/qr-code`)).body.data.svg).toBe(await drawn(code, { type: 'svg' }))
  return code
}

describe('a visit', () => {
  it('gives a QR code that opens its places for its time and ends when the visitor leaves', async () => {
    const visit = await owner.create(PATH, { ...planned, purpose: 'Lift' })
    expect(visit).toMatchObject({ status: 'planned', credential_type: 'qr', arrived_at: null })
    expect(visit).not.toHaveProperty('pin')
    const { valid_until } = (await owner.get(`/api/v1/credentials/${visit.credential_id}`)).body.data
    expect(valid_until).toBe(window.valid_until)
    const credential = { type: 'qr', number: await shownCode(visit) }
    expect(await opens({ credential })).toBe('granted')
    expect(await opens({ credential, access_point_id: there.door.id })).toBe('no_access_rights')
    expect(await opens({ credential, at: '2027-06-15T17:00:00.000Z' })).toBe('credential_expired')
    const shown = await owner.post(`${PATH}/${visit.id}/qr-code`)
    expect([shown.status, shown.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(shown.body.data.svg).toContain('<svg')
    expect(shown.body.data.png).toMatch(/^data:image\/png;base64,/)
    expect((await owner.post(`${PATH}/${visit.id}/arrive`)).body.data).toMatchObject({
      status: 'arrived',
      arrived_at: clock.now(),
    })
    expect((await owner.post(`${PATH}/${visit.id}/arrive`)).body.error.reason).toBe('visit.arrived')
    expect((await owner.post(`${PATH}/${visit.id}/cancel`)).body.error.reason).toBe('visit.arrived')
    const muster = async () => (await owner.get(`/api/v1/buildings/${here.building.id}/muster`)).body.data
    const swipe = {
      type: 'access.taken',
      access_point_id: here.door.id,
      credential_id: visit.credential_id,
      direction: 'in',
    }
    await owner.create('/api/v1/access-events', swipe)
    expect(await muster()).toMatchObject({ unaccounted: 1, accounted: 0 })
    clock.forward(1000)
    expect((await owner.post(`${PATH}/${visit.id}/leave`)).body.data.status).toBe('left')
    // No door saw them go, and nobody searches for them.
    expect(await muster()).toMatchObject({ unaccounted: 0, accounted: 1 })
    expect(await opens({ credential })).toBe('credential_terminated')
    const grants = (await owner.get(`/api/v1/access-grants?individual_id=eq.${visitor.id}`)).body.data
    expect(grants.map(({ status }: { status: string }) => status)).toEqual(['revoked'])
    expect((await owner.post(`${PATH}/${visit.id}/qr-code`)).body.error.reason).toBe('visit.no_code')
  })

  it('has a code that is read nowhere but in its image, and nothing that can be read opens', async () => {
    const visit = await owner.create(PATH, planned)
    const number = await shownCode(visit)
    expect(number).toMatch(/^[\w-]{24}$/)
    const path = `/api/v1/credentials/${visit.credential_id}`
    const { data: credential } = (await owner.get(path)).body
    expect([credential.number, credential.has_pin]).toEqual([null, false])
    const swiped = { type: 'access.granted', access_point_id: here.door.id, credential_type: 'qr', direction: 'in' }
    const event = await owner.create('/api/v1/access-events', { ...swiped, credential_number: number })
    expect([event.credential_id, event.credential_number]).toEqual([visit.credential_id, null])
    // A reader of cards and codes says that it was a card, or says nothing; one by one and in a batch.
    const { credential_type: _, ...untyped } = { ...swiped, credential_number: ` ${number}` }
    for (const [n, read] of [
      {},
      { credential_type: 'card', facility_code: '7' },
      { credential_type: 'mobile' },
    ].entries()) {
      const other = await owner.create('/api/v1/access-events', { ...untyped, ...read })
      const kept = [other.credential_id, other.individual_id, other.credential_number]
      expect(kept).toEqual([visit.credential_id, visitor.id, null])
      const events = [
        { ...untyped, ...read, credential_number: `${number} `, source_id: `read ${n}` },
        { ...untyped, ...read, credential_number: 'nobody-has-this-one-24-c', source_id: `unknown ${n}` },
      ]
      expect((await owner.post('/api/v1/access-events/batch', { events })).status).toBe(200)
    }
    const told = await engine.reader.all<{ credential_id: string | null; credential_number: string | null }>(
      'select credential_id, credential_number from access_events where source_id is not null order by sequence',
      [],
    )
    const pair = [
      { credential_id: visit.credential_id, credential_number: null },
      { credential_id: null, credential_number: 'nobody-has-this-one-24-c' },
    ]
    expect(told.map((row) => ({ ...row }))).toEqual([...pair, ...pair, ...pair])
    const decoded = await owner.post('/api/v1/card-numbers/decode', { text: number })
    expect(decoded.body.data.credentials.map(({ id }: { id: string }) => id)).toEqual([visit.credential_id])
    for (const table of ['credentials', 'credentials_history', 'audit_log', 'visits', 'access_events'])
      expect(JSON.stringify(await engine.reader.all(`select * from ${table}`, [])), table).not.toContain(number)
    const digest = credential.match_key.split(':')[1]
    for (const guess of [digest, `#${digest}`, credential.match_key, `#qr:${digest}`])
      expect(await opens({ credential: { type: 'qr', number: guess } })).toBe('unknown_credential')
    const asOf = { as_of: clock.now(), credential: { type: 'qr', number } }
    expect(await opens(asOf)).toBe('granted')
    // What is written on it is not what it opens by; a number that it is given is.
    clock.forward(1000)
    expect((await owner.patch(path, { facility_code: '7', label: 'Badge' })).status).toBe(200)
    expect(await opens({ credential: { type: 'qr', number } })).toBe('granted')
    expect(await opens(asOf)).toBe('granted')
    expect((await owner.patch(path, { facility_code: null, number: 'own-code' })).status).toBe(200)
    expect(await opens({ credential: { type: 'qr', number } })).toBe('unknown_credential')
    expect(await shownCode(visit)).toBe('own-code')
    // Taken away, it has neither: no key is lost.
    expect((await owner.patch(path, { number: null })).status).toBe(200)
    const { error } = (await owner.post(`${PATH}/${visit.id}/qr-code`)).body
    expect([error.code, error.reason]).toEqual(['INVALID_STATE', 'visit.no_code'])
    expect(await opens({ credential: { type: 'qr', number } })).toBe('unknown_credential')
    await owner.post(`${PATH}/${visit.id}/cancel`)
  })

  it('whose code was made with a key that is lost says so, and it still opens', async () => {
    const visit = await owner.create(PATH, planned)
    const number = await shownCode(visit)
    const { data: credential } = (await owner.get(`/api/v1/credentials/${visit.credential_id}`)).body
    expect(await codeOf(engine, 2, credential)).toBeUndefined()
    // As many as could still be shown.
    expect((await whatIsLost(engine, clock.now())).codes).toBe(1)
    expect((await whatIsLost(engine, window.valid_until)).codes).toBe(0)
    await change(engine, 1, clock.now(), actor, async (tx) => {
      const match_key = hiddenKeyOf({ type: 'qr', number: 'by another key', facility_code: null, format: null })
      await tx.update('credentials', credential.id, { match_key })
      tx.event({
        action: 'credential.updated',
        resource: 'credentials',
        resourceId: credential.id,
        before: null,
        after: {},
      })
    })
    expect((await owner.post(`${PATH}/${visit.id}/qr-code`)).body.error.reason).toBe('visit.code_lost')
    expect(await opens({ credential: { type: 'qr', number: 'by another key' } })).toBe('granted')
    expect(await opens({ credential: { type: 'qr', number } })).toBe('unknown_credential')
    await owner.post(`${PATH}/${visit.id}/cancel`)
  })

  it.each([
    [{ valid_from: '2027-06-15T12:00:00.000Z' }, 'visit.visitor_not_yet_valid'],
    [{ valid_until: '2027-06-15T16:00:00.000Z' }, 'visit.visitor_expired'],
  ])('is not made where the visitor is not valid themselves: %j', async (own, reason) => {
    const { id } = await person('Valid for a while', 'visitor', own)
    const refused = await owner.post(PATH, { ...planned, visitor_id: id })
    expect([refused.status, refused.body.error.reason]).toEqual([400, reason])
    const within = { ...planned, visitor_id: id, ...own }
    expect((await owner.post(`${PATH}?dry_run=true`, within)).status).toBe(201)
  })

  it('of whoever was suspended, has left or lost their badge says so at the desk and when the code is to be shown', async () => {
    const guest = await person('Barred')
    const visit = await owner.create(PATH, { ...planned, visitor_id: guest.id })
    const tried = async (action: string) => {
      const { status, body } = await owner.post(`${PATH}/${visit.id}/${action}`)
      return status === 200 ? status : `${status} ${body.error.reason}: ${body.msg}`
    }
    await owner.post(`/api/v1/individuals/${guest.id}/suspend`)
    expect([await tried('arrive'), await tried('qr-code')]).toEqual([
      '409 visit.visitor_not_active: The visitor is suspended: nothing lets them in',
      '409 visit.code_ended: The code of this visit opens nothing: its credential is suspended',
    ])
    await owner.post(`/api/v1/individuals/${guest.id}/reactivate`)
    expect(await tried('qr-code')).toBe(200)
    await owner.patch(`/api/v1/credentials/${visit.credential_id}`, { status_reason: 'lost' })
    expect([await tried('qr-code'), await tried('arrive')]).toEqual([
      '409 visit.code_ended: The code of this visit opens nothing: its credential is terminated',
      200,
    ])
    const offboarded = await owner.create(PATH, { ...planned, visitor_id: (await person('Gus')).id })
    await owner.post(`/api/v1/individuals/${offboarded.visitor_id}/offboard`)
    const late = await owner.post(`${PATH}/${offboarded.id}/arrive`)
    expect([late.status, late.body.msg]).toEqual([409, 'The visitor is offboarded: nothing lets them in'])
    expect((await owner.post(`${PATH}/${offboarded.id}/cancel`)).status).toBe(200)
  })

  it('of whoever is not valid any more, or not yet, as the visit would let them in says so at the desk', async () => {
    const tried = async (own: object) => {
      const { id } = await person('Valid no more')
      const visit = await owner.create(PATH, { ...planned, visitor_id: id })
      await owner.patch(`/api/v1/individuals/${id}`, own)
      const { status, body } = await owner.post(`${PATH}/${visit.id}/arrive`)
      await owner.post(`${PATH}/${visit.id}/${status === 200 ? 'leave' : 'cancel'}`)
      return status === 200 ? status : [status, body.error.reason, body.msg]
    }
    const [before, after] = [-1, 1].map((hours) => new Date(Date.parse(clock.now()) + hours * 3_600_000).toISOString())
    expect(await tried({ valid_until: before })).toEqual([
      409,
      'visit.visitor_not_active',
      `The visitor is valid until ${before}: nothing lets them in`,
    ])
    expect(await tried({ valid_from: after })).toEqual([
      409,
      'visit.visitor_not_active',
      `The visitor is valid from ${after} on: nothing lets them in`,
    ])
    expect(await tried({ valid_from: before, valid_until: after })).toBe(200)
  })

  it('that nobody ended last time keeps nobody inside who leaves this time', async () => {
    const guest = await person('Again')
    const made = async (hours: number) => {
      const valid_until = new Date(Date.parse(clock.now()) + hours * 3_600_000).toISOString()
      const visit = await owner.create(PATH, { ...planned, visitor_id: guest.id, valid_until })
      await owner.post(`${PATH}/${visit.id}/arrive`)
      return visit
    }
    const inside = async () =>
      (await owner.get(`/api/v1/spaces/${here.space.id}/occupants?individual_id=eq.${guest.id}`)).body.data.length
    await made(1)
    const [first, second] = [await made(2), await made(3)]
    await owner.create('/api/v1/access-events', {
      type: 'access.taken',
      access_point_id: here.door.id,
      individual_id: guest.id,
      direction: 'in',
    })
    clock.forward(3_600_000)
    await owner.post(`${PATH}/${first.id}/leave`)
    expect(await inside()).toBe(1)
    await owner.post(`${PATH}/${second.id}/leave`)
    expect(await inside()).toBe(0)
  })

  it('lets whoever came in by a door alone be signed out, when it is over too, and nobody who never came', async () => {
    const visit = async (guest: { id: string }) => owner.create(PATH, { ...planned, visitor_id: guest.id })
    const [seen, late, absent] = [await person('Seen'), await person('Late'), await person('Absent')]
    const visits = [await visit(seen), await visit(late), await visit(absent)]
    for (const guest of [seen, late])
      await owner.create('/api/v1/access-events', {
        type: 'access.taken',
        access_point_id: here.door.id,
        individual_id: guest.id,
        direction: 'in',
      })
    const leave = async (index: number) => {
      const { status, body } = await owner.post(`${PATH}/${visits[index].id}/leave`)
      return body.data?.status ?? [status, body.error.reason]
    }
    expect([await leave(0), await leave(2)]).toEqual(['left', [409, 'visit.planned']])
    const now = clock.now()
    clock.set(window.valid_until)
    expect([await leave(1), await leave(1)]).toEqual(['left', [409, 'visit.left']])
    expect(await leave(2)).toEqual([409, 'visit.expired'])
    const { data } = (await owner.get(`/api/v1/spaces/${here.space.id}/occupants`)).body
    expect(data.filter(({ id }: { id: string }) => id === seen.id || id === late.id)).toEqual([])
    clock.set(now)
    await owner.post(`${PATH}/${visits[2].id}/cancel`)
  })

  it('whose credential was given to somebody else shows nobody their way in, and does not end it', async () => {
    const visit = await owner.create(PATH, planned)
    const credential = `/api/v1/credentials/${visit.credential_id}`
    await owner.patch(credential, { individual_id: host.id })
    const { body } = await owner.post(`${PATH}/${visit.id}/qr-code`)
    expect([body.error?.reason, body.data]).toEqual(['visit.no_code', undefined])
    expect((await owner.post(`${PATH}/${visit.id}/cancel`)).status).toBe(200)
    expect((await owner.get(credential)).body.data).toMatchObject({ individual_id: host.id, status_reason: 'none' })
    await owner.patch(credential, { individual_id: null, status_reason: 'returned' })
  })

  it('shows the ids of its places as they are shown elsewhere, however they were typed', async () => {
    const visit = await owner.create(PATH, { ...planned, places: [{ building_id: here.building.id.toUpperCase() }] })
    expect(visit.places).toEqual([{ building_id: here.building.id }])
    await owner.post(`${PATH}/${visit.id}/cancel`)
  })

  it('shows a PIN once, and it opens', async () => {
    const made = await owner.post(PATH, { ...planned, credential_type: 'pin' }, { 'idempotency-key': 'visit-1' })
    const { pin, id } = made.body.data
    expect(pin).toMatch(/^\d{8}$/)
    expect(await opens({ credential: { type: 'pin', pin } })).toBe('granted')
    expect((await owner.get(`${PATH}/${id}`)).text).not.toContain(pin)
    expect(
      (await owner.post(PATH, { ...planned, credential_type: 'pin' }, { 'idempotency-key': 'visit-1' })).body.data,
    ).not.toHaveProperty('pin')
    await owner.post(`${PATH}/${id}/cancel`)
    expect(await opens({ credential: { type: 'pin', pin } })).toBe('credential_terminated')
  })

  it.each([
    ['a visitor who is none', { visitor_id: host.id }, 'visit.visitor'],
    ['a window that ends before it begins', { valid_until: '2027-06-15T10:00:00Z' }, 'window.empty'],
    ['one that is over', { valid_from: '2027-06-14T10:00:00Z', valid_until: '2027-06-14T11:00:00Z' }, 'visit.over'],
    ['a place that does not exist', { places: [{ space_id: visitor.id }] }, 'reference.not_found'],
    ['two ids in one place', { places: [{ space_id: here.space.id, building_id: here.building.id }] }, 'visit.place'],
    ['no place', { places: [] }, 'body.length'],
  ])('refuses %s', async (_what, more, reason) => {
    const answer = await owner.post(PATH, { ...planned, ...more })
    expect([answer.status, answer.body.error.reason]).toEqual([400, reason])
  })

  it('lies where its places lie: a role limited to others neither sees nor makes one there', async () => {
    const visit = await owner.create(PATH, planned)
    const both = await owner.create(PATH, {
      ...planned,
      places: [{ building_id: here.building.id }, { space_id: there.space.id }],
    })
    const permissions = ['visits:read', 'visits:write', 'visits:receive', 'individuals:read'] as const
    const own = await memberWith(house, [...permissions], { building_id: here.building.id })
    const other = await memberWith(house, [...permissions], { building_id: there.building.id })
    const ids = (answer: { body: { data: Array<{ id: string }> } }) => answer.body.data.map(({ id }) => id)
    expect(ids(await own.get(`${PATH}?status=eq.planned`)).sort()).toEqual([visit.id, both.id].sort())
    expect(ids(await other.get(PATH))).toEqual([both.id])
    expect((await other.get(`${PATH}/${visit.id}`)).status).toBe(404)
    for (const action of ['qr-code', 'arrive', 'cancel']) {
      expect((await other.post(`${PATH}/${visit.id}/${action}`)).status).toBe(404)
      expect((await other.post(`${PATH}/${both.id}/${action}`)).status).toBe(403)
    }
    // Somebody is expected there, too; where else they go, and by what, is told to whoever manages all of it.
    const { data: seen } = (await other.get(`${PATH}/${both.id}`)).body
    expect(seen).toMatchObject({ id: both.id, visitor_id: visitor.id, status: 'planned', ...window })
    for (const name of ['places', 'credential_id', 'version']) expect(seen).not.toHaveProperty(name)
    expect(both).toHaveProperty('places')
    expect((await own.post(PATH, { ...planned, places: [{ building_id: there.building.id }] })).body.error.reason).toBe(
      'reference.not_found',
    )
    expect((await own.post(PATH, planned)).status).toBe(201)
    const reader = await memberWith(house, ['visits:read'])
    expect((await reader.post(`${PATH}/${visit.id}/qr-code`)).status).toBe(403)
    expect((await reader.post(`${PATH}/${visit.id}/arrive`)).status).toBe(403)
  })

  it('says nothing more of whoever is anonymised', async () => {
    const guest = await person('Gone', 'visitor')
    const visit = await owner.create(PATH, { ...planned, visitor_id: guest.id, purpose: 'Secret of Gone' })
    await owner.post(`${PATH}/${visit.id}/cancel`)
    await owner.post(`/api/v1/individuals/${guest.id}/offboard`)
    expect((await owner.post(`/api/v1/individuals/${guest.id}/anonymise`)).status).toBe(200)
    expect((await owner.get(`${PATH}/${visit.id}`)).body.data.purpose).toBeNull()
    expect(JSON.stringify(await house.engine.reader.all('select content from audit_log', []))).not.toContain(
      'Secret of Gone',
    )
  })
})
