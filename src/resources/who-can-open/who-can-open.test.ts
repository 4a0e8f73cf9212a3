import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import { listingPage } from '../../access/lists/listing.ts'
import { doorsOf } from '../../access/lists/openers.ts'
import { Settings } from '../../access/settings.ts'
import type { Permission } from '../../core/permissions.ts'
import { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { openable } from './schema.ts'

const house = await startHouse()
const { owner, clock } = house
const HOUR = 3_600_000

let system: { id: string }
let space: { id: string; building_id: string }

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Zürich', time_zone: 'UTC' })
  const building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
})

const doorNamed = (name: string) =>
  owner.create('/api/v1/access-points', { name, space_id: space.id, access_control_system_id: system.id })

async function personNamed(name: string) {
  const person = await owner.create('/api/v1/individuals', { display_name: name })
  await owner.create('/api/v1/credentials', { type: 'plate', number: `ZH ${name}`, individual_id: person.id })
  return person
}

describe('what is gone', () => {
  it('is asked about under the settings of a day on which it was there, and under no others', async () => {
    const [door, person] = [await doorNamed('Gone'), await personNamed('Gone')]
    const group = await owner.create('/api/v1/access-groups', { name: 'Of the past' })
    const member = await owner.create(`/api/v1/access-groups/${group.id}/members`, { individual_id: person.id })
    await owner.create('/api/v1/access-grants', { access_group_id: group.id, space_id: space.id })
    clock.forward(HOUR)
    const then = clock.now()
    clock.forward(HOUR)
    const [card] = (await owner.get(`/api/v1/credentials?individual_id=eq.${person.id}`)).body.data
    const membership = `access-groups/${group.id}/members/${member.id}`
    for (const path of [membership, `credentials/${card.id}`, `access-points/${door.id}`, `individuals/${person.id}`]) {
      const gone = await owner.delete(`/api/v1/${path}`)
      expect(gone.status, gone.text).toBe(200)
    }
    const [people, doors] = [
      `/api/v1/access-points/${door.id}/who-can-open`,
      `/api/v1/individuals/${person.id}/can-open`,
    ]
    expect((await owner.get(`${people}?as_of=${then}`)).body.data).toMatchObject([
      { individual_id: person.id, allowed: true },
    ])
    expect((await owner.get(`${doors}?as_of=${then}`)).body.data).toMatchObject([
      { access_point_id: door.id, allowed: true },
    ])
    const lost = { change: 'lost', allowed_before: true, allowed_after: false }
    expect((await owner.get(`${people}/changes?from=${then}`)).body.data).toMatchObject([
      { individual_id: person.id, ...lost },
    ])
    expect((await owner.get(`${doors}/changes?from=${then}`)).body.data).toMatchObject([
      { access_point_id: door.id, ...lost },
    ])
    for (const path of [people, doors]) {
      expect((await owner.get(path)).status).toBe(404)
      expect((await owner.get(`${path}/changes?from=${clock.now()}`)).status).toBe(404)
    }
  })
})

