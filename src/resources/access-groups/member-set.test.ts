import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { countRows } from '../../../test/support/rows.ts'

const house = await startHouse()
const { owner, engine } = house

let group: { id: string; version: number }
let path: string
const people: string[] = []
beforeAll(async () => {
  group = await owner.create('/api/v1/access-groups', { name: 'Night shift' })
  path = `/api/v1/access-groups/${group.id}/members`
  for (const given_name of ['Ada', 'Ben', 'Cleo', 'Dan'])
    people.push((await owner.create('/api/v1/individuals', { given_name, family_name: 'X' })).id)
})

const set = (ids: number[], more: object = {}, query = '', client: Client = owner) =>
  client.request('PUT', `${path}${query}`, { members: ids.map((n) => ({ individual_id: people[n], ...more })) })
const names = async () => {
  const { data } = (await owner.get(`/api/v1/access-group-members?access_group_id=eq.${group.id}`)).body
  return data.map(({ individual_id }: { individual_id: string }) => people.indexOf(individual_id)).sort()
}
const records = async () => (await owner.get('/api/v1/audit-log?limit=1')).body.meta.pagination.total

describe('the members of a group', () => {
  it('are set: who is missing goes, who is new comes, and who stays is not touched', async () => {
    expect((await set([0, 1])).body.data).toEqual({ added: 2, changed: 0, removed: 0, unchanged: 0 })
    const before = await records()
    expect((await set([1, 2])).body.data).toEqual({ added: 1, changed: 0, removed: 1, unchanged: 1 })
    expect(await names()).toEqual([1, 2])
    expect((await records()) - before).toBe(2)
  })

  it('set to what they are leave nothing on the record', async () => {
    const before = await countRows(engine)
    expect((await set([2, 1])).body.data).toEqual({ added: 0, changed: 0, removed: 0, unchanged: 2 })
    expect(await countRows(engine)).toEqual(before)
  })

  it('are added and removed, many at once', async () => {
    const added = await owner.post(`${path}/add`, { members: [0, 1, 3].map((n) => ({ individual_id: people[n] })) })
    expect(added.body.data).toEqual({ added: 2, changed: 0, removed: 0, unchanged: 1 })
    const removed = await owner.post(`${path}/remove`, { individual_ids: [people[0], people[3], group.id] })
    expect(removed.body.data).toEqual({ added: 0, changed: 0, removed: 2, unchanged: 1 })
    expect(await names()).toEqual([1, 2])
  })

  it('keep their time unless it is said', async () => {
    const until = '2028-01-01T00:00:00.000Z'
    expect((await set([1, 2], { valid_until: until })).body.data.changed).toBe(2)
    expect((await set([1, 2])).body.data.unchanged).toBe(2)
    expect((await set([1, 2], { valid_until: null })).body.data.changed).toBe(2)
  })

  it('are all set or none, and the fault says of which', async () => {
    const unknown = '01997d2a-4c00-7000-8000-00000000ffff'
    const answer = await owner.request('PUT', path, {
      members: [{ individual_id: people[0] }, { individual_id: unknown }],
    })
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'members[1].individual_id'])
    const twice = await set([0, 0])
    expect([twice.status, twice.body.error.reason]).toEqual([400, 'members.twice'])
    expect(await names()).toEqual([1, 2])
  })

  it('tried say who would gain and lose doors, and stay', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
    const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
    const system = await owner.create('/api/v1/access-control-systems', { name: 'Controllers' })
    await owner.create('/api/v1/access-points', {
      name: 'Door',
      space_id: space.id,
      access_control_system_id: system.id,
    })
    await owner.create('/api/v1/access-grants', { access_group_id: group.id, building_id: building.id })
    for (const individual_id of people)
      await owner.create('/api/v1/credentials', { type: 'card', number: individual_id, individual_id })
    const tried = await set([0, 2, 3], {}, '?dry_run=true')
    expect(tried.body.meta.access).toMatchObject({ gained: { people: 2 }, lost: { people: 1 } })
    expect(await names()).toEqual([1, 2])
  })

  it('of a group elsewhere are not set by a role limited to a building, and not with an old If-Match', async () => {
    const [building] = (await owner.get('/api/v1/buildings')).body.data
    const limited = await house.member('Owner', { building_id: building.id })
    // It has a grant there: it is seen, and not changed.
    expect((await set([0], {}, '', limited)).status).toBe(403)
    expect((await owner.request('PUT', path, { members: [] }, { 'if-match': '"7"' })).status).toBe(412)
    const own = await owner.create('/api/v1/access-groups', { name: 'Theirs', building_id: building.id })
    const tell = async (individual_id: string | undefined) => {
      const answer = await limited.post(`/api/v1/access-groups/${own.id}/members/add`, { members: [{ individual_id }] })
      return [answer.status, answer.body.error?.reason, answer.body.msg?.replace(individual_id, 'ID')]
    }
    expect(await tell(people[0])).toEqual(await tell('01997d2a-4c00-7000-8000-00000000ffff'))
    expect((await tell(people[0]))[0]).toBe(400)
    expect(await names()).toEqual([1, 2])
  })
})
