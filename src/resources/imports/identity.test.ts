import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Answer, type Client, startHouse } from '../../../test/support/app.ts'
import { newPerson, type Person } from '../../../test/support/people.ts'
import { memberWith } from '../../../test/support/role.ts'
import type { Permission } from '../../core/permissions.ts'

// Hashing a password is slow on purpose, and slower on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const house = await startHouse()
const { owner, clock, engine } = house
const PATH = '/api/v1/imports'

const send = (by: Client, resource: string, head: string, ...lines: string[]): Promise<Answer> =>
  by.post(PATH, { resource, rows: [head, ...lines].map((line) => line.split(',')) })
/** How many were made and failed, and by which rules. */
const became = ({ body }: Answer) => {
  const rules = new Set(body.data.errors.map(({ rule }: { rule: string }) => rule))
  return [body.data.created, body.data.failed, [...rules]]
}
const refusedFor = ({ status, body }: Answer) => [status, body.error?.reason]
const linksOf = async (id: string) =>
  (await engine.reader.all('select user_id from user_links where user_id = $1', [id])).length
const find = async (path: string) => (await owner.get(`/api/v1/${path}`)).body.data

let chief: Person
beforeAll(async () => {
  chief = await newPerson(house, 'Owner')
})

describe('who may use the service, from a file', () => {
  it('is taken in for whoever has logged in lately: roles, service users, people, and who has which role', async () => {
    expect(became(await send(chief, 'roles', 'name,external_id,permissions', 'From a file,r-1,["keys:read"]'))).toEqual(
      [1, 0, []],
    )
    expect(became(await send(chief, 'service-users', 'name,external_id', 'Door counter,s-1'))).toEqual([1, 0, []])
    expect(became(await send(chief, 'users', 'name,email,external_id', 'Ada,ada@example.org,u-1'))).toEqual([1, 0, []])
    const given = await send(
      chief,
      'role-assignments',
      'role,user_id,service_user_id',
      'From a file,ada@example.org,',
      'r-1,,s-1',
    )
    expect(became(given)).toEqual([2, 0, []])
    expect(await find('roles?external_id=eq.r-1')).toMatchObject([{ permissions: ['keys:read'], is_built_in: false }])
    expect(await find('role-assignments?role_name=eq.From a file')).toHaveLength(2)
  })

  it('makes no link that nobody would see: somebody who has logged in makes it afterwards', async () => {
    const answer = await send(chief, 'users', 'name,email,external_id', 'Bob,bob@example.org,u-2')
    expect(became(answer)).toEqual([1, 0, []])
    expect(answer.text).not.toContain('/invitation#')
    const [bob] = await find('users?external_id=eq.u-2')
    expect([bob.status, await linksOf(bob.id)]).toEqual(['invited', 0])
    const invited = await chief.post(`/api/v1/users/${bob.id}/invite`)
    expect([invited.status, invited.body.data.link]).toEqual([200, expect.stringContaining('/invitation#')])
    const again = await send(chief, 'users', 'name,email,external_id', 'Bob,bob@example.org,u-2')
    expect([again.body.data.unchanged, await linksOf(bob.id)]).toEqual([1, 1])
  })

  it('needs the login to be recent, to try it and to run it', async () => {
    const asked = { resource: 'roles', rows: [['name'], ['Tried']], dry_run: true }
    const person = await newPerson(house, 'Owner')
    const tried = await person.post(PATH, asked)
    expect(tried.body.data).toMatchObject({ status: 'checked', created: 1 })
    clock.forward(11 * 60_000)
    expect(refusedFor(await person.post(PATH, asked))).toEqual([403, 'recent_login_required'])
    expect(refusedFor(await person.post(`${PATH}/${tried.body.data.id}/run`))).toEqual([403, 'recent_login_required'])
    expect(await find('roles?name=eq.Tried')).toEqual([])
    expect((await person.post('/api/v1/me/confirm-password', { password: person.password })).status).toBe(200)
    expect((await person.post(`${PATH}/${tried.body.data.id}/run`)).status).toBe(200)
  })

  it('needs the permission of a single call', async () => {
    for (const noun of ['roles', 'users', 'service-users', 'role-assignments', 'external-identities']) {
      const operator = await house.member('Operator')
      expect([noun, ...refusedFor(await send(operator, noun, 'name', 'Mine'))]).toEqual([
        noun,
        403,
        'insufficient_permissions',
      ])
    }
  })

  it('tokens, webhooks and applications are not made: what is shown once would be shown to nobody', async () => {
    for (const noun of ['tokens', 'webhooks', 'oauth-applications']) {
      const refused = await send(house.loggedIn(owner.token), noun, 'name', 'Mine')
      expect([noun, ...refusedFor(refused)]).toEqual([noun, 400, 'import.resource'])
      expect(refused.body.msg).toContain('shown once')
    }
  })
})

