import { describe, expect, it, vi } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { recordClockChanges } from './clock.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.parse(clock.now()) + hours * HOUR).toISOString()
const told = async (id: string) =>
  (await owner.get(`/api/v1/changes?resource_id=${id}&type=*.begun,*.ended,*.expired`)).body.data.map(
    ({ type, data }: { type: string; data: { status?: string; status_type?: string } }) => [
      type,
      data.status ?? data.status_type,
    ],
  )

const location = await owner.create('/api/v1/locations', { name: 'HQ' })
const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
const window = () => ({ valid_from: inHours(1), valid_until: inHours(3) })
const grant = () =>
  owner.create('/api/v1/access-grants', { individual_id: person.id, location_id: location.id, ...window() })

describe('what the clock alone changes', () => {
  it('is told when it begins and when it ends, once each, whichever of two processes looks', async () => {
    const other = (await house.neighbour()).house.engine
    const look = async () => {
      const given = await Promise.all([engine, other, engine].map((on) => recordClockChanges(on, clock.now())))
      return given.reduce((sum, n) => sum + n, 0)
    }
    const { id } = await grant()
    const card = await owner.create('/api/v1/credentials', {
      type: 'card',
      number: '1',
      individual_id: person.id,
      valid_until: inHours(3),
    })
    const visitor = await owner.create('/api/v1/individuals', { display_name: 'Visitor', ...window() })
    const lockdown = await owner.create('/api/v1/lockdowns', { kind: 'drill', reason: 'Test', expires_at: inHours(3) })
    expect(await look()).toBe(0)
    clock.forward(HOUR)
    expect(await look()).toBe(2)
    expect(await look()).toBe(0)
    expect([await told(id), await told(visitor.id)]).toEqual([
      [['access-grant.begun', 'active']],
      [['individual.begun', 'active']],
    ])
    clock.forward(2 * HOUR)
    expect(await look()).toBe(4)
    expect(await look()).toBe(0)
    expect((await told(id)).at(-1)).toEqual(['access-grant.ended', 'expired'])
    expect(await told(card.id)).toEqual([['credential.expired', 'expired']])
    expect(await told(lockdown.id)).toEqual([['lockdown.expired', 'expired']])
    const entry = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&action=eq.access_grant.begun`)).body.data[0]
    expect(entry).toMatchObject({ actor_kind: 'system', before: { status: 'scheduled' }, after: { status: 'active' } })
  })

  it('is not told where nothing changes by it any more, and again where the moment was moved', async () => {
    const [revoked, moved] = [await grant(), await grant()]
    await owner.post(`/api/v1/access-grants/${revoked.id}/revoke`)
    clock.forward(3 * HOUR)
    await recordClockChanges(engine, clock.now())
    expect(await told(revoked.id)).toEqual([])
    expect(await told(moved.id)).toHaveLength(2)
    await owner.patch(`/api/v1/access-grants/${moved.id}`, { valid_until: inHours(1) })
    clock.forward(HOUR)
    await recordClockChanges(engine, clock.now())
    expect(await told(moved.id)).toHaveLength(3)
  })

  it('of many at the same moment is told of each once, a batch at a time, though it breaks off between', async () => {
    const people: Array<{ id: string }> = []
    for (let i = 0; i < 130; i++)
      people.push(await owner.create('/api/v1/individuals', { display_name: `P${i}`, valid_until: inHours(1) }))
    clock.forward(HOUR)
    const transaction = engine.transaction.bind(engine)
    vi.spyOn(engine, 'transaction').mockImplementationOnce(transaction).mockRejectedValueOnce(new Error('killed'))
    await expect(recordClockChanges(engine, clock.now())).rejects.toThrow('killed')
    vi.restoreAllMocks()
    expect(await recordClockChanges(engine, clock.now())).toBe(30)
    const { data } = (
      await owner.get('/api/v1/audit-log?action=eq.individual.ended&limit=100&select=resource_id&order=sequence.desc')
    ).body
    const more = (
      await owner.get(
        '/api/v1/audit-log?action=eq.individual.ended&limit=100&page=2&select=resource_id&order=sequence.desc',
      )
    ).body.data
    const ended = [...data, ...more].map(({ resource_id }: { resource_id: string }) => resource_id)
    expect(people.filter(({ id }) => ended.filter((one) => one === id).length !== 1)).toEqual([])
  })

  it('a clock that is set back tells of nothing twice', async () => {
    const { id } = await grant()
    clock.forward(2 * HOUR)
    await recordClockChanges(engine, clock.now())
    clock.forward(-1.5 * HOUR)
    expect(await recordClockChanges(engine, clock.now())).toBe(0)
    clock.forward(HOUR)
    expect(await recordClockChanges(engine, clock.now())).toBe(0)
    expect(await told(id)).toHaveLength(1)
    clock.forward(2 * HOUR)
    await recordClockChanges(engine, clock.now())
    expect(await told(id)).toHaveLength(2)
  })
})
