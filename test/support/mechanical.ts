import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Permission } from '../../src/core/permissions.ts'
import { change } from '../../src/db/change.ts'
import { findOrganization } from '../../src/identity/organizations.ts'
import { actor, type Client, type TestHouse } from './app.ts'

interface Item {
  id: string
}

export interface Estate {
  location: Item
  building: Item
  space: Item
  door: Item
  system: Item
}

/** A place with a door, and a locking system for it. */
export async function makeEstate(owner: Client, name: string): Promise<Estate> {
  const location: Item = await owner.create('/api/v1/locations', { name })
  const building: Item = await owner.create('/api/v1/buildings', { name: `${name} house`, location_id: location.id })
  const space: Item = await owner.create('/api/v1/spaces', { name: `${name} office`, building_id: building.id })
  const door: Item = await owner.create('/api/v1/access-points', { name: `${name} door`, space_id: space.id })
  const system: Item = await owner.create('/api/v1/locking-system', { name: `${name} system`, building_id: building.id })
  return { location, building, space, door, system }
}

/** A member who may do these things and no others. */
export async function memberWith(house: TestHouse, permissions: readonly Permission[]): Promise<Client> {
  const name = `Role ${randomUUID()}`
  const organization = await findOrganization(house.engine, 'Test')
  if (!organization) throw new Error('the house has no organization')
  const now = house.clock.now()
  await change(house.engine, organization.key, now, actor, async (tx) => {
    const role = { id: randomUUIDv7(), created_at: now, updated_at: now, version: 1, name, permissions, is_built_in: false }
    await tx.insert('roles', role)
    tx.record({ action: 'role.created', resource: 'roles', resourceId: role.id, before: null, after: role })
  })
  return house.member(name)
}
