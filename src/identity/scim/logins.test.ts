import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { newPerson, roleId } from '../../../test/support/people.ts'
import { scimClient } from '../../../test/support/scim.ts'

const house = await startHouse({ env: { SCIM_LOGINS: 'on' } })
const { owner } = house
const scim = scimClient(house, (await house.member('Administrator')).token)
const user = (name: string) => ({ userName: `${name}@example.org`, displayName: name, active: true })
const loginOf = async (email: string) => (await owner.get(`/api/v1/users?email=eq.${encodeURIComponent(email)}`)).body.data[0]

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
  await house.loggedIn(owner.token).create('/api/v1/role-assignments', { user_id: person.id, role_id: await roleId(house, 'Owner') })
  const refused = await scim.patch(`/Users/${body.id}`, { op: 'replace', value: { active: true } })
  expect(refused).toMatchObject({ status: 403, body: { status: '403' } })
  expect((await loginOf(person.email)).status).toBe('suspended')
  // All or nothing: the provider says so in its own log, and tries again.
  expect((await owner.get(`/api/v1/individuals/${body.id}`)).body.data.status).toBe('suspended')
})

it('a token without users:write makes no login, and nobody either', async () => {
  const narrow = scimClient(house, (await house.member('Integration')).token)
  const refused = await narrow.send('POST', '/Users', user('eve'))
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('users:write') } })
  expect((await owner.get('/api/v1/individuals?display_name=eq.eve')).body.data).toEqual([])
})
