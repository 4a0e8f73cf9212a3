import { expect, it, vi } from 'vitest'
import { loadDoors } from '../../src/access/doors.ts'
import { doorsWithRight } from '../../src/access/lists/doors-within-reach.ts'
import { loadPeople } from '../../src/access/people.ts'
import { Settings } from '../../src/access/settings.ts'
import { OrgHandle } from '../../src/db/org.ts'
import { render } from '../../src/db/sql.ts'
import { startHouse } from '../support/app.ts'
import { watchTexts } from '../support/watched-texts.ts'

// What a statement costs on a large estate is not seen on a small one; how it is worded is.

const { engine, owner, clock } = await startHouse()
const location = await owner.create('/api/v1/locations', { name: 'Campus' })
const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
const system = await owner.create('/api/v1/access-control-systems', { name: 'Readers' })
const door = await owner.create('/api/v1/access-points', {
  name: 'Door',
  space_id: space.id,
  access_control_system_id: system.id,
})
const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
await owner.create('/api/v1/access-grants', { individual_id: person.id, building_id: building.id })
clock.forward(60_000)
const before = clock.now()
clock.forward(60_000)
await owner.patch(`/api/v1/spaces/${space.id}`, { name: 'Great hall', occupancy_limit: 40 })

const { watching, asked } = watchTexts(engine)
const [organization] = await engine.reader.all<{ key: number }>('select key from organizations', [])
const handle = new OrgHandle(engine, organization?.key ?? 0, clock.now(), watching)

it('doors of another day are read, and then their spaces by id: never every space there was', async () => {
  asked.length = 0
  const then = (await loadDoors(new Settings(handle, before), [door.id], before)).get(door.id)
  expect(then?.door.space).toMatchObject({ id: space.id, name: 'Hall', occupancy_limit: null })
  expect(then?.targets.map(({ name }) => name)).toEqual(['Campus', 'House', 'Hall', 'Door'])
  const now = (await loadDoors(new Settings(handle), [door.id], handle.now)).get(door.id)
  expect(now?.door.space).toMatchObject({ id: space.id, name: 'Great hall', occupancy_limit: 40 })
  const past = asked.filter((text) => text.includes('spaces_history'))
  expect(past).toHaveLength(1)
  expect(past[0]).not.toContain('access_points')
})

it('the doors that somebody can open are a condition on columns of the door alone, which indexes answer', async () => {
  for (const [settings, at, asked] of [
    [new Settings(handle), handle.now, ''],
    [new Settings(handle, before), before, `?as_of=${before}`],
  ] as const) {
    const facts = (await loadPeople(settings, [person.id])).get(person.id)
    if (!facts) throw new Error('the person is not there')
    expect(render(await doorsWithRight(settings, facts, at)).text).not.toMatch(/\b(exists|join|from [a-z_]*s) /)
    const { body } = await owner.get(`/api/v1/individuals/${person.id}/can-open${asked}`)
    expect(body.data, asked).toMatchObject([{ access_point_id: door.id }])
  }
})

it('whether cards have a PIN is read with them, not by joining all cards once more', async () => {
  asked.length = 0
  await loadPeople(new Settings(handle), [person.id])
  await loadPeople(new Settings(handle, before), [person.id])
  const cards = asked.filter((text) => text.includes('pin_key'))
  expect(cards).toHaveLength(2)
  for (const text of cards) expect(text).not.toContain('join')
})

it('the doors of a space are found by the space, now and on another day, not among all doors', async () => {
  const all = vi.spyOn(engine.reader, 'all')
  for (const asked of ['', `?as_of=${before}`, `/changes?from=${before}`])
    expect((await owner.get(`/api/v1/spaces/${space.id}/who-can-enter${asked}`)).status, asked).toBe(200)
  const found = all.mock.calls.filter(([text]) => /^select t\.id from .*t\.space_id = /s.test(text))
  all.mockRestore()
  expect(new Set(found.map(([text]) => text)).size).toBe(2)
  for (const [text, values] of found) {
    expect(text).not.toContain('order by')
    if (engine.dialect.name !== 'sqlite') continue
    const plan = await engine.reader.all<{ detail: string }>(`explain query plan ${text}`, values)
    const doors = plan.map(({ detail }) => detail).filter((detail) => detail.includes('INDEX access_points_by_'))
    expect(doors).toEqual([expect.stringContaining('access_points_by_space (org=? AND space_id=?)')])
  }
})

/** What is asked meanwhile, and whether in a transaction: then, on SQLite, everybody waits for it. */
async function watched(work: () => Promise<{ status: number; text: string }>) {
  const query = vi.spyOn(OrgHandle.prototype, 'query')
  const { status, text } = await work()
  const asked = query.mock.calls.map(([text], n) => ({
    text,
    isInside: Boolean((query.mock.contexts[n] as OrgHandle).isTransaction),
  }))
  query.mockRestore()
  expect(status, text).toBe(200)
  return asked
}

