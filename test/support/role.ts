import { randomUUIDv7 } from 'node:crypto'
import type { Permission } from '../../src/core/permissions.ts'
import { change } from '../../src/db/change.ts'
import { actor, type Client, type TestHouse } from './app.ts'

/** A member of the first organization with exactly these permissions. */
export async function memberWith(
  house: TestHouse,
  permissions: Permission[],
  place: { location_id?: string; building_id?: string } = {},
): Promise<Client> {
  const id = randomUUIDv7()
  const now = house.clock.now()
  await change(house.engine, 1, now, actor, async (tx) => {
    await tx.insert('roles', {
      id,
      created_at: now,
      updated_at: now,
      version: 1,
      name: id,
      permissions,
      is_built_in: false,
    })
    tx.record({ action: 'role.created', resource: 'roles', resourceId: id, before: null, after: { id, permissions } })
  })
  return house.member(id, place)
}
