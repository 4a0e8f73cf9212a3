import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/access-groups'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

const person = (display_name = 'Ada') => owner.create('/api/v1/individuals', { display_name })
let groups = 0
const group = () => {
  groups += 1
  return owner.create(PATH, { name: `Group ${groups}` })
}

describe('access groups', () => {
  it('are created, read, found, changed and deleted', async () => {
    const made = await owner.post(PATH, { name: 'Führungskräfte' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ description: null, member_count: 0 })
    const path = `${PATH}/${made.body.data.id}`
    expect((await owner.get(path)).body.data).toEqual(made.body.data)
    expect((await owner.get(`${PATH}?search=fuhrungs`)).body.data).toHaveLength(1)
    expect((await owner.patch(path, { description: 'All of them' })).body.data.description).toBe('All of them')
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
  })

  it('have names of their own', async () => {
    const { name } = await group()
    expect((await owner.post(PATH, { name })).body.error.code).toBe('CONFLICT')
    expect((await owner.post(PATH, {})).status).toBe(400)
    expect((await owner.post(PATH, { name: 'X', member_count: 3 })).body.error.reason).toBe('body.read_only')
  })

  it('that were given access are not deleted', async () => {
    const { id } = await group()
    const location = await owner.create('/api/v1/locations', { name: 'Site' })
    await owner.create('/api/v1/access-grants', { access_group_id: id, location_id: location.id })
    expect((await owner.delete(`${PATH}/${id}`)).body.error.code).toBe('RESOURCE_IN_USE')
  })

  it('are there only for those who may see them', async () => {
    const { id } = await group()
    const location = await owner.create('/api/v1/locations', { name: 'Elsewhere' })
    const reader = await memberWith(house, ['access-groups:read'])
    const blind = await memberWith(house, ['spaces:read'])
    const local = await house.member('Facility manager', { location_id: location.id })
    expect((await house.anonymous.get(PATH)).status).toBe(401)
    expect((await blind.get(PATH)).status).toBe(403)
    expect((await reader.get(`${PATH}/${id}`)).status).toBe(200)
    expect((await reader.post(PATH, { name: 'X' })).status).toBe(403)
    expect((await reader.patch(`${PATH}/${id}`, { name: 'X' })).status).toBe(403)
    expect((await reader.delete(`${PATH}/${id}`)).status).toBe(403)
    expect((await local.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${NOBODY}`)).status).toBe(404)
  })
})

describe('members of an access group', () => {
  it('are added, read, found by individual, changed and removed', async () => {
    const { id } = await group()
    const members = `${PATH}/${id}/members`
    const [ada, bob] = [await person('Ada'), await person('Bob')]
    const made = await owner.post(members, { individual_id: ada.id, valid_until: '2027-12-31T00:00:00Z' })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`${members}/${made.body.data.id}`)
    expect(made.body.data).toMatchObject({
      access_group_id: id,
      individual_id: ada.id,
      valid_from: null,
      valid_until: '2027-12-31T00:00:00.000Z',
    })
    await owner.create(members, { individual_id: bob.id })
    expect((await owner.get(`${PATH}/${id}`)).body.data.member_count).toBe(2)
    expect((await owner.get(`${members}?individual_id=eq.${bob.id}`)).body.data).toHaveLength(1)
    const path = `${members}/${made.body.data.id}`
    expect((await owner.patch(path, { valid_until: null })).body.data.valid_until).toBeNull()
    expect((await owner.delete(path)).status).toBe(200)
    expect((await owner.get(path)).status).toBe(404)
    expect((await owner.get(`${PATH}/${id}`)).body.data.member_count).toBe(1)
  })

  it('belong to it once', async () => {
    const { id } = await group()
    const ada = await person()
    await owner.create(`${PATH}/${id}/members`, { individual_id: ada.id })
    expect((await owner.post(`${PATH}/${id}/members`, { individual_id: ada.id })).body.error.code).toBe('CONFLICT')
    expect((await owner.post(`${PATH}/${(await group()).id}/members`, { individual_id: ada.id })).status).toBe(201)
  })

  it('of another group are not there', async () => {
    const [one, other] = [await group(), await group()]
    const member = await owner.create(`${PATH}/${one.id}/members`, { individual_id: (await person()).id })
    expect((await owner.get(`${PATH}/${other.id}/members/${member.id}`)).status).toBe(404)
    expect((await owner.patch(`${PATH}/${other.id}/members/${member.id}`, { valid_until: null })).status).toBe(404)
    expect((await owner.delete(`${PATH}/${other.id}/members/${member.id}`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${other.id}/members`)).body.data).toEqual([])
  })

  it.each([
    ['no individual', {}, 'body.required'],
    ['an individual that does not exist', { individual_id: NOBODY }, 'reference.not_found'],
    ['a group other than the path’s', { individual_id: NOBODY, access_group_id: NOBODY }, 'body.read_only'],
  ])('are refused with %s', async (_what, body, reason) => {
    const answer = await owner.post(`${PATH}/${(await group()).id}/members`, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('are refused with an empty window, and stay the individuals they were', async () => {
    const { id } = await group()
    const ada = await person()
    const window = { valid_from: '2027-07-01T00:00:00Z', valid_until: '2027-06-01T00:00:00Z' }
    expect((await owner.post(`${PATH}/${id}/members`, { individual_id: ada.id, ...window })).body.error.reason).toBe(
      'window.empty',
    )
    const member = await owner.create(`${PATH}/${id}/members`, { individual_id: ada.id })
    const path = `${PATH}/${id}/members/${member.id}`
    expect((await owner.patch(path, window)).body.error.reason).toBe('window.empty')
    expect((await owner.patch(path, { individual_id: (await person()).id })).body.error.reason).toBe('body.read_only')
  })

  it('go with their group, and keep their individual from being deleted until then', async () => {
    const { id } = await group()
    const ada = await person()
    await owner.create(`${PATH}/${id}/members`, { individual_id: ada.id })
    const refused = await owner.delete(`/api/v1/individuals/${ada.id}`)
    expect(refused.body.error.code).toBe('RESOURCE_IN_USE')
    expect(refused.body.msg).toContain('1 access group member')
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(200)
    expect((await owner.delete(`/api/v1/individuals/${ada.id}`)).status).toBe(200)
  })

  it('are each on the record where very many go with their group', async () => {
    const { id } = await group()
    const operations = Array.from({ length: 501 }, (_, n) => ({ op: 'create', body: { display_name: `Many ${n}` } }))
    const { results } = (await owner.post('/api/v1/individuals/batch', { operations })).body.data
    const members = results.map(({ data }: { data: { id: string } }) => ({ individual_id: data.id }))
    expect((await owner.post(`${PATH}/${id}/members/add`, { members })).body.data.added).toBe(501)
    expect((await owner.delete(`${PATH}/${id}`)).status).toBe(200)
    const found = async (path: string) => (await owner.get(path)).body.meta.pagination.total
    expect(await found('/api/v1/audit-log?action=eq.access_group_member.deleted&limit=1')).toBeGreaterThanOrEqual(501)
    expect(await found(`/api/v1/access-group-members?access_group_id=eq.${id}&limit=1`)).toBe(0)
  })

  it('are listed across groups: which groups somebody is in', async () => {
    const ada = await person()
    const [one, other] = [await group(), await group()]
    const body = { individual_id: ada.id, valid_until: '2027-12-31T00:00:00Z' }
    const made = [
      await owner.create(`${PATH}/${one.id}/members`, body),
      await owner.create(`${PATH}/${other.id}/members`, body),
    ]
    const path = `/api/v1/access-group-members?individual_id=eq.${ada.id}`
    expect((await owner.get(`${path}&order=created_at`)).body.data).toEqual(made)
    expect((await owner.get(`${path}&access_group_id=eq.${other.id}`)).body.data).toEqual([made[1]])
    expect((await owner.get('/api/v1/access-group-members?individual_id=ada')).status).toBe(400)
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await (await memberWith(house, ['individuals:read'])).get(path)).status).toBe(403)
    expect((await (await memberWith(house, ['access-groups:read'])).get(path)).body.data).toHaveLength(2)
    const location = await owner.create('/api/v1/locations', { name: 'Far from groups' })
    expect((await (await house.member('Facility manager', { location_id: location.id })).get(path)).body.data).toEqual(
      [],
    )
  })

  it('are there only for those who may see the group', async () => {
    const { id } = await group()
    const ada = await person()
    const member = await owner.create(`${PATH}/${id}/members`, { individual_id: ada.id })
    const members = `${PATH}/${id}/members`
    const location = await owner.create('/api/v1/locations', { name: 'Away' })
    const reader = await memberWith(house, ['access-groups:read'])
    const blind = await memberWith(house, ['individuals:read'])
    const local = await house.member('Facility manager', { location_id: location.id })
    expect((await house.anonymous.get(members)).status).toBe(401)
    expect((await blind.get(members)).status).toBe(403)
    expect((await reader.get(members)).body.data).toHaveLength(1)
    expect((await reader.post(members, { individual_id: ada.id })).status).toBe(403)
    expect((await reader.patch(`${members}/${member.id}`, { valid_until: null })).status).toBe(403)
    expect((await reader.delete(`${members}/${member.id}`)).status).toBe(403)
    expect((await local.get(members)).status).toBe(404)
    expect((await local.post(members, { individual_id: ada.id })).status).toBe(404)
    expect((await local.get(`${members}/${member.id}`)).status).toBe(404)
    expect((await owner.get(`${PATH}/${NOBODY}/members`)).status).toBe(404)
    expect((await owner.post(`${PATH}/${NOBODY}/members`, { individual_id: ada.id })).status).toBe(404)
  })
})
