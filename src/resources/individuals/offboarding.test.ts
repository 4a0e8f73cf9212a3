import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { makeEstate } from '../../../test/support/mechanical.ts'
import { memberWith } from '../../../test/support/role.ts'
import { offboardWhoLeft } from '../../jobs/offboardings.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const PATH = '/api/v1/individuals'
const DAY = 86_400_000
let numbers = 0

const ada = (more: object = {}) => owner.create(PATH, { given_name: 'Ada', family_name: 'Byron', ...more })
const offboard = (id: string, on?: string, who = owner) =>
  who.post(`${PATH}/${id}/offboard`, on === undefined ? undefined : { on })
const takeBack = (id: string) => owner.post(`${PATH}/${id}/take-back-offboarding`)
const read = async (id: string) => (await owner.get(`${PATH}/${id}`)).body.data
const card = async (individual_id: string) => {
  numbers += 1
  return owner.create('/api/v1/credentials', { type: 'card', number: String(numbers), individual_id })
}
const statusOf = async (id: string) => (await owner.get(`/api/v1/credentials/${id}`)).body.data.status_type

describe('an offboarding with a date', () => {
  it('is planned for the end of that day where the organization is, says what it will end, and ends it then', async () => {
    const { id } = await ada()
    const { id: cardId } = await card(id)
    const answer = await offboard(id, '2027-06-30')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      status: 'active',
      offboard_at: '2027-06-30T22:00:00.000Z',
      valid_until: '2027-06-30T22:00:00.000Z',
      credentials: [{ id: cardId }],
      access_grants: [],
      memberships: [],
      keys_to_recover: [],
    })
    expect(await statusOf(cardId)).toBe('active')
    clock.set('2027-06-30T21:59:59.999Z')
    expect(await offboardWhoLeft(engine, clock.now())).toBe(0)
    expect(await statusOf(cardId)).toBe('active')
    clock.set('2027-06-30T22:00:00.000Z')
    expect(await statusOf(cardId)).toBe('expired')
    const neighbour = (await house.neighbour()).house.engine
    const done = await Promise.all([offboardWhoLeft(engine, clock.now()), offboardWhoLeft(neighbour, clock.now())])
    expect(done[0] + done[1]).toBe(1)
    expect(await read(id)).toMatchObject({ status: 'offboarded', offboard_at: null, valid_until: null })
    expect(await statusOf(cardId)).toBe('terminated')
    const log = await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&order=sequence`)
    expect(
      log.body.data.map(({ action, actor_name }: Record<string, string>) => [action, actor_name]).slice(-2),
    ).toEqual([
      ['individual.offboarding_planned', expect.stringMatching(/^Owner/)],
      ['individual.offboarded', 'Planned offboarding'],
    ])
    expect(await offboardWhoLeft(engine, clock.now())).toBe(0)
    expect((await owner.post(`${PATH}/${id}/reactivate`)).body.data).toMatchObject({
      status: 'active',
      valid_until: null,
    })
  })

  it('is taken back, moved and carried out early, and leaves the validity of before', async () => {
    const end = '2028-12-31T23:00:00.000Z'
    const { id } = await ada({ valid_until: end })
    expect((await takeBack(id)).body.error.reason).toBe('offboard.not_planned')
    const at = new Date(Date.parse(clock.now()) + DAY).toISOString()
    expect((await offboard(id, at)).body.data).toMatchObject({ offboard_at: at, valid_until: at })
    expect((await offboard(id, '2029-05-01')).body.data).toMatchObject({
      offboard_at: '2029-05-01T22:00:00.000Z',
      valid_until: end,
    })
    expect((await offboard(id, at)).body.data.valid_until).toBe(at)
    expect((await takeBack(id)).body.data).toMatchObject({ offboard_at: null, valid_until: end, status: 'active' })
    clock.forward(2 * DAY)
    expect(await offboardWhoLeft(engine, clock.now())).toBe(0)
    await offboard(id, new Date(Date.parse(clock.now()) + DAY).toISOString())
    expect((await offboard(id)).body.data).toMatchObject({ status: 'offboarded', offboard_at: null, valid_until: end })
    expect((await takeBack(id)).status).toBe(409)
  })

  it('says that it is planned, and for when', async () => {
    const { id } = await ada()
    expect((await offboard(id, '2029-05-01')).body.msg).toBe(
      'Planned to offboard individual on 2029-05-01T22:00:00.000Z',
    )
    expect((await offboard(id)).body.msg).toBe('Offboarded individual')
  })

  it.each([null, '2029-05-01T22:00:00.001Z'])(
    'keeps its end: valid until %s is refused with the way out',
    async (valid_until) => {
      const { id } = await ada()
      await offboard(id, '2029-05-01')
      const refused = await owner.patch(`${PATH}/${id}`, { valid_until })
      expect([refused.status, refused.body.error.reason]).toEqual([409, 'offboard.planned'])
      expect(refused.body.msg).toContain('take-back-offboarding')
      expect((await read(id)).valid_until).toBe('2029-05-01T22:00:00.000Z')
      expect((await owner.patch(`${PATH}/${id}`, { given_name: 'Augusta' })).status).toBe(200)
      await takeBack(id)
      expect((await owner.patch(`${PATH}/${id}`, { valid_until })).status).toBe(200)
    },
  )

  it('leaves a validity alone that somebody has set since', async () => {
    const { id } = await ada()
    await offboard(id, '2029-05-01')
    await owner.patch(`${PATH}/${id}`, { valid_until: '2029-04-01T00:00:00.000Z' })
    expect((await takeBack(id)).body.data.valid_until).toBe('2029-04-01T00:00:00.000Z')
  })

  it.each([
    ['a day that is over', '2027-01-01', 'offboard.past'],
    ['a moment that is over', '2027-01-01T00:00:00Z', 'offboard.past'],
    ['a day that does not exist', '2028-02-30', 'body.format'],
    ['no day at all', 'tomorrow', 'body.format'],
  ])('is refused for %s', async (_what, on, reason) => {
    const { id } = await ada()
    const answer = await offboard(id, on)
    expect([answer.status, answer.body.error.reason]).toEqual([400, reason])
    expect(await read(id)).toMatchObject({ status: 'active', version: 1 })
  })

  it('tells nobody what they may not see', async () => {
    const here = await makeEstate(owner, 'Here')
    const there = await makeEstate(owner, 'There')
    const { id } = await ada({ building_id: here.building.id })
    await card(id)
    const near = await owner.create('/api/v1/access-grants', { individual_id: id, space_id: here.space.id })
    await owner.create('/api/v1/access-grants', { individual_id: id, space_id: there.space.id })
    const local = await memberWith(house, ['individuals:read', 'individuals:write', 'access-grants:read'], {
      building_id: here.building.id,
    })
    const { body } = await offboard(id, '2029-05-01', local)
    expect(body.data).toMatchObject({
      credentials: null,
      access_grants: [{ id: near.id, target_name: 'Here office' }],
      memberships: null,
      keys_to_recover: null,
      limited_to: [{ building_id: here.building.id }],
    })
    expect((await offboard(id)).body.data.access_grants).toHaveLength(2)
  })
})
