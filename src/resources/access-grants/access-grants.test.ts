import { beforeAll, describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { memberWith } from '../../../test/support/role.ts'

const house = await startHouse()
const { owner, clock } = house
const PATH = '/api/v1/access-grants'
const NOBODY = '01997d2a-4c00-7000-8000-00000000dead'

async function site(name: string) {
  const location = await owner.create('/api/v1/locations', { name })
  const building = await owner.create('/api/v1/buildings', { name: 'House', location_id: location.id })
  const space = await owner.create('/api/v1/spaces', { name: 'Hall', building_id: building.id })
  const point = await owner.create('/api/v1/access-points', { name: 'Door', space_id: space.id })
  return { location_id: location.id, building_id: building.id, space_id: space.id, access_point_id: point.id }
}

type Site = Awaited<ReturnType<typeof site>>
const targets = (of: Site): Partial<Site>[] => Object.entries(of).map(([name, id]) => ({ [name]: id }))

describe('access grants', () => {
  let here: Site
  let there: Site
  let individual_id: string
  let access_group_id: string
  const give = (more: object = {}) => owner.create(PATH, { individual_id, location_id: here.location_id, ...more })

  beforeAll(async () => {
    here = await site('Here')
    there = await site('There')
    individual_id = (await owner.create('/api/v1/individuals', { display_name: 'Ada' })).id
    access_group_id = (await owner.create('/api/v1/access-groups', { name: 'Night shift' })).id
  })

  it('are created for every kind of target, read, filtered and changed', async () => {
    for (const target of targets(here)) {
      const made = await owner.post(PATH, { access_group_id, ...target })
      expect(made.status).toBe(201)
      expect(made.body.data).toMatchObject({
        ...target,
        access_group_id,
        individual_id: null,
        effect: 'allow',
        requires_pin: false,
        requires_second_person: false,
        reason: null,
        revoked_at: null,
        status: 'active',
      })
      expect((await owner.get(`${PATH}/${made.body.data.id}`)).body.data).toEqual(made.body.data)
    }
    const { id } = await give()
    const path = `${PATH}/${id}`
    expect((await owner.patch(path, { effect: 'deny', requires_pin: true, reason: 'Ban' })).body.data).toMatchObject({
      effect: 'deny',
      requires_pin: true,
      reason: 'Ban',
    })
    expect(
      (await owner.get(`${PATH}?individual_id=eq.${individual_id}&effect=eq.deny&requires_pin=is.true`)).body.data,
    ).toHaveLength(1)
  })

  it('have exactly one subject and exactly one target', async () => {
    const place = { location_id: here.location_id }
    const wrong: Array<[object, string]> = [
      [{ ...place }, 'grant.subject'],
      [{ ...place, individual_id, access_group_id }, 'grant.subject'],
      [{ individual_id }, 'grant.target'],
      [{ individual_id, ...place, building_id: here.building_id }, 'grant.target'],
      [{ individual_id, ...here }, 'grant.target'],
    ]
    for (const [body, reason] of wrong) {
      const answer = await owner.post(PATH, body)
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe(reason)
    }
  })

  it.each([
    ['a subject that does not exist', { individual_id: NOBODY }, 'reference.not_found'],
    ['a target that does not exist', { location_id: NOBODY }, 'reference.not_found'],
    [
      'a window that ends before it begins',
      { valid_from: '2027-07-02T00:00:00Z', valid_until: '2027-07-01T00:00:00Z' },
      'window.empty',
    ],
    ['an effect that does not exist', { effect: 'maybe' }, 'body.enum'],
    ['a status, which is derived', { status: 'active' }, 'body.read_only'],
    ['a revoked_at, which the action sets', { revoked_at: '2027-07-02T00:00:00Z' }, 'body.read_only'],
  ])('refuse %s', async (_what, more, reason) => {
    const answer = await owner.post(PATH, { individual_id, location_id: here.location_id, ...more })
    expect(answer.status).toBe(400)
    expect(answer.body.error.reason).toBe(reason)
  })

  it('keep their subject and target', async () => {
    const { id } = await give()
    for (const change of [
      { individual_id },
      { access_group_id: null },
      { location_id: there.location_id },
      { space_id: here.space_id },
    ]) {
      const answer = await owner.patch(`${PATH}/${id}`, change)
      expect(answer.status).toBe(400)
      expect(answer.body.error.reason).toBe('body.read_only')
    }
  })

  it('follow the clock from scheduled to active to expired', async () => {
    const begun = clock.now()
    const { id } = await give({ valid_from: '2027-06-15T13:00:00Z', valid_until: '2027-06-15T14:00:00Z' })
    const status = async () => (await owner.get(`${PATH}/${id}`)).body.data.status
    const listed = async (value: string) => (await owner.get(`${PATH}?id=eq.${id}&status=eq.${value}`)).body.data.length
    const steps: Array<[string, string]> = [
      [begun, 'scheduled'],
      ['2027-06-15T12:59:59.999Z', 'scheduled'],
      ['2027-06-15T13:00:00.000Z', 'active'],
      ['2027-06-15T13:59:59.999Z', 'active'],
      ['2027-06-15T14:00:00.000Z', 'expired'],
    ]
    for (const [at, expected] of steps) {
      clock.set(at)
      expect(await status(), at).toBe(expected)
      expect(await listed(expected), at).toBe(1)
    }
    expect((await owner.patch(`${PATH}/${id}`, { valid_until: '2027-06-16T00:00:00Z' })).body.data.status).toBe(
      'active',
    )
  })

  it('are revoked once and kept as they were', async () => {
    const { id } = await give()
    const revoked = await owner.post(`${PATH}/${id}/revoke`)
    expect(revoked.status).toBe(200)
    expect(revoked.body.data).toMatchObject({ status: 'revoked', revoked_at: clock.now(), version: 2 })
    expect((await owner.get(`${PATH}/${id}`)).body.data).toEqual(revoked.body.data)
    for (const refused of [
      await owner.post(`${PATH}/${id}/revoke`),
      await owner.patch(`${PATH}/${id}`, { valid_until: null, reason: 'Back' }),
      await owner.delete(`${PATH}/${id}`),
    ]) {
      expect(refused.status).toBe(409)
      expect(refused.body.error.code).toBe('INVALID_STATE')
    }
  })

  it('that are over cannot be revoked', async () => {
    const { id } = await give({ valid_until: '2027-01-01T00:00:00Z' })
    expect((await owner.post(`${PATH}/${id}/revoke`)).body.error.reason).toBe('grant.expired')
  })

  it('are deleted only if they never were in force', async () => {
    const ahead = await give({ valid_from: '2028-01-01T00:00:00Z' })
    expect((await owner.delete(`${PATH}/${ahead.id}`)).status).toBe(200)
    const over = await give({ valid_until: '2027-01-01T00:00:00Z' })
    const active = await give()
    for (const { id } of [over, active]) {
      const refused = await owner.delete(`${PATH}/${id}`)
      expect(refused.status).toBe(409)
      expect(refused.body.error.reason).toBe('grant.kept')
    }
    // Nor does moving the start into the future make one that was in force deletable.
    const moved = await owner.patch(`${PATH}/${active.id}`, { valid_from: '2028-01-01T00:00:00Z' })
    expect(moved.status).toBe(409)
    expect(moved.body.error.reason).toBe('grant.begun')
    const later = await give({ valid_from: '2028-01-01T00:00:00Z' })
    expect((await owner.patch(`${PATH}/${later.id}`, { valid_from: '2029-01-01T00:00:00Z' })).body.data.status).toBe(
      'scheduled',
    )
  })

  it('are where their target is: outside a caller’s places they do not exist', async () => {
    const local = await house.member('Facility manager', { location_id: here.location_id })
    const inHouse = await house.member('Facility manager', { building_id: here.building_id })
    for (const target of targets(here)) {
      const { id } = await owner.create(PATH, { individual_id, ...target })
      expect((await local.get(`${PATH}/${id}`)).status).toBe(200)
      expect((await inHouse.get(`${PATH}/${id}`)).status).toBe('location_id' in target ? 404 : 200)
    }
    const far: string[] = []
    for (const target of targets(there)) {
      const { id } = await owner.create(PATH, { individual_id, ...target })
      far.push(id)
      expect((await local.get(`${PATH}/${id}`)).status).toBe(404)
      expect((await local.patch(`${PATH}/${id}`, { reason: 'x' })).status).toBe(404)
      expect((await local.delete(`${PATH}/${id}`)).status).toBe(404)
      expect((await local.post(`${PATH}/${id}/revoke`)).status).toBe(404)
      expect((await local.post(PATH, { individual_id, ...target })).body.error.reason).toBe('reference.not_found')
    }
    expect((await local.get(`${PATH}?id=in.(${far.join(',')})`)).body.data).toEqual([])
    expect((await inHouse.post(PATH, { individual_id, space_id: here.space_id })).status).toBe(201)
    expect((await inHouse.post(PATH, { individual_id, location_id: here.location_id })).status).toBe(400)
  })

  it('need a credential with the permission', async () => {
    const { id } = await give()
    const reader = await memberWith(house, ['access-grants:read'])
    const blind = await memberWith(house, ['spaces:read'])
    const path = `${PATH}/${id}`
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await house.anonymous.post(`${path}/revoke`)).status).toBe(401)
    expect((await blind.get(path)).status).toBe(403)
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(PATH, { individual_id, location_id: here.location_id })).status).toBe(403)
    expect((await reader.patch(path, { reason: 'x' })).status).toBe(403)
    expect((await reader.delete(path)).status).toBe(403)
    expect((await reader.post(`${path}/revoke`)).status).toBe(403)
    expect((await owner.post(`${PATH}/${NOBODY}/revoke`)).status).toBe(404)
    expect((await owner.post(`${path}/revoke`, { why: 'x' })).status).toBe(400)
    expect((await owner.post(`${path}/revoke`, undefined, { 'if-match': '"9"' })).status).toBe(412)
  })
})
