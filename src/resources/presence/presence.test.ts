import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'
import type { Permission } from '../../core/permissions.ts'

const house = await startHouse()
const { owner, clock } = house

let building: { id: string; location_id: string }
let hall: { id: string }
let door: { id: string }
const people: Record<string, { id: string }> = {}

beforeAll(async () => {
  const location = await owner.create('/api/v1/locations', { name: 'Campus' })
  building = await owner.create('/api/v1/buildings', { name: 'Main', location_id: location.id })
  hall = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
  await owner.patch(`/api/v1/spaces/${hall.id}`, { passback: 'hard' })
  door = await owner.create('/api/v1/access-points', {
    name: 'Door',
    space_id: hall.id,
    access_control_system_id: system.id,
    direction: 'both',
  })
  for (const name of ['Ada', 'Bob', 'Eve']) {
    const person = await owner.create('/api/v1/individuals', { display_name: name, phone: '+41' })
    people[name] = person
    await owner.create('/api/v1/credentials', { type: 'card', number: name, individual_id: person.id })
    await owner.create('/api/v1/access-grants', { individual_id: person.id, access_point_id: door.id })
  }
})

const passes = async (name: string, direction: 'in' | 'out') => {
  clock.forward(1000)
  await owner.post('/api/v1/access-events', {
    type: 'access.granted',
    access_point_id: door.id,
    individual_id: people[name]?.id,
    direction,
  })
}
const occupants = async (client = owner) => {
  const { body, text } = await client.get(`/api/v1/spaces/${hall.id}/occupants?order=display_name`)
  expect(body.data, text).toBeDefined()
  return body.data.map(({ display_name }: { display_name: string }) => display_name)
}
const muster = async (headers = {}) => owner.get(`/api/v1/buildings/${building.id}/muster`, headers)

