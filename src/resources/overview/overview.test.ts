import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { populate } from '../../../test/support/population.ts'
import { memberWith } from '../../../test/support/role.ts'
import { families, valuesOf } from './families.ts'
import { overviewExample } from './schema.ts'

const house = await startHouse()
const { owner } = house
const PATH = '/api/v1/overview'

const overviewFor = async (client: Client) => (await client.get(PATH)).body.data

async function listTotal(client: Client, noun: string, query = ''): Promise<number> {
  const { status, body } = await client.get(`/api/v1/${noun}?limit=1${query}`)
  if (status !== 200) throw new Error(`${noun}: ${status}`)
  const { pagination } = body.meta
  return pagination.total_items ?? pagination.total
}

/** What the lists say, asked one by one. */
async function byLists(client: Client): Promise<Record<string, Record<string, unknown>>> {
  const counted: Record<string, Record<string, unknown>> = {}
  for (const [name, family] of Object.entries(families)) {
    const { resource, by } = family
    const own: Record<string, unknown> = { total: await listTotal(client, resource.noun) }
    if (by !== undefined) {
      const values: Record<string, number> = {}
      for (const value of valuesOf(family)) values[value] = await listTotal(client, resource.noun, `&${by}=eq.${value}`)
      own[`by_${by}`] = values
    }
    counted[name] = own
  }
  return counted
}

describe('the overview', () => {
  let building: string
  beforeAll(async () => {
    const ids = await populate(house, owner, 'First')
    await populate(house, owner, 'Second')
    building = ids.buildings as string
    await owner.create('/api/v1/individuals', { display_name: 'Bob', status: 'invited' })
    await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '77',
      individual_id: ids.individuals,
      status_reason: 'lost',
    })
    const card = (security_card_expires_on: string, status = 'active') =>
      owner.create('/api/v1/locking-system', {
        name: security_card_expires_on,
        building_id: building,
        security_card_expires_on,
        status,
      })
    // Counted on 2027-06-17: the first and the last of the 90 days, a day beside each, and a system that is retired.
    for (const day of ['2027-06-16', '2027-06-17', '2027-09-15', '2027-09-16']) await card(day)
    await card('2027-07-01', 'retired')
    const key = async (number: string, due_back_on: string) => {
      const made = await owner.create('/api/v1/keys', { key_type_id: ids.key_types, number, status: 'in_stock' })
      const issued = await owner.post(`/api/v1/keys/${made.id}/issue`, { individual_id: ids.individuals, due_back_on })
      if (issued.status !== 200) throw new Error(issued.text)
      return made.id as string
    }
    await key('91', '2027-06-16')
    await key('92', '2027-06-17')
    await owner.post(`/api/v1/keys/${await key('93', '2027-06-16')}/return`, {})
    house.clock.set('2027-06-17T08:00:00.000Z')
  })

  it('counts every family as its lists do, by every state', async () => {
    const data = await overviewFor(owner)
    const lists = await byLists(owner)
    expect(Object.keys(data)).toEqual(Object.keys(families))
    for (const [name, own] of Object.entries(lists)) expect(data[name], name).toMatchObject(own)
    expect(data.individuals.by_status.invited).toBe(1)
    expect(data.credentials.by_status_type.terminated).toBe(1)
  })

  it('counts what is overdue and which security cards run out, by the day', async () => {
    const { keys, locking_systems } = await overviewFor(owner)
    expect(keys.overdue).toBe(1)
    expect(locking_systems.security_cards_expiring_within_90_days).toBe(2)
    expect(locking_systems.security_cards_expired).toBe(1)
  })

  it('counts by the day of the organization, which begins two hours before UTC’s in summer', async () => {
    const overdueAt = async (at: string) => {
      house.clock.set(at)
      const { keys, locking_systems } = await overviewFor(owner)
      const system = (await owner.get('/api/v1/locking-system/overview')).body.data
      expect(system.keys.overdue).toBe(keys.overdue)
      expect(system.security_cards.expiring_within_90_days).toBe(locking_systems.security_cards_expiring_within_90_days)
      return [keys.overdue, locking_systems.security_cards_expired]
    }
    expect(await overdueAt('2027-06-17T21:59:59.000Z')).toEqual([1, 1])
    // From memory until midnight there, and not longer.
    expect(await overdueAt('2027-06-17T22:00:00.000Z')).toEqual([2, 2])
    expect(await overdueAt('2027-06-17T08:00:00.000Z')).toEqual([1, 1])
  })

  it('follows every change at once', async () => {
    const before = await overviewFor(owner)
    await owner.create('/api/v1/locations', { name: 'New' })
    expect((await overviewFor(owner)).locations.total).toBe(before.locations.total + 1)
  })

  it('counts for whoever is limited to a building what lies there, and gives null for what has no place', async () => {
    const member = await house.member('Facility manager', { building_id: building })
    const data = await overviewFor(member)
    for (const [name, { resource }] of Object.entries(families)) {
      if (!resource.place) expect(data[name], name).toBeNull()
      else expect(data[name].total, name).toBe(await listTotal(member, resource.noun))
      if (resource.place)
        expect(data[name].limited_to, name).toEqual([expect.objectContaining({ building_id: building })])
    }
    for (const path of ['locking-system', 'access-control-systems'])
      expect((await member.get(`/api/v1/${path}/overview`)).body.data.limited_to).toEqual(data.buildings.limited_to)
    expect(JSON.stringify(await overviewFor(owner))).not.toContain('limited_to')
    expect(data.buildings.total).toBe(1)
    expect(data.spaces.total).toBeLessThan((await overviewFor(owner)).spaces.total)
  })

  it('gives null for a family that the caller may not read, and needs no permission of its own', async () => {
    const member = await memberWith(house, ['spaces:read'])
    const data = await overviewFor(member)
    expect(data.spaces.total).toBe((await overviewFor(owner)).spaces.total)
    for (const name of Object.keys(families)) if (name !== 'spaces') expect(data[name], name).toBeNull()
  })

  it('is not for whoever is not known', async () => {
    expect((await house.anonymous.get(PATH)).status).toBe(401)
  })

  it('takes no parameters', async () => {
    expect((await owner.get(`${PATH}?limit=1`)).status).toBe(400)
  })

  it('is shown in the reference with the states that there are', async () => {
    const data = await overviewFor(owner)
    const shape = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, own]) => [name, shape(own)]))
        : typeof value
    expect(shape(overviewExample)).toEqual(shape(data))
  })
})
