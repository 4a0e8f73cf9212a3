import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { houseTrust } from '../../../test/support/audit-key.ts'
import { pdfText } from '../../../test/support/files/pdf-text.ts'
import { memberWith } from '../../../test/support/role.ts'
import { verifyReport } from '../../audit/review-report.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/access-reviews'
const LINES = '/api/v1/access-review-lines'

interface Line {
  id: string
  individual_id: string
  display_name: string
  means: string
  what: string
  doors: number
  may_revoke: boolean
  access_group_member_id: string | null
}

const make = async (path: string, body: object): Promise<string> => (await owner.create(`/api/v1/${path}`, body)).id
const linesOf = async (client: Client, id: string): Promise<Line[]> =>
  (await client.get(`${LINES}?access_review_id=eq.${id}&limit=100`)).body.data
const begin = async (client: Client, body: object): Promise<string> => {
  const { id } = await client.create(PATH, { name: 'Spring', due_on: '2099-03-31', ...body })
  const started = await client.post(`${PATH}/${id}/start`)
  expect(started.status, started.text).toBe(200)
  return id
}
const lineOf = (lines: readonly Line[], name: string, means: string): Line =>
  lines.find((line) => line.display_name === name && line.means === means) as Line

let location = ''
let building = ''
let other = ''
const doors: string[] = []
const people: Record<string, string> = {}
const grants: Record<string, string> = {}
let group = ''