describe('by a file nobody gives more than they have', () => {
  const LESS: Permission[] = [
    'imports:write',
    'roles:write',
    'roles:read',
    'role-assignments:write',
    'users:read',
    'users:write',
  ]

  it('no role holds what its maker lacks, and none is given', async () => {
    const less = house.loggedIn((await memberWith(house, [...LESS, 'keys:read'])).token)
    const made = await send(less, 'roles', 'name,permissions', 'As much,["keys:read"]', 'More,["keys:write"]')
    expect(became(made)).toEqual([1, 1, ['insufficient_permissions']])
    const auditor = await newPerson(house, 'Auditor')
    const given = await send(
      less,
      'role-assignments',
      'role,user',
      `Owner,${auditor.email}`,
      `As much,${auditor.email}`,
    )
    expect(became(given)).toEqual([1, 1, ['insufficient_permissions']])
  })

  it('nobody is woken, nor given another address, who holds more', async () => {
    const head = await newPerson(house, 'Owner')
    const less = house.loggedIn((await memberWith(house, [...LESS, 'service-users:write', 'service-users:read'])).token)
    const mine = await send(less, 'users', 'id,email', `${head.id},mine@example.org`)
    expect(became(mine)).toEqual([0, 1, ['insufficient_permissions']])
    const asleep = await house.member('Owner')
    const { id } = (await asleep.get('/api/v1/me')).body.data
    expect((await owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' })).status).toBe(200)
    const woken = await send(less, 'service-users', 'id,status', `${id},active`)
    expect(became(woken)).toEqual([0, 1, ['insufficient_permissions']])
    expect((await asleep.get('/api/v1/me')).status).toBe(401)
  })

  it('a token gives people nothing that decides over others, nor says what they prove themselves with', async () => {
    const person = await newPerson(house, 'Operator')
    const given = await send(owner, 'role-assignments', 'role,user', `Owner,${person.email}`)
    expect(became(given)).toEqual([0, 1, ['tokens_cannot_give_identity']])
    expect(became(await send(owner, 'users', 'id,email', `${person.id},mine@example.org`))).toEqual([
      0,
      1,
      ['tokens_cannot_make_tokens'],
    ])
    expect(refusedFor(await send(owner, 'external-identities', 'issuer', 'x'))).toEqual([
      403,
      'tokens_cannot_make_tokens',
    ])
    const invited = await send(owner, 'users', 'name,email', 'Eve,eve@example.org')
    expect(became(invited)).toEqual([1, 0, []])
    const [eve] = await find('users?email=eq.eve@example.org')
    expect(await linksOf(eve.id)).toBe(0)
  })

  it('whoever is limited to a place makes nobody, and gives roles there alone', async () => {
    const [here, there] = [
      await owner.create('/api/v1/locations', { name: 'Here' }),
      await owner.create('/api/v1/locations', { name: 'There' }),
    ]
    const local = house.loggedIn((await house.member('Owner', { location_id: here.id })).token)
    expect(became(await send(local, 'users', 'name,email', 'Mallory,mallory@example.org'))[0]).toBe(0)
    expect(became(await send(local, 'roles', 'name,permissions', 'Everywhere,["keys:read"]'))[0]).toBe(0)
    const [{ id: role }] = await find('roles?name=eq.Auditor')
    const { id } = (await (await house.member('Operator')).get('/api/v1/me')).body.data
    const head = 'role_id,service_user_id,location_id'
    const given = await send(local, 'role-assignments', head, `${role},${id},`, `${role},${id},${there.id}`)
    expect(became(given).slice(0, 2)).toEqual([0, 2])
    expect(await find(`role-assignments?service_user_id=eq.${id}`)).toHaveLength(1)
  })
})