describe('the settings of another day', () => {
  it('are judged for the rows of the page alone, unless what is decided is asked for', async () => {
    const person = await personNamed('Often')
    for (const name of ['Often 1', 'Often 2', 'Often 3']) {
      const door = await doorNamed(name)
      await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
    }
    clock.forward(HOUR)
    const then = clock.now()
    clock.forward(HOUR)
    const handle = new OrgHandle(house.engine, 1, clock.now())
    const made = doorsOf(openable, person.id, async () => sql`1 = 1`)
    const judge = vi.spyOn(made, 'judge')
    const order = [{ field: 'name', direction: 'asc', nulls: 'last' } as const]
    const page = await listingPage(made, new Settings(handle, then), then, {
      page: 2,
      limit: 1,
      order,
      filters: [],
      search: null,
    })
    expect(page.rows).toMatchObject([{ name: 'Often 2', allowed: true }])
    expect(judge.mock.calls.map(([, , rows]) => rows.length)).toEqual([1])
    const path = `/api/v1/individuals/${person.id}/can-open?as_of=${then}`
    const told = async (more: string) => {
      const { data, meta } = (await owner.get(`${path}&${more}`)).body
      return [data.map(({ name }: { name: string }) => name), meta.pagination.total]
    }
    expect(await told('limit=2&page=2&order=name')).toEqual([['Often 3'], 3])
    expect(await told('allowed=eq.true&order=name.desc&limit=1')).toEqual([['Often 3'], 3])
    expect(await told('allowed=eq.false')).toEqual([[], 0])
    expect(await told('search=often%202')).toEqual([['Often 2'], 1])
  })

  it('tell of keys that were held and of those that were lost, though they are back and the plan is another', async () => {
    const [door, person] = [await doorNamed('Turned'), await personNamed('Holder')]
    const locking = await owner.create('/api/v1/locking-system', { name: 'Turned', building_id: space.building_id })
    const type = await owner.create('/api/v1/key-types', { locking_system_id: locking.id, code: 'GHS' })
    const built = { locking_system_id: locking.id, status: 'installed', access_point_id: door.id }
    const cylinder = await owner.create('/api/v1/cylinders', { ...built, number: '101' })
    const cell = { key_type_id: type.id, cylinder_id: cylinder.id }
    const plan = `/api/v1/locking-system/${locking.id}/plan/cells`
    await owner.post(plan, { set: [cell] })
    const ids: string[] = []
    for (const number of ['7', '8'])
      ids.push((await owner.create('/api/v1/keys', { key_type_id: type.id, number, status: 'in_stock' })).id)
    await owner.post('/api/v1/keys/issue', { key_ids: ids, individual_id: person.id })
    await owner.post(`/api/v1/keys/${ids[1]}/report-lost`, {})
    clock.forward(HOUR)
    const then = clock.now()
    const [people, doors] = [
      `/api/v1/access-points/${door.id}/who-can-open`,
      `/api/v1/individuals/${person.id}/can-open`,
    ]
    const told = async (more: string) => {
      const [who, what] = [(await owner.get(`${people}${more}`)).body, (await owner.get(`${doors}${more}`)).body]
      return [who.data, who.meta.unaccounted, what.data.map(({ name }: { name: string }) => name)]
    }
    const now = await told('')
    expect(now).toMatchObject([
      [{ individual_id: person.id }],
      [{ key_id: ids[1], key_type_code: 'GHS', number: '8' }],
      ['Turned'],
    ])
    clock.forward(HOUR)
    await owner.post('/api/v1/keys/return', { key_ids: [ids[0]] })
    await owner.post(plan, { clear: [cell] })
    expect(await told('')).toEqual([[], [], []])
    expect(await told(`?as_of=${then}`)).toEqual(now)
  })
})

describe('one of several', () => {
  it('doors is named the same today and under the settings of another day, whichever was written since', async () => {
    const hall = await owner.create('/api/v1/spaces', { name: 'Two doors', building_id: space.building_id })
    const door = (name: string) =>
      owner.create('/api/v1/access-points', { name, space_id: hall.id, access_control_system_id: system.id })
    const [front, person] = [await door('Front'), await personNamed('Between')]
    await door('Back')
    await owner.create('/api/v1/access-grants', { individual_id: person.id, space_id: hall.id })
    clock.forward(HOUR)
    const then = clock.now()
    const entered = async (query = '') => {
      const [row] = (await owner.get(`/api/v1/spaces/${hall.id}/who-can-enter${query}`)).body.data
      return row.access_point_id
    }
    expect(await entered()).toBe(front.id)
    clock.forward(HOUR)
    await owner.patch(`/api/v1/access-points/${front.id}`, { label: 'F' })
    expect([await entered(), await entered(`?as_of=${then}`)]).toEqual([front.id, front.id])
  })

  it('cylinders of a door that a key turns in is named, and the key once', async () => {
    const locks = await owner.create('/api/v1/locking-system', { name: 'Twice', building_id: space.building_id })
    const [door, person] = [await doorNamed('Twice locked'), await personNamed('With a key')]
    const type = await owner.create('/api/v1/key-types', { locking_system_id: locks.id, code: 'TW' })
    const turning = { locking_system_id: locks.id, status: 'installed', access_point_id: door.id }
    for (const number of ['2', '1']) {
      const cylinder = await owner.create('/api/v1/cylinders', { ...turning, number })
      const cell = { key_type_id: type.id, cylinder_id: cylinder.id }
      await owner.post(`/api/v1/locking-system/${locks.id}/plan/cells`, { set: [cell] })
    }
    const key = await owner.create('/api/v1/keys', { key_type_id: type.id, number: '1', status: 'in_stock' })
    await owner.post(`/api/v1/keys/${key.id}/issue`, { individual_id: person.id })
    const [row] = (await owner.get(`/api/v1/access-points/${door.id}/who-can-open?search=key`)).body.data
    expect(row.means.filter(({ type: by }: { type: string }) => by === 'key')).toEqual([
      { type: 'key', id: key.id, name: 'TW · 1', ignores_rules: true },
    ])
    const question = { individual_id: person.id, access_point_id: door.id }
    const { explanation } = (await owner.post('/api/v1/access-decisions', question)).body.data
    expect(explanation.join(' ')).toContain('which opens cylinder 1 in')
  })
})

