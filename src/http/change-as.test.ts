import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../test/support/app.ts'
import { memberWith } from '../../test/support/role.ts'
import { change, type Tx } from '../db/change.ts'
import { sql } from '../db/sql.ts'

const house = await startHouse()
const { owner, engine, clock } = house
const admin = house.loggedIn(owner.token)

const { writers } = engine
const { take } = writers
let asked = 0
writers.take = (...turn) => {
  asked += 1
  return take.apply(writers, turn as Parameters<typeof take>) as never
}

/** Does something in a change that somebody else's waits for, before that is made. */
async function meanwhile<T>(work: (tx: Tx) => Promise<unknown>, waits: () => Promise<T>): Promise<T> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = change(engine, 1, clock.now(), actor, async (tx) => {
    await tx.held()
    begun.resolve()
    await ended.promise
    await work(tx)
    tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: null })
  })
  await begun.promise
  const before = asked
  const waiting = waits()
  await expect.poll(() => asked).toBe(before + 1)
  ended.resolve()
  await first
  return waiting
}

const idOf = async (client: typeof owner): Promise<string> => (await client.get('/api/v1/me')).body.data.id
const assignmentsOf = async (id: string) =>
  (await owner.get(`/api/v1/role-assignments?service_user_id=eq.${id}`)).body.data as Array<{
    id: string
    role_id: string
  }>

describe('whoever waits for other changes', () => {
  it('gives nothing that they lost meanwhile, not even to themselves', async () => {
    const loser = await house.member('Owner')
    const id = await idOf(loser)
    const [{ id: assignment, role_id } = { id: '', role_id: '' }] = await assignmentsOf(id)
    const answer = await meanwhile(
      (tx) => tx.remove('role_assignments', assignment),
      () => loser.post('/api/v1/role-assignments', { role_id, service_user_id: id }),
    )
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'caller_changed'])
    expect(await assignmentsOf(id)).toEqual([])
    // Asked again, it is as for everybody without the right.
    expect((await loser.post('/api/v1/locations', { name: 'Again' })).status).toBe(403)
  })

  it.each<[string, (tx: Tx, id: string) => Promise<unknown>]>([
    [
      'their token is revoked',
      (tx, id) =>
        tx.run(sql`update tokens as t set revoked_at = :now where t.org = :org and t.service_user_id = ${id}`),
    ],
    ['they are suspended', (tx, id) => tx.update('service_users', id, { status: 'suspended' })],
  ])('does nothing any more once %s', async (_, end) => {
    const ended = await house.member('Owner')
    const id = await idOf(ended)
    const { status } = await meanwhile(
      (tx) => end(tx, id),
      () => ended.patch(`/api/v1/service-users/${id}`, { status: 'active', description: 'Woken' }),
    )
    expect(status).toBe(401)
    expect((await admin.get(`/api/v1/service-users/${id}`)).body.data.description).toBe(null)
  })

  it('does it though others were given roles meanwhile', async () => {
    const caller = await house.member('Administrator')
    const id = await idOf(caller)
    const [{ role_id } = { role_id: '' }] = await assignmentsOf(id)
    const receiver = await idOf(await memberWith(house, ['spaces:read']))
    const now = clock.now()
    const answer = await meanwhile(
      (tx) =>
        tx.insert('role_assignments', {
          id: randomUUID(),
          role_id,
          service_user_id: receiver,
          created_at: now,
          updated_at: now,
          version: 1,
        }),
      () => caller.post('/api/v1/locations', { name: 'Made' }),
    )
    expect(answer.status).toBe(201)
  })
})

it('when what decides was last changed does not go back, in whichever order changes came', async () => {
  const datedAt = async () =>
    (await engine.reader.all<{ changed_at: string }>('select changed_at from organizations where key = 1', []))[0]
      ?.changed_at
  clock.forward(60_000)
  await owner.create('/api/v1/access-groups', { name: 'Later' })
  const group = await owner.create('/api/v1/access-groups', { name: 'Of the same moment' })
  const person = await owner.create('/api/v1/individuals', { display_name: 'Ada' })
  await owner.create('/api/v1/access-grants', {
    access_group_id: group.id,
    location_id: (await owner.create('/api/v1/locations', { name: 'Here' })).id,
  })
  const before = await datedAt()
  expect(before).toBe(clock.now())
  clock.forward(-5000)
  const answer = await owner.patch(`/api/v1/individuals/${person.id}`, { status: 'suspended' })
  expect(answer.status, answer.text).toBeLessThan(500)
  await owner.create('/api/v1/access-grants', {
    individual_id: person.id,
    location_id: (await owner.create('/api/v1/locations', { name: 'There' })).id,
  })
  expect(await datedAt()).toBe(before)
  clock.forward(5000)
})