it('erasing somebody finds what is theirs by them, not by walking through all that there is', async () => {
  const leaver = await owner.create('/api/v1/individuals', { display_name: 'Ben' })
  await owner.post(`/api/v1/individuals/${leaver.id}/offboard`)
  const asked = await watched(() => owner.post(`/api/v1/individuals/${leaver.id}/anonymise`))
  const of = (table: string) => asked.filter(({ text }) => text.includes(`from ${table} t`)).map(({ text }) => text)
  // For each record, all handovers there are: a second for a hundred records.
  expect(of('audit_log').length).toBeGreaterThan(0)
  for (const text of of('audit_log')) expect(text).not.toContain('key_handovers')
  const theirs = ['credentials', 'access_grants', 'access_requests', 'key_handovers', 'visits', 'keys'].flatMap(of)
  const byThem = theirs.filter((text) => /^\s*select t\.id\b/.test(text))
  expect(byThem.length).toBeGreaterThanOrEqual(6)
  // For the order of what is found, an index would be read that has everybody's.
  for (const text of byThem) expect(text).not.toMatch(/order by t\./)
})

it('who is put into a group, or taken out, is looked up: not all who are in it', async () => {
  const group = await owner.create('/api/v1/access-groups', { name: 'Staff' })
  const members = `/api/v1/access-groups/${group.id}/members`
  const given = { members: [{ individual_id: person.id }] }
  const asked = [
    ...(await watched(() => owner.post(`${members}/add`, given))),
    ...(await watched(() => owner.request('PUT', members, given))),
    ...(await watched(() => owner.post(`${members}/remove`, { individual_ids: [person.id] }))),
  ]
  const ofGroup = asked
    .map(({ text }) => text)
    .filter((text) => /from access_group_members t\s+where t\.org = :org and t\.access_group_id = /.test(text))
  expect(ofGroup.length).toBeGreaterThanOrEqual(4)
  for (const text of ofGroup) expect(text).toMatch(/t\.individual_id (in|=|>)/)
})

it('a review looks for who may open what beside its transaction', async () => {
  const due = { name: 'Spring', due_on: '2099-03-31', building_id: building.id }
  const review = await owner.create('/api/v1/access-reviews', due)
  const asked = await watched(() => owner.post(`/api/v1/access-reviews/${review.id}/start`))
  const many = asked.filter(({ text }) => /from (access_points p|access_group_members m)\s/.test(text))
  expect(many.length).toBeGreaterThanOrEqual(2)
  expect(many.filter(({ isInside }) => isInside).map(({ text }) => text)).toEqual([])
})

it('what a key opens is found by the plan, in a transaction too, not by walking through all doors and spaces', async () => {
  const locks = await owner.create('/api/v1/locking-system', { name: 'Locks', location_id: location.id })
  const within = { locking_system_id: locks.id }
  const type = await owner.create('/api/v1/key-types', { ...within, code: 'A1' })
  const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
  const asked = await watched(() => owner.get(`/api/v1/keys/${key.id}/opens`))
  asked.push(...(await watched(() => owner.post(`/api/v1/keys/${key.id}/report-lost`, {}))))
  const texts = asked.map(({ text }) => text)
  expect(texts.filter((text) => text.includes('plan_cells')).length).toBeGreaterThanOrEqual(2)
  for (const text of texts.filter((text) => text.includes('plan_cells'))) expect(text).not.toContain('order by')
  for (const text of texts) expect(text).not.toContain('count(distinct')
  await owner.create('/api/v1/cylinders', { ...within, number: '1' })
  const plan = {
    rows: [
      ['Cylinder', 'Label', 'Door', 'A1'],
      ['1', '', '', 'x'],
    ],
  }
  const imported = await watched(() => owner.post(`/api/v1/locking-system/${locks.id}/plan/import`, plan))
  const cells = imported.map(({ text }) => text).filter((text) => /plan_cells t\b.*locking_system_id = /s.test(text))
  expect(cells.length).toBeGreaterThan(0)
  for (const text of cells) expect(text).toContain('cylinders c cross join plan_cells t')
})

it('how a controller stands, which may hold very much, is counted where that holds up nobody', async () => {
  const all = vi.spyOn(engine.reader, 'all')
  expect((await owner.get(`/api/v1/access-control-systems/${system.id}/sync`)).status).toBe(200)
  const counts = all.mock.calls.filter(([text]) => text.includes('from device_entries t'))
  all.mockRestore()
  expect(counts.length).toBeGreaterThan(0)
  for (const [, , , extent] of counts) expect(extent).toBe('all')
})

it('members of another day are looked for once, not once for each person', async () => {
  const group = await owner.create('/api/v1/access-groups', { name: 'Night' })
  await owner.create('/api/v1/access-grants', { access_group_id: group.id, building_id: building.id })
  clock.forward(60_000)
  const then = clock.now()
  clock.forward(60_000)
  const asked = await watched(() => owner.get(`/api/v1/access-points/${door.id}/who-can-open?as_of=${then}`))
  const past = asked.map(({ text }) => text).filter((text) => text.includes('access_group_members_history'))
  expect(past.length).toBeGreaterThan(0)
  for (const text of past) expect(text).not.toContain('m.individual_id = t.id')
})

it('the groups of many people are looked for once, not once for each of them', async () => {
  const asked = await watched(() => owner.post(`/api/v1/individuals/${person.id}/suspend?dry_run=true`))
  const groups = asked.map(({ text }) => text).filter((text) => /select m\.access_group_id as id\s/.test(text))
  expect(groups.length).toBeGreaterThan(0)
  for (const text of groups) expect(text).not.toContain('join')
})