describe('presence', () => {
  it('is who was last seen in a space', async () => {
    for (const name of ['Ada', 'Bob', 'Eve']) await passes(name, 'in')
    expect(await occupants()).toEqual(['Ada', 'Bob', 'Eve'])
    await passes('Eve', 'out')
    expect(await occupants()).toEqual(['Ada', 'Bob'])
    const found = await owner.get(`/api/v1/spaces/${hall.id}/occupants?kind=eq.employee&limit=1`)
    expect(found.body.meta.pagination.total).toBe(2)
  })

  it('is found by name, by those too who may not read individuals', async () => {
    const guard = await memberWith(house, ['presence:read', 'spaces:read'])
    for (const client of [owner, guard]) {
      const found = await client.get(`/api/v1/spaces/${hall.id}/occupants?search=ADA&select=display_name`)
      expect(found.body.data).toEqual([{ display_name: 'Ada' }])
      // Not by what is not shown here, nor whoever has left.
      for (const word of ['%2B41', 'eve']) {
        const { body } = await client.get(`/api/v1/spaces/${hall.id}/occupants?search=${word}`)
        expect(body.data).toEqual([])
      }
    }
    const counted = await owner.get(`/api/v1/spaces/${hall.id}/occupants/summary?search=ada`)
    expect(counted.body.meta.total).toBe(1)
  })

  it('tells at the muster point who is unaccounted for, from the evacuation on', async () => {
    clock.forward(1000)
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', building_id: building.id })
    await passes('Ada', 'out')
    const { data } = (await muster()).body
    expect(data).toMatchObject({ begins_at: drill.created_at, unaccounted: 1, accounted: 1 })
    expect(data.people.map(({ display_name, status }: Record<string, string>) => [display_name, status])).toEqual([
      ['Bob', 'unaccounted'],
      ['Ada', 'accounted'],
    ])
    const csv = await muster({ accept: 'text/csv' })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\r\n')[1]).toMatch(/^unaccounted,Bob,employee,,'\+41,Hall,/)
    const path = `/api/v1/buildings/${building.id}/muster`
    const asked = await owner.get(`${path}?format=csv`)
    expect([asked.text, asked.headers['content-disposition']]).toEqual([csv.text, 'attachment; filename="muster.csv"'])
    expect((await owner.get(`${path}?format=json`, { accept: 'text/csv' })).body.data).toEqual(data)
    for (const wrong of ['format=xls', 'fromat=csv'])
      expect((await owner.get(`${path}?${wrong}`)).status, wrong).toBe(400)
  })

  it('keeps somebody out who is in, until that is forgiven, on the record', async () => {
    const ask = async () => {
      const question = { individual_id: people.Bob?.id, access_point_id: door.id, direction: 'in', at: clock.now() }
      return (await owner.post('/api/v1/access-decisions', question)).body.data.reason
    }
    expect(await ask()).toBe('passback')
    const forgiven = await owner.post(`/api/v1/individuals/${people.Bob?.id}/forgive`)
    expect(forgiven.status, forgiven.text).toBe(200)
    expect(await ask()).toBe('granted')
    expect((await owner.post(`/api/v1/individuals/${people.Bob?.id}/forgive`)).body.msg).toBe(
      'Where Bob was last seen is not known',
    )
    const log = await owner.get(`/api/v1/audit-log?action=eq.individual.forgiven`)
    expect(log.body.data).toHaveLength(1)
  })

  it('is erased with the person', async () => {
    await passes('Bob', 'in')
    expect(await occupants()).toEqual(['Bob'])
    await owner.post(`/api/v1/individuals/${people.Bob?.id}/offboard`)
    expect((await owner.post(`/api/v1/individuals/${people.Bob?.id}/anonymise`)).status).toBe(200)
    expect(await occupants()).toEqual([])
  })

  it('is there for those who may see it, in their places', async () => {
    const path = `/api/v1/spaces/${hall.id}/occupants`
    const other = await owner.create('/api/v1/buildings', { name: 'Other', location_id: building.location_id })
    const elsewhere = await house.member('Operator', { building_id: other.id })
    expect((await elsewhere.get(path)).status).toBe(404)
    expect((await elsewhere.get(`/api/v1/buildings/${building.id}/muster`)).status).toBe(404)
    expect((await house.anonymous.get(path)).status).toBe(401)
    const blind = await memberWith(house, ['spaces:read', 'buildings:read', 'individuals:write'])
    expect((await blind.get(path)).status).toBe(403)
    expect((await blind.get(`/api/v1/buildings/${building.id}/muster`)).status).toBe(403)
    expect((await blind.post(`/api/v1/individuals/${people.Ada?.id}/forgive`)).status).toBe(403)
    const guard = await memberWith(house, ['presence:read'])
    await passes('Ada', 'in')
    expect((await guard.get(`/api/v1/buildings/${building.id}/muster`)).body.data.people[0]).not.toHaveProperty('phone')
  })

  it('tells how to call those whom one may see whole, and no others', async () => {
    const local = await house.member('Operator', { building_id: building.id })
    people.Ida = await owner.create('/api/v1/individuals', {
      display_name: 'Ida',
      phone: '+42',
      building_id: building.id,
    })
    for (const name of ['Ada', 'Ida']) await passes(name, 'in')
    const listed = (await local.get(`/api/v1/buildings/${building.id}/muster`)).body.data.people
    expect(listed.map(({ display_name, phone }: Record<string, string>) => [display_name, phone])).toEqual([
      ['Ada', undefined],
      ['Ida', '+42'],
    ])
  })

  it('of somebody is forgiven without reading more of them than one may', async () => {
    const forgive = async (permissions: Permission[]) => {
      const client = await memberWith(house, permissions, { building_id: building.id })
      const { status, body } = await client.post(`/api/v1/individuals/${people.Ida?.id}/forgive`)
      expect(status).toBe(200)
      return body.data
    }
    expect(await forgive(['presence:forgive'])).toEqual({
      id: people.Ida?.id,
      display_name: 'Ida',
      kind: 'employee',
      company: null,
      status: 'active',
    })
    expect(await forgive(['presence:forgive', 'individuals:read'])).toMatchObject({
      phone: '+42',
      building_id: building.id,
    })
  })

  it('of somebody is forgiven in the places of a limited role, and stays elsewhere', async () => {
    const other = await owner.create('/api/v1/buildings', { name: 'Annexe', location_id: building.location_id })
    const local = await memberWith(house, ['presence:forgive'], { building_id: other.id })
    const room = await owner.create('/api/v1/spaces', { name: 'Room', building_id: other.id })
    const side = await owner.create('/api/v1/access-points', { name: 'Side', space_id: room.id, direction: 'both' })
    people.Max = await owner.create('/api/v1/individuals', { display_name: 'Max', building_id: other.id })
    const forgive = async () => (await local.post(`/api/v1/individuals/${people.Max?.id}/forgive`)).body.msg
    const notHere = 'Where Max was last seen is not known, or is outside the places you may manage'
    expect(await forgive()).toBe(notHere)
    await passes('Max', 'in')
    expect(await forgive()).toBe(notHere)
    expect(await occupants()).toContain('Max')
    await passes('Max', 'out')
    expect(await forgive()).toBe(notHere)
    for (const direction of ['in', 'out']) {
      clock.forward(1000)
      const passed = { type: 'access.granted', access_point_id: side.id, individual_id: people.Max?.id, direction }
      await owner.post('/api/v1/access-events', passed)
      expect(await forgive()).toBe('Forgave Max: where they were last seen is forgotten')
    }
  })

  it('of somebody who belongs elsewhere is forgiven by whoever manages where they stand, who is told no more', async () => {
    const other = await owner.create('/api/v1/buildings', { name: 'Abroad', location_id: building.location_id })
    const guest = { display_name: 'Gus', phone: '+43', building_id: other.id, company: 'Guests' }
    people.Gus = await owner.create('/api/v1/individuals', guest)
    const path = `/api/v1/individuals/${people.Gus?.id}/forgive`
    const [local, reader, far] = [
      await memberWith(house, ['presence:forgive'], { building_id: building.id }),
      await memberWith(house, ['presence:forgive', 'individuals:read'], { building_id: building.id }),
      await memberWith(house, ['presence:forgive'], { building_id: other.id }),
    ]
    const unknown = await local.post(`/api/v1/individuals/${building.id}/forgive`)
    const untold = await local.post(path)
    expect([untold.status, untold.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(untold.body.msg).toBe(unknown.body.msg)
    for (const client of [local, reader]) {
      await passes('Gus', 'in')
      expect((await far.post(path)).body.msg).toContain('is outside the places you may manage')
      expect(await occupants()).toContain('Gus')
      const forgiven = await client.post(path)
      expect([forgiven.status, forgiven.body.msg]).toEqual([200, 'Forgave Gus: where they were last seen is forgotten'])
      expect(forgiven.body.data.display_name).toBe('Gus')
      expect(forgiven.text).not.toContain('+43')
      expect(forgiven.text).not.toContain(other.id)
      expect(await occupants()).not.toContain('Gus')
    }
    expect((await local.post(path)).status).toBe(404)
  })

  it('tells of whoever left into another building that they have left', async () => {
    const next = await owner.create('/api/v1/buildings', { name: 'Next', location_id: building.location_id })
    const foyer = await owner.create('/api/v1/spaces', { name: 'Foyer', building_id: next.id })
    const bridge = await owner.create('/api/v1/access-points', {
      name: 'Bridge',
      space_id: foyer.id,
      from_space_id: hall.id,
      direction: 'both',
    })
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', location_id: building.location_id })
    const mia = await owner.create('/api/v1/individuals', { display_name: 'Mia' })
    const cross = async (direction: 'in' | 'out') => {
      clock.forward(1000)
      const passed = { type: 'access.taken', access_point_id: bridge.id, individual_id: mia.id, direction }
      await owner.post('/api/v1/access-events', passed)
      const lists = [await muster(), await owner.get(`/api/v1/buildings/${next.id}/muster`)]
      return lists.map(
        ({ body }) =>
          body.data.people.find(({ individual_id }: { individual_id: string }) => individual_id === mia.id)?.status,
      )
    }
    expect(await cross('in')).toEqual(['accounted', 'unaccounted'])
    expect(await cross('out')).toEqual(['unaccounted', 'accounted'])
    await owner.post(`/api/v1/lockdowns/${drill.id}/release`)
  })

  it('tells of whoever was seen in another building since, as at an assembly point, that they are accounted for', async () => {
    const next = await owner.create('/api/v1/buildings', { name: 'Assembly', location_id: building.location_id })
    const foyer = await owner.create('/api/v1/spaces', { name: 'Square', building_id: next.id })
    const reader = await owner.create('/api/v1/access-points', { name: 'Post', space_id: foyer.id })
    const names = ['Left', 'Unseen', 'Early', 'Outsider']
    for (const name of names) people[name] = await owner.create('/api/v1/individuals', { display_name: name })
    const badge = async (name: string, type = 'access.granted') => {
      clock.forward(1000)
      const seen = { type, access_point_id: reader.id, individual_id: people[name]?.id }
      await owner.post('/api/v1/access-events', seen)
      return clock.now()
    }
    const local = await memberWith(house, ['presence:read', 'buildings:read'], { building_id: building.id })
    const listed = async (client = owner) => {
      const { data } = (await client.get(`/api/v1/buildings/${building.id}/muster`)).body
      const own = data.people.filter(({ display_name: name }: { display_name: string }) => names.includes(name))
      return Object.fromEntries(own.map((row: Record<string, string>) => [row.display_name, [row.status, row.since]]))
    }
    for (const name of ['Left', 'Unseen', 'Early']) await passes(name, 'in')
    const entered = { Unseen: ['unaccounted', new Date(Date.parse(clock.now()) - 1000).toISOString()] }
    await passes('Early', 'out')
    clock.forward(1000)
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', building_id: building.id })
    await passes('Left', 'out')
    const left = ['accounted', clock.now()]
    expect(await listed()).toEqual({ ...entered, Left: left })
    for (const name of ['Left', 'Early', 'Outsider']) await badge(name)
    const seen = await badge('Unseen')
    for (const client of [owner, local]) {
      expect(await listed(client)).toEqual({ Left: left, Unseen: ['accounted', seen] })
      const { text } = await client.get(`/api/v1/buildings/${building.id}/muster`)
      for (const elsewhere of [next.id, foyer.id, reader.id, 'Square']) expect(text).not.toContain(elsewhere)
    }
    // Badging once more says nothing new of this building.
    await badge('Unseen')
    expect(await listed()).toEqual({ Left: left, Unseen: ['accounted', seen] })
    await passes('Unseen', 'in')
    expect(await listed()).toEqual({ Left: left, Unseen: ['unaccounted', clock.now()] })
    // Whoever was let in there and did not go is where they were, and is searched for.
    const back = clock.now()
    await badge('Unseen')
    await badge('Unseen', 'access.not_taken')
    expect(await listed()).toEqual({ Left: left, Unseen: ['unaccounted', back] })
    await passes('Unseen', 'out')
    expect(await listed()).toEqual({ Left: left, Unseen: ['accounted', clock.now()] })
    await owner.delete(`/api/v1/individuals/${people.Left?.id}`)
    expect(await listed()).not.toHaveProperty('Left')
    await owner.post(`/api/v1/lockdowns/${drill.id}/release`)
  })

  it('tells from the first of several evacuations on who has left, whoever starts another, and not from a drill', async () => {
    await passes('Eve', 'in')
    const later = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
    const first = await owner.create('/api/v1/lockdowns', {
      kind: 'evacuation',
      building_id: building.id,
      expires_at: later,
    })
    await passes('Eve', 'out')
    clock.forward(1000)
    const { data: second } = (await owner.post('/api/v1/lockdowns/evacuate')).body
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', building_id: building.id })
    const since = async () => {
      const { begins_at, people } = (await muster()).body.data
      const eve = people.find(({ display_name }: { display_name: string }) => display_name === 'Eve')
      return [begins_at, eve?.status]
    }
    expect(await since()).toEqual([first.created_at, 'accounted'])
    await owner.post(`/api/v1/lockdowns/${first.id}/release`)
    expect(await since()).toEqual([second.created_at, undefined])
    for (const { id } of [second, drill]) await owner.post(`/api/v1/lockdowns/${id}/release`)
  })

  it('of whoever was in a space that was joined to another is in that one: they are searched for', async () => {
    const [joined, gone] = await Promise.all(
      ['Joined', 'To be joined'].map((name) => owner.create('/api/v1/spaces', { name, building_id: building.id })),
    )
    const side = await owner.create('/api/v1/access-points', { name: 'Side', space_id: gone.id, direction: 'both' })
    const zoe = await owner.create('/api/v1/individuals', { display_name: 'Zoe' })
    const drill = await owner.create('/api/v1/lockdowns', { kind: 'drill', building_id: building.id })
    clock.forward(1000)
    const passed = { type: 'access.taken', access_point_id: side.id, individual_id: zoe.id, direction: 'in' }
    await owner.post('/api/v1/access-events', passed)
    expect((await owner.delete(`/api/v1/spaces/${gone.id}`)).status).toBe(409)
    await owner.patch(`/api/v1/access-points/${side.id}`, { space_id: joined.id })
    expect((await owner.delete(`/api/v1/spaces/${gone.id}`)).status).toBe(200)
    const { people: listed } = (await muster()).body.data
    expect(listed.find(({ individual_id }: { individual_id: string }) => individual_id === zoe.id)).toMatchObject({
      status: 'unaccounted',
      space: 'Joined',
      since: clock.now(),
    })
    await owner.post(`/api/v1/lockdowns/${drill.id}/release`)
  })

  it('of somebody who was deleted is nobody’s: they are no occupant, and fill no space', async () => {
    const office = await owner.create('/api/v1/spaces', { name: 'Office', building_id: building.id })
    await owner.patch(`/api/v1/spaces/${office.id}`, { occupancy_limit: 1 })
    const { access_control_system_id } = (await owner.get(`/api/v1/access-points/${door.id}`)).body.data
    const side = await owner.create('/api/v1/access-points', {
      name: 'Office door',
      space_id: office.id,
      access_control_system_id,
    })
    const next = await owner.create('/api/v1/individuals', { display_name: 'Next' })
    await owner.create('/api/v1/credentials', { type: 'card', number: 'Next', individual_id: next.id })
    await owner.create('/api/v1/access-grants', { individual_id: next.id, access_point_id: side.id })
    const gone = await owner.create('/api/v1/individuals', { display_name: 'Gone' })
    const passed = { type: 'access.granted', access_point_id: side.id, individual_id: gone.id }
    await owner.post('/api/v1/access-events', passed)
    const decided = async () => {
      const asked = { individual_id: next.id, access_point_id: side.id }
      return (await owner.post('/api/v1/access-decisions', asked)).body.data.reason
    }
    expect(await decided()).toBe('occupancy_limit')
    expect((await owner.delete(`/api/v1/individuals/${gone.id}`)).status).toBe(200)
    expect(await decided()).toBe('granted')
    expect((await owner.get(`/api/v1/spaces/${office.id}/occupants`)).body.data).toEqual([])
  })
})