beforeAll(async () => {
  location = await make('locations', { name: 'Campus' })
  building = await make('buildings', { name: 'Main', location_id: location })
  const wing = await make('buildings', { name: 'Wing', location_id: location, parent_id: building })
  other = await make('buildings', { name: 'Other', location_id: location })
  const system = await make('access-control-systems', { name: 'Readers', location_id: location, kind: 'simulator' })
  for (const [place, reader] of [
    [building, system],
    [building, system],
    [wing, system],
    [building, null],
    [other, system],
  ] as const) {
    const space = await make('spaces', { name: `Room ${doors.length}`, building_id: place })
    doors.push(
      await make('access-points', { name: `Door ${doors.length}`, space_id: space, access_control_system_id: reader }),
    )
  }
  for (const name of ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fritz', 'Gone'])
    people[name] = await make('individuals', { display_name: name, given_name: name, status: 'active' })
  group = await make('access-groups', { name: 'Night shift' })
  for (const name of ['Ben', 'Cleo', 'Gone'])
    await make(`access-groups/${group}/members`, { individual_id: people[name] })
  grants.Ada = await make('access-grants', { individual_id: people.Ada, building_id: building })
  await make('access-grants', { individual_id: people.Ada, access_point_id: doors[0] })
  await make('access-grants', { access_group_id: group, location_id: location })
  await make('access-grants', { access_group_id: group, building_id: building })
  // Kept out of one door, and of all of them.
  await make('access-grants', { individual_id: people.Ben, access_point_id: doors[0], effect: 'deny' })
  await make('access-grants', { individual_id: people.Cleo, location_id: location, effect: 'deny' })
  // A door without a reader, another building, a window that is over.
  await make('access-grants', { individual_id: people.Dora, access_point_id: doors[3] })
  await make('access-grants', { individual_id: people.Emil, building_id: other })
  await owner.post(`/api/v1/individuals/${people.Gone}/suspend`)
  const locks = await make('locking-system', { name: 'Locks' })
  const type = await make('key-types', { locking_system_id: locks, code: 'G1' })
  const cylinder = await make('cylinders', {
    locking_system_id: locks,
    number: '1',
    status: 'installed',
    access_point_id: doors[3],
  })
  await owner.post(`/api/v1/locking-system/${locks}/plan/cells`, {
    set: [{ key_type_id: type, cylinder_id: cylinder }],
  })
  const key = await make('keys', { key_type_id: type, number: '7', status: 'in_stock' })
  await owner.post(`/api/v1/keys/${key}/issue`, { individual_id: people.Fritz })
})

describe('an access review', () => {
  it('takes down everybody whom who-can-open names at a door there, by each way in, and nobody else', async () => {
    const lines = await linesOf(owner, await begin(owner, { building_id: building }))
    const named = new Set<string>()
    for (const door of doors.slice(0, 4))
      for (const row of (await owner.get(`/api/v1/access-points/${door}/who-can-open?limit=100`)).body.data)
        named.add(row.individual_id)
    expect(new Set(lines.map((line) => line.individual_id))).toEqual(named)
    const told = lines.map(({ display_name, what, doors: count }) => `${display_name} ${what} ${count}`)
    expect(told.sort()).toEqual(['Ada Door 0 1', 'Ada Main 3', 'Ben Night shift 2', 'Fritz G1 · 7 1'])
  })

  it('of a location has those of all its buildings', async () => {
    const lines = await linesOf(owner, await begin(owner, { location_id: location }))
    expect(lines.map(({ display_name }) => display_name)).toContain('Emil')
  })

  it('confirms and revokes line by line, and a revoked grant or membership is over', async () => {
    const id = await begin(owner, { building_id: building })
    const lines = await linesOf(owner, id)
    const ada = lineOf(lines, 'Ada', 'grant')
    const ben = lineOf(lines, 'Ben', 'group')
    const confirmed = await owner.post(`${LINES}/${ada.id}/confirm`, { note: 'Still here' })
    expect(confirmed.body.data).toMatchObject({ decision: 'confirmed', note: 'Still here', is_ended: false })
    expect((await owner.post(`${LINES}/${ada.id}/reopen`)).body.data).toMatchObject({
      decision: 'open',
      note: null,
      decided_by: null,
    })
    await owner.post(`${LINES}/${ada.id}/confirm`)
    const tried = await owner.post(`${LINES}/${ben.id}/revoke?dry_run=true`)
    expect(tried.body.meta.access.lost).toMatchObject({ people: 1, doors: 3 })
    expect((await owner.post(`${LINES}/${ben.id}/revoke`)).body.data).toMatchObject({
      decision: 'revoked',
      is_ended: true,
    })
    expect((await owner.get(`/api/v1/access-group-members?individual_id=eq.${people.Ben}`)).body.data).toEqual([])
    const { data: log } = (await owner.get('/api/v1/audit-log?order=sequence.desc&limit=2&select=action')).body
    expect(log.map(({ action }: { action: string }) => action).sort()).toEqual([
      'access_group_member.deleted',
      'access_review_line.revoked',
    ])
    const back = await owner.post(`${LINES}/${ben.id}/confirm`)
    expect([back.status, back.body.error.reason]).toEqual([409, 'access_review_line.revoked'])
    expect((await owner.post(`${LINES}/${ben.id}/reopen`)).status).toBe(409)
    const key = lineOf(lines, 'Fritz', 'key')
    expect((await owner.post(`${LINES}/${key.id}/revoke`)).body.data).toMatchObject({
      decision: 'revoked',
      is_ended: false,
    })
    expect((await owner.get(`${PATH}/${id}`)).body.data).toMatchObject({
      line_count: 4,
      open_count: 1,
      confirmed_count: 1,
      revoked_count: 2,
    })
    // Whoever is a member again has the way in again, and nobody is told that it is over.
    await make(`access-groups/${group}/members`, { individual_id: people.Ben })
    expect((await owner.get(`${LINES}/${ben.id}`)).body.data).toMatchObject({ decision: 'revoked', is_ended: false })
  })

  it('is seen and decided by whoever manages the building, with their own rights', async () => {
    const manager = await house.member('Facility manager', { building_id: building })
    const id = await begin(manager, { building_id: building })
    const lines = await linesOf(manager, id)
    // The group belongs to the whole organization: somebody limited to a building ends no membership of it.
    const refused = await manager.post(`${LINES}/${lineOf(lines, 'Ben', 'group').id}/revoke`)
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'insufficient_permissions'])
    expect((await manager.post(`${LINES}/${lineOf(lines, 'Ada', 'grant').id}/confirm`)).status).toBe(200)
    const elsewhere = await begin(owner, { building_id: other })
    expect((await manager.get(`${PATH}/${elsewhere}`)).status).toBe(404)
    expect(await linesOf(manager, elsewhere)).toEqual([])
    const reader = await memberWith(house, ['access-reviews:read', 'access-reviews:write'])
    expect((await reader.post(`${LINES}/${lineOf(lines, 'Ada', 'grant').id}/revoke`)).status).toBe(403)
    expect((await owner.get(`/api/v1/access-grants/${grants.Ada}`)).body.data.status).toBe('active')
  })

  it('says of each line whether whoever asks may revoke it, as revoking then answers', async () => {
    const manager = await house.member('Facility manager', { building_id: building })
    const id = await begin(owner, { building_id: building })
    const reader = await memberWith(house, ['access-reviews:read', 'access-grants:write'])
    const writer = await memberWith(house, ['access-reviews:read', 'access-reviews:write'])
    const said = new Set<string>()
    for (const client of [owner, manager, reader, writer]) {
      for (const line of await linesOf(client, id)) {
        const tried = await client.post(`${LINES}/${line.id}/revoke?dry_run=true`)
        expect(line.may_revoke, `${line.display_name} by ${line.means}`).toBe(tried.status === 200)
        said.add(`${line.means} ${line.may_revoke}`)
      }
    }
    expect([...said].sort()).toEqual([
      'grant false',
      'grant true',
      'group false',
      'group true',
      'key false',
      'key true',
    ])
    // Nobody is kept from a line whose membership is gone already.
    const ben = lineOf(await linesOf(owner, id), 'Ben', 'group')
    expect((await owner.delete(`/api/v1/access-groups/${group}/members/${ben.access_group_member_id}`)).status).toBe(
      200,
    )
    expect((await manager.get(`${LINES}/${ben.id}`)).body.data.may_revoke).toBe(true)
    expect((await manager.post(`${LINES}/${ben.id}/revoke`)).body.data).toMatchObject({
      decision: 'revoked',
      may_revoke: true,
    })
    await make(`access-groups/${group}/members`, { individual_id: people.Ben })
  })

  it('is not started by whoever may not see who can open the doors there', async () => {
    const blind = await memberWith(house, ['access-reviews:read', 'access-reviews:write', 'buildings:read'])
    const { id } = await blind.create(PATH, { name: 'Blind', due_on: '2099-03-31', building_id: building })
    expect((await blind.post(`${PATH}/${id}/start`)).status).toBe(403)
    expect((await blind.get(`${PATH}/${id}`)).body.data).toMatchObject({ status: 'draft', line_count: 0 })
    expect((await blind.delete(`${PATH}/${id}`)).status).toBe(200)
  })

  it('is closed when all is decided, and its report is evidence: signed, and found out when altered', async () => {
    const id = await begin(owner, { building_id: building, reviewer: 'Ada' })
    const early = await owner.post(`${PATH}/${id}/close`)
    expect([early.status, early.body.error.reason]).toEqual([409, 'access_review.undecided'])
    expect((await owner.get(`${PATH}/${id}/report`)).status).toBe(404)
    for (const line of await linesOf(owner, id))
      await owner.post(`${LINES}/${line.id}/confirm`, { note: `About ${line.display_name}` })
    expect((await owner.post(`${PATH}/${id}/close`)).body.data.status).toBe('closed')
    const { data } = (await owner.get(`${PATH}/${id}/report`)).body
    expect(data.review).toMatchObject({ name: 'Spring', place: 'Campus / Main', reviewer: 'Ada' })
    expect(verifyReport(data, houseTrust.keys)).toMatchObject({ lines: 4, erased: 0 })
    const altered = structuredClone(data)
    altered.lines[0].decision = 'revoked'
    expect(verifyReport(altered, houseTrust.keys)).toEqual({ fault: 'line 1 is not as it was signed' })
    expect(verifyReport({ ...data, lines: data.lines.slice(1) }, houseTrust.keys)).toEqual({
      fault: 'has a signature that does not hold',
    })
    expect(verifyReport({ ...data, review: { ...data.review, closed_by: 'Eve' } }, houseTrust.keys)).toHaveProperty(
      'fault',
    )
    expect(verifyReport({ data }, houseTrust.keys)).toEqual({ fault: 'is no report of an access review' })
    for (const body of [{ name: 'Late' }, { due_on: '2099-12-31' }])
      expect((await owner.patch(`${PATH}/${id}`, body)).status).toBe(409)
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(409)
    const pdf = await house.app.inject({
      url: `${PATH}/${id}/report/pdf`,
      headers: { authorization: `Token ${owner.token}` },
    })
    expect(pdf.headers['content-type'], pdf.body.slice(0, 500)).toBe('application/pdf')
    expect(pdfText(pdf.rawPayload)).toContain('Night shift')
  })

  it('says of a key that was revoked and is still out that it is', async () => {
    const id = await begin(owner, { building_id: building })
    for (const line of await linesOf(owner, id))
      await owner.post(`${LINES}/${line.id}/${line.means === 'key' ? 'revoke' : 'confirm'}`)
    await owner.post(`${PATH}/${id}/close`)
    const { data } = (await owner.get(`${PATH}/${id}/report`)).body
    const key = data.lines.find(({ means }: { means: string }) => means === 'key')
    expect(key).toMatchObject({ decision: 'revoked', is_ended: false })
    expect(verifyReport(data, houseTrust.keys)).toMatchObject({ lines: data.lines.length })
    key.is_ended = true
    expect(verifyReport(data, houseTrust.keys)).toHaveProperty('fault')
    const pdf = await house.app.inject({
      url: `${PATH}/${id}/report/pdf`,
      headers: { authorization: `Token ${owner.token}` },
    })
    expect(pdfText(pdf.rawPayload)).toContain('still out')
  })

  it('is due today at the earliest, by the organization’s day', async () => {
    const sitting = house.clock.now()
    const due = async (due_on: string) =>
      (await owner.post(PATH, { name: 'Due', building_id: building, due_on })).status
    // In Zurich it is the 16th already.
    house.clock.set('2027-06-15T22:30:00.000Z')
    expect([await due('2027-06-15'), await due('2027-06-16')]).toEqual([400, 201])
    await owner.patch('/api/v1/organization', { time_zone: 'America/Los_Angeles' })
    house.clock.set('2027-06-16T04:00:00.000Z')
    expect([await due('2027-06-14'), await due('2027-06-15')]).toEqual([400, 201])
    await owner.patch('/api/v1/organization', { time_zone: 'Europe/Zurich' })
    house.clock.set(sitting)
  })

  it('forgets somebody who is anonymised, and its report still holds', async () => {
    const id = await begin(owner, { building_id: building })
    for (const line of await linesOf(owner, id))
      await owner.post(`${LINES}/${line.id}/confirm`, { note: `About ${line.display_name}` })
    await owner.post(`${PATH}/${id}/close`)
    await owner.post(`/api/v1/individuals/${people.Ada}/offboard`)
    const gone = await owner.post(`/api/v1/individuals/${people.Ada}/anonymise`)
    expect(gone.status, gone.text).toBe(200)
    const { text, body } = await owner.get(`${PATH}/${id}/report`)
    expect(text).not.toContain('About Ada')
    expect(verifyReport(body.data, houseTrust.keys)).toMatchObject({ lines: 4, erased: 2 })
    expect(JSON.stringify(await linesOf(owner, id))).not.toContain('Ada')
    expect((await owner.get('/api/v1/audit-log?limit=100')).text).not.toContain('About Ada')
  })
})
