import { describe, expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import { memberWith } from '../../../test/support/role.ts'
import { makeTwoPlaces } from '../../../test/support/two-places.ts'
import { reading } from '../context.ts'
import { whileAllowed } from './while-allowed.ts'

let meanwhile: () => Promise<unknown> = async () => undefined

const house = await startHouse({
  prepare: (app) => {
    app.get('/api/v1/pieces', { config: { permission: 'locations:read' } }, async (request) => {
      async function* pieces() {
        yield 'first'
        await meanwhile()
        yield 'second'
      }
      return { msg: 'Read', data: await Array.fromAsync(whileAllowed(request, pieces(), 0)), at: reading(request).now }
    })
  },
})
const { owner } = house
const world = await makeTwoPlaces(house)
const admin = house.loggedIn(owner.token)

describe('a file that is read for a while', () => {
  const done = (answer: Promise<{ status: number }>) => answer.then(({ status }) => expect(status).toBeLessThan(300))
  const itemOf = async (path: string) => (await admin.get(`${path}&limit=1`)).body.data[0]

  it.each<[string, number, (id: string) => Promise<unknown>]>([
    ['goes on while its reader may', 200, async () => undefined],
    [
      'goes on where they may do more',
      200,
      (id) => done(admin.post('/api/v1/role-assignments', { service_user_id: id, role_id: roleId })),
    ],
    [
      'ends with the token',
      401,
      async (id) => {
        const { data } = (await admin.get(`/api/v1/service-users/${id}/tokens`)).body
        await done(admin.post(`/api/v1/service-users/${id}/tokens/${data[0].id}/revoke`))
      },
    ],
    [
      'ends with whose token it is',
      401,
      (id) => done(admin.patch(`/api/v1/service-users/${id}`, { status: 'suspended' })),
    ],
    [
      'ends with the role',
      401,
      async (id) => {
        const { id: own } = await itemOf(`/api/v1/role-assignments?service_user_id=eq.${id}`)
        await done(admin.delete(`/api/v1/role-assignments/${own}`))
      },
    ],
    [
      'ends where they may see less',
      401,
      async (id) => {
        const { id: own, role_id } = await itemOf(`/api/v1/role-assignments?service_user_id=eq.${id}`)
        await done(
          admin.post('/api/v1/role-assignments', { service_user_id: id, role_id, building_id: world.here.buildings }),
        )
        await done(admin.delete(`/api/v1/role-assignments/${own}`))
      },
    ],
  ])('%s', async (_, status, change) => {
    const reader = await memberWith(house, ['locations:read'])
    const { id } = (await reader.get('/api/v1/me')).body.data
    meanwhile = () => change(id)
    const answer = await reader.get('/api/v1/pieces')
    expect(answer.status, answer.text).toBe(status)
    if (status === 200) expect(answer.body.data).toEqual(['first', 'second'])
  })
})

it('ends with the session of somebody who has logged in', async () => {
  const person = await newPerson(house, 'Auditor')
  meanwhile = async () => undefined
  expect((await person.get('/api/v1/pieces')).body.data).toEqual(['first', 'second'])
  meanwhile = async () => expect((await person.post('/api/v1/logout')).status).toBe(200)
  const answer = await person.get('/api/v1/pieces')
  expect(answer.status, answer.text).toBe(401)
})

const { id: roleId } = (await admin.get('/api/v1/roles?name=eq.Auditor')).body.data[0]
