import type { Client } from './app.ts'

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
  const system: Item = await owner.create('/api/v1/locking-system', {
    name: `${name} system`,
    building_id: building.id,
  })
  return { location, building, space, door, system }
}
