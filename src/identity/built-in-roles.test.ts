import { expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../test/support/app.ts'
import { allPermissions } from '../core/permissions.ts'
import { change } from '../db/change.ts'
import { refreshBuiltInRoles } from './built-in-roles.ts'

const house = await startHouse()
const { owner, engine, clock } = house

it('built-in roles of an older version gain what a newer one knows, once and on the record; others stay as they are', async () => {
  const own = await owner.create('/api/v1/roles', { name: 'Mine', permissions: ['spaces:read'] })
  const stored = async () => (await owner.get('/api/v1/roles?name=eq.Owner')).body.data[0]
  const { id } = await stored()
  await change(engine, 1, clock.now(), actor, async (tx) => {
    await tx.update('roles', id, { permissions: ['roles:read', 'audit-log:read'] })
    tx.record({ action: 'role.updated', resource: 'roles', resourceId: id, before: null, after: null })
  })
  expect((await owner.get('/api/v1/users')).status).toBe(403)
  await refreshBuiltInRoles(engine, clock.now())
  const { permissions, version } = await stored()
  expect(permissions.toSorted()).toEqual(allPermissions.toSorted())
  expect((await owner.get('/api/v1/users')).status).toBe(200)
  const writes = vi.spyOn(engine, 'transaction')
  await refreshBuiltInRoles(engine, clock.now())
  expect(writes).not.toHaveBeenCalled()
  expect((await stored()).version).toBe(version)
  expect((await owner.get(`/api/v1/roles/${own.id}`)).body.data.permissions).toEqual(['spaces:read'])
  const { data } = (await owner.get(`/api/v1/audit-log?resource_id=eq.${id}&order=sequence.desc&limit=1`)).body
  expect(data[0]).toMatchObject({ action: 'role.updated', actor_kind: 'system' })
})
