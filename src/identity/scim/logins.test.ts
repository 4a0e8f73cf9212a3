import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson, roleId } from '../../../test/support/people.ts'
import { scimClient } from '../../../test/support/scim.ts'

const house = await startHouse({ env: { SCIM_LOGINS: 'on' } })
const { owner } = house
const scim = scimClient(house, (await house.member('Administrator')).token)
const user = (name: string) => ({ userName: `${name}@example.org`, displayName: name, active: true })
const loginOf = async (email: string) =>
  (await owner.get(`/api/v1/users?email=eq.${encodeURIComponent(email)}`)).body.data[0]

it('whoever is provisioned is invited without a role, suspended when disabled, and stays suspended when deleted', async () => {
  const { body } = await scim.send('POST', '/Users', user('ada'))
  const { id, status } = await loginOf('ada@example.org')
  expect(status).toBe('invited')
  expect((await owner.get(`/api/v1/role-assignments?user_id=eq.${id}`)).body.data).toEqual([])
  await scim.patch(`/Users/${body.id}`, { op: 'Replace', path: 'active', value: 'False' })
  expect((await loginOf('ada@example.org')).status).toBe('suspended')
  await scim.patch(`/Users/${body.id}`, { op: 'Replace', path: 'active', value: 'True' })
  expect((await loginOf('ada@example.org')).status).toBe('invited')
  expect((await scim.send('DELETE', `/Users/${body.id}`)).status).toBe(204)
  expect((await loginOf('ada@example.org')).status).toBe('suspended')
})

it('a login that is there already follows; one with more rights than the token is not woken by it', async () => {
  const person = await newPerson(house)
  const { body } = await scim.send('POST', '/Users', { ...user('grace'), userName: person.email })
  expect((await loginOf(person.email)).id).toBe(person.id)
  await scim.patch(`/Users/${body.id}`, { op: 'replace', value: { active: false } })
  expect((await person.get('/api/v1/me')).status).toBe(401)
  await house
    .loggedIn(owner.token)
    .create('/api/v1/role-assignments', { user_id: person.id, role_id: await roleId(house, 'Owner') })
  const refused = await scim.patch(`/Users/${body.id}`, { op: 'replace', value: { active: true } })
  expect(refused).toMatchObject({ status: 403, body: { status: '403' } })
  expect((await loginOf(person.email)).status).toBe('suspended')
  // All or nothing: the provider says so in its own log, and tries again.
  expect((await owner.get(`/api/v1/individuals/${body.id}`)).body.data.status).toBe('suspended')
})

it('a login that was suspended here is not woken by the provider, nor is that of somebody who has left', async () => {
  const admin = house.loggedIn(owner.token)
  const off = (id: string) => scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  const on = (id: string) => scim.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
  const { body } = await scim.send('POST', '/Users', user('held'))
  const { id } = await loginOf('held@example.org')
  await admin.post(`/api/v1/users/${id}/suspend`)
  await off(body.id)
  expect((await on(body.id)).status).toBe(200)
  expect((await loginOf('held@example.org')).status).toBe('suspended')
  expect((await owner.get(`/api/v1/individuals/${body.id}`)).body.data.status).toBe('active')
  // Suspended by the provider, ended here, suspended here.
  await admin.post(`/api/v1/users/${id}/reactivate`)
  await off(body.id)
  for (const action of ['reactivate', 'suspend'])
    expect((await admin.post(`/api/v1/users/${id}/${action}`)).status).toBe(200)
  await on(body.id)
  expect((await loginOf('held@example.org')).status).toBe('suspended')
  const gone = await scim.send('POST', '/Users', user('gone'))
  await off(gone.body.id)
  await admin.post(`/api/v1/individuals/${gone.body.id}/offboard`)
  await on(gone.body.id)
  expect((await loginOf('gone@example.org')).status).toBe('suspended')
})

it('a token without users:write makes no login, and nobody either', async () => {
  const narrow = scimClient(house, (await house.member('Integration')).token)
  const refused = await narrow.send('POST', '/Users', user('eve'))
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('users:write') } })
  expect((await owner.get('/api/v1/individuals?display_name=eq.eve')).body.data).toEqual([])
})

const kept = async (id: string) =>
  (await owner.get(`/api/v1/audit-log?action=eq.user.address_kept&resource_id=eq.${id}`)).body.data.map(
    ({ after }: { after: { email: string; reason: string } }) => [after.email, after.reason],
  )

it('an invited login follows its person by name and address; what nobody spoke of stays as it was set here', async () => {
  const { body } = await scim.send('POST', '/Users', user('mary'))
  const { id } = await loginOf('mary@example.org')
  await scim.patch(`/Users/${body.id}`, {
    op: 'replace',
    value: { displayName: 'Mary Somerville', userName: 'm.s@example.org' },
  })
  await scim.patch(`/Users/${body.id}`, { op: 'add', path: 'emails[type eq "work"].value', value: 'm.s@example.org' })
  expect(await loginOf('m.s@example.org')).toMatchObject({ id, name: 'Mary Somerville', status: 'invited' })
  await house.loggedIn(owner.token).patch(`/api/v1/users/${id}`, { name: 'Mrs Somerville' })
  await scim.patch(`/Users/${body.id}`, {
    op: 'replace',
    value: { displayName: 'Mary Somerville', title: 'Scientist' },
  })
  expect((await loginOf('m.s@example.org')).name).toBe('Mrs Somerville')
})

it('a login in use keeps the address that it has, and so does one whose new address is taken; the person changes, and it is on the record', async () => {
  const person = await newPerson(house)
  const { body } = await scim.send('POST', '/Users', { ...user('caroline'), userName: person.email })
  const moved = await scim.patch(`/Users/${body.id}`, {
    op: 'replace',
    value: { displayName: 'Caroline Herschel', emails: [{ value: 'attacker@example.org', primary: true }] },
  })
  expect(moved.status).toBe(200)
  expect(await loginOf(person.email)).toMatchObject({ id: person.id, name: 'Caroline Herschel', status: 'active' })
  expect(await loginOf('attacker@example.org')).toBeUndefined()
  expect((await owner.get(`/api/v1/individuals/${body.id}`)).body.data.email).toBe('attacker@example.org')
  expect((await person.get('/api/v1/me')).status).toBe(200)
  expect(await kept(person.id)).toEqual([['attacker@example.org', 'tokens_cannot_make_tokens']])
  const invited = await scim.send('POST', '/Users', user('sophie'))
  const { id } = await loginOf('sophie@example.org')
  await scim.patch(`/Users/${invited.body.id}`, {
    op: 'replace',
    value: { emails: [{ value: person.email, primary: true }] },
  })
  expect((await loginOf('sophie@example.org')).id).toBe(id)
  expect(await kept(id)).toEqual([[person.email, 'not_unique']])
})

it('an invitation that has been given more rights than the token has does not move to another address', async () => {
  const { body } = await scim.send('POST', '/Users', user('lise'))
  const { id } = await loginOf('lise@example.org')
  await house
    .loggedIn(owner.token)
    .create('/api/v1/role-assignments', { user_id: id, role_id: await roleId(house, 'Owner') })
  await scim.patch(`/Users/${body.id}`, {
    op: 'replace',
    value: { emails: [{ value: 'lise2@example.org', primary: true }] },
  })
  expect((await loginOf('lise@example.org')).id).toBe(id)
  expect(await kept(id)).toHaveLength(1)
})
