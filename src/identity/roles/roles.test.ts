import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { allPermissions, builtInRoles, permissions } from '../../core/permissions.ts'
import { createOrganization } from '../organizations.ts'

const house = await startHouse()
const { owner } = house
const path = '/api/v1/roles'
const unknown = `${path}/01997d2a-4c00-7000-8000-00000000ffff`

const builtIn = async (name: string) => (await owner.get(`${path}?name=eq.${encodeURIComponent(name)}`)).body.data[0]

describe('roles', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await owner.post(path, { name: 'Key desk', permissions: ['keys:read', 'keys:handover'] })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Key desk',
      description: null,
      permissions: ['keys:read', 'keys:handover'],
      is_built_in: false,
    })
    const item = `${path}/${made.body.data.id}`
    expect((await owner.get(item)).body.data).toEqual(made.body.data)
    expect((await owner.patch(item, { permissions: ['keys:read'] })).body.data).toMatchObject({
      permissions: ['keys:read'],
      version: 2,
    })
    expect((await owner.delete(item)).status).toBe(200)
    expect((await owner.get(item)).status).toBe(404)
  })

  it('start with the built-in ones, which can be neither changed nor deleted', async () => {
    const list = await owner.get(`${path}?is_built_in=is.true&order=name`)
    expect(list.body.data.map((role: { name: string }) => role.name)).toEqual(
      builtInRoles.map((role) => role.name).sort(),
    )
    const inOrder = await owner.get(`${path}?is_built_in=is.true`)
    expect(inOrder.body.data.map((role: { name: string }) => role.name)).toEqual(builtInRoles.map((role) => role.name))
    const { id } = await builtIn('Auditor')
    for (const answer of [await owner.patch(`${path}/${id}`, { name: 'Mine' }), await owner.delete(`${path}/${id}`)]) {
      expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
        409,
        'INVALID_STATE',
        'role.built_in',
      ])
    }
  })

  it('hold permissions of the catalogue and no others', async () => {
    for (const wrong of [['spaces:fly'], ['spaces:read', 'spaces:read'], 'spaces:read', null]) {
      const answer = await owner.post(path, { name: 'Wrong', permissions: wrong })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await owner.post(path, { name: 'Wrong', is_built_in: true })).body.error.reason).toBe('body.read_only')
    expect((await owner.post(path, {})).status).toBe(400)
  })

  it('have a name of their own', async () => {
    await owner.create(path, { name: 'Twice' })
    const answer = await owner.post(path, { name: 'Twice' })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await owner.post(path, { name: 'Owner' })).status).toBe(409)
  })

  it('in use are not deleted', async () => {
    const role = await owner.create(path, { name: 'Used' })
    await house.member('Used')
    const answer = await owner.delete(`${path}/${role.id}`)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'RESOURCE_IN_USE'])
    expect(answer.body.msg).toContain('1 role assignment')
  })

  it('are 401 without a credential, 403 without the permission, 404 when unknown', async () => {
    const operator = await house.member('Operator')
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await operator.get(path)).status).toBe(403)
    expect((await (await house.member('Auditor')).post(path, { name: 'x' })).status).toBe(403)
    for (const answer of [await owner.get(unknown), await owner.patch(unknown, {}), await owner.delete(unknown)])
      expect(answer.status).toBe(404)
  })

  it('of another organization do not exist', async () => {
    const role = await owner.create(path, { name: 'Ours' })
    await createOrganization(house.engine, house.clock.now(), actor, 'Other')
    const stranger = await house.member('Owner', {}, 'Other')
    for (const answer of [
      await stranger.get(`${path}/${role.id}`),
      await stranger.patch(`${path}/${role.id}`, { name: 'Theirs' }),
      await stranger.delete(`${path}/${role.id}`),
    ])
      expect(answer.status).toBe(404)
  })
})

describe('nobody gives more than they have', () => {
  it('a role cannot be given permissions that its maker lacks', async () => {
    await owner.create(path, { name: 'Role maker', permissions: ['roles:read', 'roles:write', 'keys:read'] })
    const maker = await house.member('Role maker')
    const answer = await maker.post(path, { name: 'More', permissions: ['keys:read', 'keys:write', 'spaces:write'] })
    expect([answer.status, answer.body.error.code, answer.body.error.reason]).toEqual([
      403,
      'UNAUTHORIZED',
      'insufficient_permissions',
    ])
    expect(answer.body.msg).toContain('keys:write, spaces:write')
    const role = await maker.create(path, { name: 'As much', permissions: ['keys:read'] })
    expect((await maker.patch(`${path}/${role.id}`, { permissions: ['keys:read', 'keys:write'] })).status).toBe(403)
    expect((await owner.get(`${path}/${role.id}`)).body.data.permissions).toEqual(['keys:read'])
  })

  it('what a role has already may stay or be taken away by somebody who lacks it', async () => {
    const role = await owner.create(path, { name: 'Rich', permissions: ['keys:write', 'spaces:write'] })
    const maker = await house.member('Role maker')
    expect((await maker.patch(`${path}/${role.id}`, { description: 'Renamed' })).status).toBe(200)
    expect((await maker.patch(`${path}/${role.id}`, { permissions: ['keys:write'] })).status).toBe(200)
    expect((await maker.patch(`${path}/${role.id}`, { permissions: ['keys:write', 'spaces:write'] })).status).toBe(403)
  })

  it('a permission held in one place only cannot go into a role, which may be given anywhere', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'North' })
    const maker = await house.member('Role maker')
    const { id } = (await maker.get('/api/v1/me')).body.data
    const manager = await builtIn('Facility manager')
    await owner.create('/api/v1/role-assignments', {
      role_id: manager.id,
      service_user_id: id,
      location_id: location.id,
    })
    expect((await maker.post('/api/v1/buildings', { name: 'May', location_id: location.id })).status).toBe(201)
    expect((await maker.post(path, { name: 'Everywhere', permissions: ['buildings:write'] })).status).toBe(403)
  })
})

describe('permissions', () => {
  it('are listed whole, each with its sentence', async () => {
    const answer = await owner.get('/api/v1/permissions')
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual(allPermissions.map((name) => ({ name, description: permissions[name] })))
  })

  it('take no parameters', async () => {
    const answer = await owner.get('/api/v1/permissions?page=2')
    expect([answer.status, answer.body.error.reason]).toEqual([400, 'param.unknown'])
  })

  it('are 401 without a credential and 403 without roles:read', async () => {
    expect((await house.anonymous.get('/api/v1/permissions')).status).toBe(401)
    expect((await (await house.member('Operator')).get('/api/v1/permissions')).status).toBe(403)
  })
})