describe('what changed between two moments', () => {
  it('is told of rights, and of hours under the same rights', async () => {
    const [door, ada, ben, cleo] = [
      await doorNamed('Hours'),
      await personNamed('Ada'),
      await personNamed('Ben'),
      await personNamed('Cleo'),
    ]
    const every = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const hours = async (name: string, start: string, end: string) =>
      (await owner.create('/api/v1/schedules', { name, time_zone: 'UTC', windows: [{ days: every, start, end }] })).id
    const [night, day] = [await hours('Night', '22:00', '06:00'), await hours('Day', '08:00', '18:00')]
    const grant = (person: { id: string }, more: object) =>
      owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id, ...more })
    await grant(ada, { schedule_id: night })
    await grant(ben, {})
    await grant(ben, { effect: 'deny', schedule_id: night })
    await grant(cleo, { schedule_id: day, valid_until: '2027-07-01T18:00:00Z' })
    const between = (from: string, to: string) => `from=2027-07-01T${from}:00Z&to=2027-07-01T${to}:00Z`
    const told = async (path: string) => {
      const answer = await owner.get(`/api/v1/${path}`)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.map(
        ({ display_name, name, change, reason_before, reason_after }: Record<string, string>) =>
          [display_name ?? name, change, reason_before, reason_after].join(' '),
      )
    }
    const people = `access-points/${door.id}/who-can-open/changes`
    expect(await told(`${people}?${between('12:00', '23:00')}`)).toEqual([
      'Ada gained out_of_time_range granted',
      'Ben lost granted denied_by_rule',
      'Cleo lost granted no_access_rights',
    ])
    expect(await told(`${people}?${between('12:00', '23:00')}&change=eq.gained`)).toEqual([
      'Ada gained out_of_time_range granted',
    ])
    expect(await told(`${people}?${between('12:00', '13:00')}`)).toEqual([])
    expect(await told(`${people}?${between('07:00', '09:00')}`)).toEqual(['Cleo gained out_of_time_range granted'])
    expect(await told(`spaces/${space.id}/who-can-enter/changes?${between('07:00', '09:00')}`)).toEqual([
      'Cleo gained out_of_time_range granted',
    ])
    expect(await told(`individuals/${ada.id}/can-open/changes?${between('12:00', '23:00')}`)).toEqual([
      'Hours gained out_of_time_range granted',
    ])
  })
})

describe('a row', () => {
  let door: { id: string }
  let grant: { id: string }
  let dora: { id: string }
  const people = (query: string) => `/api/v1/access-points/${door.id}/who-can-open?${query}`

  beforeAll(async () => {
    door = await doorNamed('Seen')
    dora = await personNamed('Dora')
    await owner.patch(`/api/v1/individuals/${dora.id}`, { email: 'dora@example.com' })
    grant = await owner.create('/api/v1/access-grants', {
      individual_id: dora.id,
      access_point_id: door.id,
      reason: 'On call',
    })
  })

  it('has fields of what it refers to, where the caller may read it', async () => {
    const selected = 'search=dora&select=display_name,individual(email,display_name),grant(reason)'
    const email = 'dora@example.com'
    const told = await owner.get(people(selected))
    expect(told.body.data, told.text).toEqual([
      { display_name: 'Dora', individual: { email, display_name: 'Dora' }, grant: { reason: 'On call' } },
    ])
    expect(told.body.meta.select).toEqual(['display_name', 'individual(email,display_name)', 'grant(reason)'])
    const doors = await owner.get(
      `/api/v1/individuals/${dora.id}/can-open?select=name,access_point(space_id)&access_point_id=eq.${door.id}`,
    )
    expect(doors.body.data, doors.text).toEqual([{ name: 'Seen', access_point: { space_id: space.id } }])
    const changes = await owner.get(
      `/api/v1/access-points/${door.id}/who-can-open/changes?from=${clock.now()}&to=${clock.now()}&select=individual(email)`,
    )
    expect([changes.status, changes.body.data]).toEqual([200, []])
    const file = await owner.get(people(`${selected}&format=csv`))
    expect(file.text).toContain('individual.email')
    expect(file.text).toContain(email)
    const watchman = await memberWith(house, ['access-points:audience'])
    expect((await watchman.get(people(selected))).body.data).toEqual([{ display_name: 'Dora' }])
  })

  it('tells nothing of people and grants to whoever may read those elsewhere alone', async () => {
    const { location_id } = (await owner.get(`/api/v1/buildings/${space.building_id}`)).body.data
    const building = await owner.create('/api/v1/buildings', { name: 'Elsewhere', location_id })
    const watchman = await memberWith(house, ['access-points:audience', 'keys:read'])
    const permissions = ['individuals:read', 'access-grants:read', 'access-groups:read']
    const role = await owner.create('/api/v1/roles', { name: 'Elsewhere', permissions })
    const { id } = (await watchman.get('/api/v1/me')).body.data
    await house
      .loggedIn(owner.token)
      .create('/api/v1/role-assignments', { service_user_id: id, role_id: role.id, building_id: building.id })
    const [row] = (await watchman.get(people('search=dora'))).body.data
    expect(row).toMatchObject({ display_name: 'Dora', individual_id: null, grant_id: null, path: null })
    expect((await watchman.get(people(`individual_id=eq.${dora.id}`))).status).toBe(403)
  })

  it('is told of another day too to whoever is limited to places, of the doors that they see', async () => {
    const asOf = clock.now()
    clock.forward(HOUR)
    const { location_id } = (await owner.get(`/api/v1/buildings/${space.building_id}`)).body.data
    const other = await owner.create('/api/v1/buildings', { name: 'Beyond', location_id })
    const permissions: Permission[] = ['access-points:audience', 'access-points:read', 'individuals:read']
    for (const [building_id, isSeen] of [
      [space.building_id, true],
      [other.id, false],
    ] as const) {
      await owner.patch(`/api/v1/individuals/${dora.id}`, { building_id })
      const member = await memberWith(house, permissions, { building_id })
      for (const query of [`can-open?as_of=${asOf}`, 'can-open']) {
        const { status, body, text } = await member.get(`/api/v1/individuals/${dora.id}/${query}`)
        expect(status, text).toBe(200)
        const doors = body.data.map((row: { access_point_id: string }) => row.access_point_id)
        expect(doors.includes(door.id), query).toBe(isSeen)
      }
      const changes = `/api/v1/individuals/${dora.id}/can-open/changes?from=${asOf}&to=${clock.now()}`
      expect((await member.get(changes)).status).toBe(200)
    }
  })

  it('is neither found nor sorted by what the caller may not see of it', async () => {
    const watchman = await memberWith(house, ['access-points:audience'])
    const [row] = (await watchman.get(people('search=dora'))).body.data
    expect(row).toMatchObject({
      display_name: 'Dora',
      kind: 'employee',
      allowed: true,
      individual_id: null,
      grant_id: null,
      path: null,
    })
    expect(row.means).toEqual([{ type: 'plate', id: null, name: null, ignores_rules: false }])
    const unseen = [
      `individual_id=eq.${dora.id}`,
      `individual_id=neq.${dora.id}`,
      `grant_id=eq.${grant.id}`,
      `or=(kind.eq.employee,grant_id.eq.${grant.id})`,
      'order=individual_id',
      'order=grant_id.desc',
    ]
    for (const query of [...unseen, ...unseen.map((one) => `${one}&format=csv`)]) {
      const refused = await watchman.get(people(query))
      expect([refused.status, refused.body?.error?.reason], query).toEqual([403, 'insufficient_permissions'])
      expect((await owner.get(people(query))).status, query).toBe(200)
    }
    for (const query of ['path=is.null', 'means=is.null', 'order=path'])
      expect((await owner.get(people(query))).status, query).toBe(400)
    const changes = `/api/v1/access-points/${door.id}/who-can-open/changes?individual_id=eq.${dora.id}`
    expect((await watchman.get(changes)).status).toBe(403)
    expect(
      (await watchman.get(people('kind=eq.employee&order=reason&allowed=eq.true&search=dora'))).body.data,
    ).toHaveLength(1)
  })
  it('is found by what it shows, as it was called then, and by nothing else that is known of it', async () => {
    const totals = async (client: Client, path: string, words: readonly string[]) => {
      const found: Array<[word: string, total: number]> = []
      for (const word of words) {
        const [page, file] = [
          await client.get(`${path}search=${word}`),
          await client.get(`${path}search=${word}&format=ndjson`),
        ]
        const total = page.body.meta.pagination.total
        expect(file.text.split('\n').filter(Boolean)).toHaveLength(total)
        found.push([word, total])
      }
      return found
    }
    const eve = await personNamed('Eve Ångström')
    await owner.patch(`/api/v1/individuals/${eve.id}`, { company: 'Analytical Engines' })
    const made = await doorNamed('Found')
    await owner.patch(`/api/v1/access-points/${made.id}`, { label: 'F-1', description: 'Behind the boiler' })
    await owner.create('/api/v1/access-grants', { individual_id: eve.id, access_point_id: made.id })
    const people = `/api/v1/access-points/${made.id}/who-can-open?`
    const doors = `/api/v1/individuals/${eve.id}/can-open?`
    const watchman = await memberWith(house, ['access-points:audience'])
    for (const client of [owner, watchman])
      for (const more of ['', 'allowed=eq.true&', 'order=kind.desc&'])
        expect(await totals(client, `${people}${more}`, ['angstrom', 'eve%20ang', 'engines', 'eve%20engines'])).toEqual(
          [
            ['angstrom', 1],
            ['eve%20ang', 1],
            ['engines', 0],
            ['eve%20engines', 0],
          ],
        )
    expect(await totals(owner, doors, ['found', 'f-1', 'boiler'])).toEqual([
      ['found', 1],
      ['f-1', 1],
      ['boiler', 0],
    ])
    const other = await doorNamed('Gebäude Süd')
    await owner.patch(`/api/v1/access-points/${other.id}`, { label: 'Tür 2', description: 'Kesselraum' })
    await owner.create('/api/v1/access-grants', { individual_id: eve.id, access_point_id: other.id })
    expect(await totals(owner, doors, ['sud', 'TÜR%20gebaude', 'sud%20found', 'kesselraum', 'u'])).toEqual([
      ['sud', 1],
      ['TÜR%20gebaude', 1],
      ['sud%20found', 0],
      ['kesselraum', 0],
      ['u', 2],
    ])
    clock.forward(HOUR)
    const then = clock.now()
    clock.forward(HOUR)
    await owner.patch(`/api/v1/individuals/${eve.id}`, { display_name: 'Eve Smith' })
    expect(await totals(owner, `${people}as_of=${then}&`, ['angstrom', 'smith'])).toEqual([
      ['angstrom', 1],
      ['smith', 0],
    ])
    expect(await totals(owner, people, ['angstrom', 'smith'])).toEqual([
      ['angstrom', 0],
      ['smith', 1],
    ])
    const cursor = await owner.get(`${people}search=eve&cursor=`)
    expect([cursor.body.data.length, cursor.body.meta.pagination.next_cursor]).toEqual([1, null])
    const lost = await owner.get(`/api/v1/access-points/${made.id}/who-can-open/changes?from=${then}&search=engines`)
    expect(lost.body.data).toEqual([])
  })
})
